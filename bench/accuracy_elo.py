#!/usr/bin/env python3
"""Compares the accuracy of nets on fixed rows with the strength of their raw policies, in one
table.

    bench/accuracy_elo.py OUT NET... --rows DATA [--aji build/release/aji] [--size 19]
                          [--games 100] [--opening 2] [--komi K] [--rules RULES] [--seed 1]
                          [--beta-turn 20] [--threads N]

DATA is a row file or a folder of row files that no net has been trained on. `aji net metrics`
measures each net on each file. Then all nets play each other, --games games for each pair. They
play only by their policies: each move has one visit, and search.choice_law = policy_beta draws it.
`aji rate` rates the nets in one fit, with the first net at 0. Games and measurements that are
already in OUT are not made again. The README of the program GoNN has a table of accuracy, nats and
Elo that was made in this way.

The table is printed and kept in OUT/table.md:

  top-1, top-4  fraction of the rows whose move is the likeliest one, or among the four likeliest
  nats          cross entropy of the policy
  perplexity    exp(nats)
  Elo           relative to the first net

All numbers have 95% intervals. If there are at least 8 files, the intervals of top-1, top-4 and
nats come from the spread between the files. With fewer files, nats has no interval. The intervals
of top-1 and top-4 then count the rows as independent, although rows of the same game are not.
"""
import argparse
import glob
import json
import math
import os
import re
import sys

from programs import output_of


def row_files(path):
    if not os.path.isdir(path):
        return [path]
    return sorted(glob.glob(os.path.join(path, "**", "*.npz"), recursive=True))


def net_names(nets):
    """A name for each net: the name of its file. A "+" follows if another net has the same name."""
    names = []
    for net in nets:
        name = re.sub(r"\.(aji|bin\.gz)$", "", os.path.basename(net))
        name = re.sub(r"[^A-Za-z0-9_.-]", "_", name)
        while name in names:
            name += "+"
        names.append(name[:40])
    return names


def wilson(fraction, count):
    z = 1.96
    middle = (fraction + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(fraction * (1 - fraction) / count + z * z / (4 * count * count))
    half /= 1 + z * z / count
    return middle - half, middle + half


def weighted_mean(values, weights):
    """The mean, and its standard error from the spread between the parts."""
    total = sum(weights)
    mean = sum(v * w for v, w in zip(values, weights)) / total
    if len(values) < 2:
        return mean, math.nan
    squares = sum((w * (v - mean)) ** 2 for v, w in zip(values, weights))
    return mean, math.sqrt(squares * len(values) / (len(values) - 1)) / total


def measure(args, net, name, files):
    """The metrics of a net on each file, kept in OUT/NAME.json."""
    path = os.path.join(args.out, name + ".json")
    known = json.load(open(path)) if os.path.exists(path) else {}
    for file in files:
        if file not in known:
            known[file] = json.loads(output_of([args.aji, "net", "metrics", net, file, "--json"]))
            json.dump(known, open(path + ".new", "w"))
            os.replace(path + ".new", path)
    return [known[file] for file in files]


def summarise(found):
    """Means and intervals of the metrics of one net: {name: (mean, low, high)}."""
    rows = [part["rows"] for part in found]
    out = {"rows": sum(rows)}
    keys = {"top1": "accuracy.policy", "top4": "accuracy.policy_top_4", "nats": "loss.policy"}
    for name, key in keys.items():
        mean, error = weighted_mean([part.get(key, 0) for part in found], rows)
        low, high = mean - 1.96 * error, mean + 1.96 * error
        if len(found) < 8:
            low, high = (math.nan, math.nan) if name == "nats" else wilson(mean, sum(rows))
        out[name] = (mean, low, high)
    out["perplexity"] = tuple(math.exp(v) for v in out["nats"])
    return out


def play(args, names):
    """Plays the round robin, and returns the table of `aji rate` as {name: (elo, half width)}."""
    folder = os.path.join(args.out, "games")
    words = [args.aji, "match"]
    for name, net in zip(names, args.nets):
        words.append(
            "name=%s,net=%s,visits=1,search.choice_law=policy_beta,"
            "search.choice_beta_turn=%d" % (name, net, args.beta_turn)
        )
    words += [
        "--size",
        str(args.size),
        "--games",
        str(args.games),
        "--out",
        folder,
        "--opening",
        str(args.opening),
        "--seed",
        str(args.seed),
    ]
    for option in ("komi", "rules", "threads"):
        if getattr(args, option):
            words += ["--" + option, getattr(args, option)]
    output_of(words)
    return read_ratings(output_of([args.aji, "rate", folder, "--anchor", names[0]]), names)


def read_ratings(text, names):
    found = {}
    for line in text.splitlines():
        match = re.match(r"(\S+)\s+([+-]\d+)\s+\+-(\d+)\s", line)
        if match and match.group(1) in names:
            found[match.group(1)] = (int(match.group(2)), int(match.group(3)))
    missing = [name for name in names if name not in found]
    if missing:
        sys.exit("aji rate has no rating of " + ", ".join(missing))
    return found


def interval(values, form):
    mean, low, high = (form % v for v in values)
    return mean if math.isnan(values[1]) else "%s (%s to %s)" % (mean, low, high)


def table(names, metrics, ratings):
    lines = [
        "| net | rows | top-1, % | top-4, % | nats | perplexity | Elo (95%) |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in sorted(names, key=lambda name: ratings[name][0]):
        m, (elo, half) = metrics[name], ratings[name]
        percent = [tuple(100 * v for v in m[key]) for key in ("top1", "top4")]
        lines.append(
            "| %s | %d | %s | %s | %s | %s | %s |"
            % (
                name,
                m["rows"],
                interval(percent[0], "%.2f"),
                interval(percent[1], "%.2f"),
                interval(m["nats"], "%.3f"),
                interval(m["perplexity"], "%.2f"),
                "%+d" % elo if half == 0 else "%+d (%+d to %+d)" % (elo, elo - half, elo + half),
            )
        )
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out")
    parser.add_argument("nets", nargs="+")
    parser.add_argument("--rows", dest="data", required=True)
    parser.add_argument("--aji", default="build/release/aji")
    parser.add_argument("--size", type=int, default=19)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--opening", type=int, default=2)
    parser.add_argument("--komi")
    parser.add_argument("--rules")
    parser.add_argument("--threads")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--beta-turn", type=int, default=20)
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    files, names = row_files(args.data), net_names(args.nets)
    if not files:
        sys.exit("%s has no row files" % args.data)
    if len(names) < 2:
        sys.exit("at least two nets are needed")
    metrics = {
        name: summarise(measure(args, net, name, files)) for name, net in zip(names, args.nets)
    }
    text = table(names, metrics, play(args, names))
    open(os.path.join(args.out, "table.md"), "w").write(text)
    print(text, end="")


if __name__ == "__main__":
    main()
