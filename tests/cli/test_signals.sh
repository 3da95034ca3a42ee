#!/bin/bash
# The exit codes of commands that a signal stops: 0 if a stop is the usual end of the command, otherwise 130.
. tests/command.sh

net=nets/9x9-b5c48.aji

# catches PID SIGNAL: whether the process runs Aji and has a handler for the signal (proc(5))
catches() {
    local mask
    [ "/proc/$1/exe" -ef "$aji" ] || return 1
    mask=$(sed -n 's/^SigCgt:[[:blank:]]*//p' "/proc/$1/status")
    [ -n "$mask" ] && (((16#$mask >> ($(kill -l "$2") - 1)) & 1))
}

# stopped CODE SIGNAL TEXT WORDS...: starts `aji WORDS...` with stdin open. Sends the signal as soon as the output (stdout and
# stderr together) or log.txt of the run contains TEXT; if TEXT is empty, as soon as the command would catch the signal. The exit
# code must be CODE.
stopped() {
    local code=$1 signal=$2 text=$3 got child keeper
    shift 3
    mkfifo "$folder/stdin"
    sleep 200 >"$folder/stdin" &
    keeper=$!
    "$aji" "$@" <"$folder/stdin" >"$folder/out" 2>&1 &
    child=$!
    for ((i = 0; i < 900; i++)); do
        if [ -z "$text" ]; then
            catches "$child" "$signal" && break
        else
            grep -qF -e "$text" "$folder/out" "$folder/run/log.txt" 2>/dev/null && break
        fi
        kill -0 "$child" 2>/dev/null || break
        sleep 0.1
    done
    sleep 0.3 # so that the command is in the midst of its work
    kill -"$signal" "$child" 2>/dev/null || fault "aji $*: it ended before the signal"
    wait "$child"
    got=$?
    kill "$keeper"
    rm "$folder/stdin"
    [ "$got" = "$code" ] || fault "aji $* after SIG$signal: exit code $got, wanted $code"
}

stopped 0 INT 'training' learn --run "$folder/run" --size 5 --time 100s --set run.threads=1 --set run.rows_first=60 \
    --set run.rows_cycle=60 --set run.arch=b1c8-fixup-nodist
also "run in $folder/run for 1m40s; Ctrl-C stops it"
for command in selfplay train gate; do
    stopped 0 TERM '' "$command" --run "$folder/run" --time 100s
done
stopped 0 INT 'http://' serve uniform --port 0
stopped 130 TERM 'ready' gtp "$net"
stopped 130 TERM 'ready' analysis "$net"
stopped 130 TERM 'Move 1' play "$net"
stopped 130 INT '' eval "$net" --time 100s
also 'best line'
also 'aji eval: stopped after'
stopped 130 INT '' net check "$net" --count 20000
stopped 130 INT '' match "$net,visits=1000" "$net,visits=1000" --games 100
exit $((faults > 0))
