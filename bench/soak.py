#!/usr/bin/env python3
"""Keeps Aji busy for a long time and watches its memory and its file descriptors.

    bench/soak.py analysis OUT NET [--aji build/release/aji] [--minutes 30] [--seed 1]
    bench/soak.py run OUT          [--aji build/release/aji] [--minutes 30] [--seed 1]

analysis  Eight clients share one `aji analysis`. Each client sends queries of many kinds about
          boards from 5x5 to 19x19. It sometimes sends a malformed line, and it cancels some queries
          at random moments. For each position there must be exactly one final answer (reports
          during the search do not count).
run       `aji train` and `aji gate` work on one run on 5x5. At most three `aji selfplay` join them.
          Each of these is ended by SIGTERM or SIGKILL after 3 to 40 seconds, and others follow. At
          the end the files and the index of the run must agree. Then the run is started once more,
          and no finished game may be lost.

Every five seconds OUT/samples.csv gets a line for each watched process: its resident memory and its
number of descriptors. At the end the time is divided into six equal parts, and a table shows the
medians of each part. A process is flat if two things hold for the last part, compared with the
third part: the median of its memory is higher by at most 2% or 2 MiB, whichever is more, and the
median of its descriptors is not higher. The exit code is 1 if a process is not flat, an answer is
missing or doubled, a game is lost, or a process ended with a fault."""
import argparse
import json
import os
import queue
import random
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time

import kills

CLIENTS = 8
WAITING_MAX = 6  # queries of one client that are not answered yet
PARTS = 6
LETTERS = "ABCDEFGHJKLMNOPQRST"


class Watch:
    """Samples the memory and descriptors of processes every five seconds, until report() is
    called."""

    def __init__(self, path):
        self.samples, self.processes, self.begun = {}, {}, time.time()
        self.file = open(path, "w", encoding="utf-8")
        self.file.write("seconds,process,resident_kib,descriptors,threads\n")
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while not self.stopped.wait(5):
            for name, process in list(self.processes.items()):
                self.sample(name, process.pid)
            self.file.flush()

    def sample(self, name, pid):
        try:
            with open(f"/proc/{pid}/status", encoding="utf-8") as file:
                status = dict(line.split(":", 1) for line in file)
            resident, threads = int(status["VmRSS"].split()[0]), int(status["Threads"])
            descriptors = len(os.listdir(f"/proc/{pid}/fd"))
        except (OSError, KeyError):
            return  # the process has just ended
        now = time.time() - self.begun
        self.samples.setdefault(name, []).append((now, resident, descriptors))
        self.file.write(f"{now:.0f},{name},{resident},{descriptors},{threads}\n")

    def report(self):
        """Prints the table and returns whether all processes were flat."""
        self.stopped.set()
        self.thread.join()
        flat, length = True, time.time() - self.begun
        print(f"medians of {PARTS} parts of {length / PARTS / 60:.1f} minutes: MiB and descriptors")
        for name, samples in self.samples.items():
            parts = [
                [s for s in samples if int(s[0] * PARTS / length) == part] for part in range(PARTS)
            ]
            resident = [
                statistics.median(s[1] for s in part) / 1024 if part else 0 for part in parts
            ]
            descriptors = [statistics.median(s[2] for s in part) if part else 0 for part in parts]
            grown = resident[-1] - resident[2]
            good = grown <= max(2, 0.02 * resident[2]) and descriptors[-1] <= descriptors[2]
            flat = flat and good
            print(
                f"{name:10}"
                + "".join(
                    f"{mib:9.1f}/{number:<3.0f}" for mib, number in zip(resident, descriptors)
                ),
                "flat" if good else "GROWS",
            )
        return flat


