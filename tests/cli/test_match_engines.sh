#!/bin/bash
# Matches against programs that die, hang, cheat or talk nonsense: the game is lost by them, the rest is played, games are
# kept, and no process is left over.
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
    head -8 "$folder/log" >&2
    faults=$((faults + 1))
}
# play CODE TEXT MODE [FROM]: four games against the program in that mode
play() {
    local code=$1 text=$2 mode=$3 from=${4:-1} got
    rm -rf "$folder/games"
    timeout 100 "$aji" match --black random --white "gtp:bash tests/cli/fake_engine.sh $mode $from $folder" --size 5 \
        --games 4 --threads 2 --answer-time 1s --out "$folder/games" </dev/null >"$folder/log" 2>&1
    got=$?
    [ "$got" = "$code" ] || fault "$mode: exit code $got, wanted $code"
    grep -qF -e "$text" "$folder/log" || fault "$mode: no \"$text\""
    pgrep -f "fake_engine.sh $mode $from $folder" >/dev/null && fault "$mode: a process is left over"
}
games() {
    [ "$(find "$folder/games" -name '*.sgf' 2>/dev/null | wc -l)" = "$1" ] || fault "not $1 games were kept"
}

play 0 'score of the first' pass
games 4
play 0 'score of the first: 100.0%' resign
games 4
play 0 'score of the first' wordy
games 4
for mode in die hang illegal nonsense garbage refuse; do
    play 1 '4 of 4 games were lost by a program' "$mode" 2
    games 4
done
for mode in deaf dumb small; do # no game can be begun
    play 1 'aji match:' "$mode"
    games 0
done

[ "$faults" = 0 ] || echo "$faults faults" >&2
exit $((faults > 0))
