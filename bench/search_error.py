#!/usr/bin/env python3
"""Measures how much the value of a search with few visits differs from the value after many visits.

    bench/search_error.py NET GAMES... --out OUT [--aji build/release/aji] [--positions 300]
                          [--visits 4096] [--steps 1,2,4,8] [--last-turn N] [--seed 1] [--qq 4]
                          [--set search.KEY=VALUE]

GAMES are SGF files of one game each, or folders of such files, as `aji match --out` writes them.
Positions are drawn from the games at random. Every game gives one position before any game gives a
second one. With --last-turn, no position is from a later turn. `aji analysis` searches each
position with --visits visits. The value of this search counts as the true value. It also searches
each position with the smaller numbers of visits in --steps (by default the powers of 2 that are at
most an eighth of --visits). No search uses the tree of another. A value is win - loss for the
player to move, and the error is the value minus the true value, between -2 and 2. This repeats
GoNN's study of November 2018. Because of its results, GoNN averages the values of moves with
weights that come from Student's t distribution.

OUT gets these files:

  values.csv     the values that were found; if the script was stopped, the same command continues
                 with the values that are missing
  table.md       the table
  qq.svg         quantiles of the errors with --qq visits, against the quantiles of Student's t with
                 3 degrees of freedom
  precision.svg  1 / variance of the errors, by visits

Columns of the table:

  visits      number of visits of the search
  mean        mean error
  RMS         root-mean-square error, with its 95% interval by bootstrap over the positions
  precision   1 / variance of the errors
  kurtosis    kurtosis of the errors minus 3: 0 for a normal distribution, larger with heavy tails
  D(t3)       largest difference (Kolmogorov's D) between the distribution of the errors and
              Student's t with 3 degrees of freedom, shifted to the median and scaled so that the
              quartiles agree
  D(normal)   the same for the normal distribution; the distribution with the smaller D fits better
"""
import argparse
import csv
import json
import math
import os
import random
import re
import subprocess
import sys


def t3_cdf(x):
    """The distribution function of Student's t with 3 degrees of freedom."""
    y = x / math.sqrt(3)
    return 0.5 + (y / (1 + y * y) + math.atan(y)) / math.pi


def normal_cdf(x):
    return 0.5 * math.erfc(-x / math.sqrt(2))


def quantile_of(cdf, p):
    low, high = -1e6, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        if cdf(middle) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def quantile(values, p):
    """A quantile of sorted values, by linear interpolation."""
    at = p * (len(values) - 1)
    i = min(int(at), len(values) - 2) if len(values) > 1 else 0
    return values[i] + (at - i) * (values[min(i + 1, len(values) - 1)] - values[i])


def fit_distance(values, cdf):
    """Kolmogorov's D between sorted values and a distribution.

    The distribution is shifted to the median of the values and scaled to their quartiles.
    """
    median, width = quantile(values, 0.5), quantile(values, 0.75) - quantile(values, 0.25)
    scale = width / (2 * quantile_of(cdf, 0.75))
    if scale <= 0:
        return math.nan
    n = len(values)
    at = [cdf((x - median) / scale) for x in values]
    return max(max(abs(p - i / n), abs(p - (i + 1) / n)) for i, p in enumerate(at))


def statistics(errors):
    n = len(errors)
    mean = sum(errors) / n
    variance = sum((e - mean) ** 2 for e in errors) / n
    fourth = sum((e - mean) ** 4 for e in errors) / n
    return {
        "mean": mean,
        "rms": math.sqrt(sum(e * e for e in errors) / n),
        "variance": variance,
        "kurtosis": fourth / variance**2 - 3 if variance > 0 else math.nan,
    }


def bootstrap_rms(errors, rng, draws=1000):
    squares = [e * e for e in errors]
    count = len(squares)
    found = sorted(math.sqrt(sum(rng.choices(squares, k=count)) / count) for _ in range(draws))
    return quantile(found, 0.025), quantile(found, 0.975)


def fit_power(visits, precisions):
    """The power law c n^b of the precisions, by least squares of the logarithms."""
    x, y = [math.log(n) for n in visits], [math.log(p) for p in precisions]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
    return math.exp(my - slope * mx), slope


def read_game(path):
    """The size, rules, komi and moves of a game; None if it has variations or setup."""
    text = open(path, encoding="utf-8", errors="replace").read()
    text = re.sub(r"\bC\[(?:\\.|[^\]\\])*\]", "", text)
    if text.count("(") != 1 or re.search(r"\bA[BW]\[", text):
        return None
    size = re.search(r"\bSZ\[(\d+)(?::(\d+))?\]", text)
    width = int(size.group(1)) if size else 19
    height = int(size.group(2) or width) if size else 19
    komi, rules = re.search(r"\bKM\[([-\d.]+)\]", text), re.search(r"\bRU\[([^\]]*)\]", text)
    moves = []
    for color, point in re.findall(r";\s*([BW])\[([a-s]{0,2}|tt)\]", text):
        if point in ("", "tt"):
            moves.append([color, "pass"])
        else:
            x, y = ord(point[0]) - 97, ord(point[1]) - 97
            moves.append([color, "ABCDEFGHJKLMNOPQRST"[x] + str(height - y)])
    return {
        "width": width,
        "height": height,
        "komi": float(komi.group(1)) if komi else 7.5,
        "rules": rules.group(1) if rules else "tromp-taylor",
        "moves": moves,
        "name": os.path.basename(path),
    }


