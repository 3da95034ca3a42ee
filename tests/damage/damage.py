#!/usr/bin/env python3
"""Damages files of every kind, and checks that Aji refuses each, sets it aside, or repairs it with
a message.

    tests/damage/damage.py OUT [--cases 10000] [--seed 1] [--aji build/release/aji] [--only WORD]

The first call makes small runs, matches and an experiment in OUT/sample (world.py). A case damages
one file in a copy (wounds.py, versions.py) and runs the commands that read it. It is a fault if

  - a command crashes, hangs, or prints the report of a sanitizer;
  - a command ends with an error whose message does not name the file;
  - a command succeeds without a message that names the file, although what it prints or leaves
    differs from what the undamaged file gives;
  - a number that is not finite appears.

Some files have no checksum: text that people or other programs write (settings, SGF), and nets of
KataGo and lc0 that are not packed. If such a file is still valid after the damage, no message is
needed. The same holds for a file as another version of Aji would write it.
The damaged file and the output of each fault are kept in OUT/fault-N. The exit code is 1 if there
was a fault."""
import argparse
import collections
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

from world import World, subjects
from wounds import BYTES, TEXT, Others, block_at

SANITIZER = re.compile(
    r"AddressSanitizer|LeakSanitizer|UndefinedBehaviorSanitizer|runtime error:|ThreadSanitizer"
)
NOT_FINITE = re.compile(r"(?<![a-z])[-+]?(nan|inf)(?![a-z])", re.IGNORECASE)
NOISE = [
    (re.compile(r", [\d.]+ s, \d+ evaluations/s"), ""),
    (re.compile(r"\d+ of \d+ games.*\n"), ""),
    (re.compile(r"evaluations a second: .*|\(\d+/s\)|^.*  time .*$", re.M), ""),
    (
        re.compile(r"^\S+  rating +\d+%  .*\n", re.M),
        "",
    ),  # a slow machine shows this line more often
    (re.compile(r'"(seconds|time)": ?[\d.e+-]+'), ""),
]
LINKED = (
    ".aji",
    ".npz",
    ".sgf",
    ".sgfs",
    ".count",
    ".gz",
    ".bin",
    ".txt",
    ".pb",
)  # never changed in place, so not copied but linked
VERDICTS = ["unchanged", "refused", "set aside", "repaired", "valid", "FAULT"]


class Answer:
    """What a command did: code (None: it hung), stdout, messages (stderr and the new lines of
    log.txt), facts."""

    def __init__(self, code, out, messages, facts):
        self.code, self.out, self.messages, self.facts = code, out, messages, facts


def clean(text):
    for pattern, instead in NOISE:
        text = pattern.sub(instead, text)
    return text


