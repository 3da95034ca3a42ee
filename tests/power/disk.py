"""A disk whose power may fail: the files and names that recorded operations make, and what may be
left of them.

The model allows more losses than common file systems do:

  data    What a file had at its last sync stays, unless a later operation overwrote it or cut it
          off. Of later writes, what is left may be nothing, all, the first few (the last of them in
          part), or any blocks of 4096 bytes of the first few. A block that is lost beyond the
          synced end is zeros.
  names   That a name was created, renamed or removed is durable once its folder was synced. Of
          later changes to a folder the first few may be left, whether or not the files that they
          name were synced. A rename between two folders is never half done. Syncing a file does not
          make its name durable.
"""
import os
import shutil

BLOCK = 4096
FOLDER = -1  # in place of a file's number


class File:
    def __init__(self):
        self.synced = b""
        self.now = bytearray()
        self.later = []  # the writes since the last sync: (offset, bytes), or (new length, None)

    def change(self, offset, data):
        self.later.append((offset, data))
        apply_write(self.now, offset, data)

    def sync(self):
        if self.later:
            self.synced = bytes(self.now)
            self.later = []

    def any_legal(self, rng):
        """Returns contents that this file may have after a loss of power."""
        if not self.later:
            return self.synced
        way = rng.randrange(4)
        if way == 0:
            return self.synced
        if way == 1:
            return bytes(self.now)
        left = bytearray(self.synced)
        some = self.later[: rng.randint(1, len(self.later))]
        for at, (offset, data) in enumerate(some):
            if data and at == len(some) - 1:
                data = data[: rng.randint(0, len(data))]
            apply_write(left, offset, data)
        if way == 2:
            return bytes(left)
        mixed = bytearray()
        for at in range(0, len(left), BLOCK):
            new, old = left[at : at + BLOCK], self.synced[at : at + BLOCK]
            mixed += new if rng.random() < 0.5 else old.ljust(len(new), b"\0")[: len(new)]
        return bytes(mixed)


def apply_write(data, offset, written):
    end = offset if written is None else offset + len(written)
    if len(data) < end:
        data.extend(bytes(end - len(data)))
    if written is None:
        del data[end:]
    else:
        data[offset:end] = written


def folder_of(path):
    return os.path.dirname(path) or "."


class Disk:
    def __init__(self):
        self.files = {}
        self.sure = {}  # the synced names: path -> number of the file, or FOLDER
        self.now = {}  # all names
        self.later = []  # changes of names that are not synced: (operation, arguments, folders)

    def apply(self, line, data):
        """Does one recorded operation."""
        name, *words = line.split()
        if name == "write":
            number, offset, count, at = map(int, words)
            self.files[number].change(offset, data[at : at + count])
        elif name == "truncate":
            self.files[int(words[0])].change(int(words[1]), None)
        elif name == "sync":
            self.files[int(words[0])].sync()
        elif name == "syncdir":
            self.sync_folder(words[0])
        else:
            if name == "create":
                self.files[int(words[0])] = File()
            paths = words[1:] if name == "create" else words
            change_name(self.now, name, words)
            self.later.append((name, words, {folder_of(path) for path in paths}))

    def sync_folder(self, folder):
        """Makes the changes of this folder durable.

        If a change is a rename between two folders, the earlier changes of the other folder become
        durable, too.
        """
        wanted, chosen = {folder}, []
        for change in reversed(self.later):
            if change[2] & wanted:
                wanted |= change[2]
                chosen.append(change)
        for change in reversed(chosen):
            self.later.remove(change)
            change_name(self.sure, change[0], change[1])

    def some_names(self, rng):
        """Returns names that may be left after a loss of power: in each folder, the first few
        unsynced changes are done."""
        cuts, names, chosen = {}, dict(self.sure), []
        for at in range(len(self.later) - 1, -1, -1):
            for folder in self.later[at][2]:
                if folder not in cuts:
                    cuts[folder] = rng.randint(0, at + 1)
            if any(at < cuts[folder] for folder in self.later[at][2]):
                for folder in self.later[at][2]:
                    cuts[folder] = max(cuts[folder], at + 1)
                chosen.append(at)
        for at in reversed(chosen):
            change_name(names, self.later[at][0], self.later[at][1])
        return names

    def state(self, names, contents):
        """Returns what is below the root: path -> bytes, or None for a folder. `contents` returns
        what is left of a file."""
        kept = {}
        for path in sorted(names):  # a folder comes before what is in it
            if folder_of(path) == "." or kept.get(folder_of(path), b"") is None:
                kept[path] = None if names[path] == FOLDER else contents(self.files[names[path]])
        return kept

    def states(self, rng):
        """Yields the four states: nothing unsynced is left, everything is left, and two random
        ones."""
        yield "synced", self.state(self.sure, lambda file: file.synced)
        yield "all", self.state(self.now, lambda file: bytes(file.now))
        for name in ("random 1", "random 2"):
            yield name, self.state(self.some_names(rng), lambda file: file.any_legal(rng))


def change_name(names, operation, words):
    if operation == "create":
        names[words[1]] = int(words[0])
    elif operation == "mkdir":
        names[words[0]] = FOLDER
    elif operation == "rename":
        if names[words[0]] == FOLDER:
            raise ValueError("a folder is renamed")
        names[words[1]] = names.pop(words[0])
    else:
        del names[words[0]]


def write_tree(root, state):
    shutil.rmtree(root, ignore_errors=True)
    os.mkdir(root)
    for path, data in state.items():
        if data is None:
            os.mkdir(f"{root}/{path}")
        else:
            with open(f"{root}/{path}", "wb") as file:
                file.write(data)