def list_games(paths):
    files = []
    for path in paths:
        if os.path.isdir(path):
            names = sorted(name for name in os.listdir(path) if name.endswith(".sgf"))
            files += [os.path.join(path, name) for name in names]
        else:
            files.append(path)
    games = [game for game in map(read_game, files) if game and len(game["moves"]) > 4]
    if not games:
        sys.exit("there is no game without setup and variations that has more than 4 moves")
    return games


def draw_positions(games, count, last_turn, rng):
    """Draws pairs (game, turn): one turn of each game, then a second turn of each game, and so
    on."""
    drawn = set()
    order = list(range(len(games)))
    rng.shuffle(order)
    turns = [min(len(game["moves"]) - 2, last_turn + 1) for game in games]
    while len(drawn) < min(count, sum(turns)):
        for g in order:
            if len(drawn) < count:
                drawn.add((g, rng.randrange(turns[g])))
    return sorted(drawn, key=lambda pair: (order.index(pair[0]), pair[1]))


class Analysis:
    """A process of `aji analysis`."""

    def __init__(self, args):
        words = [args.aji, "analysis", "--net", args.net]
        for setting in args.set:
            words += ["--set", setting]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True)

    def values(self, game, turn, visits):
        """The values, win - loss of the player to move, of searches with these visits."""
        for n in visits:
            settings = {
                "wideRootNoise": 0,
                "ignorePreRootHistory": False,
                "search.leaves": 1,
                "reportAnalysisWinratesAs": "SIDETOMOVE",
            }
            query = {
                "id": str(n),
                "moves": game["moves"][:turn],
                "rules": game["rules"],
                "komi": game["komi"],
                "boardXSize": game["width"],
                "boardYSize": game["height"],
                "maxVisits": n,
                "overrideSettings": settings,
            }
            self.process.stdin.write(json.dumps(query) + "\n")
        self.process.stdin.flush()
        found = {}
        while len(found) < len(visits):
            line = self.process.stdout.readline()
            if not line:
                sys.exit("aji analysis ended early")
            answer = json.loads(line)
            if "error" in answer:
                sys.exit("%s, turn %d: %s" % (game["name"], turn, answer["error"]))
            if "rootInfo" in answer:
                found[int(answer["id"])] = 2 * answer["rootInfo"]["winrate"] - 1
        return found

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def measure(args, visits):
    """Returns {(game, turn): {visits: value}}. The same numbers are kept in values.csv."""
    rng = random.Random(args.seed)
    games = list_games(args.games)
    path = os.path.join(args.out, "values.csv")
    known = {}
    if os.path.exists(path):
        for row in csv.reader(open(path)):
            known.setdefault((row[0], int(row[1])), {})[int(row[2])] = float(row[3])
    found, analysis = {}, None
    with open(path, "a") as file:
        for g, turn in draw_positions(games, args.positions, args.last_turn, rng):
            key = (games[g]["name"], turn)
            have = known.get(key, {})
            missing = [n for n in visits if n not in have]
            if missing:
                analysis = analysis or Analysis(args)
                have.update(analysis.values(games[g], turn, missing))
                for n in missing:
                    file.write("%s,%d,%d,%.7f\n" % (key + (n, have[n])))
                file.flush()
            found[key] = have
            print("\r%d of %d positions" % (len(found), args.positions), end="", file=sys.stderr)
    print(file=sys.stderr)
    if analysis:
        analysis.end()
    return found


