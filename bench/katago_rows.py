#!/usr/bin/env python3
"""Compares rows that Aji makes from games with the rows that KataGo makes from the same games.

    bench/katago_rows.py KATAGO NET OUT [--aji build/release/aji] [--games 60] [--visits 20]

KATAGO is KataGo's program and NET one of its nets. The script lets KataGo play games against itself
on boards of several sizes and by several rules (`katago selfplay`). It gives each game players with
ranks, a date and time limits. Then KataGo makes rows of these games (`katago writetrainingdata`),
and so does Aji (`aji data from-sgf`). A row of one program belongs to a row of the other if the
game and the turn are the same. The script prints, for each column, how many pairs of rows have
equal numbers.

These columns differ by design and are not compared:

  - what KataGo takes from its net or search, which the game does not say: 4 to 19 (values of later
    turns), 22, 24, 30 to 32 and 57 to 60 of globalTargetsNC, and qValueTargetsNCMove
  - what KataGo draws at random: 28 and 36 to 40 of globalTargetsNC (Aji draws while it trains)
  - what KataGo does not fill in from games in SGF: 41 to 46 of globalTargetsNC, the hash of the
    game

After the last move of a scored game, KataGo adds moves of its own search until the board is
settled. The targets ownership, score and later stones come from the game with these moves. If
KataGo's net doubts that the game is near its end, KataGo gives the result of the game the weight 0.
Aji takes the game as it is. So the targets that depend on the end of a game are compared only for
some games: KataGo added nothing but passes to them, and gave their results the full weight.

In August 2026, KataGo's `writetrainingdata` stops at three of its own assertions. Before you build
KataGo, change these places in cpp/command/writetrainingdata.cpp: give the list whiteQValueTargets
as many elements as whiteValueTargets has, and before each of the two searches that ask whether the
game is near its end, set presumedNextMovePla of a copy of `hist` to the player of this search.
"""
import argparse
import datetime
import glob
import os
import re
import subprocess
import sys

import numpy as np

SELFPLAY = """
dataBoardLen = 19
maxDataQueueSize = 2000
maxRowsPerTrainFile = 10000
firstFileRandMinProp = 1.0
logSearchInfo = false
logMoves = false
logGamesEvery = 10
logToStdout = true
switchNetsMidGame = false
numGameThreads = 2
maxMovesPerGame = 600
initGamesWithPolicy = true
policyInitAreaProp = 0.04
compensateAfterPolicyInitProb = 0.2
cheapSearchProb = 0
cheapSearchVisits = {visits}
cheapSearchTargetWeight = 0
koRules = SIMPLE,POSITIONAL,SITUATIONAL
scoringRules = AREA,AREA,TERRITORY
taxRules = NONE,NONE,SEKI,ALL
multiStoneSuicideLegals = false,true
hasButtons = false,false,true
bSizes = 9,13,19
bSizeRelProbs = 5,4,1
allowRectangleProb = 0.2
komiAuto = true
komiStdev = 1
handicapProb = 0.1
handicapCompensateKomiProb = 0.5
earlyForkGameProb = 0
earlyForkGameExpectedMoveProp = 0.025
forkGameProb = 0
forkGameMinChoices = 3
earlyForkGameMaxChoices = 12
forkGameMaxChoices = 36
sekiForkHackProb = 0
reduceVisits = false
reduceVisitsThreshold = 0.9
reduceVisitsThresholdLookback = 3
reducedVisitsMin = 10
reducedVisitsWeight = 1
handicapAsymmetricPlayoutProb = 0
normalAsymmetricPlayoutProb = 0
maxAsymmetricRatio = 8
minAsymmetricCompensateKomiProb = 0.4
policySurpriseDataWeight = 0
valueSurpriseDataWeight = 0
estimateLeadProb = 0
fancyKomiVarying = false
komiBigStdevProb = 0.06
komiBigStdev = 12
forkCompensateKomiProb = 0.8
sgfCompensateKomiProb = 0.9
drawRandRadius = 0.5
noResultStdev = 0.1666
sidePositionProb = 0
maxVisits = {visits}
numSearchThreads = 1
nnMaxBatchSize = 8
nnCacheSizePowerOfTwo = 18
nnMutexPoolSizePowerOfTwo = 10
numNNServerThreadsPerModel = 2
nnRandomize = true
chosenMoveTemperatureEarly = 0.75
chosenMoveTemperatureHalflife = 19
chosenMoveTemperature = 0.15
rootNoiseEnabled = true
rootEndingBonusPoints = 0.5
rootPruneUselessMoves = true
"""

WRITE = """
dataBoardLen = 19
maxApproxRowsPerTrainFile = 100000
allowedBoardSizes = {sizes}
nnMaxBatchSize = 8
nnCacheSizePowerOfTwo = 18
nnMutexPoolSizePowerOfTwo = 10
numNNServerThreadsPerModel = 2
"""

RANKS = ("12k", "3k", "1d", "7d", "9p", "")
TIMES = ("TM[600]OT[5x30 byo-yomi]", "TM[1800]", "TM[1200]OT[25/600 Canadian]", "")

