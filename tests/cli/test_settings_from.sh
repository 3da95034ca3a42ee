#!/bin/bash
# `aji settings --from FILE` translates lczero-training's YAML and command lines of GoNN and p3achygo, lists what has no
# counterpart, and names the line of an unknown key. Aji's commands read what it prints.
. tests/command.sh

# yaml KEY VALUE: prints a YAML file with this key, whose parts are joined by dots.
yaml() {
    local key=$1 indent=''
    while [[ $key == *.* ]]; do
        printf '%s%s:\n' "$indent" "${key%%.*}"
        key=${key#*.} indent+='  '
    done
    printf '%s%s: %s\n' "$indent" "$key" "$2"
}

cat >"$folder/net.yaml" <<'END'
%YAML 1.2
---
name: 'example'   # a comment
gpu: 0
dataset:
    num_chunks: 120000
    train_ratio: 0.90
    input: '/path/*/draw/'
training:
    swa: true
    swa_max_n: 10
    swa_steps: 100
    batch_size: 1024
    num_batch_splits: 4
    precision: half
    total_steps: 9000
    test_steps: 2500
    warmup_steps: 4000
    lr_values:
        - 0.2
        - 0.02
        - 0.002
    lr_boundaries: [5000, 7500]
    policy_loss_weight: 1.0
    lookahead_optimizer: false
    Nadam_optimizer: true
    epsilon: 1e-7
    diff_focus_min: 0.025
    diff_focus_slope: 0.75
    path: /x
model:
    embedding_size: 64
    policy_embedding_size: 48
    encoder_layers: 3
    encoder_heads: 4
    encoder_d_model: 64
    encoder_dff: 96
    policy_d_model: 32
    dropout_rate: 0.1
    default_activation: mish
    ffn_activation: sqrrelu
    use_smolgen: true
    smolgen_hidden_channels: 8
    smolgen_hidden_sz: 32
    smolgen_gen_sz: 32
    smolgen_activation: swish
    moves_left: v1
...
END
expect 0 'settings of lczero-training' settings --from "$folder/net.yaml"
cp "$folder/out" "$folder/net.cfg"
for line in 'loader.validation = 0.1 # dataset.train_ratio' 'averaging.decay = 0.909091' 'averaging.period_samples = 102400' \
    'loader.batch = 256' 'trainer.accumulate = 4' 'trainer.precision = bf16' 'supervised.epochs = 4' \
    'supervised.epoch_samples = 2560000' 'schedule.warmup_samples = 4096000' 'schedule.rate = 0.0001953125' \
    'schedule.by_rows = linear' 'schedule.kind = knots' 'schedule.knots = "0:1,5120000:0.1,7680000:0.01"' \
    'optimiser.kind = nadam' 'optimiser.epsilon = 1e-07' 'loader.focus.kind = diff' 'loader.focus.slope = 0.75' \
    'encoder(rotary=none,activation=relu2,heads=4,query=16,inner=96,dropout=10,maps=smolgen,map_activation=silu,map_channels=8,map_hidden=32,map_gen=32)*3' \
    'policy_attention=32,policy_embedding=48,heads=moves_left' '#   line 4: gpu: ' '#   line 30: training.path: name the folder with --out'; do
    also "$line"
done
if grep -q lookahead "$folder/out"; then fault 'an optimiser that is off is translated'; fi

# Aji reads what it printed: a net of this description trains on a few rows.
awk 'BEGIN { for (g = 0; g < 30; g++) { printf "(;GM[1]SZ[7]KM[7.5]RE[B+R]"; for (i = 0; i < 20; i++) { p = (i * 5 + g) % 49
    printf ";%s[%c%c]", i % 2 ? "W" : "B", 97 + p % 7, 97 + int(p / 7) } print ")" } }' >"$folder/games.sgfs"
expect 0 'games kept' data from-sgf "$folder/games.sgfs" --out "$folder/rows" --set rows.validation=0.3
expect 0 'best.aji: after' train "$folder/rows/train" --validation "$folder/rows/validation" --config "$folder/net.cfg" --samples 16 \
    --epochs 1 --out "$folder/net" --set loader.batch=4 --set trainer.precision=f32

# GoNN: flags of both of its programs, on several lines
cat >"$folder/gonn.txt" <<'END'
# how the rows were made
./write -pool-size 50000 -train-shards 10 -val-game-prob 0.05 \
    -gamesdir "my games" --gamesdir=more -output x.h5 -min-rank 3 -min-opp-rank -2 -always-history
python3 train.py -traindir t -gamesh5 x.h5 -fast-factor 4 -use-ranks
END
expect 0 'settings of GoNN' settings --from "$folder/gonn.txt"
for line in 'rows.pool_rows = 50000 # pool-size' 'rows.validation = 0.05' 'filter.min_rank = 4d' 'filter.min_opponent_rank = 2k' \
    'loader.history_drop = false' 'supervised.fast_factor = 4' 'rows.players = true' '#   line 2: train-shards' '#   line 4: gamesh5' \
    '# for aji data from-sgf --config FILE' '# for aji train DATA --config FILE'; do
    also "$line"
