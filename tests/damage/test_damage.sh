#!/bin/bash
# The short form of tests/damage/damage.py: 150 damaged files of all kinds.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm # syncing to a disk would take most of the time
. tests/command.sh
if ! command -v python3 >/dev/null; then
    echo "SKIP damage: there is no python3"
    exit 0
fi
python3 -B tests/damage/damage.py "$folder/damage" --aji "$aji" --cases 150 --seed 7 --patience 5 >"$folder/out" 2>&1 ||
    fault "damage.py ended with $?"
tail -n 1 "$folder/out"
exit "$faults"
