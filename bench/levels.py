#!/usr/bin/env python3
"""Checks what the levels of a net promise, by games.

    bench/levels.py NET OUT [--size 9] [--aji build/release/aji] [--pairs 400] [--steady 200]
                    [--visits 1000] [--finish 1000] [--newcomer 400] [--checks NAME,NAME...]

NET must have been calibrated for the size (`aji calibrate NET --size 9`). The checks are:

  order     Of two neighbouring levels the stronger one wins at least 52% of --pairs games, and of
            two levels with one level between them at least 60%.
  steady    Each level plays --steady games against itself. A search of --visits visits judges each
            position. A loss is divided by the factor by which the level scales losses in this
            position (level.h). In the three thirds of the games, the means of these losses differ
            by a factor of at most 2. Fewer than 1% of the moves lose more than the level's maximum,
            plus --slack points for the errors of the judge. In points, the mean loss of the last
            third is at most that of the middle third.
  finish    Of --finish games at all levels none is without an end, and no move fills a single-point
            eye of its own chain that is not in atari.
  newcomer  The lowest level loses at least 90% of --newcomer games against bench/newcomer.py.

Games and judgements that are in OUT already are not made again. The table is printed and kept in
OUT/promises.md. Intervals are 95% intervals (Wilson). A promise counts as kept if the measured
number keeps it.
"""
import argparse
import glob
import json
import math
import os
import re
import subprocess
import sys

from newcomer import BLACK, WHITE, Board, text_of

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKS = ["order", "steady", "finish", "newcomer"]
STRENGTH_VERSION = 2  # of level_set(), whose formulas loss_max() and loss_factor() repeat
OPENING = 2  # random moves at the start of each game, which are no level's


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("net")
    parser.add_argument("out")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--aji", default=os.path.join(HERE, "..", "build", "release", "aji"))
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--steady", type=int, default=200)
    parser.add_argument("--visits", type=int, default=1000)
    parser.add_argument("--slack", type=float, default=1)
    parser.add_argument("--finish", type=int, default=1000)
    parser.add_argument("--newcomer", type=int, default=400)
    parser.add_argument("--checks", default=",".join(CHECKS))
    options = parser.parse_args()
    options.checks = options.checks.split(",")
    unknown = set(options.checks) - set(CHECKS)
    if unknown:
        parser.error("unknown checks: " + ", ".join(sorted(unknown)))
    return options


def read_levels(options):
    name = re.sub(r"\.aji$", "", options.net) + f".{options.size}x{options.size}.levels.json"
    with open(name, encoding="utf-8") as file:
        scale = json.load(file)
    if scale["strength_version"] != STRENGTH_VERSION:
        sys.exit(f"{name}: strength_version must be {STRENGTH_VERSION}; calibrate the net again")
    return scale


def loss_max(strength):
    """Returns search.level.loss_max of a strength: points on 19x19."""
    return 1000 * 0.001**strength


def loss_factor(size, stdev):
    """Returns the factor of losses in a position with this deviation of the score (level.h)."""
    return size / 19 * min(1, max(0.15, stdev / (1.3 * size)))


def interval(wins, games):
    """Returns the 95% interval of Wilson for a share, in percent."""
    z, share = 1.96, wins / games
    center = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = (
        z * math.sqrt(share * (1 - share) / games + z * z / (4 * games**2)) / (1 + z * z / games)
    )
    return f"{100 * (center - half):.1f} to {100 * (center + half):.1f}"


def player(options, level):
    return f"name=level {level},net={options.net},level={level}"


