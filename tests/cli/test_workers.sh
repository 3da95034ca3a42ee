#!/bin/bash
# Processes of `aji selfplay`, `aji train` and `aji gate` work on one run, and are started, stopped and killed at any time. Nothing
# that was finished is lost or made twice. A second process that trains is refused. Bad files are named and set aside. The
# modification times of files do not matter.
. tests/command.sh
trap 'kill -KILL $(jobs -p) 2>/dev/null; wait 2>/dev/null; rm -rf "$folder"' EXIT
run=$folder/run
settings=(--size 5 --set run.threads=1 --set run.arch=b1c8-fixup-nodist --set selfplay.games_at_once=4 --set selfplay.full.visits=8
    --set selfplay.cheap.visits=4 --set selfplay.ramp.rows=0 --set run.rows_first=400 --set run.rows_cycle=300 --set run.samples_per_row=2
    --set run.cache_mb=1 --set run.gate_games=2 --set run.gate_visits=2 --set run.gate_score=0 --set run.disk_reserve_mb=0 --set loader.batch=32
    --set loader.memory_mb=16 --set window.min=300 --set averaging.period_samples=64 --set search.tree_memory_mb=4 --set trainer.threads=1)

# begin NAME WORDS...: starts `aji WORDS...` in the background; $last is its process id
begin() {
    local name=$1
    shift
    "$aji" "$@" </dev/null >"$folder/$name" 2>&1 &
    last=$!
}
# await WORDS COMMAND...: waits until the command succeeds, at most ten minutes, because the machine may be busy
await() {
    local words=$1
    shift
    for _ in $(seq 6000); do
        "$@" && return 0
        sleep 0.1
    done
    fault "this did not happen within ten minutes: $words"
}
# stop NAME PROCESS: sends SIGTERM; the process must end with code 0 within a minute (on a free machine it takes five seconds)
stop() {
    local before=$SECONDS code
    kill -TERM "$2"
    wait "$2"
    code=$?
    [ $code = 0 ] || { cp "$folder/$1" "$folder/out"; fault "$1 ended with $code"; }
    [ $((SECONDS - before)) -le 60 ] || fault "$1 took $((SECONDS - before)) s to end"
}
shoot() {
    kill -KILL "$1"
    wait "$1" 2>/dev/null
}
nets() { find "$run/nets" -name '[0-9]*.aji' 2>/dev/null | wc -l; }
has_nets() { [ "$(nets)" -ge "$1" ]; }
files() { find "$run/rows" -name "*$1" 2>/dev/null | wc -l; }
has_files() { [ "$(files .npz)" -ge "$1" ]; }
has_journal() { [ -n "$(find "$run/rows" -name '*.journal' -size +1k)" ]; }
said() { grep -qF -e "$1" "$run/log.txt"; }

expect 1 'no run is there' train --run "$run"
expect 0 'new games' selfplay --run "$folder/new" "${settings[@]}" --rows 1
expect 0 'nothing has been trained' gate --run "$folder/new"
also 'net 0 is still the newest'
begin gate gate --run "$run" --time 0 # it waits until a process that plays has created the run
gate=$last
begin trainer train --run "$run" --time 0
trainer=$last
begin player1 selfplay --run "$run" "${settings[@]}" --time 0
player1=$last
begin player2 selfplay --run "$run" "${settings[@]}" --time 0
player2=$last
await 'the first net' has_nets 1
expect 1 'another process trains on this run (process ' train --run "$run" --time 1s
expect 1 'another process makes the nets of this run (process ' gate --run "$run"
expect 1 'another process trains on this run' learn --run "$run" --time 1s

# If no process plays, training says what it waits for.
mkdir -p "$folder/idle"
cp "$run/run.cfg" "$folder/idle"
begin waiter train --run "$folder/idle" --time 0
await 'training says what it waits for' grep -q 'waits for rows: ' "$folder/waiter"
stop waiter "$last"

# Kill a player whose games are still in its journal, the process that trains, and the gate. The other player goes on.
await 'a game in a journal' has_journal
shoot "$player1"
shoot "$trainer"
shoot "$gate"
now=$(files .npz)
await 'the other player goes on' has_files $((now + 1))
begin player3 selfplay --run "$run" --time 0
player3=$last
begin trainer train --run "$run" --time 0
trainer=$last
begin gate gate --run "$run" --time 0
gate=$last
now=$(nets)
await 'nets go on' has_nets $((now + 1))

# Bad files, and files with times in the future and the past.
mkdir -p "$run/rows/000001"
echo 'no rows' >"$run/rows/000001/bad.npz"
cut=$(find "$run/rows" -name '*.npz' -size +2k | head -n 1)
head -c 1500 "$cut" >"$run/rows/000001/cut.npz"
touch -d '2099-01-01' "$run"/nets/*.aji "$run/train" "$run/run.cfg"
touch -d '1971-01-01' "$run"/rows/*/*.npz "$run/rows" "$run/nets"
await 'the bad file is named' said 'rows/000001/bad.npz is set aside'
await 'the file that is cut is named' said 'rows/000001/cut.npz is set aside'
now=$(nets)
await 'nets go on after the bad files' has_nets $((now + 1))

stop player2 "$player2"
stop player3 "$player3"
stop trainer "$trainer"
if grep -q "evals" "$folder/trainer"; then fault "a trainer shows evaluations, which it does not make"; fi
stop gate "$gate"
expect 0 'new games' selfplay --run "$run" --rows 1 # recovers the games that the killed player left
[ "$(files .journal)" = 0 ] || fault 'a journal is left'
expect 0 'samples' train --run "$run" --samples 32  # the coordinator reads the recovered rows
expect 0 'the newest' gate --run "$run"
expect 0 'comes from the newest checkpoint, so there is nothing new to judge' gate --run "$run"
also 'no candidate accepted'
expect 0 ' 64 new samples' train --run "$run" --samples 33 # whole batches of 32
expect 0 'accepted, net' gate --run "$run"
expect 0 ' of 2 games' rate "$run" --against random --games 2 --at 100 # on the run's board

# Every game is there exactly once, with its rows, the index counts all of them, and no net is damaged.
expect 0 'are whole' data check "$run/rows"
rm -f "$run"/rows/*/*.bad
games=$(cat "$run"/games/*/*.sgfs | wc -l)
hashes=$(cat "$run"/games/*/*.sgfs | grep -o 'gameHash=[0-9a-f]*' | sort -u | wc -l)
[ "$games" -gt 20 ] || fault "only $games games"
[ "$games" = "$hashes" ] || fault "$games games, $hashes different ones"
for file in "$run"/rows/*/*.npz; do
    lines=${file/\/rows\//\/games\/}
    [ -s "${lines%.npz}.sgfs" ] || fault "$file has no games"
    [ -s "${file%.npz}.count" ] || fault "$file has no note"
done
noted=$(cat "$run"/rows/*/*.count | awk '$1 == "games" { n += $2 } END { print n }')
[ "$noted" = "$games" ] || fault "the notes count $noted games, and there are $games"
number=0
for net in "$run"/nets/*.aji; do
    number=$((number + 1))
    case $net in */"$(printf %06d $number)"-*) ;; *) fault "$net is not net $number" ;; esac
done
expect 0 samples net info "$net"
expect 0 'report:' learn --run "$run" --time 1s
[ "$(files .tmp)" = 0 ] || fault 'unfinished files stay'
exit $((faults > 0))
