#!/usr/bin/env python3
"""Kills programs of Aji with SIGKILL at random moments. Checks that no finished work is lost or
doubled.

    bench/kills.py OUT [--aji build/release/aji] [--kills 1000] [--seed 1]

These programs are killed, all on 5x5 with tiny nets: `aji learn`; its three roles as separate
processes (selfplay, train and gate); a match; a rating; an experiment. After each kill the next
start continues the work. All work that was finished before the kill must then still be there, and
only once:

  games and rows   each file of games, and each journal, begins with the games that it had before; a
                   journal and a file of games with the same name hold the same games
  index            after a start that ended by itself, run.db counts as many games and rows as the
                   files have
  matches          no file of a finished game changes or disappears; the match ends with the wanted
                   number of games
  data             `aji data check` finds no fault in the row files, and no file was renamed to .bad

This script reads the files of games and rows itself, without Aji. At the first fault it ends with
code 1 and leaves the folder OUT as it is.
"""
import argparse
import glob
import os
import random
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import time
import zipfile
import zlib

RUN_KILLS = 40  # about how many kills happen in one run directory
HEADER = struct.Struct(
    "<8sIIIIQ"
)  # the header of a game in a journal: JournalHeader in journal_private.h
SETTINGS = [
    "run.arch=b1c8-fixup-nodist",
    "run.threads=1",
    "run.rows_first=300",
    "run.rows_cycle=150",
    "run.rate_games=6",
    "run.rate_visits=4",
    "run.gate_games=6",
    "run.gate_visits=4",
    "selfplay.full.visits=12",
    "selfplay.cheap.visits=4",
    "run.rate_every=2",
]
EXPERIMENT = """run.arch = b1c8-fixup-nodist
selfplay.sizes = 5:1
selfplay.komi.mean = 24
run.threads = 1
run.rows_first = 300
run.rows_cycle = 150
selfplay.full.visits = 8
selfplay.cheap.visits = 4
experiment.seeds = 1
experiment.compute = 3e10
experiment.games = 20
experiment.visits = 8
[plain]
[other]
search.c_puct = 1.5
"""


def fail(words):
    print("FAULT:", words)
    sys.exit(1)


def sets(words):
    return [part for word in words for part in ("--set", word)]


def journal_games(path):
    """Returns the complete games of a journal as (SGF line, number of rows). An incomplete last
    game is left out."""
    games = []
    with open(path, "rb") as file:
        data = file.read()
    at = 0
    while at + HEADER.size <= len(data):
        magic, _, rows, sgf_bytes, crc, count = HEADER.unpack_from(data, at)
        body = data[at + HEADER.size : at + HEADER.size + count]
        if magic != b"AJIGAME1" or len(body) < count or zlib.crc32(body) != crc:
            break
        games.append((body[:sgf_bytes], rows))
        at += HEADER.size + count
    return games


def rows_of(path):
    with zipfile.ZipFile(path) as archive, archive.open("valueTargetsNCHW") as member:
        return int(re.search(rb"'shape': ?\((\d+)", member.read(256)).group(1))


def state_of(run):
    """Returns a table. Its keys are the names of files without their endings (NNNNNN/WORKER-K). A
    value is a pair: the games of the file as SGF lines, and the number of rows of the file. The
    complete games of a journal count as if they were in files already."""
    state = {}
    for path in glob.glob(f"{run}/games/*/*.sgfs"):
        stem = os.path.relpath(path, f"{run}/games")[: -len(".sgfs")]
        with open(path, "rb") as file:
            state[stem] = [file.read().splitlines(), 0]
    for path in glob.glob(f"{run}/rows/*/*.npz"):
        stem = os.path.relpath(path, f"{run}/rows")[: -len(".npz")]
        state.setdefault(stem, [[], 0])[1] = rows_of(path)
    for path in glob.glob(f"{run}/rows/*/*.journal"):
        stem = os.path.relpath(path, f"{run}/rows")[: -len(".journal")]
        games = journal_games(path)
        lines, rows = [line for line, _ in games], sum(rows for _, rows in games)
        known = state.get(stem)
        if known and known[0] and known[0] != lines:
            fail(f"{stem}: the journal has other games than the file")
        if lines:
            state[stem] = [lines, rows]
    return state


