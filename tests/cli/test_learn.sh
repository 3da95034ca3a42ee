#!/bin/bash
# `aji learn`: a second process on the same run is refused before it prints anything of the run, each settings file in configs/
# makes a net, and boards may grow within one call.
. tests/command.sh

settings=(--size 4 --set run.threads=1 --set run.arch=b1c8-fixup-nodist --set selfplay.games_at_once=4 --set run.cache_mb=1)
"$aji" learn --run "$folder/run" "${settings[@]}" --time 90s </dev/null >"$folder/first" 2>&1 &
first=$!
for _ in $(seq 300); do grep -q '^run in' "$folder/first" && break; sleep 0.1; done
sleep 0.2
expect 1 'another process' learn --run "$folder/run" --time 1s
grep -q '^run in' "$folder/out" && fault 'a refused start says that it runs'
expect 1 'another process' learn --run "$folder/run" --set run.rate_games=6 --time 1s
[ "$(wc -l <"$folder/out")" = 1 ] || fault 'a refused start says more than one thing'
grep -q 'rate_games = 6' "$folder/run/run.cfg" && fault 'settings of a refused start were kept'
grep -q 'not kept' "$folder/run/log.txt" && fault 'a refused start is in the log of the run'
kill -INT "$first"
wait "$first"
[ $? = 0 ] || fault 'the interrupted process does not end with code 0'
grep -q 'loss -  elo -' "$folder/first" || fault 'a run that has not trained shows a loss or a rating'
expect 0 'report:' learn --run "$folder/run" --time 1s
also 'run in'

# A run makes a net with each of the settings files.
small=(--size 5 --set run.threads=1 --set run.arch=b1c8-fixup-nodist --set selfplay.games_at_once=2 --set run.cache_mb=1)
small+=(--set selfplay.full.visits=8 --set selfplay.cheap.visits=4 --set selfplay.reduce.visits=4 --set run.rate_games=0)
small+=(--set run.rows_first=60 --set run.rows_cycle=60 --set run.nets=1)
for config in configs/learn-*.cfg; do
    run=$folder/$(basename "$config" .cfg)
    expect 0 'report:' learn "$config" --run "$run" "${small[@]}" --time 5m
    ls "$run"/nets/000001-*.aji >"$folder/net" 2>&1 || fault "$config made no net"
done

# A run may name its architecture in another way. Settings that need another state of the optimiser are refused, and the
# checkpoints stay as they are.
run=$folder/learn-5x5
expect 0 'report:' learn --run "$run" --set run.arch=c8-nodist,norm=fixup,blocks=1 --time 1s
ls "$run"/train >"$folder/before"
expect 2 'optimiser.muon.names' learn --run "$run" --set optimiser.muon.names=none --time 1s
ls "$run"/train | cmp -s - "$folder/before" || fault 'a refused setting changes the checkpoints'
grep -q checkpoint "$folder/before" || fault 'the run has no checkpoints'
expect 0 'report:' learn --run "$run" --time 1s

# KataGo's own self-play has no games with random first moves, and searches with all visits from the beginning. Its window,
# masks of the history and averages of weights are not the defaults of a run.
for setting in 'selfplay.opening.random_fraction = 0' 'selfplay.ramp.start = 1' 'window.random_capped = true' \
    'loader.history_masks = drawn' 'averaging.period_samples = 80000' 'averaging.decay = 0.875' 'window.alpha = 0.65'; do
    grep -qx "$setting" "$folder/learn-katago/run.cfg" || fault "learn-katago.cfg does not lead to $setting"
done

# A new run prints the settings that follow from its board. A run that exists refuses another size.
expect 0 'boards: 9x6; komi 7 on average; net b5c48' learn --run "$folder/told" --size 9x6 --time 1s
also 'first training after 1155 rows, then every 1655'
grep -q 'sizes = "9x6:1"' "$folder/told/run.cfg" || fault 'the size is not in run.cfg'
expect 2 '"9x" is not N or WIDTHxHEIGHT' learn --run "$folder/none" --size 9x
expect 2 'needs another run' learn --run "$folder/told" --size 13 --time 1s

# Boards grow within one call.
grows=("${small[@]:2}" --set selfplay.games_at_once=4 --set run.nets=12)
expect 0 'report:' learn --run "$folder/grows" --set 'selfplay.sizes=4:1, 6:1@400' "${grows[@]}" --time 5m
cat "$folder"/grows/games/*/*.sgfs >"$folder/games"
grep -q 'SZ\[4\]' "$folder/games" && grep -q 'SZ\[6\]' "$folder/games" || fault 'the boards did not grow'
[ "$(grep -c '^run in' "$folder/out")" = 1 ] || fault 'a run whose boards grow prints its folder twice'
expect 0 'new games' selfplay --run "$folder/grows" --rows 50

# The architecture may be a text of 4,095 characters, in a file of settings, in --set and in run.cfg.
long=residual
for k in $(seq 30); do long="$long+residual(kernel=$((k % 2 * 2 + 1)))"; done
echo "run.arch = \"c8-nodist,trunk=$long\"" >"$folder/long.cfg"
expect 0 'report:' learn "$folder/long.cfg" --run "$folder/long" "${small[@]::4}" --set selfplay.games_at_once=2 --time 1s
grep -qF "trunk=$long\"" "$folder/long/run.cfg" || fault 'a long architecture is not in run.cfg'
expect 0 'report:' learn --run "$folder/long" --set "run.arch=c8-nodist,trunk=$long" --time 1s
expect 0 'c8-nodist,trunk=residual+' net new --arch "c8-nodist,trunk=$long" "$folder/long.aji"
expect 0 "arch.trunk = \"$long\"" net info "$folder/long.aji"
expect 2 'run.arch: the text is longer than 4095 characters' learn --run "$folder/none" \
    --set "run.arch=c8,trunk=$(printf 'residual+%.0s' $(seq 455))"
expect 2 'net: character 10, "residul": trunk, character 1: there is no block' learn --run "$folder/none" \
    --set "run.arch=c8,trunk=residul"

# A run that begins with a net gets the architecture of the net, so none may be set. Only nets with a note of it can begin a run.
expect 2 '--set run.arch and --from exclude each other' learn --run "$folder/none" --from "$folder/long.aji" --set run.arch=b1c8
"$aji" net new "$folder/plain.aji" --arch b1c8-fixup-nodist >"$folder/out" 2>&1 || fault 'the net was not made'
"$aji" net convert "$folder/plain.aji" "$folder/katago.bin.gz" >"$folder/out" 2>&1 || fault 'the net was not converted'
expect 1 'katago.bin.gz: a run cannot begin with this net, because the net has no note of its architecture' learn \
    --run "$folder/none" --from "$folder/katago.bin.gz"
[ ! -e "$folder/none" ] || fault 'a refused start makes a folder'

expect 2 'no size that a run begins with' learn --run "$folder/none" --set selfplay.sizes=5:1@10
exit $((faults > 0))
