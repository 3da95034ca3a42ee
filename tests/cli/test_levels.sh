#!/bin/bash
# `aji calibrate` measures the levels of a net, and play, gtp and match use them.
. tests/command.sh

net=$folder/4x4-tiny.aji
"$aji" net new --arch b1c8 "$net" >"$folder/log" 2>&1 || fault 'the net was not made'
expect 2 'there are no levels of 4x4-tiny.aji on 4x4; measure them: aji calibrate' gtp "$net" --level 1
expect 1 'cannot' calibrate "$folder/none.aji"
expect 2 'not a multiple of 1/2' calibrate "$net" --komi 0.3
expect 2 'does not end in .json' calibrate "$net" --file "$folder/levels"

# If the command is stopped early, the next call goes on with the games that are there.
timeout -s INT 1 "$aji" calibrate "$net" --games 8 --no-gnugo --threads 1 --file "$folder/slow.json" >"$folder/log" 2>&1
code=$?
[ $code = 130 ] || [ $code = 0 ] || [ $code = 124 ] || fault "stopped: exit code $code"
expect 0 '4x4, komi 7.5, rules Chinese, 124 games' calibrate "$net" --games 8 --no-gnugo
also 'without GNU Go the levels have no ranks'
also '4x4-tiny.aji; 0 Elo is the strength of random play'
also "The levels are in $folder/4x4-tiny.4x4.levels.json"
[ "$(ls "$folder/4x4-tiny.4x4.levels" | grep -c sgf)" = 124 ] || fault 'the folder does not have 124 games'
grep -q '"strength": 0.55' "$folder/4x4-tiny.4x4.levels.json" || fault 'the file has no strength 0.55'

printf 'genmove b\n' | timeout 60 "$aji" gtp "$net" --level 1 >"$folder/out" 2>&1 || fault 'aji gtp --level fails'
also 'aji gtp: 4x4-tiny.aji on 4x4: level 1, strength 0.00'
also '= '
printf 'quit\n' | timeout 60 "$aji" play "$net" --level 2 --game "$folder/a.sgf" >"$folder/out" 2>&1 || fault 'aji play --level fails'
also 'aji play: 4x4-tiny.aji on 4x4: level 2, strength '
expect 0 '4x4-tiny.aji level 1' match "$net,level=1" "$net,level=2" --games 2
also '4x4-tiny.aji level 2'
expect 2 'exclude each other' gtp "$net" --level 1 --strength 0.5
expect 2 'exclude each other' play "$net" --level 1 --strength 0.5
expect 2 'there is no level "9k" of 4x4-tiny.aji on 4x4' match "$net,level=9k" random
expect 2 'there are no levels of 4x4-tiny.aji on 5x5' match "$net,level=1" random --size 5

# Another net file, and a file of levels that is damaged.
"$aji" net new --arch b1c8 --seed 2 "$net" >"$folder/log" 2>&1 || fault 'no second net'
expect 0 'warning: the levels of 4x4-tiny.aji were measured with another net file' match "$net,level=1" random --games 2
echo '{"format": 1}' >"$folder/4x4-tiny.4x4.levels.json"
expect 2 'is not a file of aji calibrate' gtp "$net" --level 1
exit $((faults > 0))
