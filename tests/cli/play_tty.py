"""Runs `aji play` in a pseudo-terminal and types keys, among them Ctrl-C and Ctrl-Z, and sends signals, also those of crashes.
Usage: play_tty.py AJI FOLDER"""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

aji, folder = sys.argv[1:3]
faults = 0


class Terminal:
    def __init__(self, *arguments, **environment):
        self.output = b""
        self.child, self.fd = pty.fork()
        if self.child == 0:
            os.environ.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment})
            os.environ.pop("NO_COLOR", None)
            command = [aji, "play", "uniform", *arguments] if arguments else ["bash", "--norc", "--noprofile", "--noediting", "-i"]
            os.execvp(command[0], command)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

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
terminal.type("hint\r", "Black wins, lead")
terminal.type("\x0c", "\x1b[2J")
terminal.type("nonsense\r", "neither a move")
terminal.type("\x03", "the game is in")
terminal.end(code=0)
with open(path("keys.sgf")) as file:
    if ";B[bd]" not in file.read():
        fault("the cursor did not play B2")
expect_moves("keys.sgf", 2)

# Ctrl-C while the program thinks makes it move at once; Ctrl-D leaves.
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
terminal.type(f"'{aji}' play uniform --size 5 --visits 4 --game '{path('stop.sgf')}'\n", "Black, move 1> ")
if not terminal.is_raw():
    fault("no single keys when started from a shell")
terminal.type("\x1a", "ready$ ")
if terminal.is_raw():
    fault("a stopped program leaves the terminal without echo")
terminal.type("fg\n", "Black, move 1> ")
if not terminal.is_raw():
    fault("a continued program has no single keys")
terminal.type("C3\r", "move 3> ")
terminal.type("quit\r", "ready$ ")
terminal.type("exit\n", "exit")
terminal.end(code=0)

# In an orphaned process group no shell could continue the program, so Ctrl-Z does not stop it, and it still reads single keys.
terminal = Terminal("--size", "5", "--visits", "4", "--game", path("orphan.sgf"))
terminal.wait("Black, move 1> ")
terminal.type("\x1a", "Black, move 1> ")
if not terminal.is_raw():
    fault("Ctrl-Z without a shell ends the mode of single keys")
terminal.type("quit\r", "\x1b[0m\r\n")
terminal.end(code=0)

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
