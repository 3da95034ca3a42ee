"""Ways to damage a file. Each takes the bytes of the file, the other files (Others) and a random
generator, and returns the damaged bytes, or None if it cannot damage this file."""
import re
import struct

NONSENSE = [
    b"-1",
    b"0",
    b"nan",
    b"inf",
    b"1e999",
    b"1e-999",
    b"99999999999999999999",
    b"0x7f",
    b"1,5",
    b"",
]


class Others:
    """The files that can take the place of the damaged one, and files of any other kind."""

    def __init__(self, siblings, strangers):
        self.siblings, self.strangers = siblings, strangers


def cut_to_nothing(data, others, rng):
    return b""


def cut(data, others, rng):
    return data[: rng.randrange(len(data))]


def cut_a_little(data, others, rng):
    return data[: -rng.randint(1, min(64, len(data)))]


def flip(data, rng, count):
    out = bytearray(data)
    for _ in range(count):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def flip_one(data, others, rng):
    return flip(data, rng, 1)


def flip_early(data, others, rng):
    """Flips one bit near the beginning, where headers lie."""
    return flip(data[:256], rng, 1) + data[256:]


def flip_few(data, others, rng):
    return flip(data, rng, rng.randint(2, 8))


def block_at(data, rng, size):
    """Returns the offset in the file at which a random block of the disk begins. A file smaller
    than a block is one block."""
    return rng.randrange((len(data) - 1) // size + 1) * size


def put(data, at, block):
    return data[:at] + block[: len(data) - at] + data[at + len(block) :]


def zero_512(data, others, rng):
    return put(data, block_at(data, rng, 512), bytes(512))


def zero_4096(data, others, rng):
    return put(data, block_at(data, rng, 4096), bytes(4096))


def swap(data, others, rng):
    size = rng.choice((64, 512))
    first, second = block_at(data, rng, size), block_at(data, rng, size)
    return put(put(data, first, data[second : second + size]), second, data[first : first + size])


def stranger(data, others, rng):
    """Replaces a block by one of another file."""
    if not others.strangers:
        return None
    other = rng.choice(others.strangers)
    at = block_at(other, rng, 512) if other else 0
    return put(data, block_at(data, rng, 512), other[at : at + 512])


def sibling(data, others, rng):
    return rng.choice(others.siblings) if others.siblings else None


def double_tail(data, others, rng):
    return data + data[-rng.randint(1, len(data)) :]


def line_gone(data, others, rng):
    lines = data.splitlines(keepends=True)
    del lines[rng.randrange(len(lines))]
    return b"".join(lines)


def line_double(data, others, rng):
    lines = data.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    return b"".join(lines[: at + 1] + lines[at:])


def nonsense_number(data, others, rng):
    numbers = list(re.finditer(rb"-?\d+(\.\d+)?", data))
    if not numbers:
        return None
    found = rng.choice(numbers)
    return data[: found.start()] + rng.choice(NONSENSE) + data[found.end() :]


def nul(data, others, rng):
    at = rng.randrange(len(data))
    return data[:at] + b"\0" + data[at + rng.randrange(2) :]


def crlf(data, others, rng):
    return data.replace(b"\n", b"\r\n")


BYTES = [
    cut_to_nothing,
    cut,
    cut_a_little,
    flip_one,
    flip_one,
    flip_one,
    flip_early,
    flip_few,
    zero_512,
    zero_4096,
    swap,
    stranger,
    sibling,
    double_tail,
]
TEXT = [line_gone, line_double, nonsense_number, nonsense_number, nul, crlf]