# The compared quantities of globalTargetsNC: for each name, the numbers of its columns. A game in
# SGF determines all of them.
GLOBAL = {
    "value": range(0, 4),
    "score": (20,),
    "lead": (21,),
    "weight of the row": (25,),
    "weight of the move": (26,),
    "weight of ownership": (27,),
    "weight of the lead": (29,),
    "weight of later stones": (33,),
    "weight of scoring": (34,),
    "weight of the value": (35,),
    "komi": (47,),
    "area rules": (48,),
    "turn": (51,),
    "moves before the first row": (53,),
    "handicap stones": (54,),
    "how the game began": (55, 56),
    "bonus points": (61,),
    "the game ended": (62,),
    "format": (63,),
    "pass-alive by suicide rules": (68,),
}
AT_THE_END = {
    "value",
    "score",
    "lead",
    "weight of ownership",
    "weight of the lead",
    "weight of scoring",
    "weight of the value",
    "bonus points",
    "the game ended",
    "ownership",
    "seki",
    "stones 8 turns later",
    "stones 32 turns later",
    "scoring",
    "score distribution",
}


def run(words, log):
    with open(log, "w", encoding="utf-8") as file:
        code = subprocess.call(words, stdout=file, stderr=file)
    if code:
        sys.exit("failed with %d, see %s: %s" % (code, log, " ".join(words)))


def play(options, out):
    """Lets KataGo play games against itself. Returns them, each a string in SGF."""
    folder = os.path.join(out, "selfplay")
    if not glob.glob(folder + "/**/*.sgfs", recursive=True):
        models = os.path.join(out, "models")
        os.makedirs(models, exist_ok=True)
        net = os.path.join(models, os.path.basename(options.net))
        if not os.path.exists(net):
            os.symlink(os.path.abspath(options.net), net)
        config = os.path.join(out, "selfplay.cfg")
        with open(config, "w", encoding="ascii") as file:
            file.write(SELFPLAY.format(visits=options.visits))
        run(
            [
                options.katago,
                "selfplay",
                "-max-games-total",
                str(options.games),
                "-output-dir",
                folder,
                "-models-dir",
                models,
                "-config",
                config,
            ],
            os.path.join(out, "selfplay.log"),
        )
    games = []
    for path in sorted(glob.glob(folder + "/**/*.sgfs", recursive=True)):
        with open(path, encoding="utf-8") as file:
            games += [line.strip() for line in file if line.strip()]
    return games


