#!/bin/bash
# Wrong words, settings and files: one clear message each, an exit code that says whose fault it is (2: how it was
# used, 1: what it met), and nothing left behind.
set -u
aji=${AJI_BUILD:-build/release}/aji
if [ ! -x "$aji" ]; then
    echo "$aji is not built" >&2
    exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
faults=0

fault() {
    echo "$*" >&2
    head -5 "$folder/err" >&2
    faults=$((faults + 1))
}
# expect CODE TEXT WORDS...: the exit code, a text of the message, and that the message is short
expect() {
    local code=$1 text=$2 got
    shift 2
    timeout 60 "$aji" "$@" </dev/null >"$folder/out" 2>"$folder/err"
    got=$?
    [ "$got" = "$code" ] || fault "aji $*: exit code $got, wanted $code"
    grep -qF -e "$text" "$folder/err" || fault "aji $*: no \"$text\" in its message"
    [ "$(wc -l <"$folder/err")" -le 4 ] || fault "aji $*: a message of many lines"
}

net=$folder/net.aji
run=$folder/run
"$aji" net new --arch b1c8 --seed 1 "$net" >/dev/null || exit 1
head -c 3000 "$net" >"$folder/cut.aji"
cp "$net" "$folder/flipped.aji"
printf 'X' | dd of="$folder/flipped.aji" bs=1 seek=$(($(wc -c <"$net") - 9)) conv=notrunc 2>/dev/null
: >"$folder/empty.aji"
printf '(;GM[1]SZ[7];B[aa' >"$folder/cut.sgf"
printf '\n\nrun.thread = 3\n' >"$folder/unknown.cfg"
printf 'run.threads = many\n' >"$folder/word.cfg"
printf 'selfplay.sizes = "7:1\n' >"$folder/quote.cfg"
printf '@include %s\n' "$folder/loop.cfg" >"$folder/loop.cfg"
head -c 5000 /dev/urandom >"$folder/noise"

# commands and options
expect 2 'did you mean learn?' lern
expect 2 'did you mean --time?' learn --tme 3
expect 2 '--size: 25 is not within 2 to 19' learn --size 25 --run "$run"
expect 2 '--time' learn --time soon --run "$run"
expect 2 'needed' match --black random
expect 2 'foo' match --black foo --white random
expect 2 'visit' match --black "net=$net,visit=3" --white random
expect 2 '--games' match --black random --white random --games 0
expect 2 'rules' match --black random --white random --rules chess
expect 2 'one of' bench nothing
expect 2 'chess' gtp --net "$net" --rules chess

# settings
expect 2 'did you mean run.threads?' learn --set run.thread=3 --run "$run"
expect 2 'unknown.cfg:3' learn "$folder/unknown.cfg" --run "$run"
expect 2 'word.cfg:1' learn "$folder/word.cfg" --run "$run"
expect 2 'quote.cfg:1' learn "$folder/quote.cfg" --run "$run"
expect 2 'loop.cfg' learn "$folder/loop.cfg" --run "$run"
expect 2 'not a number' learn --set search.c_puct=nan --run "$run"
expect 2 'search.c_puct' learn --set search.c_puct=-1 --run "$run"
expect 2 '1:1' learn --set selfplay.sizes=1:1 --run "$run"
expect 2 'b0c0' learn --set run.arch=b0c0 --run "$run"
expect 1 'nofile.cfg' learn "$folder/nofile.cfg" --run "$run"
[ -e "$run" ] && [ -n "$(find "$run" -name '*.npz')" ] && fault "a run was begun with wrong settings"

# nets
for what in nofile cut flipped empty; do
    expect 1 "$what.aji" eval "$folder/$what.aji"
    expect 1 "$what.aji" match --black "net=$folder/$what.aji" --white random --games 2
    expect 1 "$what.aji" net info "$folder/$what.aji"
    expect 1 "$what.aji" gtp --net "$folder/$what.aji"
done
expect 1 'a directory' eval "$folder"
expect 1 'noise' net info "$folder/noise"

# games, runs
expect 1 'cut.sgf:1' eval "$net" "$folder/cut.sgf"
expect 1 'nofile.sgf' eval "$net" "$folder/nofile.sgf"
expect 1 'noise' eval "$net" "$folder/noise"
expect 1 'no run' rate "$folder/norun"
expect 1 '/proc/' learn --run /proc/no/run --time 1s

[ "$faults" = 0 ] || echo "$faults faults" >&2
exit $((faults > 0))
