#!/usr/bin/env python3
"""Lets qGo, a board program, play a game in a virtual display. qGo starts Aji as the opponent. For
the other side, this script asks GNU Go for moves and clicks them on qGo's board. The script takes
pictures of the display.

  qgo.py OUT SIZE AJI gtp --net NET ...

OUT is a folder for pictures and logs. The script needs qgo, xvfb, xdotool, imagemagick and gnugo.
The exit code is 1 if the game did not reach its end, or if qGo's board did not show its
position."""

import os
import re
import subprocess
import sys
import time

from gtp import LETTERS, Engine

WIDTH, HEIGHT = 1000, 760
WINDOW = (900, 700)
PASS_BUTTON = (567, 468)  # in a window of the size WINDOW

SETTINGS = """[General]
SOUND=1
EDIT_SIZE={size}
EDIT_KOMI=7.5
EDIT_HANDICAP=0
COMPUTER_PLAYS_WHITE=true
COMPUTER_PLAYS_BLACK=false
DEFAULT_ENGINE=0
BOARD_WINDOW_SIZE_X={width}
BOARD_WINDOW_SIZE_Y={height}

[ENGINES]
1\\path={engine}
1\\args=
size=1
"""


class Fault(Exception):
    pass


class Screen:
    def __init__(self, folder, number=77):
        self.folder = folder
        self.environment = dict(
            os.environ,
            DISPLAY=f":{number}",
            HOME=folder,
            XDG_CONFIG_HOME=folder + "/config",
            XDG_RUNTIME_DIR=folder,
        )
        self.server = subprocess.Popen(
            ["Xvfb", f":{number}", "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(2)

    def tool(self, *words):
        done = subprocess.run(
            ["xdotool", *map(str, words)], env=self.environment, capture_output=True, text=True
        )
        return done.stdout.split()

    def click(self, x, y):
        self.tool("mousemove", x, y)
        time.sleep(0.15)
        self.tool("click", 1)

    def picture(self, name):
        path = f"{self.folder}/{name}.png"
        subprocess.run(["import", "-window", "root", path], env=self.environment, check=True)
        return path

    def dark(self):
        """Returns the screen as one byte for each pixel, row by row: 0 for a nearly black pixel,
        255 for others."""
        words = [
            "convert",
            self.picture("board"),
            "-colorspace",
            "gray",
            "-threshold",
            "27%",
            "-depth",
            "8",
            "gray:-",
        ]
        return subprocess.run(words, check=True, capture_output=True).stdout

    def window(self, name, seconds=20):
        until = time.time() + seconds
        while time.time() < until:
            found = self.tool("search", "--onlyvisible", "--name", name)
            if found:
                return found[-1]
            time.sleep(0.3)
        raise Fault(f"no window {name}")


def find_grid(dark, size):
    """Finds the lines of the board in a picture. Returns x of the first and last column and y of
    the first and last row."""
    runs = {}
    for y in range(HEIGHT):
        for run in re.finditer(rb"\0{200,}", dark[y * WIDTH : (y + 1) * WIDTH]):
            if run.end() - run.start() < WINDOW[0] and y - 1 not in runs.get(run.span(), []):
                runs.setdefault(run.span(), []).append(y)
    for (left, end), lines in runs.items():
        if len(lines) == size:
            return left, end - 1, lines[0], lines[-1]
    raise Fault(
        f"no board of {size} lines, but {[(run, len(lines)) for run, lines in runs.items()][:9]}"
    )


class Log:
    """What qGo and the engine said to each other."""

    def __init__(self, folder):
        self.asked, self.answered = folder + "/asked.log", folder + "/answered.log"

    def lines(self):
        asked = re.findall(r"^\d* ?(\w.*)$", open(self.asked).read(), re.M)
        answers = [
            "".join(parts)
            for parts in re.findall(r"^([=?])\d*(.*)$", open(self.answered).read(), re.M)
        ]
        return asked, answers

    def wait(self, count, what, seconds=60):
        """Waits for the answer to the `count`th line that begins with `what`. Returns the line and
        the answer."""
        until = time.time() + seconds
        while time.time() < until:
            asked, answers = self.lines()
            found = [i for i, line in enumerate(asked) if line.startswith(what)]
            if len(found) >= count and len(answers) > found[count - 1]:
                return asked[found[count - 1]], answers[found[count - 1]]
            time.sleep(0.05)
        raise Fault(f"no answer to {what} number {count}: {self.lines()}")


def prepare(folder, size, command):
    os.makedirs(folder + "/config/qGo", exist_ok=True)
    engine = (
        folder + "/aji-gnugo"
    )  # qGo 2.1 takes moves only from a program whose name ends in gnugo
    with open(engine, "w") as file:
        file.write(
            f"#!/bin/sh\ntee {folder}/asked.log | {command} 2>{folder}/engine.log | tee "
            f"{folder}/answered.log\n"
        )
    os.chmod(engine, 0o755)
    for name in ("asked", "answered"):
        open(f"{folder}/{name}.log", "w").close()
    with open(folder + "/config/qGo/qGo.conf", "w") as file:
        file.write(SETTINGS.format(size=size, engine=engine, width=WINDOW[0], height=WINDOW[1]))


def open_board(screen, size):
    main = screen.window("qGo")
    screen.tool("windowfocus", main)
    screen.tool("key", "ctrl+n")
    dialog = screen.window("Dialog")
    screen.picture("dialog")
    screen.tool("windowfocus", dialog)
    screen.tool("key", "Return")
    for _ in range(30):
        time.sleep(1)
        try:
            grid = find_grid(screen.dark(), size)
            break
        except Fault as fault:
            last = fault
    else:
        raise last
    return grid


def play(screen, log, gnugo, grid, size):
    """Returns how many moves there were, and how it ended."""
    left, right, top, _ = grid
    step = (right - left) / (size - 1)
    for turn in range(1, size * size):
        move = gnugo.say("genmove black")
        if move.lower() in ("pass", "resign"):
            screen.click(*PASS_BUTTON)
        else:
            column, row = (
                LETTERS.index(move[0]),
                int(move[1:]) - 1,
            )  # in its commands to engines, qGo counts rows from the top
            screen.click(round(left + step * column), round(top + step * row))
        line, answer = log.wait(turn, "play black")
        if (
            line.split()[-1].lower() != ("pass" if move.lower() == "resign" else move.lower())
            or answer[0] != "="
        ):
            raise Fault(f"clicked {move}, qGo said {line}, answered {answer}")
        _, answer = log.wait(turn, "genmove white")
        reply = answer[1:].strip()
        if turn == 12:
            screen.picture("middle")
        if reply.lower() == "resign" or (reply.lower() == "pass" and move.lower() == "pass"):
            return 2 * turn, reply
        gnugo.say("play white " + reply)
    return 2 * turn, "no end"


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    folder, size = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    os.environ["PATH"] += ":/usr/games"  # where Debian installs qgo and gnugo
    prepare(folder, size, " ".join(sys.argv[3:]))
    screen = Screen(folder)
    gnugo = Engine("gnugo --mode gtp --level 5 --chinese-rules --komi 7.5")
    program, code = None, 1
    try:
        program = subprocess.Popen(
            ["qgo"], env=screen.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        gnugo.say(f"boardsize {size}")
        moves, end = play(screen, Log(folder), gnugo, open_board(screen, size), size)
        time.sleep(1)
        print(f"{moves} moves, it ended with {end}; {screen.picture('end')}")
        code = 0 if end != "no end" else 1
    except Fault as fault:
        print(f"fault: {fault}; {screen.picture('fault')}")
    finally:
        gnugo.stop()
        if program:
            program.kill()
        screen.server.terminate()
    sys.exit(code)


if __name__ == "__main__":
    main()
