#!/usr/bin/env python3
"""Sends what a broken, hasty or hostile client may send: malformed, incomplete, huge and
interleaved lines, and 1,000 queries at once. Each line must get its answer, and the engine must go
on.

  hard_input.py [--queries N] AJI NET

AJI is the built program, NET a net file or `uniform`. The exit code is 1 if a check failed."""

import argparse
import json
import os
import resource
import subprocess
import sys
import threading
import time

from gtp import seeded

FAULTS = []


def check(good, what):
    print(("  ok    " if good else "  FAULT ") + what, flush=True)
    if not good:
        FAULTS.append(what)


def run(command, text, seconds=300):
    """Sends all of `text` at once and ends the input. Returns exit code, output, error output."""
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        out, err = process.communicate(text, timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        return "no end", out, err
    return process.returncode, out, err


def peak_mb():
    """Returns the maximum memory, in MB, of the largest program that has ended so far."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


class Talk:
    """A running program to which text is sent piece by piece."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def line(self):
        return self.process.stdout.readline().decode(errors="replace").rstrip("\n")

    def end(self, seconds=30):
        self.process.stdin.close()
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "no end"


# GTP


def answers_of(out):
    """Returns the first line of each answer."""
    blocks = [block for block in out.decode(errors="replace").split("\n\n") if block.strip()]
    return [block.strip("\n").split("\n")[0] for block in blocks]


def gtp_in_pieces(gtp):
    talk = Talk(gtp)
    for piece in (b"7 na", b"m", b"e\n8 ver", b"sion\r\n9\tprotocol_version   # so it is\n"):
        talk.write(piece)
        time.sleep(0.1)
    got = [talk.line() for _ in range(6)]
    check(
        got[0] == "=7 Aji" and got[2].startswith("=8 ") and got[4] == "=9 2",
        f"lines in pieces, with tabs, comments and CR LF: {got}",
    )
    check(talk.end() == 0, "the end of the input ends the engine")


def gtp_nonsense(gtp, rng):
    noise = bytes(rng.randrange(256) for _ in range(200000))
    code, out, _ = run(gtp, noise + b"\n77 name\n")
    check(
        code == 0 and out.endswith(b"=77 Aji\n\n"),
        f"200,000 random bytes: {len(answers_of(out))} answers, exit code {code}",
    )
    huge = (
        b"1 "
        + b"x" * (64 << 20)
        + b"\n2 play b "
        + b"9" * (8 << 20)
        + b"\n3 kata-set-rules "
        + b"[" * (4 << 20)
        + b"\n4 name\n"
    )
    code, out, _ = run(gtp, huge)
    got = answers_of(out)
    check(
        code == 0 and len(got) == 4 and got[3] == "=4 Aji",
        f"lines of 64, 8 and 4 MB: {[line[:60] for line in got]}",
    )
    check(peak_mb() < 1500, f"no engine has used more than {peak_mb()} MB of memory")
    code, out, _ = run(gtp, b"1 name\n2 genmo")
    check(
        code == 0 and answers_of(out)[0] == "=1 Aji", f"half a line at the end: {answers_of(out)}"
    )


def gtp_interleaved(gtp):
    lines = ["1 boardsize 9", "2 clear_board"]
    commands = ["kata-analyze b 1", "name", "lz-analyze 1", "play b pass", "undo"]
    commands.append("kata-analyze interval 1 ownership true")
    lines += [f"{i} {commands[i % 6]}" for i in range(3, 603)]
    lines += [
        "603 genmove b",
        "604 kata-search_analyze_cancellable w 1",
        "605 kata-analyze 1",
        "606 genmove w",
        "607 name",
    ]
    code, out, _ = run(gtp, ("\n".join(lines) + "\n").encode())
    numbers = [int(line[1:].split()[0]) for line in answers_of(out)]
    check(
        code == 0 and numbers == list(range(1, 608)),
        f"607 commands at once, 300 of them analyses: {len(numbers)} answers in order",
    )
    talk = Talk(gtp)
    talk.write(b"boardsize 9\nkata-analyze b 5\n")
    for _ in range(6):
        talk.line()
    begun = time.monotonic()
    talk.write(b"99 name\n")
    while True:
        line = talk.line()
        if line.startswith("=99"):
            break
    check(
        time.monotonic() - begun < 2,
        f"a command ends an analysis within {time.monotonic() - begun:.2f} s",
    )
    check(talk.end() == 0, "the end of the input ends the engine")
    talk = Talk(gtp)
    talk.write(b"kata-analyze b 5\n")
    talk.line()
    check(talk.end(10) == 0, "the end of input ends an analysis")


def gtp_without_reader(gtp):
    reading, writing = os.pipe()
    process = subprocess.Popen(
        gtp, stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.DEVNULL
    )
    os.close(writing)
    os.close(reading)
    process.stdin.write(b"name\nname\n")
    process.stdin.flush()
    try:
        code = process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        code = "no end"
    check(code not in (0, "no end"), f"a client that no longer reads: exit code {code}")


# Analysis


def query(name, **more):
    return {
        "id": name,
        "boardXSize": 9,
        "boardYSize": 9,
        "rules": "tromp-taylor",
        "komi": 7,
        "moves": [],
        "maxVisits": 2,
        **more,
    }


def as_lines(objects):
    return "".join(json.dumps(one) + "\n" for one in objects).encode()


def parsed(out):
    return [json.loads(line) for line in out.decode().splitlines()]


def many_queries(analysis, count, rng):
    asked = []
    for i in range(count):
        moves, free = [], [x + str(y) for x in "ABCDEFGHJ" for y in range(1, 10)]
        rng.shuffle(free)
        for k in range(i % 12):
            moves.append(["BW"[k % 2], free[k]])
        asked.append(query(f"q{i}", moves=moves, priority=i % 3))
    begun = time.monotonic()
    code, out, err = run(analysis, as_lines(asked), 600)
    got = parsed(out)
    names = [one["id"] for one in got if "rootInfo" in one and not one["isDuringSearch"]]
    check(
        code == 0 and len(got) == count and sorted(names) == sorted(one["id"] for one in asked),
        f"{count} queries at once: {len(got)} answers, {len(set(names))} different, "
        f"{time.monotonic() - begun:.1f} s, exit code {code}",
    )


def given_up_queries(analysis, count):
    asked = []
    for i in range(count):
        asked.append(query(f"q{i}", maxVisits=200))
        if i % 2:
            asked.append({"id": f"t{i}", "action": "terminate", "terminateId": f"q{i - 1}"})
    asked.append({"id": "all", "action": "terminate_all"})
    code, out, _ = run(analysis, as_lines(asked), 600)
    got = parsed(out)
    ends = [one["id"] for one in got if "action" not in one and not one.get("isDuringSearch")]
    check(
        code == 0
        and sorted(ends) == sorted(f"q{i}" for i in range(count))
        and len(got) == len(asked),
        f"{count} queries, all terminated: {len(ends)} last answers, {len(got)} lines, exit code "
        f"{code}",
    )


def broken_lines():
    """Yields pairs of a malformed line and whether its answer can have the id."""
    good = json.dumps(query("x"))
    yield from (
        (line, False)
        for line in (
            b"{",
            b"}",
            b"[]",
            b"null",
            b"1",
            b'"a"',
            b"{}",
            b'{"id":5}',
            b"\xff\xfe{",
            b"{'id':'a'}",
            b"\xef\xbb\xbfnot json",
            good[:40].encode(),
            b'{"id":"a\x01"}',
            b"[" * 100000,
            b'{"id":' * 50000,
        )
    )
    for name, value in (
        ("boardXSize", 0),
        ("boardXSize", 20),
        ("boardXSize", 1e300),
        ("boardYSize", "9"),
        ("rules", "chess"),
        ("rules", {"ko": 3}),
        ("komi", 1e9),
        ("komi", "x"),
        ("komi", 7.3),
        ("moves", 5),
        ("moves", [["B"]]),
        ("moves", [["B", "Z99"]]),
        ("moves", [["X", "A1"]]),
        ("moves", [["B", "A1"], ["W", "A1"]]),
        ("moves", [["B", "A1"]] * 20000),
        ("analyzeTurns", [-1]),
        ("analyzeTurns", [5]),
        ("analyzeTurns", [1e30]),
        ("maxVisits", 0),
        ("maxVisits", -5),
        ("maxVisits", 1e40),
        ("priority", "high"),
        ("initialStones", [["B", "pass"]]),
        ("initialPlayer", "X"),
        ("avoidMoves", [{}]),
        ("allowMoves", 3),
        ("overrideSettings", []),
        ("overrideSettings", {"cpuctExploration": "nan"}),
        ("reportDuringSearchEvery", -1),
        ("includePolicy", "yes"),
    ):
        yield json.dumps(query("bad", **{name: value})).encode(), True


def malformed_queries(analysis):
    lines = list(broken_lines())
    text = b"".join(
        line + b"\n" + as_lines([query(f"after{i}")]) for i, (line, _) in enumerate(lines)
    )
    code, out, err = run(analysis, text, 600)
    got = parsed(out)
    after = {
        one["id"] for one in got if str(one.get("id", "")).startswith("after") and "rootInfo" in one
    }
    errors = [one for one in got if "error" in one]
    named = [one for one in errors if one.get("id") == "bad"]
    wanted = sum(1 for _, has_id in lines if has_id)
    check(
        code == 0 and len(after) == len(lines),
        f"{len(lines)} malformed lines, a good one after each: {len(after)} answered, exit code "
        f"{code}",
    )
    check(
        len(errors) == len(lines) and len(named) == wanted,
        f"each malformed line is reported: {len(errors)} errors, {len(named)} with id",
    )


def late_reader(analysis):
    """Sends all lines before it reads anything."""
    text = b'{"id":"x","action":"nonsense"}\n' * 20000 + as_lines([query("last")])
    process = subprocess.Popen(
        analysis, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    sender = threading.Thread(
        target=lambda: (process.stdin.write(text), process.stdin.close()), daemon=True
    )
    sender.start()
    sender.join(60)
    sent = not sender.is_alive()
    if not sent:
        process.kill()
    lines = process.stdout.read().decode().splitlines()
    check(
        sent and process.wait() == 0 and len(lines) == 20001,
        f"20,001 lines sent before any answer is read: sent {sent}, {len(lines)} answers",
    )


def huge_queries(analysis):
    long_id = "i" * 500000
    text = (
        as_lines([query(long_id)])
        + b'{"id":"'
        + b"y" * (64 << 20)
        + b'"}\n'
        + as_lines([query("last", moves=[["B", "pass"], ["W", "pass"]] * 400)])
    )
    code, out, _ = run(analysis, text)
    got = parsed(out)
    names = [one.get("id") for one in got]
    check(
        code == 0 and long_id in names and "last" in names and len(got) == 3,
        f"an id of 500,000 bytes, a line of 64 MB, 800 passes: {len(got)} answers, "
        f"{[len(json.dumps(one)) for one in got]} bytes",
    )
    check(peak_mb() < 1500, f"no engine has used more than {peak_mb()} MB of memory")


def analysis_in_pieces(analysis):
    talk = Talk(analysis)
    data = as_lines([query("a")]) + b"\r\n\n  \n" + as_lines([query("b")])
    for i in range(0, len(data), 25):
        talk.write(data[i : i + 25])
        time.sleep(0.01)
    got = {json.loads(talk.line())["id"] for _ in range(2)}
    check(got == {"a", "b"}, f"queries in pieces of 25 bytes, blank lines: {sorted(got)}")
    talk.write(
        as_lines([query("c", maxVisits=100000, reportDuringSearchEvery=0.05)]) + b'{"id":"half'
    )
    check(
        json.loads(talk.line())["isDuringSearch"],
        "while the engine has half a line, it sends answers during the search",
    )
    talk.write(b'","action":"terminate","terminateId":"c"}\n')
    while True:
        one = json.loads(talk.line())
        if one["id"] == "c" and not one["isDuringSearch"]:
            break
    check(
        one["rootInfo"]["visits"] < 100000,
        f"the other half of the line terminates the search, at {one['rootInfo']['visits']} visits",
    )
    check(talk.end() == 0, "the end of the input ends the engine")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("aji")
    parser.add_argument("net")
    options = parser.parse_args()
    rng = seeded(1)
    gtp = [options.aji, "gtp", "--net", options.net, "--visits", "20"]
    analysis = [options.aji, "analysis", "--net", options.net]
    print("GTP")
    gtp_in_pieces(gtp)
    gtp_nonsense(gtp, rng)
    gtp_interleaved(gtp)
    gtp_without_reader(gtp)
    print("analysis in JSON")
    analysis_in_pieces(analysis)
    many_queries(analysis, options.queries, rng)
    given_up_queries(analysis, options.queries)
    malformed_queries(analysis)
    late_reader(analysis)
    huge_queries(analysis)
    print(f"{len(FAULTS)} faults")
    sys.exit(1 if FAULTS else 0)


if __name__ == "__main__":
    main()