done
sed -n '/from-sgf/,/^$/p' "$folder/out" >"$folder/games.cfg"
expect 1 'no game is left' data from-sgf "$folder/games.sgfs" --out "$folder/strong" --config "$folder/games.cfg"

# p3achygo
cat >"$folder/p3achygo.txt" <<'END'
bazel run //cc/selfplay:main -- --num_threads=2 --max_moves=600 --gumbel_selected_n 128 --gumbel_selected_k=8 --gumbel_default_n=32 \
    --use_seen_state_prob=.2 --noearly_stopping_enabled --bias_cache_lambda=0.3 --gen 5
END
expect 0 'settings of p3achygo' settings --from "$folder/p3achygo.txt"
for line in 'run.threads = 2' 'selfplay.move_limit_per_area_percent = 166' 'selfplay.full.visits = 128' 'selfplay.cheap.visits = 32' \
    'search.gumbel.considered = 8' 'search.gumbel.on = true' 'selfplay.exploit.probability = 0.2' 'selfplay.exploit.kind = visited' \
    'search.bias.factor = 0.3' '# for aji learn --config FILE' '#   line 2: gen: '; do
    also "$line"
done
if grep -q stop_confidence "$folder/out"; then fault 'a switch that is off is translated'; fi
printf 'train --batch_size=256 --learning_rate 1e-3 --model_config=b10c128btl3 --momentum .9\n' >"$folder/sl.txt"
expect 0 'schedule.rate = 3.90625e-06' settings --from "$folder/sl.txt"
also 'supervised.arch = "c128-batch-mish,trunk=(bottleneck(inner=64,layers=3)*3+broadcast)*2+bottleneck(inner=64,layers=3)*2"'
also 'optimiser.nesterov = true'
printf 'train --learning_rate=1e-3 --model_config=b15c192_classic\n' >"$folder/sl.txt"
expect 0 'learning_rate: the file does not name the batch size' settings --from "$folder/sl.txt"
also 'model_config: the value b15c192_classic has no counterpart'

cat >"$folder/run.json" <<'END'
{
  "num_generations": 840, "model_config": "b10c128btl3",
  "batch_size": 256,
  "lr": 1e-2,
  "lr_schedule": [[0, 1e-2], [200, 1e-3]],
  "min_train_selected_k": 8, "max_train_selected_n": 650,
  "optimizer": "muon",
  "eval_n": 700
}
END
expect 0 'settings of p3achygo' settings --from "$folder/run.json"
for line in 'run.nets = 840' 'run.arch = "c128-batch-mish' 'loader.batch = 256' 'schedule.rate = 3.90625e-05' \
    'selfplay.ramp.considered = 8' 'selfplay.full.visits = 650' 'optimiser.kind = muon' 'run.gate_visits = 700' \
    '#   line 5: lr_schedule: our runs count rows'; do
    also "$line"
done
if grep -q 'for aji train' "$folder/out"; then fault 'settings of a run are for aji train'; fi
"$aji" settings --from "$folder/run.json" --program p3achygo | diff - "$folder/out" ||
    fault 'the translation changes if --program names the program'
"$aji" settings --from "$folder/run.json" >"$folder/run.cfg"
echo ' {"games_per_gen": 5000}' >"$folder/run" # the file shows that it is JSON, whatever its name is
expect 0 'games_per_gen: see run.rows_cycle' settings --from "$folder/run"
for bad in '{"eval_n": null}:is not a short text' '[1]:is no JSON object' '{"eval_n": {"x": 1}}:has no setting "eval_n.x"' \
    '{"eval_n": [[[1]]]}:is not a short text' '{"eval_n":1,"eval_n":2}:duplicate' '{"eval_n": "many"}:eval_n is "many", wanted a number' \
    '{"eval_n": 1:'"'}'"; do
    echo "${bad%:*}" >"$folder/bad.json"
    expect 1 "${bad##*:}" settings --from "$folder/bad.json"
done

printf 'training:\n  precision: "half\\nrun.seed = 5"\n' >"$folder/two.yaml"
expect 0 'training.precision: the value half?run.seed = 5 has no counterpart' settings --from "$folder/two.yaml"