def read_text(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


class Harness:
    def __init__(self, options):
        self.options = options
        self.aji = os.path.abspath(options.aji)
        self.sample, self.case = f"{options.out}/sample", f"{options.out}/case"
        self.subjects = [subject for subject in subjects() if options.only in subject.kind]
        self.trees, self.contents, self.whole = {}, {}, {}
        self.table = {subject.kind: collections.Counter() for subject in self.subjects}
        self.faults = []

    def prepare(self):
        if not os.path.exists(f"{self.sample}/done"):
            World(self.aji, self.sample).make()
            open(f"{self.sample}/done", "w", encoding="utf-8").close()
        for subject in self.subjects:
            for pattern in subject.patterns:
                subject.paths += sorted(
                    glob.glob(f"{self.sample}/{subject.place}/{pattern}", recursive=True)
                )
            if not subject.paths:
                sys.exit(f"the sample has no {subject.kind}")
        for place in os.listdir(self.sample):
            names = []
            for folder, folders, files in os.walk(f"{self.sample}/{place}"):
                inner = os.path.relpath(folder, f"{self.sample}/{place}")
                names += [(os.path.join(inner, name), True) for name in folders]
                names += [(os.path.join(inner, name), False) for name in files]
            self.trees[place] = names

    def read(self, path):
        if path not in self.contents:
            with open(path, "rb") as file:
                self.contents[path] = file.read()
        return self.contents[path]

    def copy(self, place, without=None):
        shutil.rmtree(self.case, ignore_errors=True)
        os.makedirs(self.case)
        for name, is_folder in self.trees[place]:
            source, target = f"{self.sample}/{place}/{name}", f"{self.case}/{name}"
            if is_folder:
                os.mkdir(target)
            elif os.path.normpath(source) == without:
                continue
            elif name.endswith(LINKED) and not name.endswith("log.txt"):
                os.link(source, target)
            else:
                shutil.copyfile(source, target)

    def run(self, probe, name):
        """Runs a probe in the copy. `name` is the file within it."""
        names = {"file": name, "net": self.net, "nets": "6"}
        words = [word.format(**names) for word in probe.words]
        talk = probe.talk.replace("{file}", name)
        logs = glob.glob(f"{self.case}/**/log.txt", recursive=True)
        before = {log: len(read_text(log)) for log in logs}
        process = subprocess.Popen(
            [self.aji] + words,
            cwd=self.case,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )
        code, seconds = None, probe.seconds * self.options.patience
        try:
            out, err = process.communicate(talk, timeout=seconds)
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            try:
                out, err = process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
                err += "\nIT DID NOT END\n"
        for log in glob.glob(f"{self.case}/**/log.txt", recursive=True):
            err += read_text(log)[before.get(log, 0) :]
        return Answer(code, clean(out), clean(err), probe.facts(self.case) if probe.facts else {})

    def answer_of_whole(self, subject, path, probe):
        """Returns the answer of the probe if nothing is damaged."""
        key = (
            subject.place,
            probe.name,
            tuple(probe.words),
            os.path.basename(path) if "{file}" in " ".join(probe.words) + probe.talk else "",
        )
        if key not in self.whole:
            self.copy(subject.place)
            if probe.before:
                probe.before(self.case)
            answer = self.run(probe, self.inner(subject, path))
            if answer.code != 0:
                sys.exit(
                    f"{subject.kind}, {probe.name}: code {answer.code} although nothing is "
                    f"damaged\n{answer.out}"
                    f"{answer.messages}"
                )
            self.whole[key] = answer
        return self.whole[key]

    def inner(self, subject, path):
        return os.path.relpath(path, f"{self.sample}/{subject.place}")

    @property
    def net(self):
        return os.path.basename(sorted(glob.glob(f"{self.sample}/alone/nets/*"))[0])

    def wound(self, subject, path, rng):
        """Returns damaged contents for the file, and the name of the damage."""
        data = self.read(path)
        ending = os.path.basename(path).rsplit(".", 1)[-1]
        siblings = [
            self.read(other)
            for other in subject.paths
            if other != path and os.path.basename(other).rsplit(".", 1)[-1] == ending
        ]
        strangers = [self.read(rng.choice(other.paths)) for other in rng.sample(self.subjects, 1)]
        ways = BYTES + (TEXT if subject.text else [])
        for _ in range(100):
            if subject.versions and rng.random() < 0.08:
                way = rng.choice(subject.versions)
                changed = way(data, rng)
            else:
                way = rng.choice(ways)
                changed = way(data, Others(siblings, strangers), rng) if data else b"\0"
            if changed is not None and changed != data:
                return way.__name__.replace("_", " "), changed
        return "nothing", data

    def judge(self, subject, probe, whole, answer, name, old, changed):
        """Returns a verdict and the reason. `old` says that the file is as another version would
        write it, or that another undamaged file took its place, which Aji cannot notice. Such a
        file may give other results without a message. So may a journal of SQLite that lacks its
        end, as after a loss of power."""
        text = answer.out + answer.messages
        if answer.code is None:
            stopped = "IT DID NOT END" not in text
            valid = subject.text and stopped
            return ("valid", "it worked until SIGTERM ended it") if valid else ("FAULT", "it hangs")
        if SANITIZER.search(text):
            return "FAULT", "the report of a sanitizer"
        if answer.code < 0 or answer.code > 2:
            return "FAULT", f"it crashes, code {answer.code}"
        numbers = "\n".join(
            line for line in answer.out.splitlines() if not line.startswith("?")
        )  # "?": GTP refuses
        if NOT_FINITE.search(numbers) and not NOT_FINITE.search(whole.out):
            return "FAULT", "a number that is not finite"
        stem = (
            os.path.basename(name).removesuffix("-wal").removesuffix("-shm").removesuffix(".count")
        )
        known = set(whole.messages.splitlines())
        lines = answer.messages.splitlines() + [
            line
            for line in answer.out.splitlines()
            if line.startswith("?") or '"error"' in line or line.startswith("broken: ")
        ]
        named = [line for line in lines if stem in line and line not in known]
        if answer.code and subject.text and self.quotes(answer.messages, changed):
            return "refused", answer.messages
        if answer.code:
            return (
                ("refused", named[0])
                if named
                else ("FAULT", "the message of the error does not name the file")
            )
        same = not probe.exact or (
            answer.out == whole.out and self.same_facts(whole.facts, answer.facts, name)
        )
        if named:
            aside = any("set aside" in line for line in named)
            return "set aside" if aside else "repaired", named[0]
        if same:
            return "unchanged", ""
        shorter = name.endswith("-wal") and self.read(
            f"{self.sample}/{subject.place}/{name}"
        ).startswith(changed)
        return (
            ("valid", "")
            if subject.text or old or shorter
            else ("FAULT", "other numbers without a message")
        )

    @staticmethod
    def quotes(messages, changed):
        """Whether a message contains a word of the damaged text, such as a value or the name of a
        setting."""
        text = changed.decode(errors="replace")
        return any(len(word) > 4 and word in text for word in re.findall(r"[^\s\":]+", messages))

    @staticmethod
    def same_facts(whole, now, name):
        inner = name.split("/", 1)[-1]
        keys = (set(whole) | set(now)) - {inner}
        return all(whole.get(key) == now.get(key) for key in keys)

    def go(self, number):
        rng = random.Random(f"{self.options.seed} {number}")
        subject = rng.choices(self.subjects, [subject.weight for subject in self.subjects])[0]
        path = rng.choice(subject.paths)
        name = self.inner(subject, path)
        way, changed = self.wound(subject, path, rng)
        old = (
            way == "sibling"
            and subject.kind == "rows"
            or any(way == version.__name__.replace("_", " ") for version in subject.versions)
        )
        verdicts = []
        probes = [
            probe for probe in subject.probes if rng.random() < probe.share
        ] or subject.probes[:1]
        for probe in probes:
            whole = self.answer_of_whole(subject, path, probe)
            self.copy(subject.place, without=os.path.normpath(path))
            with open(f"{self.case}/{name}", "wb") as file:
                file.write(changed)
            if probe.before:
                try:
                    probe.before(self.case)
                except Exception:  # `before` failed, because the file that it changes is damaged
                    continue
            answer = self.run(probe, name)
            verdict, why = self.judge(subject, probe, whole, answer, name, old, changed)
            verdicts.append(verdict)
            if self.options.verbose:
                print(f"{number}: {name}, {way}, {probe.name}: {verdict} {why}")
            if verdict == "FAULT":
                self.keep(number, subject, name, way, probe, answer, whole, changed, why)
        worst = max(verdicts, key=VERDICTS.index) if verdicts else "unchanged"
        self.table[subject.kind][worst] += 1

    def keep(self, number, subject, name, way, probe, answer, whole, changed, why):
        place = f"{self.options.out}/fault-{number}"
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        with open(f"{place}/{os.path.basename(name)}", "wb") as file:
            file.write(changed)
        with open(f"{place}/said", "w", encoding="utf-8") as file:
            file.write(
                f"{answer.out}\n----\n{answer.messages}\n---- "
                f"whole:\n{whole.out}\n----\n{whole.messages}\n"
            )
            for key in sorted(set(whole.facts) | set(answer.facts)):
                if whole.facts.get(key) != answer.facts.get(key):
                    file.write(f"{key}: {whole.facts.get(key)} -> {answer.facts.get(key)}\n")
        print(f"FAULT {number}: {subject.kind}, {name}: {way}; {probe.name}: {why}", flush=True)
        self.faults.append((subject.kind, way, probe.name, why))


def print_table(table):
    kinds = [kind for kind in table if sum(table[kind].values())]
    width = max(map(len, kinds))
    print(f"{'':{width}}  {'cases':>6}" + "".join(f"{verdict:>11}" for verdict in VERDICTS))
    total = collections.Counter()
    for kind in kinds:
        counts = table[kind]
        total.update(counts)
        print(
            f"{kind:{width}}  {sum(counts.values()):6}"
            + "".join(f"{counts[verdict]:11}" for verdict in VERDICTS)
        )
    print(
        f"{'all':{width}}  {sum(total.values()):6}"
        + "".join(f"{total[verdict]:11}" for verdict in VERDICTS)
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out")
    parser.add_argument(
        "--aji", default=os.path.join(os.path.dirname(__file__), "../../build/release/aji")
    )
    parser.add_argument("--cases", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="start")
    parser.add_argument("--only", default="", help="kinds of files with this word")
    parser.add_argument("--patience", type=float, default=1, help="a factor for all limits of time")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.out = os.path.abspath(options.out)
    os.makedirs(options.out, exist_ok=True)
    harness = Harness(options)
    harness.prepare()
    began = shown = time.time()
    for number in range(options.start, options.start + options.cases):
        harness.go(number)
        if time.time() - shown > 20:
            shown = time.time()
            done = number + 1 - options.start
            left = (shown - began) / done * (options.cases - done)
            print(
                f"case {done} of {options.cases}, {len(harness.faults)} faults, about "
                f"{left / 60:.0f} minutes left",
                flush=True,
            )
    shutil.rmtree(harness.case, ignore_errors=True)
    print_table(harness.table)
    for fault, count in collections.Counter(harness.faults).most_common():
        print(f"{count:5} {'; '.join(fault)}")
    print(
        f"{options.cases} damaged files, {len(harness.faults)} faults, {time.time() - began:.0f} s"
    )
    sys.exit(1 if harness.faults else 0)


if __name__ == "__main__":
    main()
