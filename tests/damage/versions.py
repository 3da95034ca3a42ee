"""Files as a newer or an older version of the program would write them, with checksums that are
right."""
import io
import os
import re
import sqlite3
import struct
import tempfile
import zipfile
import zlib

JOURNAL = struct.Struct("<8sIIIIQ")  # JournalHeader in src/run/store/journal_private.h


def with_header(data, change):
    """Returns a tensor file with its JSON header changed and the checksum of the header corrected
    (tensor_file.c), or None if `change` changes nothing."""
    (length,) = struct.unpack_from("<Q", data)
    header, rest = data[8 : 8 + length], data[8 + length :]
    changed = change(header)
    if changed == header:
        return None
    changed = changed.rstrip(b" ")
    changed += b" " * (-len(changed) % 8)
    key = b'{"__metadata__":{"header_crc32":"'
    if changed.startswith(key):
        at = len(key)
        crc = zlib.crc32(changed[:at] + b"00000000" + changed[at + 8 :])
        changed = changed[:at] + b"%08x" % crc + changed[at + 8 :]
    return struct.pack("<Q", len(changed)) + changed + rest


def tensors_newer(data, rng):
    return with_header(
        data,
        lambda text: re.sub(rb'"format":"aji (net|checkpoint) 1"', rb'"format":"aji \1 2"', text),
    )


def tensors_newer_op(data, rng):
    return with_header(
        data, lambda text: text.replace(b'\\"op\\":\\"conv\\"', b'\\"op\\":\\"warp\\"', 1)
    )


def tensors_newer_type(data, rng):
    return with_header(data, lambda text: text.replace(b'"F32"', b'"BF16"', 1))


def tensors_older(data, rng):
    """Early versions had no checksum of the header, and the checksum of the data was the last
    note."""
    (length,) = struct.unpack_from("<Q", data)
    found = re.match(
        rb'\{"__metadata__":\{"header_crc32":"........","data_crc32":"(........)",',
        data[8 : 8 + length],
    )
    if not found:
        return None
    notes = data[8 + found.end() : 8 + length].rstrip(b" ")
    depth, at, text = 1, 0, False  # depth: number of open braces; it is 0 at the end of the notes
    while depth:
        if notes[at : at + 1] == b"\\":
            at += 1
        elif notes[at : at + 1] == b'"':
            text = not text
        elif not text:
            depth += {b"{": 1, b"}": -1}.get(notes[at : at + 1], 0)
        at += 1
    header = (
        b'{"__metadata__":{'
        + notes[: at - 1]
        + b',"data_crc32":"'
        + found.group(1)
        + b'"}'
        + notes[at:]
    )
    header += b" " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header + data[8 + length :]


def journal_newer(data, rng):
    return data.replace(b"AJIGAME1", b"AJIGAME3")


def journal_older(data, rng):
    return data.replace(b"AJIGAME1", b"AJIGAME0")


def rows_changed(data, change):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(
        out, "w", zipfile.ZIP_DEFLATED
    ) as new:
        for name in old.namelist():
            changed = change(name, old.read(name))
            if changed is not None:
                new.writestr(name, changed)
    return out.getvalue()


def rows_newer(data, rng):
    """NPY format 2.0 has four bytes of header length instead of two."""
    return rows_changed(
        data, lambda name, member: member[:6] + b"\2\0" + member[8:10] + b"\0\0" + member[10:]
    )


def rows_newer_column(data, rng):
    """A later version may add an array."""
    out = io.BytesIO(data)
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as new:
        new.writestr(
            "laterTargetsN",
            b"\x93NUMPY\1\0\x76\0{'descr':'<f4','fortran_order':False,'shape':(0)}".ljust(127)
            + b"\n",
        )
    return out.getvalue()


def rows_older(data, rng):
    """Early files of KataGo had no q values."""
    return rows_changed(
        data, lambda name, member: None if name.startswith("qValueTargets") else member
    )


def changed_database(data, commands):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.db")
        with open(path, "wb") as file:
            file.write(data)
        database = sqlite3.connect(path)
        database.execute("PRAGMA journal_mode = DELETE")
        for command in commands:
            database.execute(command)
        database.commit()
        database.close()
        with open(path, "rb") as file:
            return file.read()


def index_newer(data, rng):
    table = rng.choice(("nets", "pairings", "metrics", "facts"))
    return changed_database(
        data,
        [
            f"ALTER TABLE {table} ADD COLUMN later TEXT",
            "CREATE TABLE later (name TEXT)",
            "PRAGMA user_version = 99",
        ],
    )


def index_older(data, rng):
    """Early versions had no checksums of facts, or no column of draws."""
    return changed_database(
        data,
        rng.choice(
            (
                ["DROP TRIGGER facts_without_checksum", "ALTER TABLE facts DROP COLUMN checksum"],
                ["ALTER TABLE pairings DROP COLUMN draws"],
            )
        ),
    )


def csv_newer(data, rng):
    return data.replace(b"\n", b",later\n", 1)


def csv_older(data, rng):
    lines = [line.rsplit(b",", 2)[0] for line in data.splitlines()]
    return b"\n".join(lines) + b"\n"


def settings_newer(data, rng):
    return data + b"run.of_a_later_version = 1\n"


def settings_older(data, rng):
    """Former names of settings are still read."""
    return data.replace(b"run.bucket_max", b"run.bucket_most").replace(
        b"run.chunk_fraction", b"run.chunk_share"
    )


def katago_newer(data, rng):
    return re.sub(rb"^(\S+\n)\d+\n", rb"\g<1>99\n", data, count=1)


def katago_older(data, rng):
    return re.sub(rb"^(\S+\n)\d+\n", rb"\g<1>2\n", data, count=1)


def note_older(data, rng):
    lines = [line for line in data.splitlines(keepends=True) if not line.startswith(b"crc32")]
    return b"".join(lines)


def note_newer(data, rng):
    if not data.startswith(b"crc32"):
        return data + b"later 1\n"
    rest = data.split(b"\n", 1)[1] + b"later 1\n"
    return b"crc32 %08x\n" % zlib.crc32(rest) + rest
