#!/bin/bash
# `aji train DATA` as people type it: a training on a fixed set of rows, which is continued, and one that begins with a net.
. tests/command.sh

rows=$folder/run/rows
out=$folder/out-of-training
small=(--samples 64 --set loader.batch=32 --set trainer.threads=1)
expect 0 "" selfplay --run "$folder/run" --size 4 --rows 60 --set run.arch=b1c8-fixup-nodist --set selfplay.full.visits=4 \
    --set run.threads=1

expect 0 "128 samples in" train "$rows" --out "$out" --arch b1c8-fixup-nodist "${small[@]}" --epochs 2
also "best so far"
also "best.aji: after "
also "on the validation rows"
for file in begin.aji best.aji last.aji checkpoint.aji train.cfg report/index.html report/metrics.csv; do
    [ -s "$out/$file" ] || fault "there is no $file"
done
[ "$(grep -c '^train,' "$out/report/metrics.csv")" = 2 ] || fault "two epochs have not two lines of metrics"
cmp -s "$out/begin.aji" "$out/last.aji" && fault "the net has not learned"

# The same command continues the training with the settings of the last start. A training that has
# ended keeps its nets.
expect 0 "192 samples in" train "$rows" --out "$out" --epochs 3
[ "$(grep -c '^train,' "$out/report/metrics.csv")" = 3 ] || fault "the third epoch has no line of metrics"
sha256sum "$out/best.aji" "$out/last.aji" >"$folder/sums"
expect 0 "192 samples in" train "$rows" --out "$out"
sha256sum --quiet -c "$folder/sums" || fault "a training that had ended changed its nets"
expect 2 "which --arch cannot change; name another folder" train "$rows" --out "$out" --arch b2c8
sha256sum --quiet -c "$folder/sums" || fault "a refused command changed nets"

# If the time is over within an epoch, the net is measured and kept. A training that Ctrl-C stops
# before its first epoch has ended says that there is no net.
long=("$rows" --arch b1c8 --samples 1000000 --set loader.batch=32 --set trainer.threads=1)
expect 0 "best so far" train "${long[@]}" --out "$folder/early" --time 1s
[ -s "$folder/early/last.aji" ] || fault "the end of the time was not kept"
timeout -s INT 3 "$aji" train "${long[@]}" --out "$folder/stopped" </dev/null >"$folder/out" 2>&1
also "there is no trained net yet"
[ ! -e "$folder/stopped/last.aji" ] || fault "a training without an epoch has a net"

# Another training begins with the best net, and is measured on the rows that --validation names.
expect 0 "64 samples in" train "$rows" --out "$folder/again" --from "$out/best.aji" --validation "$rows" "${small[@]}" --epochs 1
expect 0 "arch.score_distribution = false" net info "$folder/again/best.aji"
expect 0 "loss.policy" net metrics "$folder/again/best.aji" "$rows"

# The folder of a training stands for its best net, which knows the board of its rows.
expect 0 "1 block of 8 channels" net info "$out"
expect 0 "loss.policy" net metrics "$out" "$rows"
expect 0 "64 samples in" train "$rows" --out "$folder/from-folder" --from "$out" "${small[@]}" --epochs 1
echo 'showboard' | "$aji" gtp "$out/best.aji" >"$folder/out" 2>"$folder/err"
grep -q 'A B C D' "$folder/out" || fault "gtp shows no board"
grep -q 'A B C D E' "$folder/out" && fault "the board is larger than those of the rows"
expect 0 "there is no best.aji" train "$rows" --out "$folder/unmeasured" --arch b1c8 "${small[@]}" --epochs 1 \
    --set loader.validation=0

# A search of the rate prints its trials and writes nothing.
expect 0 "the smallest loss of" train "$rows" --out "$folder/none" "${small[@]}" --find-rate
also "policy and value loss"
also "schedule.rate="
[ ! -e "$folder/none" ] || fault "a search of the rate made a folder"

expect 2 "exclude each other" train "$rows" --out "$folder/none" --from "$out/best.aji" --arch b1c8
for words in "--set supervised.arch=b1c8" --set=supervised.arch=b1c8 "--set arch=b1c8" "--find-rate --set supervised.arch=b1c8"; do
    # shellcheck disable=SC2086
    expect 2 "--set supervised.arch and --from exclude each other" train "$rows" --out "$folder/none" --from "$out/best.aji" $words
done
expect 1 "none: there is no such file or folder" train "$folder/none" --out "$folder/none2"
expect 1 "none: there is no such file or folder" train "$rows" --out "$folder/none2" --validation "$folder/none" --arch b1c8
expect 1 "none.aji" train "$rows" --out "$folder/none2" --from "$folder/none.aji"
expect 1 '"b9" is not understood' train "$rows" --out "$folder/none2" --arch b9
expect 2 'there is no setting "trainer.batch" here; did you mean loader.batch?' train "$rows" --out "$folder/none2" --set trainer.batch=1
[ -z "$(find "$folder"/none* -name '*.aji' 2>/dev/null)" ] || fault "a net was written after a failure"

echo "$faults faults"
[ "$faults" = 0 ]
