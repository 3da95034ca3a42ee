"""Reads the games, rows, nets and index of a run without any code of Aji."""
import collections
import io
import os
import re
import sqlite3
import struct
import zipfile
import zlib

HEADER = struct.Struct("<8sIIIIQ")  # JournalHeader in src/run/store/journal_private.h
SEEN = {}  # contents of the row files that were read before -> number of rows


def journal_games(data, start=0):
    """Returns the whole games of a journal from the offset `start` on, and the offset where they
    end.

    Each game is (SGF line, number of rows). The list ends before the first game that is cut short
    or damaged."""
    games, at = [], start
    while at + HEADER.size <= len(data):
        magic, _, rows, sgf_bytes, crc, count = HEADER.unpack_from(data, at)
        body = bytes(data[at + HEADER.size : at + HEADER.size + count])
        if magic not in (b"AJIGAME1", b"AJIGAME2") or len(body) < count or zlib.crc32(body) != crc:
            break
        games.append((body[:sgf_bytes], rows))
        at += HEADER.size + count
    return games, at


def rows_of(data):
    """Returns the number of rows of a row file, after a check of its checksums."""
    if data not in SEEN:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            broken = archive.testzip()
            with archive.open("valueTargetsNCHW") as member:
                shape = re.search(rb"'shape': ?\((\d+)", member.read(256))
        if broken:
            raise ValueError(f"{broken} is broken")
        SEEN[data] = int(shape.group(1))
    return SEEN[data]


class Run:
    """What the directory of a run holds after a start."""

    def __init__(self, root):
        self.games = {}  # "000042/w000-0000" -> SGF lines
        self.rows = {}  # "000042/w000-0000" -> number of rows
        self.nets = {}  # name -> bytes
        self.matches = collections.Counter()  # folder of an unfinished match -> its games
        self.bad, self.journals, self.unfinished, self.samples = [], [], [], 0
        for folder, _, names in os.walk(root):
            for name in names:
                self.add(os.path.join(folder, name), name)
        index = sqlite3.connect(f"file:{root}/run.db?mode=ro", uri=True)
        self.facts = dict(index.execute("SELECT key, value FROM facts"))
        self.indexed_nets = [
            number for number, in index.execute("SELECT number FROM nets ORDER BY number")
        ]
        self.rated = list(index.execute("SELECT first, second FROM pairings"))
        index.close()

    def add(self, path, name):
        parts = path.split("/")
        stem = f"{parts[-2]}/{name.rsplit('.', 1)[0]}"
        checkpoint = re.fullmatch(r"checkpoint-(\d+)\.aji", name)
        if name.endswith(".bad"):
            self.bad.append(path)
        elif name.endswith(".journal"):
            self.journals.append(path)
        elif name.endswith(".tmp"):
            self.unfinished.append(path)
        elif checkpoint:
            self.samples = max(self.samples, int(checkpoint.group(1)))
        elif name.endswith(".sgfs"):
            with open(path, "rb") as file:
                self.games[stem] = file.read().splitlines()
        elif name.endswith(".npz"):
            with open(path, "rb") as file:
                self.rows[stem] = rows_of(file.read())
        elif parts[-3] == "matches" and name.endswith(".sgf"):
            self.matches[parts[-2]] += 1
        elif parts[-2] == "nets":
            with open(path, "rb") as file:
                self.nets[name] = file.read()

    def faults(self, known, rows_of_game):
        """Yields what is wrong in this directory.

        Promises.faults() in replay.py finds what is missing although it was synced.

        `known` says how often each game was finished, and `rows_of_game` how many rows it has.
        """
        index_games = self.facts.get("games", 0)
        keys = {
            key[len("rows/") : -len(".npz")]: max(value, 0)  # -1 stands for games without rows
            for key, value in self.facts.items()
            if key.startswith("rows/")
        }
        counted = collections.Counter(line for lines in self.games.values() for line in lines)
        if self.journals or self.unfinished:
            yield f"left over: {self.journals + self.unfinished}"
        for path in self.bad:
            if ".journal." not in path:
                yield f"set aside: {path}"
        for line, count in counted.items():
            if count > known[line]:
                times = f"{count} times, and was played {known[line]} times"
                yield f"a game is there {times}: {line[:60]}"
        for stem in self.rows.keys() | self.games.keys() | keys.keys():
            lines, rows = self.games.get(stem, []), self.rows.get(stem, 0)
            wanted = sum(rows_of_game[line] for line in lines if line in rows_of_game)
            if rows != wanted:
                yield f"{stem} has {rows} rows, and its {len(lines)} games have {wanted}"
            if keys.get(stem, 0) != rows:
                yield f"{stem} has {rows} rows, and the index has {keys.get(stem, 0)}"
        if len(set(self.rated)) < len(self.rated):
            yield f"a match of the rating is in the index twice: {sorted(self.rated)}"
        if index_games != sum(counted.values()):
            yield f"there are {sum(counted.values())} games, and the index has {index_games}"
        if self.indexed_nets != sorted(int(name[:6]) for name in self.nets):
            yield f"the nets are {sorted(self.nets)}, and the index has {self.indexed_nets}"
