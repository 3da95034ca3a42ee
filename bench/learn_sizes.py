#!/usr/bin/env python3
"""Learns on boards of several sizes, in one run for each size and seed, and makes a table of the
results.

    bench/learn_sizes.py OUT [--aji build/release/aji] [--sizes 5,7,9,11,13,19] [--seeds 1,2,3]
                         [--minutes 20] [--minutes-19 60] [--cores 2] [--games 100]

Each run is `aji learn --size N --set run.seed=S`. It is stopped when it has used as much processor
time as --cores cores have in --minutes minutes (on 19x19 in --minutes-19 minutes). Other programs
may run at the same time, because only the processor time of the run counts. Then the last net plays
two matches of --games games:

  - against random play with 16 visits (few visits, because such games are long)
  - with 100 visits against the newest net from the first quarter of the run

Games begin with two random moves, and each opening is played twice, with colors exchanged. If this
script was stopped, the same command continues with what is missing. It prints a row of the table
after each run, and keeps the table in OUT/table.md.

Columns of the table:

  time          processor time in minutes
  gradient      mean gradient norm at the end of the run
  largest mean  the largest mean gradient norm in the whole run
  outliers      batches whose gradient norm or loss is far above that of recent batches
                (src/train/divergence.h)
  setbacks      returns of training to its last good state
  refused       nets that were refused because their losses were worse than those of a net that
                knows nothing
  value loss / 0.693
                the loss of the value head at the end of the run, divided by 0.693, which is the
                loss of a net that predicts 50% everywhere
  against random, against an earlier net
                the scores of the last net in the two matches
"""
import argparse
import csv
import math
import os
import re
import sqlite3
import subprocess
import sys

import metered

KOMI = {
    5: 24,
    7: 8.5,
    8: 9.5,
}  # on 7x7 and 8x8 half a point away from the fair komi, so that there are no draws


def numbers(text):
    return [int(word) for word in text.split(",")]


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out")
    parser.add_argument(
        "--aji", default=os.path.join(os.path.dirname(__file__), "..", "build", "release", "aji")
    )
    parser.add_argument("--sizes", type=numbers, default=[5, 7, 9, 11, 13, 19])
    parser.add_argument("--seeds", type=numbers, default=[1, 2, 3])
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--minutes-19", type=float, default=60)
    parser.add_argument("--cores", type=float, default=2)
    parser.add_argument("--games", type=int, default=100)
    return parser.parse_args()


def facts(run):
    """Reads the run's index. Returns its facts by name, and its nets as (number, file, seconds of
    the run)."""
    index = sqlite3.connect(f"file:{run}/run.db?mode=ro", uri=True)
    known = dict(index.execute("select key, value from facts"))
    nets = list(index.execute("select number, file, seconds from nets order by number"))
    index.close()
    return known, nets


def learn(options, run, size, seed, minutes):
    """Learns until the run has used its processor time."""
    if not metered.seconds_used(run) and os.path.exists(f"{run}/run.db"):
        sys.exit(f"{run}.seconds is missing: this program did not make {run}")
    command = [
        options.aji,
        "learn",
        "--size",
        str(size),
        "--run",
        run,
        "--time",
        "0",
        "--set",
        f"run.seed={seed}",
    ]
    metered.run_for(run, 60 * minutes * options.cores, command)


def share(options, run, size, name, net, visits, other):
    """Plays a match of `net` against `other`, or what is left of the match. Returns the score of
    `net` in percent."""
    player = f"net={run}/nets/{net},visits={visits},name=last"
    words = [
        options.aji,
        "match",
        "--black",
        player,
        "--white",
        other,
        "--size",
        str(size),
        "--komi",
        str(KOMI.get(size, 7)),
        "--rules",
        "tromp-taylor",
        "--opening",
        "2",
        "--games",
        str(options.games),
        "--out",
        f"{run}-{name}",
    ]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    found = re.search(r"score of the first player: ([\d.]+)%", text)
    return float(found.group(1))


def last_losses(run):
    with open(f"{run}/report/metrics.csv") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] == "train"]
    return rows[-1], max(float(row["gradient"]) for row in rows)


def describe(options, run, size, seed):
    known, nets = facts(run)
    last, longest = last_losses(run)
    quarter = [net for net in nets if net[2] <= known["seconds"] / 4] or nets[:1]
    newest = nets[-1][1]
    random_share = share(options, run, size, "random", newest, 16, "random")
    quarter_share = share(
        options,
        run,
        size,
        "quarter",
        newest,
        100,
        f"net={run}/nets/{quarter[-1][1]},visits=100,name=quarter",
    )
    return [
        f"{size}x{size}",
        seed,
        f"{metered.seconds_used(run) / 60:.0f}m",
        len(nets),
        int(known.get("games", 0)),
        int(float(last["samples"])),
        f"{float(last['gradient']):.1f}",
        f"{longest:.1f}",
        int(known.get("outliers", 0)),
        int(known.get("setbacks", 0)),
        int(known.get("refused", 0)),
        f"{float(last['loss.value']) / math.log(2):.2f}",
        f"{random_share:.0f}%",
        f"{quarter_share:.0f}%",
    ]


HEAD = [
    "board",
    "seed",
    "time",
    "nets",
    "games",
    "samples",
    "gradient",
    "largest mean",
    "outliers",
    "setbacks",
    "refused",
    "value loss / 0.693",
    "against random",
    "against an earlier net",
]


def main():
    options = arguments()
    options.aji = os.path.abspath(options.aji)
    os.makedirs(options.out, exist_ok=True)
    lines = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    for seed in options.seeds:
        for size in options.sizes:
            run = os.path.join(options.out, f"{size}-s{seed}")
            learn(options, run, size, seed, options.minutes_19 if size == 19 else options.minutes)
            lines.append(
                "| " + " | ".join(str(cell) for cell in describe(options, run, size, seed)) + " |"
            )
            table = "\n".join(lines) + "\n"
            with open(os.path.join(options.out, "table.md"), "w") as file:
                file.write(table)
            print(lines[-1], flush=True)
    print("\n" + table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
