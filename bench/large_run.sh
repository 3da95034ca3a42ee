#!/bin/bash
# Measures the commands train, selfplay and learn in a run with many gigabytes of rows: how long each takes to start, and how
# much memory it uses.
#   bench/large_run.sh [GB] [DIR]
#       GB     size of the rows in GB; 10 unless given
#       DIR    the run is made in this folder and stays there; without DIR, it is made in a temporary folder and removed at the end
# The rows are many copies of one row file with games of random play on 19x19. Prints lines `name value unit`.
set -eu
aji=${AJI_BUILD:-build/release}/aji
gb=${1:-10}
run=${2:-$(mktemp -d)/run}
[ $# -ge 2 ] || trap 'rm -rf "$(dirname "$run")"' EXIT
free=$(df -P --block-size=1G "$(dirname "$run")" | awk 'NR == 2 { print $4 }')
[ "$free" -gt $((gb + 2)) ] || { echo "only $free GB are free" >&2; exit 1; }

"$aji" selfplay --run "$run" --size 19 --rows 3000 --set run.rows_cycle=3000 --set run.threads=1 --set run.cache_mb=1 --set run.arch=b2c16-fixup-nodist \
    --set selfplay.full.visits=4 --set selfplay.cheap.visits=2 --set loader.memory_mb=512 --set trainer.threads=1 </dev/null >/dev/null
rows=$(ls -S "$run"/rows/*/*.npz | head -n 1)
bytes=$(stat -c %s "$rows")
count=$((gb * 1000000000 / bytes + 1))
for number in $(seq "$count"); do
    folder=$run/rows/$(printf %06d $((number / 1000 + 1)))
    [ -d "$folder" ] || mkdir "$folder"
    cp "$rows" "$folder/copy-$(printf %06d "$number").npz"
done
sync
printf 'files %d files\nsize %d MB\n' "$(find "$run/rows" -name '*.npz' | wc -l)" "$(du -sm "$run/rows" | cut -f 1)"

# measure NAME WORDS...: runs `aji WORDS...`. Prints its whole time, the time to open the run (from the log of the run), and the
# maximum of its resident memory.
measure() {
    local name=$1 most=0 now begun
    shift
    begun=$(date +%s.%N)
    "$aji" "$@" </dev/null >/dev/null &
    local process=$!
    while now=$(awk '/^VmHWM/ { print $2 }' /proc/$process/status 2>/dev/null) && [ -n "$now" ]; do
        most=$now
        sleep 0.05
    done
    wait "$process"
    printf 'whole.%s %.1f s\n' "$name" "$(echo "$(date +%s.%N) - $begun" | bc)"
    printf 'start.%s %s s\nmemory.%s %d MB\n' "$name" "$(grep -o 'opened in [0-9.]*' "$run/log.txt" | tail -n 1 | cut -d ' ' -f 3)" "$name" $((most / 1024))
}
measure train_unknown train --run "$run" --samples 256   # here the index does not know the copied files yet
measure train train --run "$run" --samples 25600
measure selfplay selfplay --run "$run" --rows 1
measure learn learn --run "$run" --time 1s
grep -c 'set aside' "$run/log.txt" | sed 's/.*/faults & lines/'
