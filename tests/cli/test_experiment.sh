#!/bin/bash
# An experiment that takes only seconds. It can be stopped and continued, plays no game twice, and keeps the settings that it was
# begun with. Its report names every arm and run.
. tests/command.sh

# experiment CODE OPTION...: runs `aji experiment` with tiny.cfg and the options; it must end with that exit code
experiment() {
    local code=$1 got
    shift
    timeout 200 "$aji" experiment "$folder/tiny.cfg" --out "$folder/out" "$@" </dev/null >"$folder/log" 2>&1
    got=$?
    [ "$got" = "$code" ] || fault "aji experiment $*: exit code $got, wanted $code"
}

cat >"$folder/tiny.cfg" <<'END'
experiment.seeds = 2
experiment.compute = 2e8
experiment.slices = 2
experiment.moments = 2
experiment.games = 2
experiment.link_games = 2
experiment.visits = 4
selfplay.sizes = "5:1"
selfplay.komi.mean = 24
selfplay.full.visits = 8
selfplay.cheap.visits = 4
selfplay.games_at_once = 4
selfplay.ramp.rows = 0
run.arch = "b1c8-fixup-nodist"
run.threads = 2
run.rows_first = 100
run.rows_cycle = 60
run.samples_per_row = 2
run.cache_mb = 1
run.disk_reserve_mb = 0
loader.batch = 32
loader.memory_mb = 16
window.min = 200
averaging.period_samples = 64
search.tree_memory_mb = 4

[full]
[a-net-without-the-features-of-go]
run.arch = "b1c8-fixup-nodist-nogo"
END

# The folder is named after the file, and has the word "experiment" only once.
cp "$folder/tiny.cfg" "$folder/experiment-tiny.cfg"
program=$(realpath "$aji")
(cd "$folder" && timeout 100 "$program" experiment experiment-tiny.cfg --rate </dev/null >log 2>&1)
grep -q 'in aji-experiment-tiny;' "$folder/log" ||
    fault 'the folder of experiment-tiny.cfg has another name'

# Settings with which no run could begin are refused before the first run begins.
sed 's/^\[full\]/&\nschedule.kind = knots/' "$folder/tiny.cfg" >"$folder/bad.cfg"
expect 2 "bad.cfg:27: [full]: schedule.kind knots" experiment "$folder/bad.cfg" --out "$folder/none"
[ -e "$folder/none" ] && fault 'a refused experiment leaves a folder'
rm "$folder/out"

# Stop it as soon as the second run has begun.
"$aji" experiment "$folder/tiny.cfg" --out "$folder/out" </dev/null >"$folder/log" 2>&1 &
process=$!
for _ in $(seq 300); do
    [ -e "$folder/out/runs/a-net-without-the-features-of-go-s1/run.db" ] && break
    sleep 0.1
done
kill -INT $process || fault 'the experiment ended before it was stopped'
wait $process
got=$?
[ "$got" = 130 ] || fault "a stopped experiment: exit code $got, wanted 130"
experiment 0
for word in full a-net-without-the-features-of-go 'run.arch = "b1c8-fixup-nodist-nogo"' full-s1 full-s2 a-net-without-the-features-of-go-s1 a-net-without-the-features-of-go-s2 'degrees of' report/index.html; do
    grep -qF -e "$word" "$folder/log" || fault "no \"$word\" in the report"
done
# The last nets of the 4 runs make 6 pairs, and each pair plays two games. So there are at least 12
# games. Nets are compared at two moments (experiment.moments). If a run has one net at the first
# moment and another net at the last moment, both play games.
[ "$(find "$folder/out/games" -name '*.sgf' | wc -l)" -ge 12 ] || fault 'fewer than 12 games'
grep -q '<svg' "$folder/out/report/index.html" || fault 'the page has no curves'
find "$folder/out" \( -name '*.sgf' -o -name '*.npz' -o -name '*.aji' \) -print0 | sort -z | xargs -0 sha256sum >"$folder/before"
cp "$folder/out/report/report.txt" "$folder/report"

# The first arm's two seeds have equal intervals, because ratings are relative to the mean of these two.
awk '$1 == "full-s1" { one = $3 } $1 == "full-s2" { two = $3 } END { exit !(one > 0 && one == two) }' "$folder/report" ||
    fault 'the seeds of the first arm have different intervals'

# A second call learns and plays nothing, and its report is the same.
experiment 0
cmp -s "$folder/report" "$folder/out/report/report.txt" || fault 'the second report of the same games differs'
experiment 0 --rate
find "$folder/out" \( -name '*.sgf' -o -name '*.npz' -o -name '*.aji' \) -print0 | sort -z | xargs -0 sha256sum >"$folder/after"
cmp -s "$folder/before" "$folder/after" || fault 'something was learned or played twice'

# Settings that an older version wrote under former names and rounded to float count as the same.
sed -i -E 's/^search\.gumbel\.considered/search.gumbel_considered/; s/^(sprt.alpha =) 0.05$/\1 0.0500000007/; /^search.visit_exponent/d' \
    "$folder"/out/arms/*.cfg
grep -q '^search.gumbel_considered' "$folder"/out/arms/full.cfg && grep -q 0.0500000007 "$folder"/out/arms/full.cfg ||
    fault 'the settings of an arm are not as expected'
experiment 0

# An experiment that was begun refuses other settings.
sed -i 's/^experiment.visits = 4/experiment.visits = 5/' "$folder/tiny.cfg"
experiment 2 --rate
grep -qF 'the games were begun with other settings' "$folder/log" || fault 'no message says that the visits have changed'
sed -i 's/^experiment.visits = 5/experiment.visits = 4/' "$folder/tiny.cfg"
sed -i 's/^run.samples_per_row = 2/run.samples_per_row = 3/' "$folder/tiny.cfg"
experiment 2
grep -qF 'begun with other settings' "$folder/log" || fault 'no message says that the settings have changed'
printf '[full]\nrun.sede = 1\n' >"$folder/tiny.cfg"
experiment 2
grep -qF 'tiny.cfg:2' "$folder/log" || fault 'the message does not name the line of the mistake'

# The example files can be read; with --rate nothing is learned.
for example in configs/experiment-*.cfg; do
    "$aji" experiment "$example" --out "$folder/none" --rate </dev/null >"$folder/log" 2>&1
    [ $? = 2 ] && grep -qF 'fewer than two nets' "$folder/log" || fault "$example cannot be read"
done

[ "$faults" = 0 ] || echo "$faults faults" >&2
exit $((faults > 0))
