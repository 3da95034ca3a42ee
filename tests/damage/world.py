"""The files that are damaged, and the commands that read each of them.

The files lie in folders called places. A case works in a copy of the place that has its file.
    run      a run that ended by itself
    waiting  the same run, with a candidate that waits for the gate
    killed   a run that was killed, with a journal of games and SQLite's files beside run.db
    alone    single files: nets in all formats, games, rows, configs
    match    the games of a match
    rated    a run with games on a ladder
    exp      an experiment that has ended
"""
import glob
import os
import shutil
import signal
import sqlite3
import subprocess
import time

import versions

HERE = os.path.dirname(os.path.abspath(__file__))
TINY = os.path.join(HERE, "..", "power", "tiny.cfg")
OPPONENTS = """ladder.size = 5
ladder.komi = 24
ladder.rules = chinese
ladder.opening = 2
[random]
player.spec = random
player.elo = 0
[net]
player.spec = "net=small.aji,visits=2"
player.elo = 120
"""
GTP = """search.c_puct = 1.3
search.temperature_early = 0.5
resign.turns = 5
# end
"""
EXPERIMENT = """run.rate_games = 0
experiment.seeds = 1
experiment.compute = 3e8
experiment.games = 4
experiment.visits = 2
[plain]
[other]
search.c_puct = 1.5
"""
# a net without the heads for which lc0's format has no place, such as the score
LC0 = (
    "c8-mish,start_kernel=1,tip=none,policy_attention=4,policy_embedding=4,"
    "trunk=embedding+encoder(rotary=none,heads=2),heads=policy+value+moves_left"
)
GAME = (
    "(;GM[1]FF[4]SZ[5]KM[24]RU[Chinese]PB[a]PW[b]RE[B+1]"
    ";B[cc];W[cd];B[dd]C[a comment];W[bc];B[bd];W[ce];B[])\n"
)
QUERY = (
    '{"id":"a","moves":[["B","C3"]],"rules":"chinese","komi":24,'
    '"boardXSize":5,"boardYSize":5,"maxVisits":8,'
    '"includePolicy":true}\n'
)
TALK = "boardsize 5\nkomi 24\ngenmove b\ngenmove w\nkata-raw-nn 0\nquit\n"


class Probe:
    """A command that reads the damaged file. `words` may contain {file}, {net} and {nets}; `talk`
    is the command's input. `before` changes the folder first. `facts` describes the files that the
    command leaves. `share` is the fraction of the cases in which the command runs. `exact` says
    that without damage every call prints and leaves the same."""

    def __init__(
        self, name, words, talk="", before=None, facts=None, share=1.0, exact=True, seconds=20
    ):
        self.name, self.words, self.talk, self.before, self.facts = (
            name,
            words.split(),
            talk,
            before,
            facts,
        )
        self.share, self.exact, self.seconds = share, exact, seconds


class Subject:
    """A kind of file: which files it has, how they are read, and how they may be damaged."""

    def __init__(self, kind, place, patterns, probes, text=False, versions=(), weight=1):
        self.kind, self.place, self.probes, self.text, self.versions = (
            kind,
            place,
            probes,
            text,
            versions,
        )
        self.patterns, self.weight, self.paths = patterns, weight, []


def facts_of_run(folder):
    """Returns the rows of the index of a run, without times, and hashes of the other files."""
    found = {}
    for path in sorted(glob.glob(f"{folder}/*/**/*", recursive=True)):
        if path.endswith((".aji", ".npz", ".sgfs", ".sgf")) and "/report/" not in path:
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = hash(file.read())
    try:
        index = sqlite3.connect(f"file:{folder}/run.db?mode=ro", uri=True)
        index.text_factory = lambda text: text.decode(errors="backslashreplace")
        for table, columns in (
            ("nets", "number, file, samples, rows, games, evaluations, elo, elo_deviation"),
            ("pairings", "first, second, wins, losses, draws, purpose"),
            ("metrics", "name, samples, value"),
            ("facts", "key, value"),
        ):
            for row in index.execute(f"SELECT {columns} FROM {table}"):
                if row[0] not in ("seconds", "multiply_adds", "evaluations") or table != "facts":
                    found.setdefault(f"index {table} {row}", 0)
                    found[f"index {table} {row}"] += 1
        index.close()
    except (
        sqlite3.Error,
        UnicodeDecodeError,
    ) as fault:  # the message of an error may quote damaged bytes
        found["index"] = str(fault)
    return found


def facts_of_events(folder):
    """Returns the payloads of all events except the last of each file, which the command has
    added."""
    from events import frames

    found = {}
    for path in glob.glob(f"{folder}/report/tensorboard/*/events*"):
        with open(path, "rb") as file:
            payloads = frames(file.read())
        for payload in payloads[:-1]:  # the last one is new
            found[f"{os.path.relpath(path, folder)} {hash(payload)}"] = True
    return found


