#!/bin/bash
# Help and messages for people: help is as wide as the terminal, each option for the version prints it, only similar names are
# suggested, numbers that are too large are refused with the right reason, and a dumb terminal gets no escape sequences.
. tests/command.sh

# Each command's help stays within the terminal, except for examples, which are pasted as they are.
for width in 60 80 100; do
    for words in '' learn selfplay train gate match rate eval play review gtp analysis data 'data show' 'data stats' 'data from-sgf' 'data from-leela-zero' 'data from-lc0' 'data problems' experiment settings net 'net new' \
        'net info' 'net show' 'net check' 'net convert' 'net quantize' bench 'bench net' 'bench search' 'bench selfplay' 'bench train'; do
        # shellcheck disable=SC2086
        COLUMNS=$width "$aji" $words --help >"$folder/out" 2>&1 || fault "aji $words --help"
        awk -v width="$width" 'length($0) > width && !/^  +(aji|echo|--|\047|-)/ { print; wide = 1 } END { exit wide }' "$folder/out" >"$folder/err" ||
            fault "aji $words --help: lines of more than $width columns"
    done
done
[ "$(COLUMNS=60 "$aji" match --help | wc -l)" -gt "$(COLUMNS=100 "$aji" match --help | wc -l)" ] || fault 'the width changes nothing'

expect 0 'aji data stats PATH...' data stats --help
if grep -q -e '--row' "$folder/out"; then fault 'data stats has the options of data show'; fi
expect 0 '--row N' data show --help
expect 2 'unknown option "--row"' data stats x.npz --row 1

for words in --version version -v -V; do expect 0 'aji 0.' "$words"; done
expect 2 'did you mean gtp?' gpt

# Only a similar name is suggested.
expect 2 'there is no setting "search.foo" here' learn --set search.foo=1
if grep -q 'did you mean' "$folder/out"; then fault 'a setting with a name that is not similar is suggested'; fi
expect 2 'did you mean search.c_puct?' learn --set search.c_put=1
expect 2 'there is no command "fight"' fight
if grep -q 'did you mean' "$folder/out"; then fault 'a command with a name that is not similar is suggested'; fi
expect 2 'unknown option "--speed"' learn --speed 3
if grep -q 'did you mean' "$folder/out"; then fault 'an option with a name that is not similar is suggested'; fi

# Words that the user probably meant as options or settings.
expect 2 'did you mean --visits=100?' eval uniform game.sgf visits=100
expect 2 'did you mean --set search.c_puct=1?' eval uniform game.sgf search.c_puct=1
expect 2 'usage: aji settings' settings a b

# A number that is too large is not called "not a number".
expect 2 '99999999999999999999 is not within 0 to 1000000000' eval uniform --visits 99999999999999999999
expect 2 'write the whole number "1e9" in digits, as 1000000000' eval uniform --visits 1e9
expect 2 '"1.5" is not a whole number' eval uniform --visits 1.5

# A dumb terminal gets plain lines; others get a block that is redrawn.
if command -v script >/dev/null 2>&1; then
    on_terminal() { # TERM
        TERM=$1 timeout 60 script -qec "$aji match random name=other,random --games 4 --size 3" /dev/null </dev/null >"$folder/out" 2>&1
    }
    on_terminal xterm
    grep -q $'\033' "$folder/out" || fault 'nothing is redrawn on a terminal'
    on_terminal dumb
    if grep -q $'\033' "$folder/out"; then fault 'a dumb terminal gets escape sequences'; fi
    also '4 of 4 games'
fi
exit $((faults > 0))