def random_query(rng, name):
    size = rng.choice([5, 7, 9, 13, 19])
    points = [f"{LETTERS[x]}{y + 1}" for x in range(size) for y in range(size)]
    rng.shuffle(points)
    count = rng.randrange(size * size // 2)
    query = {
        "id": name,
        "boardXSize": size,
        "boardYSize": size,
        "rules": rng.choice(["chinese", "japanese", "tromp-taylor"]),
        "moves": [["BW"[i % 2], point] for i, point in enumerate(points[:count])],
        "maxVisits": int(10 ** rng.uniform(0, 2.3)),
    }
    if rng.random() < 0.3:
        query["analyzeTurns"] = sorted(
            rng.sample(range(count + 1), min(count + 1, rng.randrange(1, 5)))
        )
    for member in ("includePolicy", "includeOwnership", "includeMovesOwnership", "includePVVisits"):
        if rng.random() < 0.2:
            query[member] = True
    if rng.random() < 0.2:
        query["reportDuringSearchEvery"] = 0.05
    if rng.random() < 0.2:
        query["priority"] = rng.randrange(-5, 5)
    if rng.random() < 0.1:
        query["overrideSettings"] = {"wideRootNoise": 0.05, "rootNumSymmetriesToSample": 2}
    return query


class Client(threading.Thread):
    """One of the eight clients. At most WAITING_MAX of its queries wait for answers at a time."""

    def __init__(self, number, engine, seed):
        super().__init__(daemon=True)
        self.number, self.engine, self.rng = number, engine, random.Random(seed)
        self.waiting, self.answers, self.faults = {}, queue.Queue(), []
        self.count = {"queries": 0, "positions": 0, "reports": 0, "cancelled": 0, "refused": 0}
        self.ending = False

    def send_query(self):
        name = f"c{self.number}-{self.count['queries']}"
        query = random_query(self.rng, name)
        self.waiting[name] = set(query.get("analyzeTurns", [len(query["moves"])]))
        self.count["queries"] += 1
        self.engine.send(json.dumps(query))

    def disturb(self):
        chance = self.rng.random()
        if chance < 0.10 and self.waiting:
            action = {
                "id": f"c{self.number}-stop",
                "action": "terminate",
                "terminateId": self.rng.choice(list(self.waiting)),
            }
            if self.rng.random() < 0.3:
                action["turnNumbers"] = [self.rng.randrange(40)]
            self.engine.send(json.dumps(action))
            self.count["cancelled"] += 1
        elif chance < 0.102:
            self.engine.send(json.dumps({"id": f"c{self.number}-all", "action": "terminate_all"}))
        elif chance < 0.104:
            self.engine.send(json.dumps({"id": f"c{self.number}-cache", "action": "clear_cache"}))
        elif chance < 0.12:
            self.engine.send(
                self.rng.choice(
                    ["", "{", "no query", '{"id":"c0-none"}', "[1,2", "\x01\x02", "x" * 2000000]
                )
            )

    def take(self, answer):
        name = answer["id"]
        if "action" in answer or "warning" in answer:
            return
        if name not in self.waiting:
            if name != "c0-none":
                self.faults.append(f"{name}: an answer that nobody waits for: {str(answer)[:200]}")
        elif "error" in answer:
            self.count["refused"] += 1
            del self.waiting[name]
        elif answer.get("isDuringSearch"):
            self.count["reports"] += 1
        elif answer["turnNumber"] not in self.waiting[name]:
            self.faults.append(f"{name}: turn {answer['turnNumber']} was answered twice")
        else:
            self.count["positions"] += 1
            self.waiting[name].remove(answer["turnNumber"])
            if not self.waiting[name]:
                del self.waiting[name]

    def run(self):
        while not (self.ending and not self.waiting):
            if not self.ending and len(self.waiting) < WAITING_MAX:
                self.send_query()
                self.disturb()
            try:
                self.take(self.answers.get(timeout=0.01 if len(self.waiting) < WAITING_MAX else 1))
            except queue.Empty:
                pass


class Engine:
    def __init__(self, command, log):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
        )
        self.lock = threading.Lock()

    def send(self, line):
        with self.lock:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def pass_answers_on(self, clients):
        for line in self.process.stdout:
            answer = json.loads(line)
            name = answer.get("id", "")
            if isinstance(name, str) and name.startswith("c"):
                clients[int(name[1])].answers.put(answer)


