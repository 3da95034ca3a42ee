#!/bin/bash
# The short form of tests/power/replay.py: power is lost after every fourth of the first 600 operations of a run.
. tests/command.sh
if ! command -v python3 >/dev/null; then
    echo "SKIP power: there is no python3"
    exit 0
fi
python3 -B tests/power/replay.py "$folder/replay" --build "${AJI_BUILD:-build/release}" --operations 600 --pause-every 200 \
    --every 4 >"$folder/out" 2>&1
code=$?
if [ "$code" = 77 ]; then
    echo "SKIP power: tracing with ptrace() is forbidden here"
elif [ "$code" != 0 ]; then
    fault "replay.py ended with $code"
fi
tail -n 2 "$folder/out"
exit "$faults"
