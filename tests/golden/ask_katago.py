#!/usr/bin/env python3
"""Asks KataGo for its outputs of this project's tiny nets, at the positions of
nn/positions.jsonl.gz.

    ask_katago.py --katago cpp/build/katago --writer build/release/write_golden_nets

Writes these files beside this program; README.md says what their rows hold:

  nn/outputs-tiny.jsonl.gz           from the analysis engine, with boards in buffers of 19x19
  nn/rawnn-tiny.jsonl.gz             from the GTP engine, with buffers of the board's size
  protocol/raw_nn_sessions.jsonl.gz  from the same sessions
  protocol/end_sessions.jsonl.gz     from the GTP engine
  protocol/end_queries.jsonl.gz      from the analysis engine
"""
import argparse
import gzip
import json
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROFILES = [
    "rank_5k",
    "rank_9d",
    "rank_1d_1k",
    "preaz_3d_9k",
    "proyear_2022",
    "preaz_20k",
    "proyear_1900",
]
RAW_NUMBERS = [
    "whiteWin",
    "whiteLoss",
    "noResult",
    "whiteLead",
    "whiteScoreSelfplay",
    "whiteScoreSelfplaySq",
    "policyPass",
]
RAW_NETS = ["tiny-v8-relu", "tiny-v14-mish-nested", "tiny-v17-learned"]
END_NET = "tiny-v14-mish-nested"
ENGINE = (
    "logToStderr=false,logSearchInfo=false,numSearchThreads=1,nnMaxBatchSize=1,"
    "nnRandomize=false,nnCacheSizePowerOfTwo=10,nnMutexPoolSizePowerOfTwo=6,"
    "numEigenThreadsPerModel=1"
)
ANALYSIS = (
    ENGINE
    + ",numAnalysisThreads=1,reportAnalysisWinratesAs=WHITE"
    + ",logAllRequests=false,logAllResponses=false"
)
EVERY_QUERY = {
    "policyOptimism": 0,
    "rootPolicyOptimism": 0,
    "wideRootNoise": 0,
    "rootSymmetryPruning": False,
    "ignorePreRootHistory": False,
    "conservativePass": False,
    "enablePassingHacks": False,
    "enableMorePassingHacks": False,
}


def read_rows(name):
    with gzip.open(os.path.join(HERE, name), "rt") as stream:
        return [json.loads(line) for line in stream]


def write_rows(name, rows):
    text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    with open(os.path.join(HERE, name), "wb") as stream, gzip.GzipFile(
        "", "wb", 9, stream, mtime=0
    ) as packed:
        packed.write(text.encode())
    print(name, len(rows), "rows")


def start(katago, command, net, config):
    """Starts an engine with an empty config file and the settings of `config`, and returns its
    process."""
    with open(os.path.join(os.path.dirname(net), "empty.cfg"), "w") as stream:
        stream.write("\n")
    words = [katago, command, "-config", stream.name, "-model", net, "-override-config", config]
    with open(os.path.join(os.path.dirname(net), "engine.log"), "w") as log:
        return subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
        )


def query_of(row, index, settings):
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
        "overrideSettings": {**EVERY_QUERY, **settings},
    }
    if not row["moves"]:
        query["initialPlayer"] = row["nextPlayer"]
    return query


def analysis_row(net, position, symmetry, settings, answer):
    root = answer["rootInfo"]
    none = root["rawNoResultProb"]
    return {
        "id": position["id"],
        "symmetry": symmetry,
        "net": net,
        "settings": settings,
        "whiteWin": round(root["rawWinrate"] - none / 2, 9),
        "whiteLoss": round(1 - root["rawWinrate"] - none / 2, 9),
        "noResult": none,
        "whiteScoreMean": root["rawScoreSelfplay"],
        "scoreStdev": root["rawScoreSelfplayStdev"],
        "whiteLead": root["rawLead"],
        "varTimeLeft": root["rawVarTimeLeft"],
        "shorttermWinlossError": round(2 * root["rawStWrError"], 9)
        if root["rawStWrError"] >= 0
        else -1,
        "shorttermScoreError": root["rawStScoreError"],
        "policy": [float("%.6g" % p) for p in answer["policy"]],
        "whiteOwnership": [round(o, 5) for o in answer["ownership"]],
    }