def check_kept(before, after):
    for stem, (lines, rows) in before.items():
        now = after.get(stem)
        if now is None and lines:
            fail(f"{stem}: {len(lines)} games are gone")
        if now and (now[0][: len(lines)] != lines or now[1] < rows):
            fail(f"{stem}: had {len(lines)} games and {rows} rows, has {len(now[0])} and {now[1]}")


def check_run(aji, run):
    """Checks a run that ended without a kill: its files have no fault, and the index agrees with
    them."""
    if glob.glob(f"{run}/rows/*/*.journal"):
        fail(f"{run}: a journal is left")
    bad = [path for path in glob.glob(f"{run}/**/*.bad", recursive=True)]
    if bad:
        fail(f"{run}: files were set aside: {bad}")
    state = state_of(run)
    index = sqlite3.connect(f"file:{run}/run.db?mode=ro", uri=True)
    facts = dict(index.execute("select key, value from facts"))
    index.close()
    games, rows = sum(len(lines) for lines, _ in state.values()), sum(
        rows for _, rows in state.values()
    )
    indexed = sum(
        max(value, 0) for key, value in facts.items() if key.startswith("rows/")
    )  # -1: games, but no rows
    if facts.get("games", 0) != games or indexed != rows:
        fail(
            f"{run}: the index has {facts.get('games')} games and {indexed} rows, the files "
            f"{games} and {rows}"
        )
    checked = subprocess.run([aji, "data", "check", run], capture_output=True, text=True)
    if checked.returncode:
        fail(f"{run}: {checked.stdout}{checked.stderr}")
    return games, rows


def kill_all(processes, least, most, rng):
    """Waits a random time and kills all processes. Returns how many of them were still running."""
    time.sleep(rng.uniform(least, most))
    running = [process for process in processes if process.poll() is None]
    for process in running:
        process.send_signal(signal.SIGKILL)
    for process in processes:
        process.wait()
    return len(running)


def start(command, log):
    return subprocess.Popen(command, stdout=log, stderr=log)


def kill_run(aji, out, kills, rng, log, parts):
    """Kills a learner or, with `parts`, its three roles as separate processes. A new run begins
    after about RUN_KILLS kills, because it takes much time to read the files of a long run."""
    name, killed, games, rows, more = "parts" if parts else "learner", 0, 0, 0, sets(SETTINGS)
    while killed < kills:
        run = f"{out}/{name}-{killed // RUN_KILLS}" if killed >= RUN_KILLS else f"{out}/{name}"
        learn = [aji, "learn", "--size", "5", "--run", run, "--time", "1s"] + more
        if not os.path.exists(f"{run}/run.db"):
            subprocess.run(learn, stdout=log, stderr=log, check=True)
        before = state_of(run)
        commands = (
            [[aji, role, "--run", run, "--time", "0"] for role in ("selfplay", "train", "gate")]
            if parts
            else [learn[: -len(more) - 1] + ["1h"] + more]
        )
        killed += kill_all([start(command, log) for command in commands], 0.05, 2.5, rng)
        check_kept(before, state_of(run))
        ends = killed % RUN_KILLS > RUN_KILLS - 4 or killed >= kills
        if rng.random() < 0.05 or ends:
            before = state_of(run)
            subprocess.run(learn, stdout=log, stderr=log, check=True)
            check_kept(before, state_of(run))
            games, rows = check_run(aji, run)
    return killed, f"{games} games and {rows} rows in the last run"


def files_of(folder):
    """Returns the files of finished games below the folder, with their contents."""
    found = {}
    for path in glob.glob(f"{folder}/**/*.sgf", recursive=True):
        with open(path, "rb") as file:
            found[path] = file.read()
    return found


