#!/usr/bin/env python3
"""Simulates a loss of power after every file operation of a recorded run, and checks the run after
its next start.

    tests/power/replay.py OUT [--build build/test] [--operations 2400] [--kill-every 170]
    [--pause-every 110]
                          [--every 1] [--from 0] [--part 1/1] [--seed 1]

The first call records a run on 5x5 (record.c) in OUT, with kills and pauses in it. Then the
directory is rebuilt after each operation, in four states that a loss of power may leave (disk.py):
nothing that was not synced is left, everything is left, and two random ones. In each state a new
process opens the run as `aji learn` does (start.c). A state is skipped if an equal state was
checked before, with equal numbers of durable games, rows and nets. After each start the files are
read without any code of Aji (contents.py):

  games    each finished game that was synced is in a game file; no game is there more often than it
           was finished
  rows     each row file has the rows of its games
  index    games, rows and nets in run.db are those of the files
  others   no synced net and no match of the rating is lost; training does not go back behind a
           synced checkpoint; only a journal that lost blocks is set aside; no unfinished file is
           left

It ends with code 1 at the first fault, and keeps the state before and after the start in
OUT/fault-N, where N is the number of the operation. The same call with --from N continues from
there. --every E loses power only after every E-th operation, and --part K/P checks only every P-th
of these, so that P processes with different K can share the work. The exit code is 77 if the system
forbids tracing."""
import argparse
import collections
import os
import random
import re
import shutil
import subprocess
import sys
import time

from contents import Run, journal_games
from disk import FOLDER, Disk, write_tree

HERE = os.path.dirname(os.path.abspath(__file__))
RATE_GAMES = 4  # run.rate_games in tiny.cfg
# On average one state in this many is started twice, the second time from what the first start
# left.
AGAIN = 8


class Promises:
    """What has become durable, so that a loss of power must not lose it, and how often each game
    was finished."""

    def __init__(self):
        self.known = (
            collections.Counter()
        )  # SGF line -> times that it was written whole to a journal by its worker
        self.rows = {}  # SGF line -> number of its rows
        self.games, self.ratings = set(), set()  # SGF lines; folders of matches of the rating
        self.nets, self.samples = {}, 0
        self.journals = {}  # number of the file -> (where its whole games end, their lines)

    def note(self, line, disk):
        name, *words = line.split()
        if name == "create" and words[1].endswith(".journal"):
            self.journals[int(words[0])] = (0, [])
        elif name == "write" and int(words[0]) in self.journals:
            end, lines = self.journals[int(words[0])]
            games, end = journal_games(disk.files[int(words[0])].now, end)
            for game, rows in games:
                self.known[game] += 1
                self.rows[game] = rows
            self.journals[int(words[0])] = (end, lines + [game for game, _ in games])
        elif name == "sync" and int(words[0]) in self.journals:
            self.games.update(self.journals[int(words[0])][1])
        elif name == "syncdir":
            self.note_files(words[0], disk)
        elif name == "unlink" and re.match(r"[^/]*/matches/rating-", words[0]):
            self.ratings.add(os.path.dirname(words[0]))  # its result is in the index

    def note_files(self, folder, disk):
        for path, number in disk.sure.items():
            if os.path.dirname(path) != folder:
                continue
            checkpoint = re.fullmatch(r".*/train/checkpoint-(\d+)\.aji", path)
            if checkpoint:
                self.samples = max(self.samples, int(checkpoint.group(1)))
            elif path.endswith(".sgfs"):
                self.games.update(disk.files[number].synced.splitlines())
            elif re.fullmatch(r"[^/]*/nets/\d+-\w+\.aji", path):
                self.nets[os.path.basename(path)] = disk.files[number].synced

    def count(self):
        return len(self.games), len(self.ratings), len(self.nets), self.samples

    def faults(self, run):
        there = {line for lines in run.games.values() for line in lines}
        missing = [line for line in self.games if line not in there]
        if missing:
            of = f"{len(missing)} of {len(self.games)}"
            yield f"{of} games that were synced are gone, such as {missing[0][:60]}"
        for name, data in self.nets.items():
            if run.nets.get(name) != data:
                yield f"the net {name} was synced and is gone"
        rated = len(run.rated) + sum(
            games >= RATE_GAMES for name, games in run.matches.items() if "rating-" in name
        )
        if rated < len(self.ratings):
            yield f"{len(self.ratings)} matches of the rating were played, and {rated} are known"
        if run.samples < self.samples:
            yield f"training goes back from {self.samples} samples to {run.samples}"


