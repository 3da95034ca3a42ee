#!/bin/bash
# If the folder of the script ./aji cannot be written, the script runs the program that is built there, or says what to do.
. tests/command.sh

program=$(realpath "$aji")
if [ "$(id -u)" != 0 ] || ! setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$program" 2>/dev/null; then
    echo 'SKIP needs root, setpriv, and a program that other users can run'
    exit 0
fi
as_nobody() { # runs the script of the shared clone as a user who cannot write there
    setpriv --reuid 65534 --regid 65534 --clear-groups "$folder/clone/aji" "$@" </dev/null >"$folder/out" 2>&1
}
mkdir -p "$folder/clone/build/release"
cp aji "$folder/clone/aji"
chmod 755 "$folder"
as_nobody --version && fault 'a program that is not built runs'
also 'clone the project into a folder of your own'
cp "$program" "$folder/clone/build/release/aji"
as_nobody --version || fault 'what is built in a shared clone does not run'
also 'aji 0.'
if grep -q 'Permission denied' "$folder/out"; then fault 'a lock is not needed to run what is built'; fi
exit $((faults > 0))
