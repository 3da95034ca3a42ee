#!/usr/bin/env python3
"""Measures how long the page takes to analyse a game.

    bench/review_time.py GAME.sgf NET [--moves 200] [--turns 5]

The script starts `aji serve NET` on two threads and opens the first moves of the game in Chromium.
The time begins when the browser gets the file. The first pass ends when the graph shows a value for
each position and the page begins its second pass. Both programs share the processors of this
machine.

It prints the seconds of each turn and their median, and the processor time that the server used in
each turn. It needs a build with -DAJI_PAGE=ON, and the Debian packages chromium, chromium-driver
and python3-selenium.
"""
import argparse
import os
import re
import statistics
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LONGEST_SECONDS = 20
# How many positions the graph shows, or 0 during the first pass.
FIRST_PASS_OVER = r"""
const sweep = document.querySelector('.sweep > span, .sweep-begin');
if (!sweep || !/Second look|Analyse game/.test(sweep.innerText)) return 0;
return [...document.querySelectorAll('.graph-lead')].reduce(
  (sum, path) => sum + path.getAttribute('d').match(/[ML]/g).length, 0);
"""


def read_words():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", help="an SGF file")
    parser.add_argument("net", help="the net of the server")
    parser.add_argument(
        "--build",
        default=os.path.join(ROOT, "build/release"),
        help="folder of the program aji (build/release)",
    )
    parser.add_argument("--moves", type=int, default=200, help="moves of the game (200)")
    parser.add_argument("--turns", type=int, default=5, help="measurements (5)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of the server"
    )
    return parser.parse_args()


def shortened(text, moves):
    """The first moves of the main line of a game without variations, and without its comments, in
    which self-play keeps values that the page would show instead of its own."""
    text = re.sub(r"\bC\[(?:[^]\\]|\\.)*\]", "", text, flags=re.S)
    ends = [match.start() for match in re.finditer(r";\s*[BW]\[", text)]
    if len(ends) < moves:
        sys.exit("The game has only %d moves." % len(ends))
    return text if len(ends) == moves else text[: ends[moves]] + ")"


def processor_seconds(pid):
    with open("/proc/%d/stat" % pid, encoding="ascii") as file:
        words = file.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")  # user, system


def measure(page, server, path, moves):
    """Returns seconds, and processor seconds of the server."""
    page.driver.get("about:blank")
    page.open(server.address + "#/review")
    field = page.driver.find_element("css selector", "input[type=file]")
    used = processor_seconds(server.process.pid)
    begin = time.monotonic()
    field.send_keys(path)
    while page.run(FIRST_PASS_OVER) <= moves:
        time.sleep(0.02)
        if time.monotonic() > begin + LONGEST_SECONDS:
            sys.exit("The graph shows %d of %d positions." % (page.run(FIRST_PASS_OVER), moves + 1))
    return time.monotonic() - begin, processor_seconds(server.process.pid) - used


def main():
    words = read_words()
    os.environ["AJI_BUILD"] = os.path.abspath(words.build)
    sys.path.insert(0, os.path.join(ROOT, "tests/page"))
    from page_test import Page, Server  # pylint: disable=import-outside-toplevel

    with tempfile.TemporaryDirectory() as folder:
        with open(words.game, encoding="utf-8", errors="replace") as file:
            text = shortened(file.read(), words.moves)
        path = os.path.join(folder, "game.sgf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        Server.basics = (words.net, "--threads", "2")
        server = Server(folder, *(word for setting in words.set for word in ("--set", setting)))
        page = Page(folder)
        try:
            times = []
            for turn in range(words.turns):
                if turn:
                    server.restart()  # an empty cache of evaluations
                seconds, used = measure(page, server, path, words.moves)
                times.append(seconds)
                print(
                    "turn %d: %.2f s; server: %.2f s of processor time" % (turn + 1, seconds, used),
                    flush=True,
                )
            print("median of %d turns: %.2f s" % (len(times), statistics.median(times)))
        finally:
            page.driver.quit()
            server.stop()


main()
