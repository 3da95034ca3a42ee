#!/bin/sh
# Fails where a file includes a room that src/layers.txt does not let it include, or ends the process outside cli and base.
set -eu
status=0
for file in $(find src -name '*.[ch]'); do
    room=$(echo "$file" | cut -d/ -f2)
    [ -d "src/$room" ] || continue
    allowed=$(sed -n "s/^$room: *//p" src/layers.txt)
    for other in $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$file" | sort -u); do
        [ "$other" = "$room" ] && continue
        case " $allowed " in
        *" $other "*) ;;
        *) echo "$file includes $other/, which $room may not"; status=1 ;;
        esac
    done
    case $room in
    cli | base) ;;
    *) if grep -nE '(^|[^a-z_])(exit|abort) *\(' "$file" /dev/null; then echo "$file ends the process"; status=1; fi ;;
    esac
done
[ "$status" = 0 ] && echo "all includes follow src/layers.txt"
exit $status
