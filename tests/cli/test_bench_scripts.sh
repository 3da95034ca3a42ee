#!/bin/bash
# Checks the statistics of bench/search_error.py and bench/accuracy_elo.py with known numbers, and the tables that the two make from
# tiny nets. Of bench/learn_from_games.py it checks only how a table is found in the output of `aji match`. bench/block_kinds.py
# trains two kinds of nets with equal samples.
. tests/command.sh
command -v python3 >/dev/null 2>&1 || { echo "SKIP needs python3"; exit 0; }

PYTHONPATH=bench PYTHONDONTWRITEBYTECODE=1 python3 - <<'PYTHON' || fault "the statistics of the scripts are wrong"
import math, random
import accuracy_elo as a
import search_error as s

def near(wanted, got, tolerance=1e-3):
    assert abs(wanted - got) <= tolerance, (wanted, got)

# Tables of Student's t with 3 degrees of freedom and of the normal distribution.
near(0.7649, s.quantile_of(s.t3_cdf, 0.75))
near(3.1824, s.quantile_of(s.t3_cdf, 0.975))
near(-1.9600, s.quantile_of(s.normal_cdf, 0.025))
factor, power = s.fit_power([1, 4, 16], [3, 6, 12])
near(3, factor), near(0.5, power)
found = s.statistics([1, -1, 1, -1, 2])
near(0.4, found["mean"]), near(math.sqrt(8 / 5), found["rms"]), near(1.44, found["variance"])
# Numbers that were drawn from a distribution fit this distribution better than the other one.
rng = random.Random(1)
normal = sorted(rng.gauss(0, 2) for _ in range(4000))
student = sorted(rng.gauss(0, 1) / math.sqrt(rng.gammavariate(1.5, 2) / 3) for _ in range(4000))
assert s.fit_distance(normal, s.normal_cdf) < 0.025 < 0.03 < s.fit_distance(normal, s.t3_cdf)
assert s.fit_distance(student, s.t3_cdf) < 0.025 < 0.03 < s.fit_distance(student, s.normal_cdf)
low, high = s.bootstrap_rms([1.0] * 50 + [3.0] * 50, rng)
assert low < math.sqrt(5) < high and high - low < 0.8

mean, error = a.weighted_mean([1, 2, 3], [1, 1, 1])
near(2, mean), near(1 / math.sqrt(3), error)
low, high = a.wilson(0.5, 100)
near(0.4038, low), near(0.5962, high)
parts = [{"rows": 10, "accuracy.policy": 0.5, "accuracy.policy_top_4": 0.8, "loss.policy": 2.0}] * 8
near(2, a.summarise(parts)["nats"][2]), near(math.exp(2), a.summarise(parts)["perplexity"][0])
assert math.isnan(a.summarise(parts[:2])["nats"][1])
assert a.net_names(["x/n.aji", "y/n.aji", "k.bin.gz"]) == ["n", "n+", "k"]
assert a.read_ratings("player Elo\nx   +0   +-0   60\ny   -58   +-89  60  41%\n", ["x", "y"]) == {"x": (0, 0), "y": (-58, 89)}

import learn_from_games as l
text = "player  against\na  b\n\nplayer  Elo  95%\na  +1  +-2\nb  +0  +-0\nlikelihood of superiority\n"
wanted = ["```", "player  Elo  95%", "a  +1  +-2", "b  +0  +-0", "```"]
assert l.table_after(text, "player ", " Elo ") == wanted, l.table_after(text, "player ", " Elo ")

import block_kinds as b
base = b.KINDS[0][0]
assert b.names_in(base + ",half as large,mean, maximum and deviation") == [base, "half as large", "mean, maximum and deviation"]
try:
    b.names_in("half as large,nothing")
    raise AssertionError("an unknown kind is accepted")
except ValueError as error:
    assert "nothing" in str(error)
# Doubling the size lowers the losses from 3 to 2.7 and 2.9, by 0.2 on average.
losses = {base: 3.0, "twice as large": 2.7, "1.4 times as wide": 2.9, "mish": 2.9, "half as large": 3.1}
wanted = {base: "+0.00", "twice as large": "+1.50", "1.4 times as wide": "+0.50", "mish": "+0.50", "half as large": "-0.50"}
assert b.doublings(losses) == wanted, b.doublings(losses)
for unknown in {base: 3.0, "mish": 2.9}, {"twice as large": 3.0, "mish": 2.9}, {base: 3.0, "twice as large": 3.1}:
    assert set(b.doublings(unknown).values()) == {"-"}, unknown
PYTHON

for seed in 1 2; do "$aji" net new --arch b1c8 --seed $seed "$folder/n$seed.aji" >/dev/null; done
"$aji" match "$folder/n1.aji,visits=2,search.temperature=1" "$folder/n2.aji,visits=2,search.temperature=1" --size 5 \
    --komi 0 --games 4 --out "$folder/games" >/dev/null 2>&1
script() { # SCRIPT WORDS...: its output goes to $folder/out
    PYTHONDONTWRITEBYTECODE=1 timeout 100 python3 "bench/$1" "${@:2}" --aji "$aji" >"$folder/out" 2>"$folder/err"
}
script search_error.py "$folder/n1.aji" "$folder/games" --out "$folder/errors" --positions 6 --visits 16 --steps 1,4 ||
    fault "search_error.py fails"
also "6 positions; the true value is that of 16 visits"
also "| 4 | "
[ "$(wc -l <"$folder/errors/values.csv")" = 18 ] || fault "values.csv does not have 6 x 3 values"
grep -q '</svg>' "$folder/errors/qq.svg" && grep -q 'power law' "$folder/errors/precision.svg" || fault "a chart is missing"
cp "$folder/errors/table.md" "$folder/first"
script search_error.py "$folder/n1.aji" "$folder/games" --out "$folder/errors" --positions 6 --visits 16 --steps 1,4
cmp -s "$folder/first" "$folder/errors/table.md" || fault "a second call has another table"
[ "$(wc -l <"$folder/errors/values.csv")" = 18 ] || fault "a second call measures again"

"$aji" data from-sgf "$folder/games" --out "$folder/rows" --set rows.validation=0 >/dev/null 2>&1
script accuracy_elo.py "$folder/table" "$folder/n1.aji" "$folder/n2.aji" --rows "$folder/rows/train" --size 5 --komi 0 \
    --games 4 || fault "accuracy_elo.py fails"
also "| net | rows | top-1, % |"
also "| n1 | "
also "| n2 | "

# Both nets learn from 48 samples; a second call trains nothing more.
kinds() {
    script block_kinds.py "$folder/kinds" "$folder/rows/train" --validation "$folder/rows/train" --seeds 1 --samples 40 \
        --kinds "half as large,mish" --set loader.batch=16 || fault "block_kinds.py fails"
    also "| kind | architecture | source | samples | policy | value | best move | sum | doublings |"
    also "| half as large | \`b6c64\` | yardstick | 48 | "
    also "| mish | \`b6c96-mish\` | KataGo | 48 | "
}
kinds
cp "$folder/kinds/table.md" "$folder/first"
kinds
cmp -s "$folder/first" "$folder/kinds/table.md" || fault "a second call of block_kinds.py has another table"

echo "$faults faults"
[ "$faults" = 0 ]
