# shellcheck shell=bash
# What the tests of commands share, to be sourced: the built program $aji, a temporary $folder that is removed at the end, and
# $faults, a count of faults.
set -u
aji=${AJI_BUILD:-build/release}/aji
if [ ! -x "$aji" ]; then
    echo "$aji is not built" >&2
    exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
faults=0

# fault WORDS...: counts a fault, and prints the words and the end of what the last command printed
fault() {
    echo "$*" >&2
    tail -n 8 "$folder"/{out,err,log} >&2 2>/dev/null
    faults=$((faults + 1))
}
# expect CODE TEXT WORDS...: runs `aji WORDS...`, which must end with that exit code and print TEXT (on either stream)
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
# also TEXT: the output of the last command must contain this text, too
also() {
    grep -qF -e "$1" "$folder/out" || fault "no \"$1\" in the last output"
}
