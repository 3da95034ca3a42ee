#!/bin/sh
# Checks the files of src/ against the table src/layers.txt. A room is a folder of src/, a wing is a
# folder of a room, and a door is a header that other rooms may include. Fails
#   - if a file includes a header of a room that its room may not include, a header of another room
#     that is no door, or a header of a wing that comes after its own;
#   - if an include does not name the header from src/ on ("base/error.h");
#   - if the table does not know a room or a wing, or lets a room include one that is not below it;
#   - if a file outside cli and base calls exit() or abort();
#   - if a line is longer than 100 columns;
#   - if a folder holds more than 30 files, or more than 45 in base and go.
# `layers.sh FOLDER` checks FOLDER in place of src/.
set -eu
src=${1:-src}
find "$src" -mindepth 2 -name '*.[ch]' | sort | awk -v src="$src" '
function wrong(text) { print text; faults++ }
function read_table(file,    line, part, head, n, i, words) {
    while ((getline line < file) > 0) {
        if (line ~ /^wings /) { # "wings ROOM: WING WING ...", lowest first; the files of the room itself are above all wings
            n = split(line, words, " ")
            sub(/:$/, "", words[2])
            winged[words[2]] = 1
            for (i = 3; i <= n; i++) wing[words[2], words[i]] = i
            continue
        }
        if (line ~ /^#/ || line !~ /\|/) continue
        split(line, part, "|")
        split(part[1], head, " ")
        level[head[1]] = head[2] + 0
        n = split(part[2], words, " ")
        for (i = 1; i <= n; i++) {
            may[head[1], words[i]] = 1
            if (!(words[i] in level) || level[words[i]] >= level[head[1]]) wrong("layers.txt: " head[1] " may include " words[i] ", which is not below it")
        }
        n = split(part[3], words, " ")
        for (i = 1; i <= n; i++) door[head[1], words[i]] = 1
    }
}
function wing_of(room, path,    folder) {
    if (path !~ /\//) return ABOVE
    folder = path
    sub(/\/.*/, "", folder)
    if (!((room, folder) in wing)) { wrong("layers.txt: " room " has no wing " folder " in its order"); wing[room, folder] = ABOVE }
    return wing[room, folder]
}
function check_include(file, room, line,    name, other, header, own) {
    name = line
    sub(/^[ \t]*#[ \t]*include[ \t]*"/, "", name)
    sub(/".*/, "", name)
    if (name == "build_info.h" || name ~ /^[a-z_]+\.inc$/) return
    if (name !~ /\//) { wrong(file ": include \"" name "\" with its path from src/ on"); return }
    other = header = name
    sub(/\/.*/, "", other)
    sub(/^[^\/]*\//, "", header)
    sub(/\.h$/, "", header)
    includes++
    if (!(other in level)) wrong(file ": there is no room " other " (" name ")")
    else if (other == room) {
        own = substr(file, length(src) + length(room) + 3)
        if ((room in winged) && wing_of(room, header) > wing_of(room, own)) wrong(file ": " name " is in a wing of " room " that comes after its own")
    }
    else if (!((room, other) in may)) wrong(file ": " room " may not include " other " (" name ")")
    else if (!((other, header) in door) && !((other, "*") in door)) wrong(file ": " name " is not a door of " other)
}
BEGIN { ABOVE = 1000; read_table(src "/layers.txt") }
{
    file = $0
    room = substr(file, length(src) + 2)
    sub(/\/.*/, "", room)
    if (!(room in level)) wrong(file ": layers.txt does not know the room " room)
    number = 0
    files++
    folder = file
    sub(/\/[^\/]*$/, "", folder)
    if (++held[folder] == ((folder == src "/base" || folder == src "/go") ? 46 : 31)) wrong(folder ": holds too many files for one folder")
    while ((getline line < file) > 0) {
        number++
        if (length(line) > 100) wrong(file ":" number ": " length(line) " columns")
        if (line ~ /^[ \t]*#[ \t]*include[ \t]*"/) check_include(file, room, line)
        if (room != "cli" && room != "base" && line ~ /(^|[^A-Za-z0-9_])(exit|abort)[ \t]*\(/) wrong(file ":" number ": ends the process: " line)
    }
    close(file)
}
END {
    if (!files || !includes) wrong(src ": nothing to look at")
    if (faults) { print faults " faults"; exit 1 }
    print files " files follow layers.txt"
}'
