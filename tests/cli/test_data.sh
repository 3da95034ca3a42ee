#!/bin/bash
# `aji data` shows rows, prints statistics of them, checks them, and names broken files. `aji
# learn`, which makes the rows, also writes curves to files. Some curves are of validation rows, on
# which the net is not trained.
set -eu
aji=${AJI_BUILD:-build/release}/aji
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$aji" learn --run "$work/run" --size 5 --time 0 --set run.threads=1 --set run.nets=1 --set run.rows_first=60 \
    --set run.rows_cycle=60 --set run.samples_per_row=0.5 --set selfplay.full.visits=4 --set selfplay.cheap.visits=2 \
    --set selfplay.games_at_once=2 --set run.arch=b1c8 --set loader.batch=16 --set loader.validation=0.3 --set run.gate_games=0 --set run.rate_games=0 \
    > "$work/learn.txt" 2>&1
grep -q "^kind,samples,seconds,games,rows,speed,elo,loss,loss.policy," "$work/run/report/metrics.csv"
grep -q "^train," "$work/run/report/metrics.csv"
grep -q "^validation," "$work/run/report/metrics.csv"
grep -q "^validation_averaged," "$work/run/report/metrics.csv"
for curve in 'validation, averaged net' '1 / (best move' '10%'; do
    grep -qF "$curve" "$work/run/report/index.html"
done
[ -s "$work/run/report/tensorboard/validation/events.out.tfevents.0000000001.aji" ]
rows=$(find "$work/run/rows" -name '*.npz' | head -1)
"$aji" data show "$rows" --row 1 > "$work/show.txt"
grep -q '^row 1 of ' "$work/show.txt"
grep -q 'policy target, per mille' "$work/show.txt"
grep -q '^   A B C D E ' "$work/show.txt" # coordinates as in GTP
grep -q '^ 5 ' "$work/show.txt"
: > "$work/empty.npz"
"$aji" data stats "$work/empty.npz" > "$work/stats.txt" 2>&1 || true
grep -q '1 of 1 files are broken' "$work/stats.txt"
if grep -q 'with a policy target' "$work/stats.txt"; then exit 1; fi # no rows, no table
"$aji" data foo > "$work/wrong.txt" 2>&1 || true
grep -qF 'there is no subcommand "foo"; use from-sgf, from-leela-zero, from-lc0, problems, show, stats or check' "$work/wrong.txt"
"$aji" data show "$work/run" > "$work/wrong.txt" 2>&1 || true
grep -q 'is a folder' "$work/wrong.txt"
"$aji" data stats "$work/run/rows" | grep -q '5x5 .*100.0%'
"$aji" data check "$work/run" | grep -q 'are whole'
head -c 5000 "$rows" > "$work/run/rows/cut.npz"
code=0
"$aji" data check "$work/run/rows" > "$work/check.txt" 2> "$work/fault.txt" || code=$?
[ $code = 1 ]
grep -q '^broken: .*cut.npz' "$work/check.txt"
grep -q '1 of .* files are broken' "$work/fault.txt"
code=0
"$aji" data check "$work/nowhere" 2> /dev/null || code=$?
[ $code = 1 ]
code=0
"$aji" data draw "$rows" 2> /dev/null || code=$?
[ $code = 2 ]
code=0
"$aji" data show "$rows" --row 1000000 2> /dev/null || code=$?
[ $code = 2 ]
