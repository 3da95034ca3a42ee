"""Runs `aji play` in a pseudo-terminal, types keys, among them Ctrl-C and Ctrl-Z, and sends
signals, among them those of crashes. Usage: play_tty.py AJI FOLDER"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

aji, folder = sys.argv[1:3]
faults = 0


class Terminal:
    def __init__(self, *arguments, columns=80, rows=24, **environment):
        self.output = b""
        self.columns, self.rows = columns, rows
        size = struct.pack("HHHH", rows, columns, 0, 0)
        self.child, self.fd = pty.fork()
        if self.child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            os.environ.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment})
            for name in ("NO_COLOR", "COLORTERM", "COLUMNS"):
                os.environ.pop(name, None)
            command = (
                [aji, "play", "uniform", *arguments]
                if arguments
                else ["bash", "--norc", "--noprofile", "--noediting", "-i"]
            )
            os.execvp(command[0], command)

    def read(self, seconds):
        ready, _, _ = select.select([self.fd], [], [], seconds)
        try:
            self.output += os.read(self.fd, 65536) if ready else b""
        except OSError:
            pass

    def wait(self, text, since=0, seconds=20):
        """Waits until the output after byte `since` has the text."""
        end = time.time() + seconds
        while text.encode() not in self.output[since:]:
            if time.time() > end:
                fault(f'no "{text}" on the screen; its end is {self.output[-300:]!r}')
                return
            self.read(0.05)

    def type(self, text, wanted):
        before = -1
        while len(self.output) > before:  # read the rest of the last screen
            before = len(self.output)
            self.read(0.1)
        since = len(self.output)
        os.write(self.fd, text.encode())
        self.wait(wanted, since)

    def expect_fitting(self):
        """Each drawing of the screen must have at most as many rows and columns as the terminal."""
        for frame in self.output.decode(errors="replace").split("\x1b[H")[1:]:
            lines = re.sub("\x1b\\[[0-9;]*[A-Za-z]", "", frame.split("\x1b[J")[0]).split("\n")
            if (
                len(lines) > self.rows
                or max(len(line.rstrip("\r")) for line in lines) > self.columns
            ):
                fault(f"a drawing is too large for {self.columns}x{self.rows}: {frame!r}")
                return

    def is_raw(self):
        flags = termios.tcgetattr(self.fd)[3]
        return not flags & termios.ICANON and not flags & termios.ECHO

    def end(self, code=None, by=None):
        """Waits for the end of the program, by an exit code or a signal."""
        end = time.time() + 60
        pid, status = 0, 0
        while not pid and time.time() < end:
            self.read(0.05)
            pid, status = os.waitpid(self.child, os.WNOHANG)
        if not pid:
            fault("the program does not end")
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
        elif by and not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == by):
            fault(f"not ended by signal {by}: status {status}")
        elif code is not None and not (os.WIFEXITED(status) and os.WEXITSTATUS(status) == code):
            fault(f"status {status}, wanted exit code {code}")
        if self.is_raw():
            fault("the terminal is left without echo and line editing")
        os.close(self.fd)


def fault(text):
    global faults
    faults += 1
    print(text, file=sys.stderr)


def path(name):
    return os.path.join(folder, name)


def expect_moves(name, count):
    with open(path(name)) as file:
        moves = file.read().count(";") - 1
    if moves != count:
        fault(f"{name} has {moves} moves, wanted {count}")


# Typed moves, the cursor, words, and Ctrl-C at an empty prompt.
terminal = Terminal("--size", "5", "--visits", "4", "--game", path("keys.sgf"))
terminal.wait("Black, move 1> ")
if not terminal.is_raw():
    fault("the terminal is not in the mode of single keys")
terminal.type("C3X\x7f\r", "move 3> ")
terminal.type("\r", "arrow keys")
terminal.type("\x1b[A", "\x1b[48;5;80;")
terminal.type("\x1b", "Black, move 3> ")
terminal.type("undo\r", "move 1> ")
terminal.type("\x1b[B", "\x1b[48;5;80;")  # the cursor appears in the middle, at C3
terminal.type("\x1b[B\x1b[D\r", "move 3> ")  # B2
terminal.type("hint\r", "Black's win rate, lead")
terminal.type("\x0c", "\x1b[2J")
terminal.type("nonsense\r", "neither a move")
terminal.type("\x03", "the game is in")
terminal.end(code=0)
with open(path("keys.sgf")) as file:
    if ";B[bd]" not in file.read():
        fault("the cursor did not play B2")
expect_moves("keys.sgf", 2)

# Ctrl-C while the program thinks makes it move immediately; Ctrl-D leaves.
terminal = Terminal("--size", "9", "--time", "1000s", "--game", path("think.sgf"))
terminal.wait("Black, move 1> ")
terminal.type("E5\r", "thinks ...")
time.sleep(0.3)
terminal.type("\x03", "move 3> ")
terminal.type("\x04", "the game is in")
terminal.end(code=0)
expect_moves("think.sgf", 2)

# SIGTERM while the program thinks leaves the game as it was, and restores the terminal.
terminal = Terminal("--size", "9", "--time", "1000s", "--game", path("term.sgf"))
terminal.wait("Black, move 1> ")
terminal.type("E5\r", "thinks ...")
time.sleep(0.3)
os.kill(terminal.child, signal.SIGTERM)
terminal.end(code=130)
expect_moves("term.sgf", 1)

# The terminal is restored after a crash and after SIGQUIT; end() checks that.
for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGQUIT):
    terminal = Terminal("--size", "5", "--visits", "4", "--game", path("crash.sgf"))
    terminal.wait("> ")
    os.kill(terminal.child, number)
    terminal.end(by=number)

# Ctrl-Z gives the terminal back to the shell; "fg" takes it and draws again.
terminal = Terminal(PS1="ready$ ")
terminal.wait("ready$ ")
terminal.type(
    f"'{aji}' play uniform --size 5 --visits 4 --game '{path('stop.sgf')}'\n", "Black, move 1> "
)
if not terminal.is_raw():
    fault("the program does not read single keys when a shell has started it")
terminal.type("\x1a", "ready$ ")
if terminal.is_raw():
    fault("a stopped program leaves the terminal without echo")
terminal.type("fg\n", "Black, move 1> ")
if not terminal.is_raw():
    fault("the program does not read single keys after it was continued")
terminal.type("C3\r", "move 3> ")
terminal.type("quit\r", "ready$ ")
terminal.type("exit\n", "exit")
terminal.end(code=0)

# In an orphaned process group no shell could continue the program, so Ctrl-Z does not stop it, and
# it still reads single keys.
terminal = Terminal("--size", "5", "--visits", "4", "--game", path("orphan.sgf"))
terminal.wait("Black, move 1> ")
terminal.type("\x1a", "Black, move 1> ")
if not terminal.is_raw():
    fault("Ctrl-Z without a shell ends the mode of single keys")
terminal.type("quit\r", "\x1b[0m\r\n")
terminal.end(code=0)

# Small terminals: nothing is cut or scrolled away, and words are not broken. A long answer is shown
# in pages.
for columns, rows in ((80, 24), (60, 24), (42, 28), (30, 10)):
    terminal = Terminal(
        "--size",
        "19",
        "--visits",
        "4",
        "--game",
        path(f"small{columns}.sgf"),
        columns=columns,
        rows=rows,
    )
    terminal.wait("Black, move 1> ")
    terminal.type("D4\r", "move 3> ")
    terminal.type("score\r", "probably")
    terminal.type("\r", "> ")
    terminal.type("help\r", "(Enter: more)")
    terminal.type("\x1b", "> ")
    terminal.type("help\r", "(Enter: more)")
    terminal.type("quit\r", "the game is in")
    terminal.end(code=0)
    terminal.expect_fitting()
    if ("\u2500" in terminal.output.decode()) != (columns >= 42):
        fault(f"{columns}x{rows}: the board must be drawn if it fits, and only then")
    if columns == 30:
        terminal.wait("does not fit")

# The program plays both sides: a key makes it pause, and Ctrl-C or a word ends the game.
terminal = Terminal("--size", "9", "--time", "2s", "--color", "none", "--game", path("watch.sgf"))
terminal.wait("(a key: pause")
terminal.type("score\r", "the net expects")
terminal.wait("(paused; Enter: go on)")
terminal.type("\r", "(a key: pause")
terminal.type("quit\r", "the game is in")
terminal.end(code=0)
terminal.expect_fitting()
for options in ((), ("--lines",)):
    terminal = Terminal(
        "--size", "9", "--time", "1000s", "--color", "none", "--game", path("watch2.sgf"), *options
    )
    terminal.wait("both sides" if options else "(a key: pause")
    time.sleep(0.3)
    terminal.type("\x03", "")
    terminal.end(code=0)
terminal = Terminal(
    "--size", "9", "--time", "1s", "--color", "none", "--lines", "--game", path("watch3.sgf")
)
terminal.wait("both sides")
terminal.type("quit\n", "the game is in")
terminal.end(code=0)

# A search for a hint shows its progress, and Ctrl-C ends the search. The help lists the keys.
terminal = Terminal("--size", "9", "--time", "1000s", "--game", path("hint.sgf"))
terminal.wait("Black, move 1> ")
terminal.type("hint\r", " visits (Ctrl-C: stop)")
terminal.type("\x03", "the best first")
terminal.type("?\r", "(Enter: more)")
terminal.type("\r", "Ctrl-Z")
terminal.type("\r", "> ")
terminal.type("\xc3\xbc\x7f\x7fquit\r", "\x1b[0m\r\n")
terminal.end(code=0)

# The colors are those that the terminal has.
for kind, wanted, unwanted in (
    ("vt100", "A B C D E", "\x1b[48"),
    ("xterm", "\x1b[0;43;30m", "\x1b[48"),
    ("xterm-256color", "\x1b[48;5;179;", "\x1b[0;43"),
):
    terminal = Terminal("--size", "5", "--game", path("colors.sgf"), TERM=kind)
    terminal.wait("Black, move 1> ")
    terminal.type("quit\r", "\x1b[0m\r\n")
    terminal.end(code=0)
    if wanted.encode() not in terminal.output or unwanted.encode() in terminal.output:
        fault(f"wrong colors with TERM={kind}: {terminal.output!r}")

# A dumb terminal gets plain text, and --ascii prints nothing but ASCII.
terminal = Terminal("--size", "5", "--visits", "4", "--game", path("dumb.sgf"), TERM="dumb")
terminal.wait("Black, move 1> ")
terminal.type("C3\n", "move 3> ")
terminal.type("quit\n", "the game is in")
terminal.end(code=0)
if b"\x1b" in terminal.output:
    fault("a dumb terminal gets escape sequences")
terminal = Terminal("--size", "5", "--ascii", "--game", path("ascii.sgf"))
terminal.wait("Black, move 1> ")
terminal.type("quit\r", "\x1b[0m\r\n")
terminal.end(code=0)
if any(byte >= 0x80 for byte in terminal.output):
    fault("--ascii draws more than ASCII")
sys.exit(faults > 0)
