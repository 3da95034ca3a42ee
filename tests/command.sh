# shellcheck shell=bash
# Shared by the tests of commands, which source this file. It sets
#   $aji     the path of the built program
#   $folder  a temporary folder, which is removed at the end
#   $faults  the number of faults so far; a test ends with failure if it is not 0
set -u
aji=${AJI_BUILD:-build/release}/aji
if [ ! -x "$aji" ]; then
    echo "$aji is not built" >&2
    exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
faults=0

# fault WORDS...: counts a fault, and prints the words and the last lines of $folder/out, err and log,
# to which tests write the output of commands
fault() {
    echo "$*" >&2
    tail -n 8 "$folder"/{out,err,log} >&2 2>/dev/null
    faults=$((faults + 1))
}
# expect CODE TEXT WORDS...: runs `aji WORDS...` for at most 100 seconds. Its exit code must be CODE,
# and its output (stdout and stderr together) must contain TEXT.
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
# also TEXT: the output of the last expect must contain TEXT, too
also() {
    grep -qF -e "$1" "$folder/out" || fault "no \"$1\" in the last output"
}
