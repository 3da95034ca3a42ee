#!/bin/bash
# Wrong words, settings and files: each gives one clear message and leaves nothing behind. The exit code is 2 if the command line
# or the settings are wrong, and 1 if a file, the disk or the like is at fault.
. tests/command.sh

# expect CODE TEXT WORDS...: runs `aji WORDS...`, which must end with that exit code and a short message that contains TEXT
expect() {
    local code=$1 text=$2 got
    shift 2
    timeout 60 "$aji" "$@" </dev/null >"$folder/out" 2>"$folder/err"
    got=$?
    [ "$got" = "$code" ] || fault "aji $*: exit code $got, wanted $code"
    grep -qF -e "$text" "$folder/err" || fault "aji $*: no \"$text\" in its message"
    [ "$(wc -l <"$folder/err")" -le 4 ] || fault "aji $*: a message of many lines"
}

# Prints bytes that are the same each time, so that a failure can be repeated.
noise() { # COUNT
    LC_ALL=C awk -v count="$1" 'BEGIN { srand(7); for (; count > 0; count--) printf "%c", int(256 * rand()) }'
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
{ printf '\001\377' && noise 5000; } >"$folder/noise"

# commands and options
expect 2 'did you mean learn?' lern
expect 2 'did you mean --time?' learn --tme 3
expect 2 '"25" is not N or WIDTHxHEIGHT with sides of 2 to 19' learn --size 25 --run "$run"
expect 2 '--time' learn --time soon --run "$run"
# A search that ends with the evaluation that it cannot use is refused too.
expect 2 "need a second net: a net of human play" match name=a,net=uniform,visits=1,search.human.chosen_fraction=1 \
    name=b,random --games 2 --size 3 --out "$folder/refused"
expect 2 'needed' match --black random
expect 2 'foo' match --black foo --white random
expect 2 'visit' match --black "net=$net,visit=3" --white random
expect 2 '--games' match --black random --white random --games 0
expect 2 'rules' match --black random --white random --rules chess
expect 2 'there is no subcommand "nothing"' bench nothing
expect 2 'did you mean net?' bench ne
expect 2 'use new, info, show, check, convert, export, quantize, average or metrics' net foo "$folder/x.aji"
expect 2 'an argument is missing; usage: aji net new' net new
expect 2 'usage: aji rate' rate
expect 2 'two players are called random' match random --black random --white random
expect 2 'needs a value' match --black random --white
expect 2 'not a number' match --black random --white random --komi nan
expect 2 'multiple of 1/2' match --black random --white random --komi 7.3
expect 2 '--size: 1 is not within' gtp --net "$net" --size 1
expect 2 'whole number' gtp --net "$net" --visits 1e3
expect 2 'not a number' gtp --net "$net" --komi inf
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
expect 2 '1 to 200 blocks' net new --arch b999c8 "$folder/x.aji"
expect 2 'not understood' net new --arch tower "$folder/x.aji"
expect 2 'not key = value' learn --set run.threads --run "$run"
expect 2 '25:1' learn --set selfplay.sizes=25:1 --run "$run"
expect 2 'the list is empty' learn --set selfplay.sizes= --run "$run"
expect 2 'the name is empty' learn --run ''
expect 2 'did you mean search.c_puct?' match --black "net=$net,search.c_put=1" --white random
expect 1 'a file was wanted' learn "$folder" --run "$run"
expect 1 'nofile.cfg' learn "$folder/nofile.cfg" --run "$run"
[ -e "$run" ] && [ -n "$(find "$run" -name '*.npz')" ] && fault "a run was begun with wrong settings"

# nets
for what in nofile cut flipped empty; do
    expect 1 "$what.aji" eval "$folder/$what.aji"
    expect 1 "$what.aji" match --black "net=$folder/$what.aji" --white random --games 2
    expect 1 "$what.aji" net info "$folder/$what.aji"
    expect 1 "$what.aji" gtp --net "$folder/$what.aji"
done
expect 2 "$folder is a folder, but not that of a run with nets" eval "$folder"
expect 2 'not that of a run with nets' gtp --net "$folder"
mkdir "$folder/folder.aji"
expect 1 'a file was wanted' net new --arch b1c8 "$folder/folder.aji"
expect 2 'a net is written as .aji' net new --arch b1c8 "$folder"
expect 1 '/proc/x.aji' net new --arch b1c8 /proc/x.aji
expect 1 'noise' net info "$folder/noise"
cp "$net" "$folder/ours.bin.gz" && cp "$net" "$folder/unnamed"
"$aji" net convert "$net" "$folder/packed.bin.gz" >/dev/null && mv "$folder/packed.bin.gz" "$folder/packed.aji"
ln -s /dev/zero "$folder/endless.aji" && ln -s /dev/zero "$folder/endless.txt"
expect 1 'ours.bin.gz: this is an .aji file' net info "$folder/ours.bin.gz"
expect 1 'packed.aji: it is no .aji file but packed by gzip' net info "$folder/packed.aji"
expect 1 'endless.aji: it is no .aji file' net info "$folder/endless.aji" # found from its first bytes
expect 1 'endless.txt unpacks to more than' net info "$folder/endless.txt"
expect 1 'this is no net (files of nets end in .aji, .bin.gz' net info "$folder/noise"
expect 1 'the name is empty' net info ''
cp "$folder/noise" "$folder/noise.bin" && gzip -c "$folder/noise" >"$folder/noise.bin.gz"
expect 1 'noise.bin: this is not a KataGo net' net info "$folder/noise.bin"
expect 1 'noise.bin.gz: this is not a KataGo net' eval "$folder/noise.bin.gz"
expect 2 'x.foo: a net is written as .aji' net new --arch b1c8 "$folder/x.foo"
expect 2 '--arch is empty; an architecture' net new --arch '' "$folder/x.aji"
expect 2 '"9x" is not a size' eval "$net" --size 9x
expect 2 '--precision: precision "f16"' gtp --net "$net" --precision f16
"$aji" net new --arch b1c8 "$folder/large.txt" >/dev/null || fault 'the net in text form was not made'
sed -i -E '/.{800}/s/ -?[0-9.]+(e[-+]?[0-9]+)?/ 1e30/g' "$folder/large.txt" # every weight is finite, but the outputs overflow
expect 1 'large.txt: the net' eval "$folder/large.txt" --size 3
expect 1 'none.aji' gtp --net "$net" --human-net "$folder/none.aji"
expect 1 'net.aji@5: infer: the net has no scales for int8' match "net=$net,precision=int8,visits=5" random --games 2
expect 1 'cut.aji' net convert "$folder/cut.aji" "$folder/x.bin.gz"
expect 1 '/proc/x.bin.gz' net convert "$net" /proc/x.bin.gz
expect 2 'x.onnx: a net is written as .aji' net convert "$net" "$folder/x.onnx"
expect 2 'net export' net convert "$net" "$folder/x.onnx"
only='c8,trunk=attention(heads=2,maps=smolgen,map_form=points,side=5)' # a net for 5x5 alone
"$aji" net new --arch "$only" "$folder/only.aji" >/dev/null || fault 'the net for one board size was not made'
expect 2 '--onnx is missing' net export "$net"
expect 2 'an argument is missing' net export --onnx "$folder/x.onnx"
expect 2 '--size: "9x" is not a size' net export --onnx "$folder/x.onnx" "$net" --size 9x
expect 2 '--size: a board of 20x9 is not within 2x2 to 19x19' net export --onnx "$folder/x.onnx" "$net" --size 20x9
expect 2 'only.aji: this net is only for boards of 5x5, not for 9x9' net export --onnx "$folder/x.onnx" "$folder/only.aji" --size 9
expect 2 'x.aji: the name of an ONNX file ends in .onnx' net export --onnx "$folder/x.aji" "$net"
expect 2 'the name is empty' net export --onnx '' "$net"
expect 1 'cut.aji' net export --onnx "$folder/x.onnx" "$folder/cut.aji"
expect 1 'nofile.aji' net export --onnx "$folder/x.onnx" "$folder/nofile.aji"
expect 1 '/proc/x.onnx' net export --onnx /proc/x.onnx "$net"
ln -s "$net" "$folder/link.onnx"
expect 2 'are the same file' net export --onnx "$folder/link.onnx" "$net"
[ ! -e "$folder/x.onnx" ] || fault 'aji net export left a file'
expect 2 'usage: aji net convert FROM TO' net convert "$net"
[ ! -e "$folder/x.bin.gz" ] || fault 'aji net convert left a file'

# games, runs
expect 1 'cut.sgf:1' eval "$net" "$folder/cut.sgf"
expect 1 'nofile.sgf' eval "$net" "$folder/nofile.sgf"
expect 1 'noise' eval "$net" "$folder/noise"
expect 1 'a file was wanted' eval "$net" "$folder"
expect 1 '/proc/x.svg' eval "$net" --size 7 --svg /proc/x.svg
expect 1 'no run' rate "$folder/norun"
for what in train gate; do # with a mistyped name neither creates a run
    expect 1 'norun: no run is there' $what --run "$folder/norun"
    [ ! -e "$folder/norun" ] || fault "aji $what made a run"
done
expect 1 '/proc/' learn --run /proc/no/run --time 1s
expect 1 'a directory was wanted' learn --run "$net" --time 1s
expect 1 'a directory was wanted' match --black random --white random --size 5 --games 2 --out "$net"

# If output cannot be written to a full disk, every command says so. A reader that closes the pipe early is no error.
for words in settings --version version -V --help 'net --help' 'learn --help' 'net info NET' 'eval NET --size 3' 'eval NET --size 3 --json' \
    'net show NET' 'net check NET --size 3 --count 2 --json' 'bench --help'; do
    # shellcheck disable=SC2086
    "$aji" ${words/NET/$net} >/dev/full 2>"$folder/err"
    got=$?
    [ "$got" = 1 ] && grep -qF 'No space left on device' "$folder/err" || fault "aji $words >/dev/full: $got"
done

"$aji" settings 2>"$folder/err" | head -n 1 >/dev/null
[ "${PIPESTATUS[0]}" = 0 ] && [ ! -s "$folder/err" ] || fault 'aji settings | head is an error'
mkfifo "$folder/pipe" && ln -s /dev/full "$folder/full.svg"
timeout 20 cat "$folder/pipe" >"$folder/drawn" &
timeout 20 "$aji" eval "$net" --size 3 --svg "$folder/pipe" >"$folder/out" 2>"$folder/err" || fault 'aji eval cannot write a picture into a pipe'
wait $!
grep -q '</svg>' "$folder/drawn" && [ -p "$folder/pipe" ] || fault 'the pipe was not written but replaced'
expect 1 'full.svg: No space left on device' eval "$net" --size 3 --svg "$folder/full.svg"
expect 2 'the name is empty' eval "$net" --size 3 --svg ''

# files without permission to read, and a run without permission to write
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$aji" 2>/dev/null; then
    as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$aji" "$@" </dev/null 2>&1; }
    mkdir "$folder/locked"
    cp "$net" "$folder/closed.aji"
    chmod 755 "$folder"
    chmod 000 "$folder/closed.aji" "$folder/locked"
    as_nobody net info "$folder/closed.aji" | grep -qF 'closed.aji: Permission denied' || fault 'no message says that the net may not be read'
    as_nobody learn --run "$folder/locked" --time 1s | grep -qF 'locked' || fault 'no message says that the run may not be written'
    as_nobody learn --run "$folder/new" --time 1s | grep -qF 'new: Permission denied' || fault 'no message says that the folder may not be written'
fi

# Damaged rows and checkpoints of a run are set aside, never removed, and the rest is used. If run.db or run.cfg is damaged, a
# message says so.
small=(--set run.arch=b1c8 --set selfplay.sizes=3:1 --set selfplay.komi.mean=9 --set run.threads=2 --set loader.batch=32)
for _ in 1 2; do # each call writes at least one file of rows
    "$aji" selfplay --run "$run" --rows 40 "${small[@]}" >/dev/null 2>"$folder/err" || fault 'no rows were made'
done
"$aji" train --run "$run" --samples 64 >/dev/null 2>"$folder/err" || fault 'no training on fresh rows'
mapfile -t rows < <(find "$run/rows" -name '*.npz' | sort)
[ "${#rows[@]}" -ge 2 ] || fault "${#rows[@]} row files, at least 2 were wanted"
cp -r "$run" "$folder/whole"
head -c 300 "${rows[0]}" >"$folder/k" && mv "$folder/k" "${rows[0]}"
"$aji" train --run "$run" --samples 64 >/dev/null 2>"$folder/err" || fault 'one cut row file stops the training'
grep -qF "${rows[0]} is set aside as .bad" "$folder/err" || fault 'nothing is said of the cut rows'
[ -e "${rows[0]}.bad" ] || fault 'the cut rows were removed'
# In the middle of each other row file, 300 bytes are overwritten. The header of an array is
# shorter, so some of these bytes belong to the data of an array, which a checksum guards.
for file in "${rows[@]:1}"; do
    printf 'XYZ%.0s' {1..100} | dd of="$file" bs=1 seek=$(($(stat -c %s "$file") / 2)) conv=notrunc 2>/dev/null
done
"$aji" train --run "$run" --samples 64 >/dev/null 2>"$folder/err" && fault 'training went on without a row'
grep -qF 'no rows to train on' "$folder/err" || fault 'nothing is said of missing rows'
damage() { # FILE TEXT: trains on a copy of the run with FILE replaced by noise; the messages must contain TEXT
    rm -rf "$run" && cp -r "$folder/whole" "$run" && cp "$folder/noise" "$run/$1"
    "$aji" train --run "$run" --samples 64 >/dev/null 2>"$folder/err"
    grep -qF "$2" "$folder/err" || fault "$1: no \"$2\""
}
damage run.db 'remove run.db: nets and rows are then listed anew'
damage run.cfg 'run.cfg is not a text file'
damage "train/$(basename "$(find "$folder/whole/train" -name '*.aji' | tail -1)")" 'set aside as .bad'

# Each nonsensical line of GTP is answered, and the game stays as it was.
gtp() { # TEXT LINE
    printf 'play b d4\n%b\nlist_stones black\nboardsize 7\n' "$2" | timeout 60 "$aji" gtp --net uniform --size 7 \
        >"$folder/out" 2>"$folder/err" || fault "gtp \"$2\" ends the program with $?"
    grep -qF -e "$1" "$folder/out" || fault "gtp \"$2\": no \"$1\" but $(cat -v "$folder/out")"
    [ "$(grep -c '^=' "$folder/out")" -ge 2 ] || fault "gtp \"$2\": later commands fail"
}
gtp '? unknown command' 'showbord'
gtp '? unacceptable size' 'boardsize 25'
gtp "but got 'x'" 'boardsize x'
gtp '? Expected 1 argument for boardsize' 'boardsize'
gtp "but got 'nan'" 'komi nan'
gtp "Could not parse color: 'z'" 'play z c3'
gtp "Could not parse vertex: 'z99'" 'play b z99'
gtp '? illegal move' 'play w d4'
gtp '? cannot undo' 'undo\nundo'
gtp 'nofile.sgf: No such file' "loadsgf $folder/nofile.sgf"
gtp 'cut.sgf:1' "loadsgf $folder/cut.sgf"
gtp 'a file was wanted' "loadsgf $folder"
gtp '? unknown rules "chess"' 'kata-set-rules chess'
gtp '?7 unknown command' '7 foo bar'
gtp '? unknown command' "$(head -c 70000 /dev/zero | tr '\0' a)"
gtp '? unknown command' '\001\002x\377\376'
timeout 60 "$aji" gtp --net uniform <"$folder/noise" >"$folder/out" 2>"$folder/err" || fault "gtp: noise ends it with $?"

[ "$faults" = 0 ] || echo "$faults faults" >&2
exit $((faults > 0))
