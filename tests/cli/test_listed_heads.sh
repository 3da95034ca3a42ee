#!/bin/bash
# Nets that lack the score or the ownership play, learn and are measured, and commands that need such a head name it.
. tests/command.sh

net=$folder/bare.aji
expect 0 "b2c8,heads=policy+value" net new --arch b2c8,heads=policy+value "$net"
expect 0 'lead      not known: the net has no head "score"' eval "$net" --size 5 --visits 20
also 'ownership: not known: the net has no head "ownership"'
expect 0 '"black_win"' eval "$net" --size 5 --json
grep -q 'black_lead\|black_ownership' "$folder/out" && fault 'the answer has a lead or an ownership, for which the net has no head'
expect 1 'KataGo cannot have this net: it has no head "score"' net convert "$net" "$folder/bare.bin.gz"
expect 0 '' net export --onnx "$folder/bare.onnx" "$net" --size 5
expect 0 'wins' match --black "net=$net,visits=4" --white "net=$net,visits=2" --games 2 --size 5

policy=$folder/policy.aji
expect 0 "parameters" net new --arch b2c8,heads=policy,policies=move,pass=false,inputs=gonn26 "$policy"
expect 0 'wins      not known: the net has no head "value"' eval "$policy" --size 5
expect 0 '"policy"' eval "$policy" --size 5 --json
grep -q 'black_win\|black_lead' "$folder/out" && fault 'the answer has a value, for which the net has no head'
expect 1 'KataGo cannot have this net: it has no head "pass"' net convert "$policy" "$folder/policy.bin.gz"
expect 0 'wins' match --black "net=$policy,visits=4" --white "net=$net,visits=2" --games 2 --size 5
printf 'boardsize 5\ngenmove b\ngenmove w\nkata-raw-nn 0\nquit\n' | timeout 60 "$aji" gtp "$policy" >"$folder/out" 2>&1
also 'policyPass 0.000000'
grep -q 'whiteWin' "$folder/out" && fault 'kata-raw-nn has a value'

printf 'boardsize 5\ngenmove b\nkata-analyze w 10 ownership true\nfinal_status_list dead\nkata-raw-nn 0\nquit\n' |
    timeout 60 "$aji" gtp "$net" --set limits.max_visits=8 >"$folder/out" 2>&1
also '? the net has no head "ownership"'
also '? the net has no head "ownership", which says what is dead'
also 'whiteWin'
grep -q 'whiteLead\|whiteOwnership' "$folder/out" && fault 'kata-raw-nn has a lead or an ownership'
printf 'boardsize 5\nkata-set-rules chinese\nplay b C3\nplay w pass\nplay b pass\nprintsgf\nquit\n' |
    timeout 60 "$aji" gtp "$net" >"$folder/out" 2>&1
also ';B[cc];W[];B[])'
echo '{"id":"a","boardXSize":5,"boardYSize":5,"rules":"chinese","moves":[["B","C3"]],"includeOwnership":true}' |
    timeout 60 "$aji" analysis "$net" --visits 5 >"$folder/out" 2>&1
also 'the net has no head'

run=(--size 4 --set run.threads=1 --set selfplay.games_at_once=2 --set run.cache_mb=1 --set selfplay.full.visits=8)
run+=(--set selfplay.cheap.visits=4 --set run.rate_games=2 --set run.rows_first=60 --set run.rows_cycle=60 --set run.nets=2)
expect 0 'report:' learn --run "$folder/run" "${run[@]}" --set run.arch=b1c8,heads=policy+value+td \
    --set selfplay.lead.probability=0.2 --time 5m
ls "$folder"/run/nets/000002-*.aji >"$folder/net" 2>&1 || fault 'a run without score and ownership made no net'
expect 0 'loss.td_value' net metrics "$(cat "$folder/net")" "$folder/run/rows"
grep -q 'loss.ownership  *[1-9]\|loss.ownership  *0\.[0-9]*[1-9]' "$folder/out" && fault 'a loss is shown of a head that the net does not have'
expect 0 "64 samples in" train "$folder/run/rows" --out "$folder/out-of-training" --arch b1c8,heads=policy+value+ownership+seki \
    --samples 64 --set loader.batch=32 --epochs 1
expect 0 "64 samples in" train "$folder/run/rows" --out "$folder/policy-training" --samples 64 --set loader.batch=32 --epochs 1 \
    --arch b1c8-batch-prelu,heads=policy,policies=move,pass=false,inputs=gonn26
expect 0 "128 samples in" train "$folder/run/rows" --out "$folder/out-of-training" --epochs 2
exit $((faults > 0))
