"""Talks to a Go program by GTP 2 over pipes. The scripts in this folder share this code."""

import random
import subprocess
import time

LETTERS = "ABCDEFGHJKLMNOPQRST"


class Fault(Exception):
    """Raised when the program did something wrong; the text says what."""


class Engine:
    """A running program. ask() sends one command, and returns the answer and the seconds that it
    took."""

    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(
            command,
            shell=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, line):
        begun = time.monotonic()
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        lines = []
        while True:
            got = self.process.stdout.readline()
            if not got:
                raise Fault(f'{self.command} ended at "{line}" (exit code {self.process.wait()})')
            text = got.decode(errors="replace").rstrip()
            if text:
                lines.append(text)
            elif lines:
                break
        seconds = time.monotonic() - begun
        answer = "\n".join(lines)
        if not answer.startswith("="):
            raise Fault(f'"{line}" is answered by "{answer}"')
        return answer[1:].strip(), seconds

    def say(self, line):
        return self.ask(line)[0]

    def knows(self, name):
        return self.say("known_command " + name) == "true"

    def stop(self):
        try:
            self.say("quit")
        except (Fault, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def vertex(rng, size):
    """Returns a random point of the board."""
    return LETTERS[rng.randrange(size)] + str(1 + rng.randrange(size))


def seeded(seed):
    return random.Random(seed)