def svg_chart(path, title, x_name, y_name, series, log):
    """Draws series of points: (name, color, points, whether lines join the points)."""
    width, height, left, top = 640, 460, 70, 40
    scale = math.log10 if log else (lambda v: v)
    xs = [scale(x) for _, _, points, _ in series for x, _ in points]
    ys = [scale(y) for _, _, points, _ in series for _, y in points]
    x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)

    def place(x, y):
        return (
            left + (scale(x) - x0) / ((x1 - x0) or 1) * (width - left - 30),
            height - 50 - (scale(y) - y0) / ((y1 - y0) or 1) * (height - 50 - top),
        )

    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
        'font-family="sans-serif" font-size="12">' % (width, height),
        '<rect width="100%" height="100%" fill="#fff"/>',
        '<text x="%d" y="22" font-size="14">%s</text>' % (left, title),
        '<text x="%d" y="%d">%s</text>' % (width // 2 - 60, height - 10, x_name),
        '<text transform="translate(16 %d) rotate(-90)">%s</text>' % (height // 2 + 60, y_name),
    ]
    for i in range(5):
        for axis in (0, 1):
            a, b = (x0, x1) if axis == 0 else (y0, y1)
            value = a + (b - a) * i / 4
            shown = "%.3g" % (10**value if log else value)
            if axis == 0:
                x, y, anchor = left + i / 4 * (width - left - 30), height - 30, "middle"
            else:
                x, y, anchor = left - 8, height - 46 - i / 4 * (height - 50 - top), "end"
            out.append('<text x="%.0f" y="%.0f" text-anchor="%s">%s</text>' % (x, y, anchor, shown))
    for k, (name, color, points, joined) in enumerate(series):
        at = [place(x, y) for x, y in points]
        if joined:
            corners = " ".join("%.1f,%.1f" % p for p in at)
            out.append('<polyline fill="none" stroke="%s" points="%s"/>' % (color, corners))
        else:
            out += ['<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>' % (p + (color,)) for p in at]
        y = top + 14 + 16 * k
        out.append('<text x="%d" y="%d" fill="%s">%s</text>' % (left + 12, y, color, name))
    open(path, "w").write("\n".join(out + ["</svg>\n"]))


def report(args, found, visits):
    rng = random.Random(args.seed)
    steps, truth = visits[:-1], visits[-1]
    lines = [
        "| visits | mean | RMS (95%) | precision | kurtosis | D(t3) | D(normal) |",
        "|---|---|---|---|---|---|---|",
    ]
    precisions = []
    for n in steps:
        errors = [values[n] - values[truth] for values in found.values()]
        s, (low, high) = statistics(errors), bootstrap_rms(errors, rng)
        precisions.append(1 / s["variance"] if s["variance"] > 0 else math.inf)
        ordered = sorted(errors)
        lines.append(
            "| %d | %+.4f | %.4f (%.4f to %.4f) | %.1f | %.1f | %.3f | %.3f |"
            % (
                n,
                s["mean"],
                s["rms"],
                low,
                high,
                precisions[-1],
                s["kurtosis"],
                fit_distance(ordered, t3_cdf),
                fit_distance(ordered, normal_cdf),
            )
        )
    text = "%d positions; the true value is that of %d visits\n\n%s\n" % (
        len(found),
        truth,
        "\n".join(lines),
    )
    usable = [(n, p) for n, p in zip(steps, precisions) if n < 1000 and math.isfinite(p)]
    if len(usable) > 1:
        factor, power = fit_power(*zip(*usable))
        text += "\nPrecision below 1000 visits: about %.3g n^%.2f\n" % (factor, power)
        line = [(n, factor * n**power) for n, _ in usable]
        svg_chart(
            os.path.join(args.out, "precision.svg"),
            "Precision of the value by visits",
            "visits",
            "1 / variance of the error",
            [
                ("measured", "#26c", usable, False),
                ("power law, exponent %.2f" % power, "#c60", line, True),
            ],
            True,
        )
    qq = args.qq if args.qq in steps else steps[min(2, len(steps) - 1)]
    errors = sorted(values[qq] - values[truth] for values in found.values())
    points = [(quantile_of(t3_cdf, (i + 0.5) / len(errors)), e) for i, e in enumerate(errors)]
    width = quantile(errors, 0.75) - quantile(errors, 0.25)
    slope, median = width / (2 * quantile_of(t3_cdf, 0.75)), quantile(errors, 0.5)
    ends = [(x, median + slope * x) for x in (points[0][0], points[-1][0])]
    svg_chart(
        os.path.join(args.out, "qq.svg"),
        "Errors of searches with %d visits" % qq,
        "quantile of Student's t, 3 degrees of freedom",
        "error of win - loss",
        [
            ("%d positions" % len(errors), "#26c", points, False),
            ("through the quartiles", "#c60", ends, True),
        ],
        False,
    )
    open(os.path.join(args.out, "table.md"), "w").write(text)
    print(text, end="")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("net")
    parser.add_argument("games", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--aji", default="build/release/aji")
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--visits", type=int, default=4096)
    parser.add_argument("--steps", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--last-turn", type=int, default=10000)
    parser.add_argument("--qq", type=int, default=4)
    parser.add_argument("--set", action="append", default=[])
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    steps = [int(word) for word in args.steps.split(",")] if args.steps else []
    while not args.steps and 2 ** len(steps) <= args.visits // 8:
        steps.append(2 ** len(steps))
    steps = sorted(n for n in set(steps) if 0 < n < args.visits)
    if not steps:
        sys.exit("--steps needs numbers below --visits")
    report(args, measure(args, steps + [args.visits]), steps + [args.visits])


if __name__ == "__main__":
    main()
