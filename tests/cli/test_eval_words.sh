#!/bin/bash
# `aji eval` with collections of games, stdin and stdout, numbers of moves, and searches limited by time. Its table and its picture
# say what they show.
. tests/command.sh

printf '(;GM[1]SZ[5]RU[Chinese];B[cc];W[bc])\n(;GM[1]SZ[6];B[cc])\n(;GM[1]SZ[7]KM[3.5];B[cc];W[bb];B[dd])\n' >"$folder/games.sgfs"
cp "$folder/games.sgfs" "$folder/games.sgf"
for games in games.sgf games.sgfs; do
    expect 0 "$games has 3 games; this is the first (--game N chooses another)" eval uniform "$folder/$games"
    also 'after move 2 (White B3); 5x5'
    expect 0 'after move 3 (Black D4); 7x7, komi 3.5' eval uniform "$folder/$games" --game 3
    if grep -q 'this is the first' "$folder/out"; then fault 'game 3 is called the first'; fi
    expect 2 'has 3 games; --game 4 is beyond its end' eval uniform "$folder/$games" --game 4
done
expect 2 '--game needs a game' eval uniform --game 1
printf '(;GM[1]SZ[5]KM[3.5];B[cc])' >"$folder/one.sgf"
expect 0 'after move 1 (Black C3); 5x5, komi 3.5' eval uniform "$folder/one.sgf"
if grep -q 'games' "$folder/out"; then fault 'a file of one game has a message about games'; fi

# stdin, stdout
timeout 60 "$aji" eval uniform - <"$folder/one.sgf" >"$folder/out" 2>&1 || fault 'aji eval does not read a game from stdin'
also 'after move 1 (Black C3); 5x5, komi 3.5'
program=$(realpath "$aji")
(cd "$folder" && "$program" eval uniform --size 3 --svg - >out 2>err) || fault 'aji eval does not write a picture to stdout'
[ ! -e "$folder/-" ] || fault 'a file called "-" was made'
head -n 1 "$folder/out" | grep -q '^<svg' || fault 'stdout does not begin with the picture'
tail -n 1 "$folder/out" | grep -q '^</svg>' || fault 'stdout does not end with the picture'
expect 2 'exclude each other' eval uniform --size 3 --svg - --json
expect 1 "--svg: cannot write $folder/nowhere/a.svg" eval nothing.aji --size 3 --svg "$folder/nowhere/a.svg" # before it reads the net
expect 0 "the picture is in $folder/a.svg" eval uniform --size 3 --svg "$folder/a.svg"

# Each move counts, even if a color plays twice in a row.
expect 0 'after move 2 (White A2)' eval uniform --size 5 --moves 'w a1 w a2'
expect 0 'after move 4 (Black D4)' eval uniform --size 5 --moves 'b a1 w c3 w c4 b d4'
expect 0 '"move_count": 4' eval uniform --size 5 --moves 'b a1 w c3 w c4 b d4' --json
expect 0 'after move 3 (Black D4)' eval uniform "$folder/one.sgf" --moves 'b c4 b d4'
expect 0 'The game is over' eval uniform --size 5 --moves 'd4 pass pass'

# It prints the name of the rules.
expect 0 'rules Chinese' eval uniform --size 5 --rules chinese
expect 0 'rules Tromp-Taylor' eval uniform --size 5
also 'komi 7.5'

# A search limited by time, a picture of a search, and moves that are not in the order of their visits.
expect 0 'search ' eval uniform --size 5 --time 0.1
if grep -q 'search    1 visits' "$folder/out"; then fault 'a search of 0.1 s has one visit'; fi
expect 0 'search    20 visits' eval uniform --size 5 --visits 20 --time 60 --svg "$folder/b.svg"
grep -q 'fractions of 20 visits' "$folder/b.svg" || fault 'the picture does not show the search'
grep -q 'policy of the net' "$folder/a.svg" || fault 'the picture does not say what it shows'
"$aji" net new --arch b1c8 --seed 1 "$folder/net.aji" >/dev/null || fault 'the net was not made'
explained=0 # number of searches whose first move has fewer visits than a later one; only these explain the order
for moves in 'c3' 'c3 b3' 'b2 d4 c3 e1'; do
    for visits in 2 100 300; do
        expect 0 search eval "$folder/net.aji" --size 5 --moves "$moves" --visits "$visits"
        if awk '$2 ~ /^[0-9]+$/ && $3 ~ /%$/ { n[++k] = $2; if ($2 > n[1]) later = 1 } END { exit !later }' "$folder/out"; then
            explained=$((explained + 1))
            also 'comes first although others have more visits'
        elif grep -q 'comes first although' "$folder/out"; then
            fault 'the move with the most visits needs no reason to come first'
        fi
    done
done
[ "$explained" -ge 1 ] || fault 'no search put a move with fewer visits first'

# What a net says of turns, errors and changes is shown if the net has the heads.
"$aji" net new --arch b1c8-moves_left-value_error-root_variance --seed 1 "$folder/heads.aji" >/dev/null || fault 'no net with heads'
expect 0 'changes   of the value in a search: ' eval "$folder/heads.aji" --size 5
also 'ends in   '
also 'error     of '
expect 0 '"root_variances": [' eval "$folder/heads.aji" --size 5 --json
also '"moves_left": '
also '"value_error": '
expect 0 '"var_time": ' eval "$folder/net.aji" --size 5 --json
if grep -q 'root_variances\|moves_left\|value_error' "$folder/out"; then fault 'the answer has values for which the net has no head'; fi
expect 0 search eval "$folder/heads.aji" --size 5 --visits 20 --set search.moves_left.max_effect=0.03 --set search.uncertainty.error=value
expect 2 'needs a net with the head moves_left' eval "$folder/net.aji" --size 5 --visits 20 --set search.moves_left.max_effect=0.03
exit $((faults > 0))