def match(options, scale, first, second, games, folder):
    """Plays a match, or what is missing of it. Returns the share of points of the first player."""
    words = [options.aji, "match", "--black", first, "--white", second, "--games", str(games)]
    words += ["--size", str(options.size), "--rules", scale["rules"], "--komi", str(scale["komi"])]
    words += ["--opening", str(OPENING), "--out", os.path.join(options.out, folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    found = re.search(r"score of the first player: ([\d.]+)%", done.stdout)
    if done.returncode or not found:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return float(found.group(1)) / 100


def check_order(options, scale):
    levels = [level["level"] for level in scale["levels"]]
    for distance, wanted in ((1, 52), (2, 60)):
        for low in levels[:-distance]:
            high = low + distance
            share = match(
                options,
                scale,
                player(options, high),
                player(options, low),
                options.pairs,
                f"order-{high}-{low}",
            )
            yield (
                f"level {high} wins at least {wanted}% against level {low}",
                f"{100 * share:.1f}% ({interval(share * options.pairs, options.pairs)})",
                100 * share >= wanted,
            )


def read_game(path):
    """Returns the moves of a game as (color, point of Board or None), and whether it has a
    result."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    size = int(re.search(r"SZ\[(\d+)", text).group(1))
    moves = []
    for color, place in re.findall(r";([BW])\[([a-z]{0,2})\]", text):
        point = None
        if place and place != "tt":
            point = (ord(place[1]) - 97) * size + ord(place[0]) - 97
        moves.append((BLACK if color == "B" else WHITE, point))
    result = re.search(r"RE\[([^]]*)\]", text)
    return size, moves, bool(result and re.match(r"[BW]\+|0|Draw", result.group(1)))


def games_of(options, folder):
    return sorted(glob.glob(os.path.join(options.out, folder, "*.sgf")))


class Judge:
    """`aji analysis`, which judges each position of a game."""

    def __init__(self, options, scale):
        command = [options.aji, "analysis", options.net]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.visits, self.scale = options.visits, scale

    def judge(self, size, moves):
        """Returns Black's lead and the net's deviation of the score before each move and after the
        last one."""
        board = Board(size, size)
        query = {
            "id": "game",
            "boardXSize": size,
            "boardYSize": size,
            "rules": self.scale["rules"],
            "komi": self.scale["komi"],
            "maxVisits": self.visits,
            "moves": [["BW"[color - 1], text_of(point, board)] for color, point in moves],
            "analyzeTurns": list(range(len(moves) + 1)),
            "overrideSettings": {"reportAnalysisWinratesAs": "BLACK"},
        }
        self.process.stdin.write(json.dumps(query) + "\n")
        self.process.stdin.flush()
        found = {}
        while len(found) <= len(moves):
            answer = json.loads(self.process.stdout.readline())
            if "error" in answer:
                sys.exit(f"aji analysis: {answer['error']}")
            root = answer.get("rootInfo", {})
            if not answer.get("isDuringSearch"):
                lead = root.get("scoreLead", 0)
                found[answer["turnNumber"]] = (lead, root.get("rawScoreSelfplayStdev", 0))
        return [found[turn] for turn in range(len(moves) + 1)]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def judge_games(options, scale, level):
    """Judges the games of a level. Returns a list of (part of the game from 0 to 1, points that the
    move lost, factor of the losses)."""
    folder = f"steady-{level}"
    path, known = os.path.join(options.out, f"{folder}.jsonl"), {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                known[record["game"]] = record["positions"]
    losses, judge = [], None
    for game in games_of(options, folder)[: options.steady]:
        size, moves, _ = read_game(game)
        name = os.path.basename(game)
        if name not in known:
            judge = judge or Judge(options, scale)
            known[name] = judge.judge(size, moves)
            with open(path, "a", encoding="utf-8") as file:
                file.write(json.dumps({"game": name, "positions": known[name]}) + "\n")
        for turn in range(OPENING, len(moves)):
            (before, stdev), (after, _) = known[name][turn], known[name][turn + 1]
            sign = 1 if moves[turn][0] == BLACK else -1
            lost = max(0, sign * (before - after))
            losses.append((turn / len(moves), lost, loss_factor(size, stdev)))
    if judge:
        judge.close()
    return losses


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers) if numbers else math.nan


def check_steady(options, scale):
    for level in scale["levels"]:
        name, strength = f"level {level['level']}", level["strength"]
        one = player(options, level["level"])
        other = one.replace("name=", "name=other ")
        match(options, scale, one, other, options.steady, f"steady-{level['level']}")
        losses = judge_games(options, scale, level["level"])
        thirds = [[loss for loss in losses if int(3 * loss[0]) == third] for third in range(3)]
        scaled = [mean(points / factor for _, points, factor in third) for third in thirds]
        plain = [mean(points for _, points, _ in third) for third in thirds]
        largest = loss_max(strength)
        howlers = mean(points > largest * factor + options.slack for _, points, factor in losses)
        yield (
            f"{name}: scaled losses of the thirds differ by a factor of at most 2",
            ", ".join(f"{number:.2f}" for number in scaled),
            max(scaled) <= 2 * min(scaled),
        )
        yield (
            f"{name}: fewer than 1% of the moves lose more than the maximum",
            f"{100 * howlers:.2f}% of {len(losses)}",
            howlers < 0.01,
        )
        yield (
            f"{name}: the last third loses at most as much a move as the middle third",
            f"{plain[2]:.2f} and {plain[1]:.2f} points",
            plain[2] <= plain[1],
        )


def filled_eyes(path):
    """Counts the moves of a game that fill an eye whose chain is not in atari."""
    size, moves, _ = read_game(path)
    board, filled = Board(size, size), 0
    for turn, (color, point) in enumerate(moves):
        if point is None:
            continue
        if turn >= OPENING and board.is_eye(point, color):
            filled += all(len(board.chain(near)[1]) > 1 for near in board.neighbours[point])
        board.play(point, color)
    return filled


def check_finish(options, scale):
    levels = [level["level"] for level in scale["levels"]]
    games = 2 * math.ceil(options.finish / len(levels) / 2)
    unfinished = filled = count = 0
    for level in levels:
        one = player(options, level)
        match(options, scale, one, one.replace("name=", "name=other "), games, f"finish-{level}")
        for game in games_of(options, f"finish-{level}"):
            unfinished += not read_game(game)[2]
            filled += filled_eyes(game)
            count += 1
    yield "every game ends", f"{unfinished} of {count} have no result", unfinished == 0
    yield "no move fills an eye", f"{filled} moves in {count} games", filled == 0


def check_newcomer(options, scale):
    newcomer = f"name=newcomer,gtp:/usr/bin/python3 {os.path.join(HERE, 'newcomer.py')}"
    share = match(options, scale, player(options, 1), newcomer, options.newcomer, "newcomer")
    lost = options.newcomer * (1 - share)
    yield (
        "level 1 loses at least 90% against a newcomer",
        f"{100 * (1 - share):.1f}% ({interval(lost, options.newcomer)})",
        share <= 0.1,
    )


def main():
    options = arguments()
    scale = read_levels(options)
    os.makedirs(options.out, exist_ok=True)
    checks = {
        "order": check_order,
        "steady": check_steady,
        "finish": check_finish,
        "newcomer": check_newcomer,
    }
    lines = ["| promise | measured | kept |", "|---|---|---|"]
    print("\n".join(lines), flush=True)
    kept = True
    for name in options.checks:
        for promise, measured, is_kept in checks[name](options, scale):
            lines.append(f"| {promise} | {measured} | {'yes' if is_kept else 'no'} |")
            kept = kept and is_kept
            print(lines[-1], flush=True)
    with open(os.path.join(options.out, "promises.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
