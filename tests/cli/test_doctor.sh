#!/bin/bash
# `aji doctor`: what it says about the machine, nets, other programs and folders; its exit code; text and JSON; and
# `aji --version`.
. tests/command.sh

program=$(realpath "$aji")
# An installed program is started in an empty folder, where it finds no file with a net. In the
# first call, XDG_CACHE_HOME cannot be written, so the net inside the program cannot be unpacked
# either.
mkdir -p "$folder"/{prefix/bin,here,bin,data}
cp "$program" "$folder/prefix/bin/aji"
unset AJI_NETS ONEDNN_MAX_CPU_ISA DNNL_MAX_CPU_ISA
# doctor WORDS...: runs it in the empty folder with only the programs of $folder/bin. Sets $code.
doctor() {
    (cd "$folder/here" && PATH=$folder/bin XDG_DATA_HOME=${data:-$folder/data} COLUMNS=${columns:-100} "$folder/prefix/bin/aji" doctor "$@") \
        >"$folder/out" 2>"$folder/err"
    code=$?
}
# says MARK TOPIC TEXT: there is a line with the mark, the topic and the text
says() {
    grep -qE -e "^$1  $2 +.*$3" "$folder/out" || fault "no line \"$1 $2 $3\""
}
export XDG_CACHE_HOME=/proc/none
doctor
[ "$code" = 1 ] || fault "exit code $code without a net"
says '!!' nets '.*/proc/none'
also 'aji learn --time 10m'
also 'Something is missing'
export XDG_CACHE_HOME=$folder/cache
doctor
[ "$code" = 0 ] || fault "exit code $code with only the net inside the program"
says -- nets 'no usable file was found'
also 'aji learn --time 10m'
says ok processor '.'
says ok cores '[1-9][0-9]* that this process may use'
says ok memory '[0-9.]+ GB, of which [0-9.]+ GB are free'
says ok 'instruction sets' '(generic|avx2|avx512|avx512_vnni|avx512_bf16|amx):'
says ok disk '[0-9.]+ GB are free'
says ok folders "runs and games: $folder/here"
says ok parts 'oneDNN [0-9]+[.][0-9]'
also 'libwebsockets 4'
also 'the page of aji serve'
says -- katago 'not found'
says -- xdg-open 'not found'
also 'Type: apt-get install xdg-utils'
if grep -q $'\033' "$folder/out"; then fault 'the output has colors, although it is no terminal'; fi

# Two nets, one of them damaged; another program; a folder of data that cannot be made.
mkdir -p "$folder/prefix/share/aji/nets"
"$program" net new "$folder/prefix/share/aji/nets/5x5-a.aji" --arch b1c8-fixup-nodist >"$folder/out" 2>&1 || fault 'the net was not made'
head -c 300 "$folder/prefix/share/aji/nets/5x5-a.aji" >"$folder/prefix/share/aji/nets/9x9-b.aji"
printf '#!/bin/sh\n' >"$folder/bin/katago"
printf '#!/bin/sh\n' >"$folder/bin/firefox"
chmod 755 "$folder"/bin/*
: >"$folder/file"
data=$folder/file doctor
[ "$code" = 0 ] || fault "exit code $code with a net"
says ok nets "5x5 +$folder/prefix/share/aji/nets/5x5-a.aji"
grep -qE '^--  +9x9 ' "$folder/out" || fault 'the damaged net is not named'
says ok katago "$folder/bin/katago"
says ok chromium "$folder/bin/firefox"
grep -qE "^--  +games of the page: $folder/file/aji cannot be written" "$folder/out" || fault 'the folder that cannot be made is not named'
also 'A game can be played. Type: aji play'
columns=60 doctor
awk 'length($0) > 60 && !/\/|http/ { wide = 1 } END { exit wide }' "$folder/out" || fault 'lines of more than 60 columns'

# The environment limits the instruction sets.
ONEDNN_MAX_CPU_ISA=SSE41 doctor
says -- 'instruction sets' 'generic: .*the environment limits'
also 'unset ONEDNN_MAX_CPU_ISA'

doctor --json
[ "$code" = 0 ] || fault "exit code $code with --json"
[ "$(wc -l <"$folder/out")" = 1 ] || fault 'the JSON has several lines'
also '"can_play": true'
also '{"board": "5x5", "file": "'
also '"topic": "cores", "state": "fine"'
if command -v python3 >/dev/null 2>&1; then
    python3 -c '
import json, sys
report = json.load(open(sys.argv[1]))
topics = {finding["topic"]: finding for finding in report["findings"]}
assert topics["cores"]["value"] >= 1
assert topics["memory"]["value"] > 1 << 20
assert topics["katago"]["state"] == "fine" and topics["gogui"]["state"] == "missing" and topics["gogui"]["advice"]
assert {f["state"] for f in report["findings"]} <= {"fine", "missing", "fault"}' "$folder/out" 2>"$folder/err" || fault 'the JSON is wrong'
fi
if command -v script >/dev/null 2>&1; then
    (cd "$folder/here" && TERM=xterm timeout 60 script -qec "$folder/prefix/bin/aji doctor" /dev/null </dev/null) >"$folder/out" 2>&1
    grep -q $'\033\[32mok' "$folder/out" || fault 'there is no color on a terminal'
fi
expect 2 'one word too many' doctor now

expect 0 'aji 0.' --version
grep -qE '^instruction sets: (generic|avx2|avx512|avx512_vnni|avx512_bf16|amx)$' "$folder/out" || fault 'no instruction sets are named'
grep -qE '^libraries: oneDNN [0-9.]+, libwebsockets [0-9.]+, SQLite [0-9.]+, Jansson [0-9.]+, zlib [0-9.]+, libyaml [0-9.]+' "$folder/out" || fault 'no libraries are named'
exit $((faults > 0))
