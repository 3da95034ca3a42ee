#!/usr/bin/env python3
"""Compares the outputs of Aji's nets in Aji with their outputs in KataGo.

    bench/katago_nets.py KATAGO [--build build/release] [--positions 24] [--seed 1] [KIND...]

KATAGO is KataGo's program. For each kind of net that KataGo's format can hold, the script makes a
net with random weights, converts it by `aji net convert`, and asks two engines about the same
positions: `aji analysis` with the net before the conversion, and `katago analysis` with the
converted net. There are two sources of nets:

  - KINDS below: architectures of Aji
  - tests/eval/golden_nets.h: tiny nets in KataGo's format, of all model versions. Aji reads and
    converts these files. Their names begin with "tiny"

The positions are those of tests/golden/nn/positions.jsonl.gz, except positions under Spight's ko
rule, which KataGo shows to nets as situational ko, and positions in which the search may enter the
encore. Each kind gets positions on 9x9, 13x13 and 19x19, on rectangles and on other boards, by many
rules, in one of the eight symmetries. On rectangles the symmetry is one of the four without a
transposition, because KataGo turns its buffer of 19x19, and Aji the board. Words after the options
choose kinds.

The script prints a line for each kind, with the number of positions and the largest difference of

  policy     probabilities of moves
  win rate   the win rate, where a certain win is 1, and the probability of no result
  ownership  -1 to 1
  lead       points
  score      the mean and the standard deviation of the score, points
  time       the time until the values settle, turns
  errors     the short-term errors of the win rate (1 is a certain win) and, divided by 100, of
             the score in points

A line "refused" stands for a net that KataGo's program does not load; the reason is KataGo's. A
difference is too large if it exceeds the limit of its column: LIMITS below. Exit status: 0 if no
difference is too large, else 1.

Build the programs first: ninja -C build/release aji onnx_case write_golden_nets
"""
import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Kinds of nets: a name and an architecture. Each part of a net that KataGo's format can hold occurs
# in one of them.
KINDS = {
    "residual": "c16-fixup,trunk=residual*3",
    "pooled": "c16-fixup-mish,trunk=pooled*2",
    "norm fixup": "b4c16-fixup-silu",
    "norm fixed": "b4c16-fixed-silu",
    "norm fixscale": "b4c16-fixscale-mish",
    "norm fson": "b4c16-fson-mish",
    "norm batch": "b4c16-batch-mish",
    "norm batch, no gain": "b4c16-batch,norm_gain=false,norm_epsilon=0.001",
    "norm renorm": "b4c16-renorm-mish",
    "relu": "b4c16-batch-relu",
    "mish": "b4c16-batch-mish",
    "silu": "b4c16-batch-silu",
    "identity in a block": "c16-batch-mish,trunk=residual(activation=identity)+residual",
    "norms and activations of blocks": "c16-batch-mish,trunk=residual(norm=fixup,activation=relu)+"
    "pooled(norm=fixscale,activation=silu)+"
    "nested(norm=fson,pool=4)",
    "nested": "c16-batch-mish,trunk=nested*2",
    "nested, pool": "c16-fson-mish,trunk=nested+nested(pool=8)",
    "nested, 3 layers": "c16-fixup-silu,trunk=nested(inner=12,layers=3)*2",
    "start 5x5": "b3c16-k5-mish",
    "start with a center": "b3c16-batch-k5,start_center=0.3",
    "kernel 5x5": "c16-batch,trunk=residual(kernel=5)*2",
    "some channels dilated": "c16-mish,trunk=residual(dilation=2,dilated=6)*2+pooled",
    "all channels dilated": "c16-mish,trunk=residual(dilation=2,dilated=16)*2+pooled",
    "kernels of the heads": "b3c16-batch,policy_kernel=5,head_kernel=3",
    "sizes of the heads": "b3c16-mish,policy_channels=12,policy_pooled=7,value_channels=9,"
    "value_hidden=11",
    "inner sizes": "blocks=3,channels=16,pool_every=1,inner_channels=24,pool_channels=10",
    "pooling mean and maximum": "b3c16-batch-mish,pooling=mean_max,head_mean_max=true",
    "pooling mean": "c16-mish,pooling=mean,trunk=pooled*2",
    "some features": "b3c16-batch-mish-nogo-k5,start_center=0.3",
    "attention, learned rotation": "c16-mish,trunk=(attention(heads=2)+swiglu)*2",
    "attention, fixed rotation": "c16-silu,trunk=(attention(heads=2,rotary=fixed)+swiglu)*2",
    "attention, no rotation": "c16-mish,trunk=(attention(heads=2,rotary=none)+swiglu)*2",
    "attention, grouped heads": "c16-mish,trunk=(attention(heads=4,kv_heads=2,query=6,value=5)+"
    "swiglu(inner=24))*2",
    "attention, grouped, fixed": "c16-mish,trunk=(attention(heads=6,kv_heads=1,query=8,value=3,"
    "rotary=fixed)+swiglu)*2",
    "attention and convolutions": "c16-batch-mish,trunk=residual+attention+pooled+swiglu+nested",
    "tip rms": "c16-mish,tip=rms,trunk=residual*2+attention+swiglu",
    "tip rms_board": "c16-relu,tip=rms_board,trunk=residual*2+pooled",
    "tip norm behind attention": "c16-batch-mish,tip=norm,trunk=(attention+swiglu)*2",
    "policies soft": "b3c16-fixup-soft-nodist",
    "policies optimistic": "b3c16-batch-mish-optimistic",
    "policies with values": "b3c16-batch-silu-qvalues",
    "values, rms tip": "c16-mish-qvalues,trunk=(attention+swiglu)*2",
    "mixture of scores": "b3c16-batch-mish,score_mixtures=4",
    "auxiliary heads": "b3c16-batch-mish-auxiliary-errors-qvalues-moves_left-score_scale-ladders-"
    "value_buckets",
    "more heads": "b3c16-batch-later_moves-root_variance-value_error-next_occupant-time_on_board-"
    "same_chain",
    "players": "b3c16-batch-mish,players=12",
    "players, transformer": "c16-mish,players=8,trunk=(attention+swiglu)*2",
}
PROFILES = ["rank_5k", "rank_9d", "rank_1d_1k", "preaz_3d_9k", "proyear_2022"]
SIZES = [(9, 9), (13, 13), (19, 19), (9, 13), (13, 19), (19, 7)]
COLUMNS = ["policy", "win rate", "ownership", "lead", "score", "time", "errors"]
LIMITS = {
    "policy": 1e-5,
    "win rate": 1e-5,
    "ownership": 5e-5,
    "lead": 1e-3,
    "score": 1e-3,
    "time": 1e-3,
    "errors": 1e-5,
}
ENGINE = (
    "logToStderr=false,logSearchInfo=false,nnMaxBatchSize=1,nnRandomize=false,"
    "nnCacheSizePowerOfTwo=10,nnMutexPoolSizePowerOfTwo=6,numEigenThreadsPerModel=1,"
    "numSearchThreadsPerAnalysisThread=1,numAnalysisThreads=1,"
    "reportAnalysisWinratesAs=WHITE,logAllRequests=false,logAllResponses=false,"
    "preventCleanupPhase=true"
)
OVERRIDES = {
    "policyOptimism": 0,
    "rootPolicyOptimism": 0,
    "wideRootNoise": 0,
    "rootSymmetryPruning": False,
    "ignorePreRootHistory": False,
    "conservativePass": False,
    "enablePassingHacks": False,
}