def ask_analysis(katago, net, symmetry, asked):
    """Returns a row for each (position, settings) in `asked`, from one net in one symmetry.
    preventCleanupPhase is a setting of the whole engine, so there are two engines. Positions with
    rules that the net does not know are left out, because KataGo warns and uses other rules for
    them."""
    rows = []
    for encore in (True, False):
        part = [pair for pair in asked if pair[0]["preventEncore"] == encore]
        if not part:
            continue
        config = f"{ANALYSIS},nnForcedSymmetry={symmetry},preventCleanupPhase={str(encore).lower()}"
        engine = start(katago, "analysis", net, config)
        lines = [
            json.dumps(query_of(position, i, settings))
            for i, (position, settings) in enumerate(part)
        ]
        out, _ = engine.communicate("\n".join(lines) + "\n")
        answers, other_rules = {}, set()
        for answer in map(json.loads, out.splitlines()):
            if answer.get("field") == "rules":
                other_rules.add(answer["id"])
            elif "rootInfo" in answer:
                answers[answer["id"]] = answer
            else:
                raise SystemExit(f"{net}: {answer}")
        name = os.path.basename(net).split(".")[0]
        rows += [
            analysis_row(name, position, symmetry, settings, answers[str(i)])
            for i, (position, settings) in enumerate(part)
            if str(i) not in other_rules
        ]
    return rows


def outputs(katago, nets, positions):
    """Asks each net about every sixth position, a third of them in each of three symmetries. Nets
    of human play get a profile, and nets with an optimistic policy are asked for it at some
    positions. The oldest nets know few rules, so they are asked about every second position."""
    rows = []
    for n, net in enumerate(nets):
        version = int(os.path.basename(net).split("-")[1][1:])
        chosen = positions[n % 6 :: 6] if version >= 7 else positions[n % 2 :: 2]
        for turn in range(3):
            asked = []
            for i, position in enumerate(chosen[turn::3]):
                settings = dict(position["settings"])
                if "human" in net:
                    settings["humanSLProfile"] = PROFILES[(n + 3 * i + turn) % len(PROFILES)]
                elif version >= 12 and i % 2 and not settings:
                    settings["rootPolicyOptimism"] = 0.7
                asked.append((position, settings))
            rows += ask_analysis(katago, net, (n + (0, 3, 5)[turn]) % 8, asked)
    return rows


def ask_gtp(katago, net, commands):
    engine = start(
        katago,
        "gtp",
        net,
        ENGINE
        + ",logAllGTPCommunication=false,startupPrintMessageToStderr=false,rules=tromp-taylor",
    )
    out, _ = engine.communicate("".join(command + "\n" for command in commands + ["quit"]))
    answers = [answer.rstrip("\n") for answer in out.split("\n\n") if answer.strip()]
    if len(answers) != len(commands) + 1:
        raise SystemExit(f"{net}: {len(answers)} answers to {len(commands)} commands")
    for command, answer in zip(commands, answers):
        if not answer.lstrip("\n").startswith("="):
            raise SystemExit(f"{net}: {command}: {answer}")
    return [
        {"cmd": command, "resp": answer.lstrip("\n")} for command, answer in zip(commands, answers)
    ]


def commands_of(row, symmetry):
    return [
        f"boardsize {row['xSize']} {row['ySize']}",
        "clear_board",
        "kata-set-rules " + json.dumps(row["rules"]),
        f"komi {row['komi']}",
        *("play " + move for move in row["moves"]),
        f"kata-raw-nn {symmetry} 0",
    ]


