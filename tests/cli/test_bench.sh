#!/bin/bash
# Runs the benchmarks for fractions of a second, and checks what they print but not their numbers.
. tests/command.sh

net=$folder/a.aji
"$aji" net new --arch b1c8-batch --seed 1 "$net" >/dev/null || exit 1

expect 0 "aji bench net" bench --help
expect 0 "evaluations.f32 " bench net --arch b1c8 --size 5 --seconds 0.1 --threads 1 --precision f32
also "peak_fraction.f32 "
also "time of ops, f32"
also "conv 3x3 "
also "rest "
[ "$(grep -c block0.conv1 "$folder/out")" = 0 ] || fault "layers are listed without --layers"
expect 0 "block0.conv1: conv 3x3" bench net --arch b1c8 --size 5 --seconds 0.1 --threads 2 --precision f32 --layers
also "time of ops, f32"

expect 0 "time of ops, bf16" bench net --arch b1c8 --size 5 --seconds 0.1 --threads 1 --precision bf16
expect 0 "time of ops, bf16" bench train --arch b1c8 --size 5 --batch 4 --seconds 0.1 --threads 1 --precision bf16

# The fractions of the time for kinds of ops have the same sum as those for layers. Together with
# "rest", the fraction that no op took, this sum is 1.
whole() {
    sed 's/.*"time": //; s/"layers": \[/\n/' "$folder/out" | awk -F'[:,}]' '
        { sum = 0; for (i = 1; i < NF; i++) if ($i ~ /"(forward|backward|rest)"$/) { if ($i ~ /rest/) rest = $(i + 1); else sum += $(i + 1) } sums[NR] = sum }
        END { exit !(NR == 2 && sums[1] > 0.1 && (sums[1] - sums[2]) ^ 2 < 1e-6 && (sums[2] + rest - 1) ^ 2 < 1e-6) }' ||
        fault "the fractions of the time do not add up: $(cat "$folder/out")"
}
expect 0 '"time": {"f32": {"kinds": ' bench net --arch b1c8 --size 5 --seconds 0.1 --threads 2 --precision f32 --json
also '"name": "block0.conv1"'
also '"evaluations.f32": '
whole
expect 0 '"backward": ' bench train --arch b1c8 --size 5 --batch 4 --threads 2 --seconds 0.1 --precision f32 --json
also '"name": "block0.conv1"'
also '"training.f32": '
whole
expect 0 '"node": ' bench search --size 5 --visits 20 --threads 1 --json
expect 0 'signature ' bench search --size 5 --visits 20 --threads 1 --random
grep '^signature' "$folder/out" >"$folder/signature"
expect 0 'overhead.1 ' bench search --size 5 --visits 20 --threads 1 --random --seconds 0.1
also "$(cat "$folder/signature")"
# Bytes of a node for its distribution of values: three floats; a float and 32 buckets of two bytes;
# the same with 64 buckets.
also 'distribution.variance 12 bytes'
also 'distribution.categorical 68 bytes'
also 'distribution.net 132 bytes'
expect 2 '--seconds' bench search --seconds 0

expect 0 "evaluations.minimum " bench selfplay --net "$net" --size 4 --threads 1 --seconds 0.2 --warmup 0 --precision f32 \
    --set selfplay.games_at_once=2 --set run.cache_mb=1 --set search.tree_memory_mb=4
also "games "
also "4:1, full searches of 60 visits, cheap searches of 15 visits, 1 thread of 2 games, f32"
expect 2 "training has no int8" bench train --arch b1c8 --size 4 --precision int8
expect 0 '"cached": 0' bench selfplay --net "$net" --size 4 --threads 2 --seconds 0.2 --warmup 0 --precision int8 \
    --set selfplay.games_at_once=2 --set run.cache_mb=1 --set search.tree_memory_mb=4 --json
echo 'selfplay.full.visits = 8' >"$folder/few.cfg"
expect 0 "4:1, full searches of 8 visits, cheap searches of 3 visits" bench selfplay "$folder/few.cfg" --net "$net" --size 4 --threads 1 --seconds 0.1 \
    --warmup 0 --precision f32 --set selfplay.cheap.visits=3 --set selfplay.games_at_once=2 --set search.tree_memory_mb=4
expect 2 'did you mean selfplay.full.visits?' bench selfplay --set selfplay.full_visit=3
expect 2 "none.cfg" bench selfplay "$folder/none.cfg"
expect 1 "none.aji" bench selfplay --net "$folder/none.aji"
for what in net selfplay train; do
    expect 2 '--precision: precision "f16"' bench $what --net "$net" --precision f16
    expect 2 '"tower" is not understood' bench $what --arch tower
done
expect 0 "training.f32 " bench train --arch b1c8-qvalues-auxiliary-errors --size 5 --batch 4 --threads 1 --seconds 0.1 \
    --precision f32
also "backward"
expect 0 "training.f32 " bench train --arch b1c8,ranks=2 --size 5 --batch 4 --threads 1 --seconds 0.1 --precision f32
expect 0 "block0.conv1: conv 3x3" bench train --arch b1c8 --size 5 --batch 4 --threads 1 --seconds 0.1 --precision f32 --layers

# A signal ends a benchmark immediately, because a benchmark has nothing to clean up.
timeout -s INT -k 20 1 "$aji" bench net --arch b1c8 --size 5 --threads 1 --seconds 3000 >"$folder/out" 2>"$folder/err"
[ $? = 124 ] || fault "a signal does not end aji bench net"

[ "$faults" = 0 ] || echo "$faults faults" >&2
exit $((faults > 0))
