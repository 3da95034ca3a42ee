"""Every part of the page keeps the rules of WCAG 2.1, levels A and AA, that axe-core can check.

axe-core comes from npm: web/package.json lists it, and the build of the page installs it.
"""
import json
import os
import subprocess

from page_test import AJI, SMALL_RUN, Keys, ActionChains, main, skip

AXE = os.path.join(
    os.environ.get("AJI_BUILD", "build/release"), "page/node_modules/axe-core/axe.min.js"
)
# What axe-core checks in each theme: in the dark theme only what depends on colors.
THEMES = {
    "light": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]},
    "dark": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
}
SCREENS = ((1280, 800), (390, 844))
BOARD_5 = {"size": 5, "handicap": 0, "komi": 0.5, "rules": "chinese", "color": "B", "visits": 16}
GAME = (
    "(;GM[1]FF[4]SZ[9]KM[6.5]RU[Chinese]PB[Black]PW[White]"
    ";B[ee]C[A comment.];W[gc];B[cg](;W[gg];B[aa];W[fe])(;W[cc]))"
)

CHECK = """
const [runOnly, done] = arguments;
// axe-core does not know that an open dialog is above everything else.
for (const dialog of document.querySelectorAll('dialog[open]')) dialog.style.zIndex = 99;
axe.run(document, {runOnly, resultTypes: ['violations']}).then(
  ({violations, passes}) => done({passed: passes.length, faults: violations.flatMap(
    ({id, help, nodes}) => nodes.map(({target, any, all, none}) => ({rule: id, help,
      at: target.join(' '), why: [...any, ...all, ...none].map((one) => one.message).join('; ')})))
  }),
  (error) => done({passed: 0, faults: [{rule: 'none', help: String(error), at: '', why: ''}]}));
"""


class Checker:
    """Checks the present state of the page in each theme, on each screen."""

    def __init__(self, page):
        self.page = page
        self.faults = {}  # rule, place, reason -> states
        self.states = 0
        with open(AXE, encoding="utf-8") as file:
            self.axe = file.read()
        # Otherwise colors that still change would be measured.
        page.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]},
        )

    def check(self, state):
        page = self.page
        if not page.run("return Boolean(window.axe)"):
            page.run(self.axe)
        for width, height in SCREENS:
            page.resize(width, height)
            page.until("innerWidth == %d" % width, "the screen is resized")
            for theme, rules in THEMES.items():
                page.run("document.documentElement.dataset.theme = arguments[0]", theme)
                found = page.driver.execute_async_script(CHECK, rules)
                self.states += 1
                name = "%s, %s, %d wide" % (state, theme, width)
                assert found["passed"] or found["faults"], "axe-core checked nothing: " + name
                for fault in found["faults"]:
                    key = (fault["rule"], fault["at"], fault["why"])
                    self.faults.setdefault(key, []).append(name)
        page.resize(1280, 800)
        page.until("innerWidth == 1280", "the screen is resized")

    def finish(self):
        for (rule, place, why), states in sorted(self.faults.items()):
            print(
                "%s: %s\n    %s\n    in %d states: %s"
                % (rule, place, why, len(states), "; ".join(states[:3]))
            )
        assert not self.faults, "%d faults in %d states" % (len(self.faults), self.states)


