#!/bin/bash
# `aji eval` and `aji settings`: what they print, and their messages for wrong arguments.
. tests/command.sh

net=$folder/run/nets/small.aji
game=$folder/game.sgf
mkdir -p "$folder/run/nets"
"$aji" net new --arch b1c8 --seed 1 "$net" >/dev/null || exit 1
printf '(;GM[1]SZ[5]KM[3.5]RU[Chinese];B[cc];W[bc];B[cb];W[])' >"$game"
printf '(;GM[1]SZ[5];B[cc];W[cc])' >"$folder/illegal.sgf"
printf '(;GM[1]SZ[25];B[cc])' >"$folder/large.sgf"
printf '(;GM[1]SZ[5];B[cc];W[];B[])' >"$folder/over.sgf"
printf 'selfplay.sizes = "6x5:1"\nselfplay.komi_mean = 2.2\n' >"$folder/run/run.cfg"

# What `aji eval` prints.
expect 0 "Black to move, after move 4 (White pass); 5x5, komi 3.5" eval "$net" "$game"
also "no result"
also "ends       5%: "
expect 0 "White to move, after move 1 (Black C3)" eval "$net" "$game" --move 1 --visits 8
also "search    8 visits: White wins"
expect 0 "after move 0; 6x5, komi 2," eval "$net"
expect 0 "was trained on other boards (6x5); what it says about 4x4 is not reliable" eval "$net" --size 4
also "4x4, komi 7.5"
expect 0 "5x4, komi -2.5, rules Chinese" eval --net "$net" --size 5x4 --komi -2.5 --rules chinese
expect 0 "The game is over" eval "$net" "$folder/over.sgf" --visits 5
also "nothing is searched"
expect 0 '"black_win":' eval "$net" "$game" --json --visits 4 --svg "$folder/board.svg"
also '"board": [".....", "..X..", ".OX..", ".....", "....."]'
also '"visits": 4'
also '"black_score_distribution": [['
grep -q '</svg>' "$folder/board.svg" || { echo "no board.svg" >&2; faults=$((faults + 1)); }
grep -q 'the highest bar is' "$folder/board.svg" || { echo "no scores in board.svg" >&2; faults=$((faults + 1)); }
expect 0 "after move 2 (White pass); 5x5" eval "$net" --size 5 --moves "C3 pass"
expect 0 "wins      Black 50.0%" eval uniform --size 9

# The tree of a search.
expect 0 "tree; values are White's" eval "$net" "$game" --move 1 --visits 40 --tree
also "this position"
also "   W "
also "     B "
expect 0 "B A1 (+" eval uniform --size 2 --rules chinese --visits 60 --tree --tree-depth 1 --tree-branches 5
expect 0 '"tree": {"visits": 40,' eval "$net" "$game" --move 1 --visits 40 --json --tree
also '"children": [{"move": '
also '"weight": '
also '"net_black_winrate": '
expect 2 "--tree needs a search" eval "$net" --tree
expect 2 '--tree-line, at "Z9"' eval "$net" --visits 4 --tree --tree-line "Z9"
expect 2 "has not visited A1 as move 1" eval "$net" "$game" --move 1 --visits 1 --tree --tree-line "A1"

# The evaluation by the net alone is the same each time.
"$aji" eval "$net" "$game" --json >"$folder/first" 2>/dev/null
"$aji" eval "$net" "$game" --json >"$folder/second" 2>/dev/null
cmp -s "$folder/first" "$folder/second" || { echo "eval differs from run to run" >&2; faults=$((faults + 1)); }

# If all of the history is hidden, the net says the same as of a board on which the stones were set up.
# own ARGUMENTS: prints what the net alone says
own() { "$aji" eval "$net" "$@" --json 2>/dev/null | grep -o '"evaluation": .*'; }
printf '(;GM[1]SZ[5]KM[3.5]RU[Chinese]AB[cc][cb]AW[bc]PL[W])' >"$folder/stones.sgf"
stones=$(own "$folder/stones.sgf")
[ -n "$stones" ] || { echo "no evaluation of set-up stones" >&2; faults=$((faults + 1)); }
for hidden in 'search.ignore_history=true' 'search.history_weight=0'; do
    [ "$(own "$game" --move 3 --set $hidden)" = "$stones" ] || {
        echo "eval with $hidden shows the history to the net" >&2
        faults=$((faults + 1))
    }
done
for shown in 'search.ignore_history=false' 'search.history_weight=0.5'; do
    [ "$(own "$game" --move 3 --set $shown)" != "$stones" ] || {
        echo "eval with $shown hides all of the history from the net" >&2
        faults=$((faults + 1))
    }
done

# Wrong arguments.
head -c 1000 "$net" >"$folder/cut.aji"
expect 0 "no net was named, so the net for 13x13 is used: nets/13x13-" eval
expect 0 "the net for 9x9 is used: nets/9x9-" eval --size 9
printf '(;SZ[9];B[ee])' >"$folder/nine.sgf"
expect 0 "the net for 9x9 is used: nets/9x9-" eval "$folder/nine.sgf"
expect 2 "the folders of nets have no net for 4x4" eval --size 4
expect 1 "No such file" eval "$folder/none.aji"
expect 1 "cut.aji" eval "$folder/cut.aji"
expect 1 "katago.bin.gz: no such file" eval katago.bin.gz
expect 1 "No such file" eval "$net" "$folder/none.sgf"
expect 1 "no game" eval "$net" "$folder/run/run.cfg"
expect 1 "SZ[25]: wanted 2 to 19" eval "$net" "$folder/large.sgf"
expect 1 "move 2, White at C3, is illegal" eval "$net" "$folder/illegal.sgf"
expect 0 "after move 1" eval "$net" "$folder/illegal.sgf" --move 1
expect 2 "has 4 moves; --move 5 is beyond its end" eval "$net" "$game" --move 5
expect 2 "--move needs a game" eval "$net" --move 1
expect 2 "--size is for an empty board" eval "$net" "$game" --size 5
expect 2 "not within 2x2 to 19x19" eval "$net" --size 20
expect 2 "is not a size such as 9 or 9x7" eval "$net" --size big
expect 2 "not a multiple of 1/2" eval "$net" --komi 6.3
expect 2 'unknown rules "house"' eval "$net" --rules house
expect 2 "is not one of f32" eval "$net" --precision f16
expect 2 "did you mean --visits" eval "$net" --visit 1
expect 2 "one word too many" eval "$net" "$game" more
expect 1 "cannot write" eval "$net" --svg "$folder/none/board.svg"

# Settings.
expect 0 "search.forced_playouts" settings FORCED_PLAYOUTS
also "in a run: 2"
also "1 of "
expect 0 "search.forced_playouts" settings rootDesiredPerChildVisitsCoeff
expect 0 '"name": "search.forced_playouts"' settings forced --json
also '"min": 0.0'
expect 0 "arch.blocks" settings
also "selfplay.full.visits"
also "averaging.decay"
expect 2 "the nearest is search.noise.weight" settings nois_weight
expect 2 'the nearest is "noise"' settings nosie
expect 2 "one word too many" settings a b
for width in 50 80 120; do
    COLUMNS=$width "$aji" settings Huber | grep '^    ' | awk -v most=$width 'length($0) > most { exit 1 }' || {
        echo "settings: a line of help is longer than $width" >&2
        faults=$((faults + 1))
    }
done

echo "$faults faults"
[ "$faults" = 0 ]
