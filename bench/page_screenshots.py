#!/usr/bin/env python3
"""Takes pictures of every page and of its important states, so that people can look at them:

    bench/page_screenshots.py OUT --runs FOLDER

The script starts `aji serve` with the nets of this repository and the runs of FOLDER, which it only
reads. It plays a game of 9x9 with the page's own hints, scores it and reviews it, opens the pages
of the runs and of the nets, and shows some errors. In each state it takes pictures at six sizes of
screen, in light and in dark colors, and writes them to OUT as STATE-WIDTHxHEIGHT-COLORS.png. If a
page is longer than a small screen, a second picture, which ends in -whole.png, shows all of it.
Chromium and the server use one core, the last one that this process may use.

It needs a build with -DAJI_PAGE=ON, and the Debian packages chromium, chromium-driver and
python3-selenium. With --states, only the named states are pictured; a state at which others begin
is still reached. With --measure, the script also prints what it can find by measuring: texts of too
little contrast (less than 4.5, or 3 for large texts), texts that are cut, and, on phones, buttons
that are less than 44 pixels high or wide.
"""
import argparse
import base64
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIZES = [(360, 640), (390, 844), (768, 1024), (1280, 720), (1440, 900), (2560, 1440)]
SETTINGS = {
    "size": 9,
    "handicap": 0,
    "komi": None,
    "rules": "japanese",
    "color": "B",
    "visits": 16,
    "level": None,
    "net": "13x13-b5c48",
}
# The states that need a game, and those that need its review.
GAME_STATES = (
    "play-game",
    "play-hint",
    "play-resign",
    "play-earlier-move",
    "play-judged",
    "play-score-proposed",
    "play-score",
    "play-over",
)
REVIEW_STATES = (
    "review-sweep",
    "review-game",
    "review-territory",
    "review-policy",
    "review-dots",
    "review-hover",
    "review-branch",
    "review-practice",
    "review-practice-answer",
)
KO = "(;GM[1]SZ[19]KM[7.5]RU[Chinese]AB[cb][bc][cd]AW[db][ec][dd][cc];B[dc];W[];B[])"
TURNS_MOST = 80
HINTED_MOST = 12  # moves, of both players; after them, the script passes

# Looks at the page, and returns a line for each text with low contrast, each cut text and each
# small button.
MEASURE = r"""
const numbers = (color) => (color.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
const rgba = (color) => {
  const [r, g, b, a = 1] = numbers(color);
  return color.startsWith('color(srgb') ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
};
const over = ([r, g, b, a], under) => [r, g, b].map((c, i) => a * c + (1 - a) * under[i]);
const light = (color) => {
  const [r, g, b] = color.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92
    : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (e) => {
  const layers = [];
  for (let at = e; at; at = at.parentElement)
    layers.unshift(rgba(getComputedStyle(at).backgroundColor));
  return layers.reduce((under, layer) => over(layer, under), [255, 255, 255]);
};
const found = new Set();
const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  && !e.closest('.unseen, .skip');
for (const e of document.querySelectorAll('body *')) {
  if (e.closest('svg, noscript, .u-over') || !seen(e)) continue;
  const text = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join('');
  const style = getComputedStyle(e);
  const words = (e.innerText || '').slice(0, 40).replace(/\s+/g, ' ');
  const name = `${e.tagName.toLowerCase()}.${e.className} "${words}"`;
  if (text && !e.disabled && e.tagName !== 'OPTION') {
    let opacity = 1;
    for (let at = e; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const ground = behind(e);
    const ink = rgba(style.color);
    const [a, b] = [light(over([...ink.slice(0, 3), ink[3] * opacity], ground)), light(ground)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) found.add(`contrast ${ratio.toFixed(2)}: ${name}`);
    if (size < 12) found.add(`text of ${size} pixels: ${name}`);
    if (/hidden|clip/.test(style.overflowX) && e.scrollWidth > e.clientWidth + 1)
      found.add(`cut: ${name}`);
  }
  // The link of a card covers all of the card.
  if (arguments[0] && e.matches('button, select, a:not(.cards h2 a), summary, .switch label')) {
    const box = e.getBoundingClientRect();
    if (box.width && (box.height < 43.5 || box.width < 43.5))
      found.add(`target ${Math.round(box.width)} x ${Math.round(box.height)}: ${name}`);
  }
}
return [...found];
"""