def raw_row(net, position, symmetry, text):
    """Returns those numbers of an answer to kata-raw-nn that have enough decimals. NAN, which
    stands for an illegal move, becomes -1."""
    row = {"id": position["id"], "symmetry": symmetry, "net": net, "settings": {}}
    lines = text.splitlines()[1:]
    height = position["ySize"]
    grids = {}
    for i, line in enumerate(lines):
        words = line.split()
        if line in ("policy", "whiteOwnership"):
            numbers = " ".join(lines[i + 1 : i + 1 + height]).split()
            grids[line] = [-1 if number == "NAN" else float(number) for number in numbers]
        elif len(words) == 2 and words[0] in RAW_NUMBERS:
            row[words[0]] = float(words[1])
    grids["policy"].append(row.pop("policyPass"))
    return {**row, **grids}


def raw(katago, nets, positions):
    """Returns the sessions and the rows for the boards that are not square, each in three
    symmetries."""
    oblong = [
        p
        for p in positions
        if p["xSize"] != p["ySize"] and not p["initialStones"] and not p["settings"]
    ]
    sessions, rows = [], []
    for net in nets:
        name = os.path.basename(net).split(".")[0]
        if name not in RAW_NETS:
            continue
        asked = [(p, (3 * i + k) % 8) for i, p in enumerate(oblong) for k in (0, 1, 4)]
        exchanges = ask_gtp(
            katago, net, [c for p, symmetry in asked for c in commands_of(p, symmetry)]
        )
        sessions.append({"session": "raw-nn", "net": name, "exchanges": exchanges})
        answers = [e["resp"] for e in exchanges if e["cmd"].startswith("kata-raw-nn")]
        rows += [
            raw_row(name, p, symmetry, answer) for (p, symmetry), answer in zip(asked, answers)
        ]
    return sessions, rows


KO = "b C4,w D4,b B3,w E3,b C2,w D2,b A1,w C3,b D3,w pass,b pass,"
ENDS = (
    KO + "w C3,b D3,w E5,b pass,w C3,b D3,w C3,b A5,w E1,b pass,w pass,b pass,w pass,b A2,w pass,b "
    "pass"
)
ENCORES = (
    KO + "w C3,b D3,w E5,b D3,w C3,b A5,w C3,b pass,w pass,b pass,w B5,b pass,w pass,b A2,w pass,b "
    "pass"
)  # with passes for ko
END_RULES = [
    "tromp-taylor",
    "japanese",
    "aga-button",
    "ancient-territory",
    '{"ko":"SIMPLE","scoring":"TERRITORY","tax":"NONE"}',
]
SETUPS = [
    "fixed_handicap 4",
    "set_free_handicap B2 D4",
    "set_position b B2 b D4 w C3",
    "play b B2;play b D4;play b C3",
]
ROOT = [
    "currentPlayer",
    "visits",
    "winrate",
    "scoreLead",
    "utility",
    "rawWinrate",
    "rawLead",
    "rawScoreSelfplay",
    "rawScoreSelfplayStdev",
    "rawNoResultProb",
]


def end_session(katago, net):
    """Returns a GTP session with passes, kos, moves after the end, undo, handicap and its bonus,
    and changes of komi. printsgf is left out where the net would estimate the result, and where
    KataGo writes a move that places a stone as a pass for ko."""
    commands = []
    for rules in END_RULES:
        commands += ["boardsize 5", "clear_board", "kata-set-rules " + rules, "komi 6.5"]
        for i, move in enumerate(ENDS.split(",")):
            commands += (
                ["play " + move]
                + ["kata-raw-nn 0 0"] * (i > 8 and i % 2)
                + ["final_status_list seki"] * (i % 5 == 3)
            )
            commands += ["printsgf"] * (i % 5 == 3 and rules == "tromp-taylor")
        commands += ["undo", "komi 3", "kata-raw-nn 0 0", "undo", "undo", "kata-raw-nn w 0 0"] + [
            "printsgf"
        ] * (rules == "tromp-taylor")
    for bonus in ("0", "N", "N-1"):
        for setup in SETUPS:
            commands += [
                "boardsize 7",
                "clear_board",
                "kata-set-rules chinese",
                "kata-set-rule whiteHandicapBonus " + bonus,
                "komi 0.5",
            ]
            commands += setup.split(";") + ["kata-get-rules", "get_komi", "printsgf"]
            commands += ["kata-raw-nn 0 0", "play w A1", "komi -3"] * (bonus != "0") + [
                "undo",
                "printsgf",
            ] * (bonus == "N")
    return {
        "session": "ends",
        "net": os.path.basename(net).split(".")[0],
        "exchanges": ask_gtp(katago, net, commands),
    }


