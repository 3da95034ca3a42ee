#!/bin/bash
# If a net lies in RUN/nets, gtp, match and eval begin with the board, komi and rules of its run. Options overrule these, and each
# command warns of a board on which the net was not trained. A net may be given as a word without --net.
. tests/command.sh

run=$folder/run
"$aji" learn --run "$run" --size 5 --time 2m --set run.nets=1 --set run.threads=1 --set run.arch=b1c8-fixup-nodist \
    --set run.rows_first=60 --set run.rows_cycle=60 --set selfplay.full.visits=8 --set selfplay.cheap.visits=4 \
    --set selfplay.suicide_rules=false --set run.cache_mb=1 >"$folder/log" 2>&1 || fault 'the run was not made'
net=$(echo "$run"/nets/000001-*.aji)
name=$(basename "$net")
komi=24 # a run's komi on 5x5

# gtp NET LINES OPTION...: runs `aji gtp`; its answers go to $folder/out, its messages to $folder/err
gtp() {
    local net=$1 lines=$2
    shift 2
    printf '%b' "$lines" | timeout 60 "$aji" gtp "$net" --visits 2 "$@" >"$folder/out" 2>"$folder/err" || fault "gtp $net $*: exit code $?"
}
says() { grep -qF -e "$1" "$folder/err" || fault "stderr has no \"$1\""; }
silent() { if grep -qF -e "$1" "$folder/err"; then fault "stderr has \"$1\""; fi; }
answers() { grep -qF -e "$1" "$folder/out" || fault "stdout has no \"$1\""; }

gtp "$net" 'get_komi\nkata-get-rules\nshowboard\ngenmove b\n'
answers "= $komi"
answers '"suicide":false'
answers 'A B C D E'
if grep -qF 'A B C D E F' "$folder/out"; then fault 'the board is not 5x5'; fi
says '5x5, komi 24'
silent 'not reliable'
gtp "$net" 'get_komi\nkata-get-rules\nshowboard\n' --size 7 --komi 3.5 --rules japanese
answers '= 3.5'
answers '"scoring":"TERRITORY"'
answers 'A B C D E F G'
says "$name was trained on other boards (5x5); what it says about 7x7 is not reliable"
gtp "$net" 'get_komi\n' --size 7 # the komi of the run is only for 5x5
answers '= 7.5'
gtp "$net" 'boardsize 9\ngenmove b\nboardsize 9\nclear_board\ngenmove b\n' --threads 2
[ "$(grep -c 'about 9x9 is not reliable' "$folder/err")" = 1 ] || fault 'there is not exactly one warning about 9x9'
gtp "$net" 'kata-get-rules\nshowboard\n' --set rules=chinese --set defaultBoardSize=6
answers '"whiteHandicapBonus":"N"'
says '6x6'
cp "$net" "$folder/alone.aji"
gtp "$folder/alone.aji" 'get_komi\nshowboard\n'
answers '= 7.5'
answers '19 '
cp "$net" "$folder/6x7-alone.aji" # without a run, the name of a file can tell the board
gtp "$folder/6x7-alone.aji" 'get_komi\nkomi 0\nshowboard\n'
answers '= 7.5'
answers ' 7 '
if grep -qF ' 8 ' "$folder/out"; then fault 'the board is not the one in the name of the net'; fi
says '6x7'
gtp "$run" 'get_komi\nshowboard\n'
answers "= $komi"
says "the net of $run is $net"
expect 2 'is a folder, but not that of a run with nets' gtp "$run/rows"
mkdir -p "$folder/fresh/nets"
expect 2 "the run $folder/fresh has no nets yet" eval "$folder/fresh"
expect 0 "the net of $run is $net" eval "$run"
also '5x5'
expect 0 'parameters' net info "$run"
also "$net"
expect 2 'there are two nets' gtp "$net" --net "$net"
expect 0 'no net was named, so the net for 9x9 is used: nets/9x9-' gtp --size 9
expect 0 'no net was named, so the net for 9x9 is used: nets/9x9-' gtp --set start.board_size=9
expect 2 'the folders of nets have no net for 8x8' gtp --size 8
expect 2 'one word too many' gtp "$net" more