def prepare(folder):
    """A run of three nets on 5x5, and a net for 9x9, which finds mistakes in GAME."""
    if not os.path.exists(AXE):
        skip("needs axe-core, which the build of the page installs")
    words = [word for setting in SMALL_RUN for word in ("--set", setting)]
    subprocess.run(
        [
            AJI,
            "learn",
            "--run",
            os.path.join(folder, "small-run"),
            "--size",
            "5",
            "--time",
            "60s",
            *words,
        ],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return ["nets/9x9-b5c48.aji", "--runs", folder]


def press(page, text):
    page.run(
        "arguments[0].click()",
        page.until(
            "[...document.querySelectorAll('button')].find((e) => e.innerText === %s && "
            "!e.disabled)" % json.dumps(text),
            "the button " + text,
        ),
    )


def help_with(page, text):
    page.run(
        "[...document.querySelectorAll('.switch label')].find((e) => e.innerText.trim() ==="
        " arguments[0]).querySelector('input').click()",
        text,
    )


def check_commands(page, checker):
    page.press("?")
    page.until("document.querySelector('.keys')", "the table of keys")
    checker.check("the table of keys")
    press(page, "Close")
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
    page.until("document.querySelector('.palette li')", "commands")
    checker.check("the list of commands")
    page.press("no such command")
    page.until("!document.querySelector('.palette li')", "no command")
    checker.check("the list of commands without commands")
    page.press(Keys.ESCAPE)


def check_setup(page, checker):
    checker.check("before a game")
    page.press("/")
    page.until("document.querySelector('.point-entry')", "the field for a point")
    page.press("Z99", Keys.ENTER)
    page.until("document.querySelector('.point-entry [role=alert]')", "a complaint")
    checker.check("a point that does not exist")
    page.press(Keys.ESCAPE)
    page.run("document.querySelector('.more').click()")
    page.until("document.querySelector('.setup.open')", "more settings")
    checker.check("all settings of a new game")
    page.remember("settings", {**BOARD_5, "color": "W"})
    checker.check("before a game with White")
    page.remember("settings", {**BOARD_5, "size": 19, "handicap": 4})
    checker.check("before a game on 19x19")
    page.remember("settings", BOARD_5)


def check_game(page, checker):
    page.click("C3")
    page.until(
        "document.querySelectorAll('.moves button').length >= 2 &&"
        " !/thinks/.test(document.body.innerText)",
        "an answer",
    )
    checker.check("a game")
    press(page, "Resign")
    page.until("document.querySelector('.question')", "the question")
    checker.check("the question whether to resign")
    page.run("[...document.querySelectorAll('[role=group] button')][1].click()")
    help_with(page, "On")
    page.until(
        "document.querySelectorAll('.board .candidate').length &&"
        " document.querySelector('.estimate')",
        "candidates",
    )
    checker.check("a game with candidates")
    help_with(page, "After my move")
    page.click("A1")
    page.until(
        "document.querySelectorAll('.moves button').length >= 4 &&"
        " document.querySelector('.judgement')",
        "a judgement",
    )
    checker.check("a game with a judgement")
    help_with(page, "Off")
    page.run("document.querySelector('.moves button').click()")
    page.until("/Back to the present/.test(document.body.innerText)", "an earlier position")
    checker.check("an earlier position of a game")
    press(page, "Back to the present position")
    page.run("document.querySelector('.earlier summary').click()")
    page.until("document.querySelector('.earlier a')", "earlier games")
    checker.check("earlier games")


def check_end(page, checker):
    for _ in range(40):
        if "dead" in page.text():
            break
        before = page.run("return document.querySelectorAll('.moves button').length")
        press(page, "Pass")
        page.until(
            "document.querySelectorAll('.moves button').length >= %d ||"
            " document.querySelector('.panel h2')" % (before + 2),
            "an answer",
        )
    page.until("document.querySelector('.score')", "points are counted")
    checker.check("the dead stones of a game")
    page.run(
        "arguments[0].dispatchEvent(new PointerEvent('pointerdown', {bubbles: true,"
        " isPrimary: true}))",
        page.cell("C3"),
    )
    press(page, "Agree")
    page.until("/You (win|lose)|A draw/.test(document.body.innerText)", "a result")
    checker.check("the result of a game")


def open_game(page):
    path = os.path.join(page.folder, "game.sgf")
    with open(path, "w", encoding="ascii") as file:
        file.write(GAME)
    page.driver.find_element("css selector", "input[type=file]").send_keys(path)
    page.until(
        "document.querySelector('.graph') && !document.querySelector('.sweep')",
        "the game is analysed",
    )


def check_review(page, checker):
    checker.check("a review without a game")
    press(page, "Paste")
    page.until("document.querySelector('dialog textarea')", "the field for an SGF")
    checker.check("the field for an SGF")
    page.press("nonsense")
    press(page, "Open this text")
    page.until("document.querySelector('.problem')", "a complaint")
    checker.check("a text that is no SGF")
    open_game(page)
    checker.check("a review at its beginning")
    page.press(Keys.HOME, Keys.RIGHT * 3)
    page.until("document.querySelector('.branches')", "variations")
    page.press("q", "w", "r")
    page.until(
        "document.querySelector('.board .child') && document.querySelector('.board .dot') &&"
        " document.querySelector('.board .owned')",
        "marks",
    )
    checker.check("a review with marks and territory")
    page.press("q", "w", "r", "t")
    page.until("document.querySelector('.aside')", "the policy")
    checker.check("the policy of the net")
    page.press("t", "g")
    page.until("/Drag over a part/.test(document.body.innerText)", "the region is asked for")
    checker.check("the question for a part of the board")
    page.press("g", "c")
    checker.check("a review with the cursor")
    page.press("c", Keys.HOME, Keys.RIGHT)
    page.until("document.querySelector('.comment')", "a comment")
    page.until("document.querySelector('.candidates .move')", "candidates")
    page.run(
        "document.querySelector('.candidates .move').click();"
        "document.querySelector('.candidates .move').focus()"
    )
    page.until("document.querySelector('.board .line')", "a variation")
    checker.check("a review with a variation and a comment")
    page.run("document.activeElement.blur()")
    page.press("Z")
    page.until("document.documentElement.dataset.alone", "only the board")
    checker.check("the board alone")
    page.press("Z")
    press(page, "Practise")
    page.until("/Find a better one/.test(document.body.innerText)", "the practice")
    checker.check("the practice")
    press(page, "Show")
    page.until("document.querySelector('.judgement')", "an answer")
    checker.check("an answer in the practice")


def check_run(page, checker):
    page.run("[...document.querySelectorAll('a')].find((e) => e.innerText === 'small-run').click()")
    page.until(
        "document.querySelectorAll('.chart canvas').length === 2 &&"
        " document.querySelectorAll('.candidates tbody tr').length >= 3 &&"
        " document.querySelectorAll('.games a').length &&"
        " /Net 3: Black/.test((document.querySelector('.slider') || document.body)"
        ".innerText)",
        "all parts of a run",
    )
    checker.check("a run")
    page.run("for (const e of document.querySelectorAll('details')) e.open = true")
    page.click("C3")
    page.until(
        "/C3, black/.test(document.querySelector('.board [data-point=\"12\"]')"
        ".getAttribute('aria-label'))",
        "a stone",
    )
    checker.check("a run with its matches and its log")
    page.run("document.querySelector('.games a').click()")
    page.until("document.querySelector('.graph')", "a game of a run")
    checker.check("a game of a run")


def test(server, page):
    page.open(server.address + "#/play")
    checker = Checker(page)
    check_setup(page, checker)
    check_commands(page, checker)
    check_game(page, checker)
    check_end(page, checker)
    page.open(server.address + "#/review")
    check_review(page, checker)
    page.open(server.address + "#/nets")
    page.until("document.querySelector('.cards .pairs')", "nets")
    checker.check("nets")
    page.open(server.address + "#/runs")
    page.until("document.querySelector('.cards h2')", "the list of runs")
    checker.check("the list of runs")
    check_run(page, checker)
    page.driver.get(server.address + "#/runs/no-such-run")
    page.until("document.querySelector('.problem')", "a complaint")
    checker.check("a run that does not exist")
    page.check_manners(server)
    server.stop()
    page.until("document.querySelector('.connection:not(.open)')", "the connection is lost")
    checker.check("a lost connection")
    server.start(server.port)
    checker.finish()


main(test, prepare)