def kill_games(command, folder, wanted, kills, rng, log):
    """Kills a command that writes games into a folder, and starts it again, so that it continues
    there. If the command ends by itself, it begins again in another folder. After the last kill,
    the command may run until it ends."""
    killed = ended = finished = 0
    last = False
    while not last:
        last = killed >= kills
        place = f"{folder}-{ended}"
        before = files_of(place)
        process = start(command(place), log)
        if last:
            process.wait()
        else:
            killed += kill_all([process], 0.05, 1.5, rng)
        after = files_of(place)
        for path, text in before.items():
            if after.get(path) != text:
                fail(f"{path}: a finished game has changed or is gone")
        if process.returncode > 0:
            fail(f"{' '.join(command(place))}: code {process.returncode}")
        if process.returncode == 0:
            if len(after) != wanted:
                fail(f"{place}: {len(after)} games at the end, wanted {wanted}")
            finished += len(after)
            ended += 1
    return killed, f"{ended} ended, {finished} games"


def kill_experiment(aji, out, kills, rng, log):
    killed = ended = 0
    while killed < kills:
        place = f"{out}/experiment-{ended}"
        config = f"{out}/experiment.cfg"
        with open(config, "w", encoding="utf-8") as file:
            file.write(EXPERIMENT)
        runs = [os.path.dirname(path) for path in glob.glob(f"{place}/**/run.cfg", recursive=True)]
        before = {run: state_of(run) for run in runs}
        process = start([aji, "experiment", config, "--out", place], log)
        killed += kill_all([process], 0.1, 5, rng)
        for run, state in before.items():
            check_kept(state, state_of(run))
        if process.returncode > 0:
            fail(f"the experiment {place} ended with code {process.returncode}")
        if process.returncode == 0:
            for path in glob.glob(f"{place}/**/run.db", recursive=True):
                check_run(aji, os.path.dirname(path))
            ended += 1
    return killed, f"{ended} ended"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out")
    parser.add_argument(
        "--aji", default=os.path.join(os.path.dirname(__file__), "..", "build", "release", "aji")
    )
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    aji, out, rng = os.path.abspath(options.aji), options.out, random.Random(options.seed)
    os.makedirs(out, exist_ok=True)
    log = open(f"{out}/log.txt", "a", encoding="utf-8")
    share = max(1, options.kills // 10)

    def match(place):
        return [
            aji,
            "match",
            "net=uniform,visits=100,name=one",
            "net=uniform,visits=200,name=two",
            "--size",
            "5",
            "--komi",
            "24",
            "--games",
            "400",
            "--out",
            place,
        ]

    def rate(place):
        return [
            aji,
            "rate",
            f"{out}/learner",
            "--ladder",
            f"{out}/ladder.cfg",
            "--games",
            "200",
            "--visits",
            "40",
            "--out",
            place,
        ]

    with open(f"{out}/ladder.cfg", "w", encoding="utf-8") as file:
        file.write(
            "ladder.size = 5\nladder.komi = 24\n[random]\nplayer.spec = random\nplayer.elo = 0\n"
        )
    work = [
        ("a whole learner", lambda: kill_run(aji, out, 4 * share, rng, log, False)),
        ("selfplay, train and gate apart", lambda: kill_run(aji, out, 3 * share, rng, log, True)),
        ("a match", lambda: kill_games(match, f"{out}/match", 400, share, rng, log)),
        ("a rating on a ladder", lambda: kill_games(rate, f"{out}/rate", 1000, share, rng, log)),
        ("an experiment", lambda: kill_experiment(aji, out, share, rng, log)),
    ]
    total = 0
    for name, run in work:
        began = time.time()
        killed, words = run()
        total += killed
        print(f"{name:32} {killed:5} kills  {words}  ({time.time() - began:.0f} s)", flush=True)
    print(f"{total} kills, no fault")
    if total >= options.kills:
        shutil.rmtree(out)


if __name__ == "__main__":
    main()