def lose_index(place):
    for path in glob.glob(f"{place}/r/run.db*"):
        os.remove(path)


def count_again(place):
    """Removes all row files from the index, so that their notes are read again."""
    index = sqlite3.connect(f"{place}/r/run.db")
    index.execute("DROP TRIGGER IF EXISTS facts_without_checksum")
    index.execute("DELETE FROM facts WHERE key LIKE 'rows/%' OR key = 'games'")
    index.commit()
    index.close()


class World:
    def __init__(self, aji, root):
        self.aji, self.root = aji, root

    def call(self, place, words, talk="", seconds=100):
        done = subprocess.run(
            [self.aji] + words,
            cwd=f"{self.root}/{place}",
            input=talk,
            text=True,
            timeout=seconds,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        if done.returncode:
            raise SystemExit(
                f"aji {' '.join(words)} in {place}: code {done.returncode}\n{done.stdout}"
            )

    def make(self):
        shutil.rmtree(self.root, ignore_errors=True)
        for place in ("run", "alone", "match", "exp"):
            os.makedirs(f"{self.root}/{place}")
        self.make_run()
        self.make_killed()
        self.make_alone()
        self.make_matches()

    def make_run(self):
        self.call("run", ["learn", TINY, "--run", "r", "--time", "0", "--set", "run.nets=5"])
        self.call("run", ["selfplay", "--run", "r", "--rows", "30"])
        shutil.copytree(f"{self.root}/run", f"{self.root}/waiting")
        self.call("waiting", ["selfplay", "--run", "r", "--rows", "80"])
        self.call("waiting", ["train", "--run", "r", "--samples", "64"])

    def make_killed(self):
        """Kills a learner until it leaves a journal with some games and a journal of SQLite."""
        for _ in range(200):
            shutil.rmtree(f"{self.root}/killed", ignore_errors=True)
            os.makedirs(f"{self.root}/killed")
            process = subprocess.Popen(
                [self.aji, "learn", TINY, "--run", "r", "--time", "0"],
                cwd=f"{self.root}/killed",
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            deadline = time.time() + 60
            while time.time() < deadline:
                journals = glob.glob(f"{self.root}/killed/r/rows/00000[3-9]/*.journal")
                if (
                    journals
                    and os.path.exists(journals[0])
                    and os.path.getsize(journals[0]) > 20000
                ):
                    break
            process.send_signal(signal.SIGKILL)
            process.wait()
            journals = glob.glob(f"{self.root}/killed/r/rows/*/*.journal")
            if (
                journals
                and os.path.getsize(journals[0]) > 20000
                and os.path.exists(f"{self.root}/killed/r/run.db-wal")
            ):
                return
        raise SystemExit("no kill left a journal")

    def make_alone(self):
        alone = f"{self.root}/alone"
        os.makedirs(f"{alone}/nets")
        nets = sorted(glob.glob(f"{self.root}/run/r/nets/*.aji"))
        for net in nets:
            shutil.copy(net, f"{alone}/nets")
        shutil.copy(nets[-1], f"{alone}/small.aji")
        for name in ("k.bin.gz", "k.txt.gz", "k.bin", "k.txt"):
            self.call("alone", ["net", "convert", "small.aji", name])
        self.call("alone", ["net", "new", "lc0.aji", "--arch", LC0])
        for name in ("lc0.pb.gz", "lc0.pb"):
            self.call("alone", ["net", "convert", "lc0.aji", name])
        self.call(
            "alone", ["net", "quantize", "small.aji", "--count", "16", "--sizes", "5", "q.aji"]
        )
        for name, text in (("game.sgf", GAME), ("gtp.cfg", GTP), ("opponents.cfg", OPPONENTS)):
            with open(f"{alone}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        with open(f"{alone}/analysis.cfg", "w", encoding="utf-8") as file:
            file.write("search.c_puct = 1.2\nsearch.fpu_reduction = 0.3\n")
        shutil.copy(glob.glob(f"{self.root}/run/r/games/000002/*.sgfs")[0], f"{alone}/games.sgfs")
        for number in range(3):
            shutil.copy(
                glob.glob(f"{self.root}/run/r/rows/00000{number}/*.npz")[0],
                f"{alone}/rows{number}.npz",
            )

    def make_matches(self):
        for place in ("match",):
            shutil.copy(f"{self.root}/alone/small.aji", f"{self.root}/{place}")
        self.call("match", MATCH.split())
        shutil.copytree(f"{self.root}/run", f"{self.root}/rated")
        shutil.copy(f"{self.root}/alone/small.aji", f"{self.root}/rated")
        shutil.copy(f"{self.root}/alone/opponents.cfg", f"{self.root}/rated")
        self.call("rated", RATE.split())
        with open(TINY, encoding="utf-8") as file:
            settings = "".join(
                line for line in file if not line.startswith(("run.rate", "run.gate", "#"))
            )
        with open(f"{self.root}/exp/e.cfg", "w", encoding="utf-8") as file:
            file.write(settings + EXPERIMENT)
        self.call("exp", ["experiment", "e.cfg", "--out", "out"])


MATCH = (
    "match net=small.aji,visits=4,name=one random --size 5 --komi 24 --games 6 --threads 1"
    " --out games"
)
RATE = "rate r --ladder opponents.cfg --games 2 --threads 1 --visits 2 --at 5"


def subjects():
    net_info, net_eval = Probe("info", "net info {file} --json"), Probe(
        "eval", "eval {file} --size 5 --json"
    )
    gtp = Probe("gtp", "gtp {file} --visits 8 --size 5 --precision f32", TALK, share=0.3)
    analysis = Probe("analysis", "analysis {file} --visits 8 --threads 1", QUERY, share=0.3)
    match = Probe(
        "match",
        "match net={file},visits=2 random --size 5 --komi 24 --games 2 --threads 1",
        share=0.2,
    )
    convert = Probe(
        "convert",
        "net convert {file} out.txt",
        share=0.2,
        facts=lambda place: {
            "net": hash(open(f"{place}/out.txt", "rb").read())
            if os.path.exists(f"{place}/out.txt")
            else None
        },
    )
    from_lc0 = Probe(
        "convert",
        "net convert {file} out.aji",
        share=0.2,
        facts=lambda place: {
            "net": hash(open(f"{place}/out.aji", "rb").read())
            if os.path.exists(f"{place}/out.aji")
            else None
        },
    )
    start = Probe(
        "start", "learn --run r --compute 1", facts=lambda place: facts_of_run(f"{place}/r")
    )
    fresh = Probe(
        "start without run.db",
        "learn --run r --compute 1",
        before=lose_index,
        share=0.5,
        facts=lambda place: facts_of_run(f"{place}/r"),
    )
    again = Probe(
        "count again",
        "learn --run r --compute 1",
        before=count_again,
        facts=lambda place: facts_of_run(f"{place}/r"),
    )
    work = Probe(
        "learn on",
        "learn --run r --time 0 --set run.nets={nets}",
        share=0.12,
        exact=False,
        seconds=60,
    )
    train = Probe("train", "train --run r --samples 32", share=0.4, exact=False)
    play = Probe("selfplay", "selfplay --run r --rows 1", share=0.2, exact=False)
    gate = Probe("gate", "gate --run r --games 2", share=0.25, exact=False)
    rate = Probe("rate", "rate r", share=0.5)
    curve = Probe(
        "curves",
        "train --run r --samples 32",
        facts=lambda place: facts_of_events(f"{place}/r"),
        exact=True,
    )
    read_sgf = Probe("eval", "eval small.aji {file} --json")
    second = Probe("eval game 2", "eval small.aji {file} --game 2 --move 3 --json")
    load_sgf = Probe(
        "loadsgf",
        "gtp small.aji --visits 4 --size 5",
        "loadsgf {file}\nshowboard\nquit\n",
        share=0.5,
    )
    positions = Probe("positions", "net check small.aji nets/{net} --positions {file}", share=0.3)
    start_from = [start, fresh, work, train, play, gate]
    tensors = (versions.tensors_newer, versions.tensors_newer_type, versions.tensors_older)
    nets = tensors + (versions.tensors_newer_op,)
    rows = (versions.rows_newer, versions.rows_newer_column, versions.rows_older)
    index = (versions.index_newer, versions.index_older)
    katago = (versions.katago_newer, versions.katago_older)
    opened = [Probe("config", "gtp small.aji --visits 4 --size 5 --config {file}", TALK)]
    queries = [Probe("config", "analysis small.aji --visits 8 --threads 1 --config {file}", QUERY)]
    ladder = [
        Probe(
            "ladder", "match net=small.aji,visits=2,name=one --ladder {file} --games 2 --threads 1"
        )
    ]
    resume = [Probe("match", MATCH), Probe("rate", "rate games", share=0.5)]
    experiment = [
        Probe("experiment", "experiment e.cfg --out out --rate"),
        Probe("experiment on", "experiment e.cfg --out out", share=0.5),
    ]
    return [
        Subject(
            "net",
            "alone",
            ["nets/*.aji"],
            [net_info, net_eval, gtp, analysis, match, convert],
            versions=nets,
            weight=12,
        ),
        Subject(
            "net, int8",
            "alone",
            ["q.aji"],
            [net_info, Probe("eval int8", "eval {file} --size 5 --json --precision int8"), gtp],
            versions=nets,
            weight=5,
        ),
        Subject(
            "net, KataGo packed", "alone", ["k.*.gz"], [net_info, net_eval, gtp, convert], weight=6
        ),
        Subject(
            "net, KataGo bare",
            "alone",
            ["k.bin", "k.txt"],
            [net_info, net_eval, convert],
            text=True,
            versions=katago,
            weight=4,
        ),
        Subject(
            "net, lc0 packed",
            "alone",
            ["lc0.pb.gz"],
            [net_info, net_eval, gtp, analysis, from_lc0],
            weight=4,
        ),
        Subject(
            "net, lc0 bare",
            "alone",
            ["lc0.pb"],
            [net_info, net_eval, from_lc0],
            text=True,
            weight=4,
        ),
        Subject(
            "net of a run", "run", ["r/nets/*.aji"], start_from + [rate], versions=nets, weight=8
        ),
        Subject(
            "candidate",
            "waiting",
            ["r/candidates/*.aji"],
            [start, gate, fresh],
            versions=nets,
            weight=3,
        ),
        Subject("checkpoint", "run", ["r/train/*.aji"], start_from, versions=tensors, weight=10),
        Subject(
            "rows",
            "alone",
            ["rows*.npz"],
            [
                Probe("check", "data check {file}"),
                Probe("show", "data show {file} --row 5"),
                Probe("stats", "data stats {file}", share=0.5),
            ],
            versions=rows,
            weight=10,
        ),
        Subject(
            "rows of a run",
            "run",
            ["r/rows/*/*.npz"],
            start_from + [again],
            versions=rows,
            weight=8,
        ),
        Subject(
            "note of a row file",
            "run",
            ["r/rows/*/*.count"],
            [start, again, fresh],
            versions=(versions.note_newer, versions.note_older),
            weight=4,
        ),
        Subject(
            "journal",
            "killed",
            ["r/rows/*/*.journal"],
            [start, work, play, fresh],
            versions=(versions.journal_newer, versions.journal_older),
            weight=10,
        ),
        Subject("games of a run", "run", ["r/games/*/*.sgfs"], [start, fresh], text=True, weight=2),
        Subject(
            "games beside a journal", "killed", ["r/games/*/*.sgfs"], [start], text=True, weight=1
        ),
        Subject(
            "index",
            "run",
            ["r/run.db"],
            [start, rate, work, train, gate, play],
            versions=index,
            weight=10,
        ),
        Subject(
            "index with its journal",
            "killed",
            ["r/run.db", "r/run.db-wal", "r/run.db-wal", "r/run.db-shm"],
            [start, rate, work],
            weight=8,
        ),
        Subject(
            "settings of a run",
            "run",
            ["r/run.cfg"],
            [start, play, train],
            text=True,
            versions=(versions.settings_newer, versions.settings_older),
            weight=5,
        ),
        Subject(
            "curves, csv",
            "run",
            ["r/report/metrics.csv"],
            [start, train],
            text=True,
            versions=(versions.csv_newer, versions.csv_older),
            weight=2,
        ),
        Subject(
            "curves, events",
            "run",
            ["r/report/tensorboard/train/events*"],
            [curve, start],
            weight=6,
        ),
        Subject("log", "run", ["r/log.txt"], [start], text=True, weight=1),
        Subject("game", "alone", ["game.sgf"], [read_sgf, load_sgf], text=True, weight=4),
        Subject(
            "games", "alone", ["games.sgfs"], [read_sgf, second, positions], text=True, weight=3
        ),
        Subject("config of gtp", "alone", ["gtp.cfg"], opened, text=True, weight=2),
        Subject("config of analysis", "alone", ["analysis.cfg"], queries, text=True, weight=2),
        Subject("opponents", "alone", ["opponents.cfg"], ladder, text=True, weight=2),
        Subject("game of a match", "match", ["games/*.sgf"], resume, text=True, weight=4),
        Subject(
            "game of a ladder",
            "rated",
            ["r/ladder/*.sgf"],
            [Probe("rate", RATE)],
            text=True,
            weight=2,
        ),
        Subject(
            "opponents of a ladder",
            "rated",
            ["opponents.cfg"],
            [Probe("rate", RATE)],
            text=True,
            weight=1,
        ),
        Subject("experiment", "exp", ["e.cfg"], experiment, text=True, weight=2),
        Subject(
            "game of an experiment", "exp", ["out/games/*.sgf"], experiment, text=True, weight=2
        ),
        Subject(
            "index of an experiment",
            "exp",
            ["out/runs/*/run.db"],
            experiment,
            versions=index,
            weight=3,
        ),
        Subject(
            "net of an experiment",
            "exp",
            ["out/runs/*/nets/*.aji"],
            experiment,
            versions=nets,
            weight=3,
        ),
        Subject(
            "settings of an experiment", "exp", ["out/**/*.cfg"], experiment, text=True, weight=2
        ),
    ]
