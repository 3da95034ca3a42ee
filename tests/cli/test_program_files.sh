#!/bin/bash
# Where the nets and the settings files that come with the program are looked for, and in which order.
. tests/command.sh

program=$(realpath "$aji")
# A copy of the program as it is installed, another one as it is built, and an empty folder to start them from.
mkdir -p "$folder"/{prefix/bin,prefix/share/aji/nets,prefix/share/aji/configs,tree/build/release,tree/nets,here,named}
cp "$program" "$folder/prefix/bin/aji"
cp "$program" "$folder/tree/build/release/aji"
"$program" net new "$folder/prefix/share/aji/nets/4x4-installed.aji" --arch b1c8-fixup-nodist >"$folder/out" 2>&1 || fault 'the net was not made'
cp "$folder/prefix/share/aji/nets/4x4-installed.aji" "$folder/tree/nets/4x4-source.aji"
unset AJI_NETS

# plays TREE SIZE: prints the first line of a game on this board. The game is played by the program of TREE, started in the folder
# `here`.
plays() {
    (cd "$folder/here" && echo quit | timeout 100 "$folder/$1/aji" play --visits 2 --size "$2") >"$folder/out" 2>&1
}
plays prefix/bin 4
also 'Aji 4x4-installed'
plays tree/build/release 4
also 'Aji 4x4-source'

# The current directory comes before the installed folder, and AJI_NETS before both. If a folder has no net for the board,
# the next folder is searched.
mkdir "$folder/here/nets"
cp "$folder/tree/nets/4x4-source.aji" "$folder/here/nets/4x4-here.aji"
plays prefix/bin 4
also 'Aji 4x4-here'
cp "$folder/tree/nets/4x4-source.aji" "$folder/named/4x4-named.aji"
AJI_NETS=$folder/named plays prefix/bin 4
also 'Aji 4x4-named'
mv "$folder/here/nets/4x4-here.aji" "$folder/here/nets/3x3-here.aji"
plays prefix/bin 4
also 'Aji 4x4-installed'
plays prefix/bin 5
also 'the folders of nets have no net for 5x5 (only for 3x3 4x4)'

# A program in PREFIX/bin looks for a folder beside PREFIX only if PREFIX is named build. A file whose name has sides that no board
# can have is not taken as a net.
mkdir "$folder/nets"
cp "$folder/tree/nets/4x4-source.aji" "$folder/nets/5x5-stray.aji"
cp "$folder/tree/nets/4x4-source.aji" "$folder/here/nets/20x20-far.aji"
plays prefix/bin 5
also '(only for 3x3 4x4)'

# If no folder has a net for 9x9, the net inside the program is unpacked once. If the number of
# bytes of the unpacked file is wrong later, the file is replaced.
export XDG_CACHE_HOME=$folder/cache
plays prefix/bin 9
also 'Aji 9x9-'
unpacked=$(echo "$folder"/cache/aji/nets-*/9x9-*.aji)
[ -s "$unpacked" ] || fault 'the net inside the program is not unpacked'
"$program" net info "$unpacked" >"$folder/out" 2>&1 || fault 'the unpacked net is not whole'
sum=$(sha256sum "$unpacked")
touch -d '2001-01-01' "$unpacked"
plays prefix/bin 9
[ "$(stat -c %Y "$unpacked")" -lt 1000000000 ] || fault 'the net was unpacked again'
echo damaged >"$unpacked"
plays prefix/bin 9
also 'Aji 9x9-'
[ "$(sha256sum "$unpacked")" = "$sum" ] || fault 'the damaged net was not replaced'
cp "$folder/tree/nets/4x4-source.aji" "$folder/here/nets/9x9-here.aji"
plays prefix/bin 9
also 'Aji 9x9-here'
rm "$folder/here/nets/9x9-here.aji"
XDG_CACHE_HOME=/proc/none plays prefix/bin 9
also '/proc/none'
(unset XDG_CACHE_HOME HOME && plays prefix/bin 9)
also 'neither XDG_CACHE_HOME nor HOME'

# Settings files: the file that is named is read. If it does not exist and its name is configs/FILE, the installed configs/FILE is
# read. Other names are not looked for.
echo 'selfplay.sizes = "4:1"' >"$folder/prefix/share/aji/configs/learn-tiny.cfg"
learns() { # FILE: begins a run, which ends after a second, from the folder here
    rm -rf "$folder/here/aji-run-4"
    (cd "$folder/here" && timeout 100 "$folder/prefix/bin/aji" learn "$1" --time 1) >"$folder/out" 2>&1
}
learns configs/learn-tiny.cfg || fault 'the installed settings file is not found'
[ -f "$folder/here/aji-run-4/run.cfg" ] || fault 'the installed settings do not count'
learns learn-tiny.cfg && fault 'a settings file is found by a name without its folder'
also 'learn-tiny.cfg'
mkdir "$folder/here/configs"
echo 'run.none = 1' >"$folder/here/configs/learn-tiny.cfg"
learns configs/learn-tiny.cfg && fault 'the installed file is read in place of the file that was named'
also 'run.none'
(cd "$folder/here" && timeout 100 "$folder/prefix/bin/aji" match random --ladder configs/none.cfg) >"$folder/out" 2>&1 && fault 'a file of opponents that does not exist is no error'
also 'configs/none.cfg'
exit $((faults > 0))
