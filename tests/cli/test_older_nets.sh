#!/bin/bash
# Nets that older versions wrote load and give the same numbers up to rounding (tests/older/README.md).
. tests/command.sh

# numbers FILE: the scalars and the policy of an evaluation, one on a line
numbers() {
    for key in black_win black_lead black_score score_deviation shortterm_winloss_error var_time; do
        sed -n "s/.*\"$key\": \([^,}]*\).*/\1/p" "$1"
    done
    sed -n 's/.*"policy": \[\([^]]*\)\].*/\1/p' "$1" | tr -d ' ' | tr , '\n'
}
# as_before OLD COUNT WORDS...: `aji WORDS...` gives the COUNT numbers of the file OLD
as_before() {
    local old=$1 count=$2
    shift 2
    expect 0 '"policy": ' "$@"
    numbers "tests/older/$old" >"$folder/old"
    numbers "$folder/out" >"$folder/new"
    [ "$(wc -l <"$folder/old")" = "$count" ] || fault "$old has not $count numbers"
    paste "$folder/old" "$folder/new" | awk '
        { off = $1 - $2; if (NF != 2 || off > 1e-4 + 1e-4 * ($1 < 0 ? -$1 : $1) || -off > 1e-4 + 1e-4 * ($1 < 0 ? -$1 : $1)) wrong++ }
        END { exit wrong > 0 }' || fault "$old has other numbers than now"
}

as_before b5c8.json 32 eval tests/older/b5c8.aji --size 5 --moves 'C3 B3 C4' --json
as_before 13x13-b5c48.json 176 eval nets/13x13-b5c48.aji --size 13 --moves 'D4 K10 K4' --json
# The test can fail: another position has other numbers.
numbers tests/older/b5c8.json >"$folder/old"
expect 0 '"policy": ' eval tests/older/b5c8.aji --size 5 --moves 'C3 B3 D4' --json
numbers "$folder/out" | cmp -s - "$folder/old" && fault "another position has the same numbers"

expect 0 'arch.heads = "moves_left+value_buckets"' net info tests/older/b5c8.aji
expect 0 "converted from" net convert tests/older/b5c8.aji "$folder/again.aji"
expect 0 '5 blocks of 8 channels' net info "$folder/again.aji"

echo "$faults faults"
[ "$faults" = 0 ]
