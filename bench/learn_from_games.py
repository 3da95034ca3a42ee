#!/usr/bin/env python3
"""Teaches a net from games of players of nine strengths, and measures what it has learned.

    bench/learn_from_games.py OUT NET --size 9 [--games 700] [--gnugo-games 70]
                              [--held-out-games 20] [--resign] [--full-games 0] [--hours 2]
                              [--threads 2] [--samples 3600000] [--arch b6c96-mish,ranks=8]
                              [--judged-games 200] [--aji build/release/aji] [--only STEP]

NET plays all games, at eight strengths: some players draw moves from its policy, others search. GNU
Go 3.8 at level 1 is the ninth player. Each has a name and a rank, which are in the SGF files.
--games is the number of games for each of the 28 pairs of players of NET, and --gnugo-games the
number of games of GNU Go against each of them. --held-out-games is the number of games for each
pair that no net is trained on. GNU Go plays half as many of them. With --resign, NET resigns lost
games; --full-games is then the number of further games for each pair of players of NET that are
played to the end. The steps are:

  games     plays the games, and others that no net is trained on (OUT/games, OUT/held-out)
  rows      makes rows of them, by `aji data from-sgf` (OUT/rows, OUT/held-out-rows/RANK)
  train     trains a net that reads ranks, for --hours hours of processor time (OUT/net)
  measure   measures the net, and prints the tables (OUT/tables.md)

The same command continues the work where it was stopped. The learning rate falls along a cosine
until --samples samples have been used. The tables are:

  Learning          metrics on the validation rows by samples
  Ranks             cross entropy of the policy on the held-out rows of each player, in nats: with
                    the true ranks, without ranks, and with the same rank for all rows; also the
                    value loss with the true ranks and without ranks
  Play by rank      games between players that draw their moves from the policy of a rank
  Against GNU Go    --judged-games games of the likeliest move of the policy against GNU Go 3.8 at
                    level 1
"""
import argparse
import csv
import json
import os
import sys

import metered
from programs import output_of, run

DRAWN = "visits=1,search.choice_law=policy_beta,search.choice_beta_turn=10000"
# Rank, name, and how the net plays. The ranks follow ratings of games on 9x9 between players with
# g170-b6c96. A rank is about 100 Elo.
PLAYERS = [
    ("11k", "temperature 2", DRAWN + ",search.policy_temperature=2"),
    ("8k", "temperature 1.5", DRAWN + ",search.policy_temperature=1.5"),
    ("4k", "policy", DRAWN),
    ("2k", "sharper policy", "visits=1,search.choice_law=policy_beta,search.choice_beta_turn=20"),
    ("1d", "likeliest move", "visits=1"),
    ("2d", "4 visits", "visits=4"),
    ("4d", "16 visits", "visits=16"),
    ("5d", "32 visits", "visits=32"),
]
GNU_GO_RANK = "7k"
GNU_GO = "gtp:gnugo --mode gtp --level 1 --chinese-rules --capture-all-dead"
RANKS = ["11k", "8k", "7k", "4k", "2k", "1d", "2d", "4d", "5d"]
PLAYED_RANKS = ["11k", "8k", "4k", "2k", "1d", "3d", "5d"]


class Work:
    """The options, and the paths of everything that the steps write."""

    def __init__(self, options):
        self.options = options
        self.aji = options.aji
        self.net = os.path.join(options.out, "net")

    def path(self, *words):
        return os.path.join(self.options.out, *words)

    def match(self, players, folder, games, words=()):
        """Plays games between all players, or goes on with them. Returns what the match printed."""
        return output_of(
            [self.aji, "match", *players, "--rules", "chinese", "--komi", "7.5", "--opening", "2"]
            + ["--size", str(self.options.size), "--threads", str(self.options.threads)]
            + ["--games", str(games), "--out", folder, *words]
        )


def play(work, folder, games, full_games, gnugo_games, seed):
    players = [f"rank={rank},name={name},{work.options.net},{how}" for rank, name, how in PLAYERS]
    resign = ["--resign"] if work.options.resign else []
    work.match(players, work.path(folder, "net"), games, ["--seed", str(seed), *resign])
    if full_games:
        work.match(players, work.path(folder, "full"), full_games, ["--seed", str(seed + 1)])
    gnugo = f"rank={GNU_GO_RANK},name=GNU Go 3.8 level 1,{GNU_GO}"
    words = ["--against", "1", "--seed", str(seed), *resign]
    work.match([gnugo, *players], work.path(folder, "gnugo"), gnugo_games, words)