def soak_analysis(options, log):
    command = [
        options.aji,
        "analysis",
        options.net,
        "--threads",
        "2",
        "--positions",
        "4",
        "--set",
        "engine.cache_mb=64",
    ]
    engine = Engine(command, log)
    watch = Watch(f"{options.out}/samples.csv")
    watch.processes["analysis"] = engine.process
    clients = [Client(number, engine, options.seed * 100 + number) for number in range(CLIENTS)]
    threading.Thread(target=engine.pass_answers_on, args=(clients,), daemon=True).start()
    for client in clients:
        client.start()
    end = time.time() + 60 * options.minutes
    while time.time() < end and engine.process.poll() is None:
        time.sleep(1)
    for client in clients:
        client.ending = True
    for client in clients:
        client.join(300)
    faults = [fault for client in clients for fault in client.faults]
    faults += [
        f"client {client.number}: no answer for {client.waiting}"
        for client in clients
        if client.waiting
    ]
    flat = watch.report()
    engine.process.stdin.close()
    if engine.process.wait(60) != 0:
        faults.append(f"aji analysis ended with code {engine.process.returncode}")
    print(
        ", ".join(
            f"{sum(client.count[what] for client in clients)} {what}" for what in clients[0].count
        )
    )
    return faults, flat


def soak_run(options, log):
    aji, run, rng = options.aji, f"{options.out}/run", random.Random(options.seed)
    # Without the limit of 16 MB, the memory of `aji train` would grow with its window of rows.
    more = kills.sets(kills.SETTINGS + ["loader.memory_mb=16"])
    subprocess.run(
        [aji, "learn", "--size", "5", "--run", run, "--time", "1s"] + more,
        stdout=log,
        stderr=log,
        check=True,
    )
    watch = Watch(f"{options.out}/samples.csv")
    roles = {
        role: kills.start([aji, role, "--run", run, "--time", "0"], log)
        for role in ("train", "gate")
    }
    watch.processes.update(roles)
    workers, came, killed, faults, before = [], 0, 0, [], {}
    end = time.time() + 60 * options.minutes
    while time.time() < end and not faults:
        if len(workers) < 3 and rng.random() < 0.3:
            process = kills.start([aji, "selfplay", "--run", run, "--time", "0"], log)
            workers.append(
                (
                    process,
                    time.time() + rng.uniform(3, 40),
                    rng.choice([signal.SIGTERM, signal.SIGKILL]),
                )
            )
            came += 1
        for worker in [worker for worker in workers if worker[1] < time.time()]:
            process, _, how = worker
            process.send_signal(how)
            code = process.wait()
            killed += how == signal.SIGKILL
            if code not in (0, -signal.SIGKILL):
                faults.append(f"a worker ended with code {code}")
            workers.remove(worker)
        faults += [
            f"aji {role} ended with code {process.returncode}"
            for role, process in roles.items()
            if process.poll() is not None
        ]
        time.sleep(0.2)
    flat = watch.report()
    for process in [worker[0] for worker in workers] + list(roles.values()):
        process.send_signal(signal.SIGTERM)
        if process.wait() != 0:
            faults.append(f"{process.args[1]} ended with code {process.returncode}")
    before = kills.state_of(run)
    subprocess.run([aji, "learn", "--run", run, "--time", "1s"], stdout=log, stderr=log, check=True)
    kills.check_kept(before, kills.state_of(run))
    games, rows = kills.check_run(aji, run)
    print(
        f"{came} workers, {killed} of them killed; {games} games, {rows} rows, "
        f"{len(os.listdir(f'{run}/nets'))} nets"
    )
    return faults, flat


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["analysis", "run"])
    parser.add_argument("out")
    parser.add_argument("net", nargs="?")
    parser.add_argument(
        "--aji", default=os.path.join(os.path.dirname(__file__), "..", "build", "release", "aji")
    )
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.what == "analysis" and not options.net:
        parser.error("analysis needs a net")
    options.aji = os.path.abspath(options.aji)
    shutil.rmtree(options.out, ignore_errors=True)
    os.makedirs(options.out)
    with open(f"{options.out}/log.txt", "w", encoding="utf-8") as log:
        faults, flat = (
            soak_analysis(options, log) if options.what == "analysis" else soak_run(options, log)
        )
    for fault in faults[:20]:
        print("FAULT:", fault)
    print(f"{len(faults)} faults; memory and descriptors", "flat" if flat else "NOT flat")
    return 1 if faults or not flat else 0


if __name__ == "__main__":
    sys.exit(main())
