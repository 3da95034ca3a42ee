#!/usr/bin/env python3
"""Keeps fifty clients at work on one `aji serve`, and measures what one player then feels.

    bench/soak_serve.py OUT NET [--aji build/release/aji] [--minutes 60] [--clients 50] [--seed 1]

The clients are:

- one player, who plays one game of 9x9 after another. Before each move, the player asks for an
  analysis, as the page does, and the script measures the time until its first answer. It also
  measures the time from the player's move to the answer of the engine (16 visits).
- one client that sends queries and reads no answer. When it is cut off, it comes back.
- one client that sends garbage: broken JSON, unknown requests, bytes that are not UTF-8, frames
  that break the protocol. When it is cut off, it comes back.
- one client that floods the server with queries of two visits as fast as the server takes them.
- all other clients sweep games, as the page does when it reviews a game: all positions with 16
  visits, then all positions with 200 visits. Half of the games are 9x9, the others 13x13 and 19x19.

Every five seconds OUT/samples.csv gets the memory and the descriptors of the server. At the end a
table shows their medians in six equal parts of the time (bench/soak.py says when they are flat).
The exit code is 1 if they are not flat, if a query of a player or of a sweeping client is answered
wrongly or not at all, if the server ends with a fault, or if less than 95% of the player's first
answers came within 200 ms. It needs the Debian package python3-websocket.
"""
import argparse
import json
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time

import websocket

import soak

PATIENCE_SECONDS = 600  # for the answer to a position of a sweep
FIRST_SECONDS = 0.2
GARBAGE = [
    "{",
    "no query",
    '{"id":1}',
    '{"op":"fly","id":"x"}',
    "[1,2",
    "\x01",
    "x" * 200000,
    "",
    '{"id":"g","moves":[["B","Z99"]],"rules":"chinese","boardXSize":9,"boardYSize":9}',
]
BROKEN_FRAMES = [
    b"\xff\xff\xff\xff",
    b"\x82\x80\x00\x00\x00\x00",
    b"\x81\x01x",
    b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff",
    b"\x81\x82\x00\x00\x00\x00\xc3\x28",
]


class Over(Exception):
    """The test is over."""


class Client(threading.Thread):
    """A client that works until `over` is set. work() may raise OSError or a WebSocket error; then
    the client connects again if it expects to be cut off, and notes a fault otherwise."""

    expects_cuts = False
    path = "/ws/analysis"

    def __init__(self, number, address, over, seed):
        super().__init__(daemon=True)
        self.number, self.address, self.over = number, address, over
        self.rng = random.Random(seed * 1000 + number)
        self.faults, self.count, self.cuts = [], 0, 0

    def run(self):
        while not self.over.is_set():
            try:
                link = websocket.create_connection("ws://" + self.address + self.path, timeout=5)
                try:
                    self.work(link)
                finally:
                    link.close(timeout=1)
            except Over:
                return
            except (OSError, websocket.WebSocketException, AssertionError) as error:
                if self.over.is_set():
                    return
                self.cuts += 1
                if not self.expects_cuts:
                    self.faults.append("client %d: %r" % (self.number, error))
                self.over.wait(0.5)

    def receive(self, link, seconds=PATIENCE_SECONDS):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.over.is_set():
                raise Over()
            try:
                return json.loads(link.recv())
            except websocket.WebSocketTimeoutException:
                pass
        raise AssertionError("no answer in %d s" % seconds)

    def work(self, link):
        raise NotImplementedError


def random_game(rng, size, moves):
    points = ["%s%d" % (soak.LETTERS[x], y + 1) for x in range(size) for y in range(size)]
    rng.shuffle(points)
    return {
        "boardXSize": size,
        "boardYSize": size,
        "rules": "chinese",
        "komi": 7,
        "moves": [["BW"[i % 2], point] for i, point in enumerate(points[:moves])],
    }