def games_step(work):
    options = work.options
    held_out = options.held_out_games
    play(work, "held-out", held_out, 0, (held_out + 1) // 2, 500)
    play(work, "games", options.games, options.full_games, options.gnugo_games, 1)


def rows_step(work):
    from_sgf = [work.aji, "data", "from-sgf"]
    players = ["--set", "rows.players=true"]
    run([*from_sgf, work.path("games"), "--out", work.path("rows"), *players])
    for rank in RANKS:
        out = work.path("held-out-rows", rank)
        words = ["--set", "rows.validation=0", "--set", f"filter.min_rank={rank}"]
        words += ["--set", f"filter.max_rank={rank}"]
        run([*from_sgf, work.path("held-out"), "--out", out, *players, *words])


def train_step(work):
    command = [work.aji, "train", work.path("rows", "train"), "--out", work.net]
    command += ["--validation", work.path("rows", "validation"), "--arch", work.options.arch]
    command += ["--epochs", "0", "--samples", "200000"]
    for setting in (
        f"supervised.threads={work.options.threads}",
        "supervised.validation_fraction=0.1",  # all rows would take a third of the time
        "schedule.kind=cosine",
        f"schedule.total_samples={work.options.samples}",
        "schedule.final_factor=0.03",
    ):
        command += ["--set", setting]
    wanted = 3600 * work.options.hours
    if metered.seconds_used(work.net) < wanted - 10:
        metered.run_for(work.net, wanted, command)
        run([*command, "--time", "1"])  # trains for a second, and then measures the net


def learning_table(work):
    with open(os.path.join(work.net, "report", "metrics.csv"), encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] == "validation_averaged"]
    lines = ["| samples | top-1, % | top-4, % | nats | value loss |", "|---|---|---|---|---|"]
    for row in rows:
        top1, top4 = (100 * float(row["accuracy." + key]) for key in ("policy", "policy_top_4"))
        lines.append(
            f"| {float(row['samples']):,.0f} | {top1:.1f} | {top4:.1f} |"
            f" {float(row['loss.policy']):.3f} | {float(row['loss.value']):.3f} |"
        )
    return lines


def ranks_table(work):
    net = os.path.join(work.net, "last.aji")

    def metrics(rank, words=()):
        rows = work.path("held-out-rows", rank, "train")
        return json.loads(output_of([work.aji, "net", "metrics", net, rows, "--json", *words]))

    lines = [
        "| rank | rows | top-1, % | true rank | no rank | as 11k | as 1d | as 5d"
        " | value, true rank | value, no rank |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for rank in RANKS:
        true = metrics(rank)
        without = metrics(rank, ["--profile", "unknown"])
        others = [metrics(rank, ["--profile", f"rank_{other}"]) for other in ("11k", "1d", "5d")]
        losses = [found["loss.policy"] for found in (true, without, *others)]
        losses += [true["loss.value"], without["loss.value"]]
        lines.append(
            f"| {rank} | {true['rows']:,} | {100 * true['accuracy.policy']:.1f} | "
            + " | ".join(f"{loss:.3f}" for loss in losses)
            + " |"
        )
    return lines


def table_after(text, *words):
    """The lines of `text` from the first one that has all `words` to the next empty line, or
    to the table of likelihoods that follows ratings."""
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if all(word in line for word in words))
    last = next((i for i in range(first, len(lines)) if not lines[i].strip()), len(lines))
    last = next((i for i in range(first, last) if "likelihood of" in lines[i]), last)
    return ["```", *lines[first:last], "```"]


def measure_step(work):
    net = os.path.join(work.net, "last.aji")
    drawn = [f"name={rank},{net},{DRAWN},search.human.profile=rank_{rank}" for rank in PLAYED_RANKS]
    by_rank = work.match(drawn, work.path("play-by-rank"), 100)
    likeliest = f"name=likeliest move,{net},visits=1,search.human.profile=rank_5d"
    games = work.options.judged_games
    gnugo = work.match([likeliest, GNU_GO], work.path("against-gnugo"), games)
    tables = ["## Learning", "", *learning_table(work), "", "## Ranks", "", *ranks_table(work)]
    tables += ["", "## Play by rank", "", *table_after(by_rank, "player ", " Elo "), ""]
    tables += ["## Against GNU Go", "", *table_after(gnugo, "score of the first player:")]
    text = "\n".join(tables) + "\n"
    with open(work.path("tables.md"), "w", encoding="utf-8") as file:
        file.write(text)
    print(text, end="")


STEPS = {"games": games_step, "rows": rows_step, "train": train_step, "measure": measure_step}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out")
    parser.add_argument("net")
    parser.add_argument("--size", type=int, required=True)
    parser.add_argument("--games", type=int, default=700)
    parser.add_argument("--gnugo-games", type=int, default=70)
    parser.add_argument("--held-out-games", type=int, default=20)
    parser.add_argument("--resign", action="store_true")
    parser.add_argument("--full-games", type=int, default=0)
    parser.add_argument("--hours", type=float, default=2)
    parser.add_argument("--judged-games", type=int, default=200)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--samples", type=int, default=3600000)
    parser.add_argument("--arch", default="b6c96-mish,ranks=8")
    parser.add_argument("--only", choices=STEPS)
    parser.add_argument(
        "--aji", default=os.path.join(os.path.dirname(__file__), "..", "build", "release", "aji")
    )
    options = parser.parse_args()
    if not os.path.exists(options.net):
        sys.exit(f"{options.net}: there is no such net")
    os.makedirs(options.out, exist_ok=True)
    work = Work(options)
    for name, step in STEPS.items():
        if options.only in (None, name):
            step(work)


if __name__ == "__main__":
    main()