# Unknown keys and bad values are errors that name the line.
wrong() { # KEY VALUE MESSAGE
    yaml "$1" "$2" >"$folder/wrong.yaml"
    expect "${4:-1}" "$3" settings --from "$folder/wrong.yaml"
}
wrong training.batch_sizes 5 'wrong.yaml:2: lczero-training has no setting "training.batch_sizes"; the nearest is training.batch_size'
wrong training.batch_size many 'wrong.yaml:2: training.batch_size is "many", wanted a number'
wrong training.q_ratio 7 'wrong.yaml:2: training.q_ratio: objective.value_q: 7 is not within 0 to 1' 2
wrong training.sparse maybe 'wanted true or false'
wrong model.ffn_activation sin 'wanted mish, relu, swish or sqrrelu'
wrong model.encoder_heads 2.5 'wanted a whole number above 0'
wrong training.lr_values '[1, 2]' 'wanted one value more than training.lr_boundaries has'
wrong training.path '*name' 'aliases are not read'
wrong training '[1, [2]]' 'lists may have only numbers and texts'
printf 'a: 1\na: 2\n' >"$folder/wrong.yaml"
expect 1 'wrong.yaml:2: a occurs a second time' settings --from "$folder/wrong.yaml"
printf 'training:\n  - "open\n' >"$folder/wrong.yaml"
expect 1 'this is not YAML' settings --from "$folder/wrong.yaml"
printf -- 'write -pool-size 5\nwrite -pool-sizes 5\n' >"$folder/wrong.txt"
expect 1 'wrong.txt:2: GoNN has no setting "pool-sizes"; the nearest is pool-size' settings --from "$folder/wrong.txt"
printf -- 'write -pool-size 5 6\n' >"$folder/wrong.txt"
expect 1 'wrong.txt:1: "6" is no flag' settings --from "$folder/wrong.txt"
printf -- 'write -pool-size "5\n' >"$folder/wrong.txt"
expect 1 'closing quote is missing' settings --from "$folder/wrong.txt"
expect 2 'there is no program "leela"; use lczero, gonn or p3achygo' settings --from "$folder/gonn.txt" --program leela
expect 1 'p3achygo has no setting "pool-size"' settings --from "$folder/gonn.txt" --program p3achygo
expect 1 'nowhere.yaml' settings --from "$folder/nowhere.yaml"

# Every row of the tables names a setting of Aji that takes the value, or says why there is none.
# table NAME: prints the rows of a table as "KEY KIND OURS WORDS"
table() {
    sed -n "/^static const Translation $1\[\]/,/^};/p" src/cli/settings/translate_tables.c | tr -d '\n' | sed 's/    \(ROW\|NONE\|PART\)(/\n\1 /g' |
        sed -n -e 's/^ROW "\([^"]*\)", *\(AS_[A-Z_]*\), *"\?\([a-zA-Z_0-9.]*\)"\?\(.*\.text = "\([a-z]*\)=.*\)\?.*/\1 \2 \3 \5/p' \
            -e 's/^NONE "\([^"]*\)".*/\1 NONE -/p' -e 's/^PART "\([^"]*\)", "\([a-z]*\)".*/\1 \2 -/p'
}
# values: reads such rows and prints "KEY VALUE"
values() {
    while read -r key kind ours words; do
        case $key in
        *lr_boundaries) echo "$key []" && continue ;;
        max_moves) echo "$key 600" && continue ;;
        *renorm_max*) echo "$key 2" && continue ;;
        esac
        case $kind in
        AS_SWITCH | AS_IF_TRUE | truth) echo "$key true" ;;
        AS_WORDS) echo "$key ${words:-small}" ;;
        AS_REST | AS_NUMBER | fraction) echo "$key 0.5" ;;
        activation) echo "$key mish" ;;
        whole) case $key in *layers | *heads | *blocks) echo "$key 4" ;; *) echo "$key 64" ;; esac ;;
        *) echo "$key 1" ;;
        esac
    done
}
nested() { # reads lines "KEY VALUE" and prints them as a YAML file
    awk '{
        depth = split($1, parts, ".")
        for (i = 1; i < depth; i++) {
            if (parts[i] == before[i]) continue
            printf "%*s%s:\n", 2 * i - 2, "", parts[i]
            before[i] = parts[i]
            delete before[i + 1]
        }
        printf "%*s%s: %s\n", 2 * depth - 2, "", parts[depth], $2
    }'
}
for table in LCZERO:lczero GONN:gonn P3ACHYGO:p3achygo; do
    table "${table%:*}" >"$folder/table"
    [ "$(wc -l <"$folder/table")" -ge 30 ] || fault "the table $table is not found"
    if [ "${table#*:}" = lczero ]; then
        sort "$folder/table" | values | nested >"$folder/all.yaml"
        expect 0 'without a counterpart' settings --from "$folder/all.yaml"
    else
        { printf 'program'; values <"$folder/table" | sed 's/ /=/; s/^/ --/' | tr -d '\n'; } >"$folder/all.txt"
        expect 0 'without a counterpart' settings --from "$folder/all.txt" --program "${table#*:}"
    fi
    grep -q "^# without a counterpart" "$folder/out" || continue
    while read -r key kind ours words; do
        case $kind in NONE) want=": $key: " ;; AS_IF_TRUE | [a-z]*) continue ;; *) want="$ours = " ;; esac
        grep -qF -- "$want" "$folder/out" || fault "$key of $table is not translated"
    done <"$folder/table"
done

# A file without any setting is refused.
printf 'Just some words.\n' >"$folder/words.txt"
expect 1 "$folder/words.txt has no settings" settings --from "$folder/words.txt"

# Files that are cut anywhere are translated or refused, and never crash.
for keep in $(seq 1 107 1200); do
    head -c "$keep" "$folder/net.yaml" >"$folder/cut.yaml"
    "$aji" settings --from "$folder/cut.yaml" >"$folder/out" 2>&1
    [ $? -le 1 ] || fault "a file of $keep bytes crashes"
done
exit $faults
