# shellcheck shell=bash
# What the tests of commands share, to be sourced: the built program, a folder that goes at the end, and a count of faults.
set -u
aji=${AJI_BUILD:-build/release}/aji
if [ ! -x "$aji" ]; then
    echo "$aji is not built" >&2
    exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
faults=0

# fault WORDS...: with the end of what the last command said
fault() {
    echo "$*" >&2
    tail -n 8 "$folder"/{out,err,log} >&2 2>/dev/null
    faults=$((faults + 1))
}
# expect CODE TEXT WORDS...: the exit code of a command, and a text that its output (both streams) contains
expect() {
    local code=$1 text=$2 got
    shift 2
    timeout 100 "$aji" "$@" </dev/null >"$folder/out" 2>&1
    got=$?
    if [ "$got" != "$code" ]; then
        fault "aji $*: exit code $got, wanted $code"
    elif ! grep -qF -e "$text" "$folder/out"; then
        fault "aji $*: no \"$text\""
    fi
}
# also TEXT: the last output contains that too
also() {
    grep -qF -e "$1" "$folder/out" || fault "no \"$1\" in the last output"
}
