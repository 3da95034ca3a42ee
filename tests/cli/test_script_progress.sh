#!/bin/bash
# On a terminal, `./aji test` says how many tests have ended; without a terminal it does not. In both cases, the last line
# says how many tests passed, failed and were skipped.
. tests/command.sh

command -v script >/dev/null 2>&1 || {
    echo 'SKIP needs script, of the package bsdutils of Debian'
    exit 0
}
mkdir -p "$folder/clone" "$folder/bin"
cp aji CMakePresets.json "$folder/clone"
# program NAME: makes a program of this name, which runs the commands on stdin instead of the real program
program() {
    { echo '#!/bin/sh' && cat; } >"$folder/bin/$1"
    chmod 755 "$folder/bin/$1"
}
program dpkg-query <<'END'
shift 2
for package in "$@"; do printf '%s=installed ' "$package"; done
END
program cmake <<'END'
touch "build/$2/build.ninja" "build/$2/CTestTestfile.cmake"
END
program ninja <<'END'
echo 'ninja: no work to do.'
END
program ctest <<'END'
case " $* " in *' -N '*) echo '  Test #1: room/test_one' && echo '  Test #2: room/test_two' && exit 0 ;; esac
echo '1/2 Test #1: room/test_one ...........   Passed    0.10 sec'
echo 'an output 7/9 that is no test'
sleep 1.1
echo '2/2 Test #2: room/test_two ...........***Failed    0.10 sec'
echo '50% tests passed, 1 tests failed out of 2'
exit 8
END
run="env PATH='$folder/bin:/usr/bin:/bin' '$folder/clone/aji' test room"
sh -c "$run" >"$folder/out" 2>"$folder/err" && fault 'a failed test does not show in the exit code'
[ "$(tail -n 1 "$folder/out")" = '1 passed, 1 failed, 0 skipped' ] || fault 'without a terminal: the last line is wrong'
if grep -q 'have ended' "$folder/out" "$folder/err"; then fault 'without a terminal there is a line of progress'; fi
script -qec "$run" /dev/null </dev/null >"$folder/out" 2>&1
tr '\r' '\n' <"$folder/out" >"$folder/lines"
[ "$(sed -n 's/.*\([0-9] of [0-9] tests have ended\), about [0-9]* s left/\1/p' "$folder/lines")" = '1 of 2 tests have ended
2 of 2 tests have ended' ] || fault 'on a terminal: the lines of progress are wrong'
[ "$(grep . "$folder/lines" | tail -n 1)" = '1 passed, 1 failed, 0 skipped' ] || fault 'on a terminal: the last line is wrong'
grep -q 'Test #2: room/test_two' "$folder/lines" || fault 'the failed test is not shown'
exit $((faults > 0))