# On a board that the run did not play, the komi is the usual one of the rules.
for size in 5 7; do
    printf 'quit\n' | timeout 60 "$aji" play "$run" --size $size --rules japanese --visits 2 --game "$folder/play$size.sgf" \
        >"$folder/out" 2>"$folder/err" || fault "aji play --size $size fails"
    answers "${size}x$size, komi $([ $size = 5 ] && echo $komi || echo 6.5)"
done

query() { # SIZE
    printf '{"id":"a","boardXSize":%d,"boardYSize":%d,"rules":"chinese","moves":[],"maxVisits":2}\n' "$1" "$1"
}
{ query 5 && query 6 && query 6; } | timeout 60 "$aji" analysis "$net" --threads 2 >"$folder/out" 2>"$folder/err" || fault 'aji analysis NET fails'
query 5 | timeout 60 "$aji" analysis "$run" >"$folder/out2" 2>>"$folder/err" || fault 'aji analysis RUN fails'
grep -q moveInfos "$folder/out2" || fault 'analysis RUN does not answer'
[ "$(grep -c moveInfos "$folder/out")" = 3 ] || fault 'analysis NET does not answer'
[ "$(grep -c 'about 6x6 is not reliable' "$folder/err")" = 1 ] || fault 'there is not exactly one warning about 6x6'
silent 'of 5x5'
expect 2 'there are two nets' analysis "$net" --net "$net"

expect 0 "5x5, komi $komi" match "$net,visits=2" random --games 2
if grep -qF 'not reliable' "$folder/out"; then fault 'match warns of the board of the run'; fi
also "$name@2"
expect 0 "$name@3" match "$run,visits=3" random --games 2
expect 0 "$name was trained on other boards (5x5); what it says about 6x6 is not reliable" match "$net,visits=2" "name=b,net=$net,visits=1" --games 2 --size 6
also '6x6, komi 7.5'
[ "$(grep -c 'not reliable' "$folder/out")" = 1 ] || fault 'there is not exactly one warning about the net'
expect 0 '4x5' eval "$net" --size 4x5
expect 0 '7x7, komi 7.5, rules Tromp-Taylor' match random name=b,random --games 2
cp "$net" "$folder/4x4-first.aji"
cp "$net" "$folder/5x5-second.aji"
expect 0 '4x4, komi 7.5, rules Tromp-Taylor' match "$folder/4x4-first.aji,visits=1" "$folder/5x5-second.aji,visits=1" --games 2
expect 0 '7x7, komi 3.5, rules Chinese' match "$net,visits=2" random --games 2 --size 7 --komi 3.5 --rules chinese
expect 2 'did you mean visits?' match "$net,visit=100" random
expect 2 'player "foo": there is no file or run foo' match foo random
expect 2 'there is no file or run aji-run-8;' match aji-run-8,visits=10 random
expect 2 '"fast" is not KEY=VALUE' match "$net,fast" random
expect 1 'foo.aji' match foo.aji random
cp "$net" "$folder/with,comma=1,visits.aji"
expect 0 'with,comma=1,visits.aji@3' match "net=$folder/with,comma=1,visits.aji,visits=3" random --games 2 --size 5
expect 0 'with,comma=1,visits.aji@3' match "$folder/with,comma=1,visits.aji,visits=3" random --games 2 --size 5

expect 0 "5x5, komi $komi, rules positional superko, area scoring, no suicide" eval "$net"

# `aji net info` shows the run of a net, and how close int8 and bf16 come to f32.
expect 0 "  run       5x5, komi $komi" net info "$net"
expect 0 'int8' net quantize "$net" "$folder/small.aji" --sizes 5 --count 20
expect 0 'clear positions' net info "$folder/small.aji"
for text in '  int8 ' '  bf16 '; do also "$text"; done

# A missing program gives only one message. GNU Go in /usr/games is found even without the script `aji`.
expect 1 'nosuchprogram: the program has ended with code 127' match gtp:nosuchprogram random --games 2 --size 5
if grep -q 'sh: ' "$folder/out"; then fault "the shell complains of a missing program"; fi
if [ -x /usr/games/gnugo ] || command -v gnugo >/dev/null 2>&1; then
    PATH=/usr/bin:/bin expect 0 '2 of 2 games' match 'gtp:gnugo --mode gtp --level 1 --chinese-rules' random --games 2 --size 5 --rules chinese
fi
exit $((faults > 0))