def read_words():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", help="folder for the pictures")
    parser.add_argument(
        "--build",
        default=os.path.join(ROOT, "build/test"),
        help="folder of the program aji (build/test)",
    )
    parser.add_argument("--runs", help="folder of runs; without it, their pages are left out")
    parser.add_argument("--states", nargs="+", help="names of states (all)")
    parser.add_argument(
        "--sizes",
        nargs="+",
        default=["%dx%d" % size for size in SIZES],
        help="sizes of screen, as 390x844 (six sizes)",
    )
    parser.add_argument(
        "--colors",
        nargs="+",
        default=["light", "dark"],
        choices=["light", "dark"],
        help="colors (both)",
    )
    parser.add_argument(
        "--quick", action="store_true", help="show each size in one of the colors only, in turn"
    )
    parser.add_argument(
        "--measure", action="store_true", help="print contrasts, cut texts and small buttons too"
    )
    return parser.parse_args()


class Album:
    """Goes from state to state, and takes the pictures of each."""

    def __init__(self, words, server, page):
        self.words, self.server, self.page = words, server, page
        self.sizes = [tuple(map(int, size.split("x"))) for size in words.sizes]
        self.size = None
        os.makedirs(words.out, exist_ok=True)

    def wants(self, *states):
        return not self.words.states or any(state in self.words.states for state in states)

    def resize(self, width, height):
        if (width, height) == self.size:
            return
        small = width < 500
        self.page.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": small},
        )
        self.page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": small})
        self.size = (width, height)

    def take(self, state, prepare=None, whole=True):
        """Takes the pictures of this state. prepare() is called at each size."""
        if not self.wants(state):
            return
        for i, (width, height) in enumerate(self.sizes):
            self.resize(width, height)
            self.page.until("innerWidth === %d" % width, "the screen is resized")
            every = self.words.colors
            for colors in every if not self.words.quick else [every[i % len(every)]]:
                self.page.run("document.documentElement.dataset.theme = arguments[0]", colors)
                if prepare:
                    prepare()
                time.sleep(0.3)  # the board and the charts measure themselves
                self.shoot("%s-%dx%d-%s" % (state, width, height, colors), whole and width < 1000)
        self.resize(1440, 900)
        print("%s: pictured" % state, flush=True)

    def shoot(self, name, whole):
        if self.words.measure:
            phone = self.size[0] < 500
            for line in self.page.run(MEASURE, phone):
                print("  %s: %s" % (name, line), flush=True)
        self.write(name, {})
        tall, high = self.page.run("return [document.documentElement.scrollHeight, innerHeight]")
        if whole and tall > high + 4:
            clip = {"x": 0, "y": 0, "width": self.size[0], "height": min(tall, 6000), "scale": 1}
            self.write(name + "-whole", {"captureBeyondViewport": True, "clip": clip})

    def write(self, name, how):
        picture = self.page.driver.execute_cdp_cmd("Page.captureScreenshot", how)["data"]
        with open(os.path.join(self.words.out, name + ".png"), "wb") as file:
            file.write(base64.b64decode(picture))

    def go(self, place):
        self.page.run("location.hash = arguments[0]", place)
        time.sleep(0.3)

    def select(self, selector, value):
        self.page.run(
            "const s = document.querySelector(arguments[0]); s.value = arguments[1];"
            "s.dispatchEvent(new Event('change', {bubbles: true}))",
            selector,
            value,
        )

    def press(self, text):
        self.page.until(
            "[...document.querySelectorAll('button')].find((e) => e.innerText === %r"
            " && !e.disabled)" % text,
            "the button " + text,
        )
        self.page.run("arguments[0].click()", self.page.button(text))

    def remember(self, key, value):
        self.page.remember(key, value)

    def open_sgf(self, text):
        path = os.path.join(self.page.folder, "game.sgf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self.page.driver.find_element("css selector", "input[type=file]").send_keys(path)


SCROLL = "document.querySelector(arguments[0]).scrollIntoView({block: 'start'})"


def picture_beginnings(album):
    page = album.page
    album.remember("settings", SETTINGS)
    album.take("play-start")
    album.remember("settings", {**SETTINGS, "size": 19, "handicap": 4, "color": "W"})
    album.take("play-start-19")
    album.remember("settings", {**SETTINGS, "size": 13, "color": "W"})
    album.take("play-start-13")
    album.remember("settings", {**SETTINGS, "size": 19})
    if album.wants("play-tap-19"):
        album.resize(360, 640)
        page.tap("Q16")
        album.take("play-tap-19", whole=False)


def turn(page):
    """Waits until this script is to move or the game has ended. Returns the number of moves."""
    page.until(
        "!/thinks/.test(document.body.innerText) && (document.querySelector('.panel h2') ||"
        " document.querySelectorAll('.moves button').length % 2 === 0)",
        "the answer",
    )
    time.sleep(0.1)
    return page.run("return document.querySelectorAll('.moves button').length")


def hint(page):
    button = "[...document.querySelectorAll('button')].find((e) => e.innerText === 'Hint')"
    page.until(f"{button} && !{button}.disabled", "the button Hint")
    page.run(f"if ({button}.getAttribute('aria-pressed') !== 'true') {button}.click()")
    page.until("document.querySelector('.estimate')", "a hint")


def play_hinted(page):
    """Plays the first choice of the page's own hint."""
    hint(page)
    best = page.run(
        "const cell = document.querySelector('.board [aria-label*=\"choice 1,\"]');"
        "return cell ? cell.getAttribute('aria-label').split(',')[0] : null"
    )
    if best:
        page.click(best)
    else:
        page.press("p")


def picture_game(album):
    """Plays a game to its end. Returns the game's name, the last part of the page's address."""
    page = album.page
    page.click("E5")
    moves = turn(page)
    for _ in range(TURNS_MOST):
        if page.run("return !!document.querySelector('.panel h2')"):
            break
        if moves < HINTED_MOST:
            play_hinted(page)
        else:
            page.press("p")
        page.until(
            "document.querySelectorAll('.moves button').length > %d ||"
            " document.querySelector('.panel h2')" % moves,
            "a move",
        )
        moves = turn(page)
        if moves == 10:
            album.take("play-game")
            picture_help(album)
    page.until("document.querySelector('.score')", "points are counted")
    album.take("play-score-proposed")
    stone = page.run(
        "return [...document.querySelectorAll('.board [role=gridcell]')]"
        ".find((e) => /, white$/.test(e.getAttribute('aria-label')))"
    )
    if stone:
        mark_group(page, stone)
    time.sleep(1)
    album.take("play-score")
    album.press("Agree")
    page.until("/You (win|lose)|A draw/.test(document.body.innerText)", "a result")
    album.take("play-over")
    return page.run("return location.hash").rsplit("/", 1)[1]


def mark_group(page, stone):
    page.run(
        "const b = arguments[0].getBoundingClientRect(); const at = {bubbles: true,"
        "clientX: b.x + b.width / 2, clientY: b.y + b.height / 2, isPrimary: true, button: 0,"
        "pointerId: 1, pointerType: 'mouse'};"
        "for (const kind of ['pointerdown', 'pointerup'])"
        " arguments[0].dispatchEvent(new PointerEvent(kind, at))",
        stone,
    )


def picture_help(album):
    page = album.page
    hint(page)
    time.sleep(1)
    album.take("play-hint")
    page.press("h")
    album.press("Resign")
    album.take("play-resign")
    page.run("[...document.querySelectorAll('.question ~ button')].pop().click()")
    page.run("document.querySelectorAll('.moves button')[4].click()")
    album.take("play-earlier-move")
    page.run("[...document.querySelectorAll('.moves button')].pop().click()")
    if album.wants("play-judged"):
        page.run("document.querySelectorAll('.switch input')[1].click()")
        page.click("A1")
        page.until("document.querySelector('.judgement')", "a judgement")
        turn(page)
        album.take("play-judged")
        page.run("document.querySelectorAll('.switch input')[0].click()")
        page.press("u")
        time.sleep(1)


def await_sweep(page, seconds=600):
    page.until(
        "document.querySelector('.graph') && !document.querySelector('.sweep') && "
        "!document.querySelector('.sweep-begin')",
        "the sweep ends",
        seconds,
    )


def picture_review(album, game):
    page = album.page
    album.go("#/review/game/" + game)
    page.until("document.querySelector('.sweep')", "the sweep begins")
    album.take("review-sweep")
    await_sweep(page)
    page.press("n")
    page.until("document.querySelectorAll('.candidates tbody tr').length", "candidates")
    album.take("review-game")
    for key, state in (("r", "review-territory"), ("t", "review-policy"), ("w", "review-dots")):
        page.press(key)
        time.sleep(1)
        album.take(state)
        page.press(key)
    if album.wants("review-hover"):
        album.take(
            "review-hover",
            lambda: page.run(
                "document.activeElement.blur(); document.querySelector('.candidates .move').focus()"
            ),
        )
        page.run("document.activeElement.blur()")
    picture_branch(album)
    picture_practice(album)


def picture_branch(album):
    page = album.page
    free = page.run(
        "return [...document.querySelectorAll('.board [role=gridcell]')].find((e) =>"
        " /, empty$/.test(e.getAttribute('aria-label'))).getAttribute('aria-label')"
    )
    page.click(free.split(",")[0])
    page.until("/Remove branch/.test(document.body.innerText)", "a trial move")
    page.until("document.querySelectorAll('.candidates tbody tr').length", "an answer to it")
    time.sleep(1)
    album.take("review-branch")
    page.run("document.activeElement.blur()")
    page.press("\ue00c", "\ue017")  # Escape, Delete
    time.sleep(0.5)


def picture_practice(album):
    page = album.page
    album.press("Practise")
    page.until("document.querySelector('.panel .card')", "practice")
    album.take("review-practice")
    if page.button("Show"):
        album.press("Show")
        time.sleep(0.5)
        album.take("review-practice-answer")
    album.press("End practice")


def picture_runs(album):
    page = album.page
    album.go("#/runs")
    page.until("document.querySelector('.cards h2')", "the list of runs")
    album.take("runs")
    page.run("document.querySelector('.cards a').click()")
    page.until(
        "document.querySelector('.learned') && document.querySelector('.games a')"
        " && document.querySelector('.chart')",
        "the run",
    )
    page.until("/Net \\d+: Black/.test(document.body.innerText)", "the newest net answers")
    album.take("run")
    album.take("run-learned", lambda: page.run(SCROLL, ".learned"), whole=False)
    album.take("run-games", lambda: page.run(SCROLL, ".games"), whole=False)
    page.run("document.querySelector('.games a').click()")
    page.until("document.querySelector('.title') && document.querySelector('.graph')", "a game")
    time.sleep(1)
    album.take("run-game")


def picture_empty(album):
    """Takes pictures of the page of reviews. After a game was played, the page shows this game."""
    page = album.page
    album.go("#/review")
    page.until("document.querySelector('.drop-zone')", "the empty review")
    album.take("review-empty")
    album.press("Paste")
    album.take("review-paste", whole=False)
    album.press("Close")
    album.go("#/play")


def picture_others(album):
    page = album.page
    album.go("#/nets")
    page.until("document.querySelectorAll('.pairs').length >= 2", "facts of the nets")
    album.take("nets")
    page.press("?")
    page.until("document.querySelector('.keys')", "the table of keys")
    album.take("keys", whole=False)
    album.press("Close")
    album.go("#/review")
    page.until("document.querySelector('input[type=file]')", "the page of reviews")
    album.open_sgf(KO)
    page.until("document.querySelector('.title')", "the game")
    page.press("\ue012", "\ue014")  # at the beginning, one move on
    page.until("document.querySelector('.board .ko')", "the mark of the ko")
    album.take("review-ko", whole=False)
    page.press("\ue014")
    page.until("document.querySelector('.passed')", "the mark of the pass")
    album.take("review-pass", whole=False)
    album.open_sgf(long_game())
    page.until("document.querySelector('.sweep')", "the sweep")
    page.until("document.querySelectorAll('.candidates tbody tr').length", "candidates", 120)
    album.press("Stop")
    album.take("review-19")
    page.run("document.activeElement.blur()")
    page.run(
        "dispatchEvent(new KeyboardEvent('keydown', {key: 'k', ctrlKey: true, bubbles: true}))"
    )
    page.until("document.querySelector('.palette')", "the commands")
    album.take("commands", whole=False)
    page.press("\ue00c")
    album.open_sgf("no game at all")
    page.until("document.querySelector('.problem')", "an error")
    album.take("review-error")
    album.go("#/play/no-such-game")
    page.until("document.querySelector('.problem')", "an error")
    album.take("play-error")


def long_game():
    """Returns a game of 19x19 with names, marks and a comment. The moves first take star points and
    points near them, and then every second point of every second line. No stone is ever without
    liberties, so all moves are legal."""
    letters = "abcdefghijklmnopqrs"
    stars = [
        (15, 3),
        (3, 15),
        (15, 15),
        (3, 3),
        (13, 2),
        (2, 13),
        (16, 13),
        (5, 2),
        (9, 15),
        (9, 3),
        (3, 9),
        (15, 9),
        (9, 9),
        (16, 5),
        (2, 5),
        (13, 16),
        (5, 16),
        (11, 2),
    ]
    others = [(x, y) for y in range(0, 19, 2) for x in range(0, 19, 2) if (x, y) not in stars]
    moves = []
    for i, (x, y) in enumerate(stars + others):
        moves.append(";%s[%s%s]" % ("BW"[i % 2], letters[x], letters[y]))
    moves[20] += (
        "C[A comment of the game, which says in two lines what Black wanted here.]"
        "TR[pd]SQ[dp]CR[pp]MA[dd]LB[jj:A]"
    )
    return (
        "(;GM[1]FF[4]CA[UTF-8]SZ[19]KM[6.5]RU[Japanese]PB[A player with a rather long name]"
        "BR[9d]PW[Yamashita Keigo]WR[9d]RE[W+R]" + "".join(moves) + ")"
    )


def picture_lost(album):
    album.go("#/play")
    album.server.stop()
    album.page.until(
        "document.querySelector('.connection.lost')", "the page sees that the server has stopped"
    )
    album.take("server-lost")


def serve(words, folder):
    from page_test import Server  # pylint: disable=import-outside-toplevel

    class Nets(Server):
        """`aji serve` with the nets of this repository."""

        def start(self, port):
            nets = [
                os.path.join(ROOT, "nets", name) for name in ("9x9-b5c48.aji", "13x13-b5c48.aji")
            ]
            runs = ["--runs", words.runs] if words.runs else []
            self.process = subprocess.Popen(
                [
                    os.path.join(words.build, "aji"),
                    "serve",
                    *nets,
                    "--port",
                    str(port),
                    "--threads",
                    "1",
                    "--games",
                    os.path.join(folder, "games"),
                    *runs,
                ],
                stdout=subprocess.PIPE,
                text=True,
            )
            self.address = self.process.stdout.readline().strip()
            assert self.address.startswith("http://127.0.0.1:"), self.address
            self.port = int(self.address.rsplit(":", 1)[1].rstrip("/"))

    return Nets(folder)


def main():
    words = read_words()
    sys.path.insert(0, os.path.join(ROOT, "tests/page"))
    from page_test import Page  # pylint: disable=import-outside-toplevel

    os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    with tempfile.TemporaryDirectory(prefix="aji-pictures-", ignore_cleanup_errors=True) as folder:
        server = serve(words, folder)
        page = None
        try:
            page = Page(folder)
            page.open(server.address + "#/play")
            page.driver.execute_cdp_cmd(
                "Emulation.setEmulatedMedia",
                {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]},
            )
            album = Album(words, server, page)
            album.resize(1440, 900)
            picture_all(album)
        finally:
            if page:
                page.driver.quit()
            server.process.kill()


def picture_all(album):
    if album.wants("play-start", "play-start-13", "play-start-19", "play-tap-19"):
        picture_beginnings(album)
    picture_empty(album)
    album.remember("settings", SETTINGS)
    if album.words.states is None or any(
        state in GAME_STATES or state in REVIEW_STATES for state in album.words.states
    ):
        game = picture_game(album)
        if album.wants(*REVIEW_STATES):
            picture_review(album, game)
    if album.words.runs and album.wants("runs", "run", "run-learned", "run-games", "run-game"):
        picture_runs(album)
    picture_others(album)
    picture_lost(album)


if __name__ == "__main__":
    main()