class Starter:
    """Processes that open a run, one after the other."""

    def __init__(self, build, settings, log):
        self.process = subprocess.Popen(
            [f"{build}/power_start", settings],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )

    def start(self, run):
        self.process.stdin.write(run + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()


def record(options):
    command = [
        f"{options.build}/power_record",
        options.recording,
        options.operations,
        options.kill_every,
        options.pause_every,
        f"{options.build}/aji",
        "learn",
        f"{HERE}/tiny.cfg",
        "--run",
        f"{options.recording}/tree/run",
        "--time",
        "0",
    ]
    with open(f"{options.out}/record.txt", "w", encoding="utf-8") as log:
        code = subprocess.run(
            [str(word) for word in command], stdout=log, stderr=subprocess.STDOUT, check=False
        ).returncode
    if code:
        with open(f"{options.out}/record.txt", encoding="utf-8") as log:
            print(log.read()[-2000:], file=sys.stderr)
        shutil.rmtree(options.recording, ignore_errors=True)
        sys.exit(code)


class Replay:
    def __init__(self, options, settings):
        log = open(f"{options.out}/starts-{os.getpid()}.txt", "w", encoding="utf-8")
        self.options, self.starter = options, Starter(options.build, settings, log)
        self.disk, self.promises = Disk(), Promises()
        self.seen = {}
        self.starts = self.same = 0
        self.damaged = 0  # states after which a journal was set aside
        self.place = f"{options.out}/state-{os.getpid()}"

    def check(self, at, name, state, rng):
        """Starts the run in this state and checks it. Skips a state that was checked before with
        equal numbers of durable games, rows and nets."""
        key = hash(tuple(state.items())), self.promises.count()
        if key in self.seen:
            self.same += 1
            return
        self.seen[key] = True
        write_tree(self.place, state)
        again = rng.randrange(AGAIN) == 0
        run = None
        for _ in range(1 + again):
            said = self.starter.start(f"{self.place}/run")
            self.starts += 1
            faults = [f"the start failed: {said}"] if said != "ok" else []
            if not faults:
                run = Run(f"{self.place}/run")
                faults = list(run.faults(self.promises.known, self.promises.rows)) + list(
                    self.promises.faults(run)
                )
            if faults:
                self.keep(at, name, state, faults)
        self.damaged += bool(run.bad)

    def keep(self, at, name, state, faults):
        kept = f"{self.options.out}/fault-{at}"
        shutil.rmtree(kept, ignore_errors=True)
        os.mkdir(kept)
        write_tree(f"{kept}/before", state)
        shutil.copytree(self.place, f"{kept}/after")
        print(f'FAULT after operation {at}, state "{name}" (kept in {kept}):')
        print("\n".join(f"  {fault}" for fault in faults[:10]))
        sys.exit(1)

    def go(self, operations, data):
        part, parts = map(int, self.options.part.split("/"))
        began = shown = time.time()
        todo = [
            at
            for at in range(1, len(operations) + 1)
            if at >= self.options.start
            and at % self.options.every == 0
            and at // self.options.every % parts == part % parts
        ]
        done, chosen = 0, set(todo)
        for at, line in enumerate(operations, 1):
            self.disk.apply(line, data)
            self.promises.note(line, self.disk)
            if at not in chosen:
                continue
            rng = random.Random(f"{self.options.seed} {at}")
            for name, state in self.disk.states(rng):
                self.check(at, name, state, rng)
            done += 1
            now = time.time()
            if now - shown > 10:
                shown = now
                left = (now - began) / done * (len(todo) - done)
                print(
                    f"operation {at} of {len(operations)}, {self.starts} starts, about "
                    f"{left / 60:.0f} minutes left",
                    flush=True,
                )
        return done


def check_recording(disk, tree):
    """Compares the simulated disk after the last operation with the files that the recorded run
    left below `tree`. Names and contents must be the same. The contents of -shm files are not
    compared, because these files are mapped into memory."""
    for path, data in disk.state(disk.now, lambda file: bytes(file.now)).items():
        if data is None or path.endswith("-shm"):
            continue
        with open(f"{tree}/{path}", "rb") as file:
            if file.read() != data:
                sys.exit(f"the recording is not whole: {path} differs")
    there = {
        os.path.relpath(os.path.join(folder, name), tree)
        for folder, _, names in os.walk(tree)
        for name in names
    }
    if there != {path for path, number in disk.now.items() if number != FOLDER}:
        sys.exit("the recording is not whole: the names differ")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out")
    parser.add_argument("--build", default=f"{HERE}/../../build/test")
    parser.add_argument("--operations", type=int, default=2400)
    parser.add_argument("--kill-every", type=int, default=170)
    parser.add_argument("--pause-every", type=int, default=110)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="start")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.out, options.build = os.path.abspath(options.out), os.path.abspath(options.build)
    options.recording = f"{options.out}/recording"
    os.makedirs(options.out, exist_ok=True)
    if not os.path.exists(f"{options.recording}/operations"):
        record(options)
    with open(f"{options.recording}/operations", encoding="utf-8") as file:
        operations = file.read().splitlines()
    with open(f"{options.recording}/data", "rb") as file:
        data = file.read()
    began = time.time()
    replay = Replay(options, f"{options.recording}/tree/run/run.cfg")
    done = replay.go(operations, data)
    check_recording(replay.disk, f"{options.recording}/tree")
    shutil.rmtree(replay.place, ignore_errors=True)
    print(
        f"{len(operations)} operations; power lost after {done} of them, in four states each: "
        f"{replay.starts} starts "
        f"({replay.same} states were skipped, because the same had been checked before), "
        f"{time.time() - began:.0f} s"
    )
    print(
        f"{len(replay.promises.games)} games were synced, {sum(replay.promises.known.values())} "
        "finished; "
        f"{len(replay.promises.nets)} nets; {replay.damaged} states had a journal that lost "
        "blocks. No fault was found."
    )


if __name__ == "__main__":
    main()