def decorate(game, number):
    """Gives a game players with ranks, a date that no other game has, and time limits."""
    date = datetime.date(2015, 1, 1) + datetime.timedelta(days=number)
    black, white = RANKS[number % len(RANKS)], RANKS[number // 2 % len(RANKS)]
    words = "DT[%s]%s" % (date.isoformat(), TIMES[number % len(TIMES)])
    words += "BR[%s]" % black if black else ""
    words += "WR[%s]" % white if white else ""
    game = re.sub(r"(PB|PW)\[[^]]*\]", lambda match: match.group(1) + "[player]", game, count=2)
    return re.sub(
        r"^\(;", "(;" + words + "PC[KGS: The KGS Go Server at http://www.gokgs.com/]", game, count=1
    )


def write_games(games, out):
    folder = os.path.join(out, "games")
    os.makedirs(folder, exist_ok=True)
    for number, game in enumerate(games):
        with open(os.path.join(folder, "game%04d.sgf" % number), "w", encoding="utf-8") as file:
            file.write(decorate(game, number) + "\n")
    return folder


def katago_rows(options, out, games):
    folder = os.path.join(out, "rows-katago")
    if not glob.glob(folder + "/*.npz"):
        config, none = os.path.join(out, "write.cfg"), os.path.join(out, "none.txt")
        sizes = ",".join("%d-%d" % (w, h) for w in range(7, 20) for h in range(7, w + 1))
        with open(config, "w", encoding="ascii") as file:
            file.write(WRITE.format(sizes=sizes))
        with open(none, "w", encoding="ascii"):
            pass
        run(
            [
                options.katago,
                "writetrainingdata",
                "-model",
                options.net,
                "-config",
                config,
                "-sgfdir",
                games,
                "-no-train-users-file",
                none,
                "-no-game-users-file",
                none,
                "-is-bot-users-file",
                none,
                "-what-data-source",
                "kgs",
                "-output-dir",
                folder,
            ],
            os.path.join(out, "write.log"),
        )
    return load(folder + "/*.npz")


def aji_rows(options, out, games):
    folder = os.path.join(out, "rows-aji")
    if not glob.glob(folder + "/train/*.npz"):
        run(
            [
                options.aji,
                "data",
                "from-sgf",
                games,
                "--out",
                folder,
                "--set",
                "rows.validation=0",
                "--set",
                "rows.players=true",
                "--set",
                "rows.size=19",
            ],
            os.path.join(out, "aji.log"),
        )
    return load(folder + "/train/*.npz")


def load(pattern):
    """Joins the arrays of all row files."""
    files = [np.load(path) for path in sorted(glob.glob(pattern))]
    return {name: np.concatenate([file[name] for file in files]) for name in files[0].files}


def date_numbers(number):
    """Columns 87 to 150 of the metadata: the date of this game by 32 periods, from a week to 1,500
    years."""
    days = (
        datetime.date(2015, 1, 1) + datetime.timedelta(days=number) - datetime.date(1970, 1, 1)
    ).days
    periods = 7 * 80000 ** (np.arange(32) / 31)
    angles = 2 * np.pi * days / periods
    return np.stack([np.cos(angles), np.sin(angles)], 1).reshape(64)


def turns(rows, games):
    """The place of each row, by its game and turn. The date in the metadata tells the game."""
    dates = np.stack([date_numbers(number) for number in range(games)])
    places = {}
    for at, numbers in enumerate(rows["globalTargetsNC"]):
        distances = np.abs(dates - rows["metadataInputNC"][at, 87:151]).max(1)
        game = int(distances.argmin())
        if distances[game] > 0.01:
            sys.exit("a row has a date that no game has")
        places[game, int(numbers[51] + numbers[53])] = at
    return places


def planes(rows, at):
    """The 22 input planes of a row, each with 361 bits."""
    return np.unpackbits(rows["binaryInputNCHWPacked"][at], axis=1)[:, :361]


def columns(rows, at):
    """The compared columns of a row by name."""
    numbers, points = rows["globalTargetsNC"][at], rows["valueTargetsNCHW"][at]
    found = {"input plane %d" % i: plane for i, plane in enumerate(planes(rows, at))}
    found.update(
        ("global input %d" % i, number) for i, number in enumerate(rows["globalInputNC"][at])
    )
    found.update((name, numbers[list(chosen)]) for name, chosen in GLOBAL.items())
    policy = rows["policyTargetsNCMove"][at]
    found["move"] = policy[0] / max(1, policy[0].sum())
    if numbers[28]:
        found["next move"] = policy[1] / max(1, policy[1].sum())
    names = ("ownership", "seki", "stones 8 turns later", "stones 32 turns later", "scoring")
    found.update(zip(names, points))
    found["score distribution"] = rows["scoreDistrN"][at]
    found["players"] = rows["metadataInputNC"][at]
    return found


def settled(katago, places):
    """The numbers of the games whose result KataGo trusts, and to which KataGo added at most
    passes. Rows of added moves have the weight 0.05 in column 25 of globalTargetsNC. Column 35 is 1
    minus the weight of the result."""
    differs = {}
    for (game, _), at in places.items():
        numbers, policy = katago["globalTargetsNC"][at], katago["policyTargetsNCMove"][at, 0]
        moved = numbers[25] < 0.1 and policy.argmax() != 361
        differs[game] = differs.get(game, False) or moved or numbers[35] > 0
    return {game for game, any_row in differs.items() if not any_row}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("katago")
    parser.add_argument("net")
    parser.add_argument("out")
    parser.add_argument(
        "--aji", default=os.path.join(os.path.dirname(__file__), "..", "build", "release", "aji")
    )
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--visits", type=int, default=20)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    games = play(options, options.out)
    folder = write_games(games, options.out)
    katago, aji = katago_rows(options, options.out, folder), aji_rows(options, options.out, folder)
    theirs, ours = turns(katago, len(games)), turns(aji, len(games))
    from_game = {key for key, at in theirs.items() if katago["globalTargetsNC"][at, 25] > 0.1}
    both = sorted(from_game & ours.keys())
    ends = settled(katago, theirs)
    print("%d games; the ends of %d of them are compared" % (len(games), len(ends)))
    print(
        "KataGo made %d rows and Aji %d, of which %d belong together. Aji lacks %d rows of KataGo "
        "(game, turn): %s"
        % (
            len(from_game),
            len(ours),
            len(both),
            len(from_game - ours.keys()),
            sorted(from_game - ours.keys())[:5],
        )
    )
    equal, all_pairs, examples = {}, {}, {}
    for key in both:
        first, second = columns(katago, theirs[key]), columns(aji, ours[key])
        for name in first.keys() & second.keys():
            if name in AT_THE_END and key[0] not in ends:
                continue
            # KataGo rounds `scoring` up or down at random.
            same = np.allclose(
                first[name], second[name], rtol=0, atol=1 if name == "scoring" else 1e-4
            )
            equal[name] = equal.get(name, 0) + same
            all_pairs[name] = all_pairs.get(name, 0) + 1
            if not same and name not in examples:
                examples[name] = (key, first[name], second[name])
    order = list(columns(katago, theirs[both[0]])) + ["next move"]
    print("%-28s %8s %8s" % ("column", "pairs", "equal"))
    for name in dict.fromkeys(order):
        if name in all_pairs:
            print("%-28s %8d %8d" % (name, all_pairs[name], equal[name]))
    for name, (key, first, second) in examples.items():
        print(
            "%s, game %d turn %d:" % ((name,) + key),
            np.asarray(first)[np.asarray(first) != np.asarray(second)][:8],
            np.asarray(second)[np.asarray(first) != np.asarray(second)][:8],
        )


if __name__ == "__main__":
    main()