class Sweeper(Client):
    def work(self, link):
        while not self.over.is_set():
            size = self.rng.choice([9, 9, 9, 13, 13, 19])
            game = random_game(self.rng, size, size * size // 3)
            turns = list(range(len(game["moves"]) + 1))
            for visits in (16, 200):
                self.count += 1
                name = "%d-%d" % (self.number, self.count)
                link.send(
                    json.dumps(
                        {
                            **game,
                            "id": name,
                            "analyzeTurns": turns,
                            "maxVisits": visits,
                            "includeOwnership": visits > 16,
                        }
                    )
                )
                waiting = set(turns)
                while waiting:
                    answer = self.receive(link)
                    if "Illegal move" in answer.get("error", ""):
                        break  # a random move was a suicide
                    assert answer["id"] == name and "error" not in answer, str(answer)[:200]
                    if not answer.get("isDuringSearch"):
                        waiting.remove(answer["turnNumber"])


class Reader(Client):
    """Reads nothing."""

    expects_cuts = True

    def work(self, link):
        while not self.over.is_set():
            game = random_game(self.rng, 19, 60)
            link.send(
                json.dumps(
                    {
                        **game,
                        "id": "r",
                        "maxVisits": 2,
                        "includePolicy": True,
                        "includeOwnership": True,
                        "analyzeTurns": list(range(61)),
                    }
                )
            )
            self.count += 1


class Babbler(Client):
    expects_cuts = True

    def work(self, link):
        while not self.over.is_set():
            self.count += 1
            if self.rng.random() < 0.1:
                link.sock.sendall(self.rng.choice(BROKEN_FRAMES))
            elif self.rng.random() < 0.1:
                link.send_binary(self.rng.randbytes(self.rng.randrange(1000)))
            else:
                link.send(self.rng.choice(GARBAGE))
            link.settimeout(0.05)
            try:
                link.recv()
            except websocket.WebSocketTimeoutException:
                pass


class Flooder(Client):
    def run(self):
        try:
            link = websocket.create_connection("ws://" + self.address + self.path, timeout=5)
        except OSError as error:
            self.faults.append("client %d: %r" % (self.number, error))
            return
        link.settimeout(None)
        threading.Thread(target=self.read, args=(link,), daemon=True).start()
        while not self.over.is_set():
            game = random_game(self.rng, 9, 20)
            try:
                link.send(json.dumps({**game, "id": "f%d" % self.count, "maxVisits": 2}))
            except (OSError, websocket.WebSocketException):
                return
            self.count += 1

    def read(self, link):
        try:
            while not self.over.is_set():
                link.recv()
        except (OSError, websocket.WebSocketException) as error:
            if not self.over.is_set():
                self.faults.append("client %d: %r" % (self.number, error))


class Player(Client):
    path = "/ws"

    def __init__(self, *words):
        super().__init__(*words)
        self.first, self.moves = [], []

    def ask(self, link, request):
        """Sends a request, and returns its answer. Other messages are dropped."""
        self.count += 1
        name = str(self.count)
        link.send(json.dumps({**request, "id": name}))
        while True:
            answer = self.receive(link)
            if name in (answer.get("id"), answer.get("answer", {}).get("id")):
                assert "error" not in answer, str(answer)[:200]
                return answer

    def analyse(self, link, state):
        query = {
            "boardXSize": 9,
            "boardYSize": 9,
            "rules": "chinese",
            "komi": state["komi"],
            "moves": state["moves"],
            "maxVisits": 400,
            "reportDuringSearchEvery": 0.25,
            "firstReportDuringSearchAfter": 0.05,
            "includeOwnership": True,
            "priority": 1000,
        }
        begin = time.monotonic()
        answer = self.ask(link, {"op": "analysis", "query": query})
        self.first.append(time.monotonic() - begin)
        self.ask(link, {"op": "analysis.stop", "target": answer["answer"]["id"]})
        moves = sorted(answer["answer"]["moveInfos"], key=lambda info: info["order"])
        return moves[0]["move"]

    def play(self, link, game, state):
        while state["phase"] == "play" and len(state["moves"]) < 80 and not self.over.is_set():
            move = self.analyse(link, state)
            at = len(state["moves"])
            begin = time.monotonic()
            self.ask(link, {"op": "game.play", "game": game, "move": move, "at": at})
            while len(state["moves"]) < at + 2 and state["phase"] == "play":
                message = self.receive(link)
                if message.get("topic") == "game":
                    assert "error" not in message["state"], message["state"]["error"]
                    state = message["state"]
            self.moves.append(time.monotonic() - begin)
            self.over.wait(self.rng.uniform(0.5, 2))  # the player thinks

    def work(self, link):
        while not self.over.is_set():
            opened = self.ask(
                link,
                {
                    "op": "game.new",
                    "width": 9,
                    "height": 9,
                    "color": "B",
                    "rules": "chinese",
                    "komi": 7,
                    "handicap": 0,
                    "visits": 16,
                },
            )
            self.play(link, opened["game"], opened["state"])


def read_words():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out")
    parser.add_argument("net")
    parser.add_argument(
        "--aji", default=os.path.join(os.path.dirname(__file__), "..", "build", "release", "aji")
    )
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def times_text(name, times):
    if not times:
        return "%s: none" % name
    ordered = sorted(1000 * seconds for seconds in times)
    at = [ordered[min(len(ordered) - 1, int(part * len(ordered)))] for part in (0.5, 0.95, 0.99)]
    within = sum(seconds <= FIRST_SECONDS for seconds in times) / len(times)
    return (
        "%s: %d, median %.0f ms, 95%% within %.0f ms, 99%% within %.0f ms, longest %.0f ms; "
        "%.1f%% within %.0f ms"
        % (name, len(times), *at, ordered[-1], 100 * within, 1000 * FIRST_SECONDS)
    )


def work(words, server, log):
    address = re.search(r"http://([^/]+)/", server.stdout.readline()).group(1)
    threading.Thread(target=shutil.copyfileobj, args=(server.stdout, log), daemon=True).start()
    watch = soak.Watch(os.path.join(words.out, "samples.csv"))
    watch.processes["serve"] = server
    over = threading.Event()
    kinds = [Player, Reader, Babbler, Flooder]
    kinds += [Sweeper] * (words.clients - len(kinds))
    clients = [kind(number, address, over, words.seed) for number, kind in enumerate(kinds)]
    for client in clients:
        client.start()
    player, begin, end = clients[0], time.time(), time.time() + 60 * words.minutes
    while time.time() < end and server.poll() is None:
        time.sleep(min(60, max(0.1, end - time.time())))
        print(
            "%4.1f of %g minutes; %s"
            % (
                (time.time() - begin) / 60,
                words.minutes,
                times_text("first answers", player.first),
            ),
            flush=True,
        )
    flat = watch.report()
    over.set()
    for client in clients:
        client.join(30)
    faults = [fault for client in clients for fault in client.faults]
    sweeps = sum(client.count for client in clients[4:])
    print(
        "%d sweeps; %d queries of the flooding client; the client that reads nothing was cut off "
        "%d times, the one with garbage %d times"
        % (sweeps, clients[3].count, clients[1].cuts, clients[2].cuts)
    )
    print(times_text("first answers of analysis", player.first))
    print(times_text("answers to moves", player.moves))
    if not sweeps or not clients[1].cuts or not clients[2].cuts or not player.first:
        faults.append("some kind of client did no work")
    elif statistics.quantiles(player.first, n=20)[-1] > FIRST_SECONDS:
        faults.append("the player's first answers are late")
    return faults, flat


def main():
    words = read_words()
    shutil.rmtree(words.out, ignore_errors=True)
    os.makedirs(words.out)
    with open(os.path.join(words.out, "log.txt"), "w", encoding="utf-8") as log:
        with subprocess.Popen(
            [
                words.aji,
                "serve",
                words.net,
                "--port",
                "0",
                "--games",
                os.path.join(words.out, "games"),
            ],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as server:
            try:
                faults, flat = work(words, server, log)
            finally:
                server.send_signal(signal.SIGTERM)
            if server.wait(60) != 0:
                faults.append("aji serve ended with code %d" % server.returncode)
    for fault in faults[:20]:
        print("FAULT:", fault)
    print("%d faults; memory and descriptors %s" % (len(faults), "flat" if flat else "NOT flat"))
    return 1 if faults or not flat else 0


if __name__ == "__main__":
    sys.exit(main())