def end_answer(answer):
    root = {name: answer["rootInfo"][name] for name in ROOT}
    return {
        "turnNumber": answer["turnNumber"],
        "rootInfo": root,
        "policy": [float("%.5g" % p) for p in answer["policy"]],
        "ownership": [round(o, 5) for o in answer["ownership"]],
    }


def end_queries(katago, net):
    """Returns queries with their answers: games that go on after passes, under territory rules
    through both phases of the encore, and positions with handicap. The cache is off, because it
    does not distinguish positions with different histories."""
    common = {
        "id": "q",
        "boardXSize": 5,
        "boardYSize": 5,
        "komi": 6.5,
        "maxVisits": 1,
        "includePolicy": True,
        "includeOwnership": True,
    }
    queries = []
    for rules in END_RULES:
        rules = json.loads(rules) if rules.startswith("{") else rules
        line = ENDS if rules in ("tromp-taylor", "aga-button") else ENCORES
        moves = [[move.split()[0].upper(), move.split()[1]] for move in line.split(",")]
        queries.append(
            {
                **common,
                "rules": rules,
                "moves": moves,
                "analyzeTurns": list(range(9, len(moves) + 1)),
            }
        )
    for bonus in ("0", "N", "N-1"):
        for first in ("B", "W"):
            queries.append(
                {
                    **common,
                    "rules": "chinese",
                    "komi": 0.5,
                    "whiteHandicapBonus": bonus,
                    "initialPlayer": first,
                    "initialStones": [["B", "B2"], ["B", "D4"], ["B", "C3"]],
                    "moves": [],
                    "analyzeTurns": [0],
                }
            )
    config = (ANALYSIS + ",preventCleanupPhase=false").replace(
        "CacheSizePowerOfTwo=10", "CacheSizePowerOfTwo=-1"
    )
    rows = []
    for query in queries:
        query["overrideSettings"] = EVERY_QUERY
        out, _ = start(katago, "analysis", net, config).communicate(json.dumps(query) + "\n")
        answers = [json.loads(line) for line in out.splitlines()]
        if any("rootInfo" not in answer for answer in answers):
            raise SystemExit(f"{query}: {answers[0]}")
        answers.sort(key=lambda answer: answer["turnNumber"])
        rows.append(
            {
                "net": os.path.basename(net).split(".")[0],
                "query": query,
                "answers": [end_answer(a) for a in answers],
            }
        )
    return rows


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--katago", required=True, help="the program, built with the Eigen backend")
    parser.add_argument("--writer", required=True, help="this project's write_golden_nets")
    words = parser.parse_args()
    positions = read_rows("nn/positions.jsonl.gz")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([words.writer, folder], check=True)
        nets = sorted(
            os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".gz")
        )
        write_rows("nn/outputs-tiny.jsonl.gz", outputs(words.katago, nets, positions))
        sessions, rows = raw(words.katago, nets, positions)
        write_rows("nn/rawnn-tiny.jsonl.gz", rows)
        write_rows("protocol/raw_nn_sessions.jsonl.gz", sessions)
        ends = next(net for net in nets if END_NET in net)
        write_rows("protocol/end_sessions.jsonl.gz", [end_session(words.katago, ends)])
        write_rows("protocol/end_queries.jsonl.gz", end_queries(words.katago, ends))


if __name__ == "__main__":
    main()
