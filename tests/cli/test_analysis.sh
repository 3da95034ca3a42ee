#!/bin/bash
# The command line of `aji analysis`: its own options, KataGo's options, and how the program ends.
. tests/command.sh
query='{"id":"a","boardXSize":5,"boardYSize":5,"rules":"chinese","moves":[["B","C3"]]}'

# run CODE WORDS...: runs `aji analysis WORDS...` with the lines of $folder/in; it must end with that exit code
run() {
    local code=$1 got
    shift
    timeout 60 "$aji" analysis "$@" <"$folder/in" >"$folder/out" 2>"$folder/err"
    got=$?
    [ "$got" = "$code" ] || fault "aji analysis $*: exit code $got, wanted $code"
}
out() { grep -qF -e "$1" "$folder/out" || fault "no $1 in the answers"; }
err() { grep -qF -e "$1" "$folder/err" || fault "no $1 in the messages"; }

echo "$query" >"$folder/in"
run 0 --net uniform --visits 7
out '"visits":7'
out '"id":"a"'
[ "$(wc -l <"$folder/out")" = 1 ] || fault "more than the answer is written"
run 0 --net uniform --set limits.max_visits=9 --threads 3 --positions 7
out '"visits":9'
run 0 --net uniform --time 0.01 --visits 0
out '"isDuringSearch":false'
run 0 --visits 7
out '"visits":7'
err 'aji analysis: no net was named, so the net for 13x13 is used: nets/13x13-'
run 2 --net uniform --visit 7
err 'did you mean --visits?'
run 2 --net uniform --visits 0
err 'searches have no limit: they need visits (--visits), a time (--time) or limits.max_playouts'
run 0 --net uniform --visits 0 --set limits.max_playouts=6
out '"visits":6'
run 0 --net uniform --visits 100000000 --set search.tree_memory_mb=1
out '"isDuringSearch":false'
run 2 --net uniform --threads 0
err '--threads: 0 is not within'
run 1 --net "$folder/no.aji"
err 'no.aji'

# Starts the engine as KataGo is started.
cat >"$folder/an.cfg" <<'CFG'
# a config of KataGo's
maxVisits = 5   # visits
numAnalysisThreads=2
numSearchThreads = 4
reportAnalysisWinratesAs = BLACK
logDir = "a # b"
CFG
run 0 -model uniform -config "$folder/an.cfg" -override-config 'homeDataDir=/tmp/x, rootPolicyTemperature=1.5' -analysis-threads 3
out '"visits":5'
err 'unused key "numSearchThreads"'
err 'unused key "logDir"'
err 'unused key "homeDataDir"'
err 'positions each'
run 0 -model uniform -config "$folder/an.cfg" -override-config 'maxVisits=6'
out '"visits":6'
run 0 -model uniform -config "$folder/an.cfg" --visits 8
out '"visits":8'
run 2 -model uniform -override-config 'maxVisits=many'
err 'whole number'
run 2 -model uniform -override-config 'maxVisits'
err 'is not key = value'
run 2 -model uniform -config "$folder/no.cfg"
err 'no.cfg'
run 2 -model uniform -config
err 'needs a value'
"$aji" net new --arch b1c8 --seed 1 "$folder/net.aji" >/dev/null || fault "the net was not made"
run 2 -model uniform -human-model "$folder/net.aji"
err 'is not a net of human play'

# At the end of the input the engine answers all queries; with -quit-without-waiting it ends immediately.
for i in 1 2 3 4 5 6 7 8 9; do echo "${query/\"a\"/\"$i\"}"; done >"$folder/in"
run 0 --net uniform --visits 300
[ "$(wc -l <"$folder/out")" = 9 ] || fault "not all queries are answered at the end of the input"
echo "${query/\"moves\"/\"maxVisits\":1000000000000,\"moves\"}" >"$folder/in"
run 0 -model uniform -quit-without-waiting
[ "$(wc -l <"$folder/out")" = 0 ] || fault "-quit-without-waiting waits for an answer"

# SIGTERM ends it.
"$aji" analysis --net uniform <"$folder/in" >"$folder/out" 2>"$folder/stopped" &
child=$!
for ((i = 0; i < 600; i++)); do # wait until the program has started
    grep -qs ready "$folder/stopped" && break
    sleep 0.05
done
kill -TERM $child
wait $child
got=$?
[ "$got" = 130 ] || fault "after SIGTERM the exit code is $got"

# The client stops reading.
echo "$query" >"$folder/in"
for i in 1 2 3 4 5 6 7 8 9; do cat "$folder/in"; done | timeout 60 "$aji" analysis --net uniform --visits 2000 2>"$folder/err" | head -1 >"$folder/out"
out '"id":"a"'

[ $faults = 0 ] || exit 1
echo "analysis starts and ends as it should"