def read_positions():
    with gzip.open(os.path.join(ROOT, "tests/golden/nn/positions.jsonl.gz"), "rt") as stream:
        rows = [json.loads(line) for line in stream]
    return [
        row
        for row in rows
        if row["preventEncore"] and row["rules"]["ko"] != "SPIGHT" and not row["settings"]
    ]


def choose(positions, count, turn):
    """Returns positions of all sizes in turn; `turn` determines which positions of a size."""
    by_size = {size: [] for size in SIZES + [None]}
    for row in positions:
        size = (row["xSize"], row["ySize"])
        by_size[size if size in by_size else None].append(row)
    chosen = []
    for i in range(count):
        rows = by_size[(SIZES + [None])[i % (len(SIZES) + 1)]]
        chosen.append(rows[(turn + i // (len(SIZES) + 1)) % len(rows)])
    return chosen


def query_of(row, index, kind):
    settings = dict(OVERRIDES)
    if "player" in kind or "human" in kind:
        settings["humanSLProfile"] = PROFILES[index % len(PROFILES)]
    elif index % 2:
        settings["rootPolicyOptimism"] = 0.7
    query = {
        "id": str(index),
        "boardXSize": row["xSize"],
        "boardYSize": row["ySize"],
        "rules": row["rules"],
        "komi": row["komi"],
        "initialStones": [stone.split() for stone in row["initialStones"]],
        "moves": [move.split() for move in row["moves"]],
        "maxVisits": 1,
        "includePolicy": True,
        "includeOwnership": True,
        "overrideSettings": settings,
    }
    if not row["moves"]:
        query["initialPlayer"] = row["nextPlayer"]
    return query


def ask(words, queries, log):
    """Returns the answers of an analysis engine by id, and the ids for which the net does not know
    the rules. Returns None if the engine does not start."""
    lines = "".join(json.dumps(query) + "\n" for query in queries)
    with open(log, "w") as stream:
        done = subprocess.run(
            words, input=lines, stdout=subprocess.PIPE, stderr=stream, text=True, check=False
        )
    answers, other_rules = {}, set()
    for answer in map(json.loads, done.stdout.splitlines()):
        if answer.get("field") == "rules":
            other_rules.add(answer["id"])
        elif "rootInfo" in answer:
            answers[answer["id"]] = answer
        else:
            raise SystemExit(f"{words[0]}: {answer}")
    if done.returncode and not answers:
        return None
    if len(answers) != len(queries):
        raise SystemExit(f"{words[0]}: {len(answers)} answers to {len(queries)} queries; see {log}")
    return answers, other_rules


def farthest(a, b):
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def differences(ours, theirs):
    """Returns the largest difference of two answers by column."""
    a, b = ours["rootInfo"], theirs["rootInfo"]
    gap = {name: abs(a[name] - b[name]) for name in a if name.startswith("raw")}
    return {
        "policy": farthest(ours["policy"], theirs["policy"]),
        "win rate": max(gap["rawWinrate"], gap["rawNoResultProb"]),
        "ownership": farthest(ours["ownership"], theirs["ownership"]),
        "lead": gap["rawLead"],
        "score": max(gap["rawScoreSelfplay"], gap["rawScoreSelfplayStdev"]),
        "time": gap["rawVarTimeLeft"],
        "errors": max(gap["rawStWrError"], gap["rawStScoreError"] / 100),
    }


def compare(kind, net, converted, programs, chosen, symmetry, folder):
    """Returns the largest differences by column and the number of positions, or None and the reason
    why KataGo does not load the net. `programs`: KataGo and Aji."""
    rows = []
    empty = os.path.join(folder, "empty.cfg")
    logs = [os.path.join(folder, name) for name in ("katago.log", "aji.log")]
    with open(empty, "w") as stream:
        stream.write("\n")
    for square in (True, False):
        config = f"{ENGINE},nnForcedSymmetry={symmetry if square else symmetry % 4}"
        queries = [
            query_of(row, i, kind)
            for i, row in enumerate(chosen)
            if (row["xSize"] == row["ySize"]) == square
        ]
        words = [
            programs[0],
            "analysis",
            "-config",
            empty,
            "-model",
            converted,
            "-override-config",
            config,
        ]
        theirs = ask(words, queries, logs[0])
        if theirs is None:
            with open(logs[0]) as stream:
                return None, stream.read().strip().splitlines()[-1].split(": ", 1)[-1]
        words = [programs[1], "analysis", "-model", net, "-override-config", config]
        ours = ask(words, queries, logs[1])
        if ours is None:
            with open(logs[1]) as stream:
                raise SystemExit(f"{kind}: Aji does not start: {stream.read()}")
        rows += [differences(ours[0][i], theirs[0][i]) for i in theirs[0] if i not in theirs[1]]
    return {column: max(row[column] for row in rows) for column in COLUMNS}, len(rows)


def run(words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def make_nets(options, folder):
    """Yields for each kind its number, its name, the net as Aji's file, and the converted net."""
    golden = os.path.join(folder, "golden")
    os.mkdir(golden)
    run([os.path.join(options.build, "write_golden_nets"), golden])
    nets = [
        (os.path.basename(name).split(".")[0], os.path.join(golden, name))
        for name in sorted(os.listdir(golden), key=lambda name: int(name.split("-")[1][1:]))
    ]
    for kind, arch in KINDS.items():
        nets.append((kind, arch))
    for i, (kind, source) in enumerate(nets):
        if options.kinds and kind not in options.kinds:
            continue
        net, converted = os.path.join(folder, "net.aji"), os.path.join(folder, f"net{i}.bin.gz")
        if kind in KINDS:
            maker = os.path.join(options.build, "onnx_case")
            run([maker, "net", source, str(options.seed + i), net])
        else:
            run([os.path.join(options.build, "aji"), "net", "convert", source, net])
        run([os.path.join(options.build, "aji"), "net", "convert", net, converted])
        yield i, kind, net, converted


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("katago")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--build", default=os.path.join(ROOT, "build/release"))
    parser.add_argument("--positions", type=int, default=24, help="for each kind")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_intermixed_args()
    positions, programs = read_positions(), [options.katago, os.path.join(options.build, "aji")]
    bad = 0
    print("| kind | positions | " + " | ".join(COLUMNS) + " |")
    print("|---|---" + "|---" * len(COLUMNS) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for i, kind, net, converted in make_nets(options, folder):
            chosen = choose(positions, options.positions, i)
            worst, count = compare(kind, net, converted, programs, chosen, i % 8, folder)
            if worst is None:
                print(f"| {kind} | refused: {count} |", flush=True)
                continue
            marks = [
                "%.1e%s" % (worst[column], "" if worst[column] <= LIMITS[column] else " (!)")
                for column in COLUMNS
            ]
            bad += any("!" in mark for mark in marks)
            print(f"| {kind} | {count} | " + " | ".join(marks) + " |", flush=True)
    print(f"{bad} kinds differ" if bad else "no kind differs")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
