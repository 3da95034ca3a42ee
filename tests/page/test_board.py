"""What the board shows besides stones: komi and coordinates, passes, kos, and earlier positions."""
import os

from page_test import Keys, main

SETTINGS = {"size": 9, "handicap": 0, "komi": None, "rules": "japanese", "color": "B", "visits": 16}
SMALL = {**SETTINGS, "size": 5, "komi": 0.5, "rules": "chinese"}
# Black's last stone takes a ko at C7.
KO = [
    ("B", "C8"),
    ("W", "D8"),
    ("B", "B7"),
    ("W", "E7"),
    ("B", "C6"),
    ("W", "D6"),
    ("B", "A1"),
    ("W", "C7"),
    ("B", "D7"),
]
KO_SGF = "(;GM[1]SZ[9]KM[7.5]RU[Chinese]AB[cb][bc][cd]AW[db][ec][dd][cc];B[dc];W[];B[])"

# Counts the moves that the page sends. window.change, if it is set, may change messages of the
# server.
SPY = """
window.played = 0;
const Plain = WebSocket;
window.WebSocket = class extends Plain {
  send(text) {
    if (/^game\\.(play|undo)$/.test(JSON.parse(text).op)) window.played += 1;
    super.send(text);
  }
  set onmessage(listener) {
    super.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (window.change) window.change(message);
      listener({ data: JSON.stringify(message) });
    };
  }
};
"""


def label(page, point):
    return page.cell(point).get_attribute("aria-label")


def choose(page, name, value):
    page.run(
        "const s = [...document.querySelectorAll('.setup .choice')].find((e) =>"
        " e.innerText.startsWith(arguments[0])).querySelector('select');"
        "s.value = arguments[1]; s.dispatchEvent(new Event('change', {bubbles: true}))",
        name,
        value,
    )


def until_komi(page, text):
    page.until(
        "[...document.querySelectorAll('.setup option')].some((e) => e.text === %r)" % text,
        "the komi " + text,
    )


def check_komi(page):
    """The usual komi is shown before a game, and it is the komi of the game."""
    page.remember("settings", SETTINGS)
    until_komi(page, "6.5 (usual)")
    choose(page, "Rules", "chinese")
    until_komi(page, "7.5 (usual)")
    choose(page, "Handicap", "2")
    until_komi(page, "0.5 (usual)")
    choose(page, "Handicap", "0")
    choose(page, "Size", "7")
    until_komi(page, "9 (usual)")
    page.click("D4")
    page.until("/Komi 9\\b/.test(document.body.innerText)", "a game with this komi")
    page.button("New game").click()


def check_more(page):
    """On a phone, a button shows the settings that are rarely changed, and hides them again."""
    page.resize(390, 844)
    page.remember("settings", SETTINGS)
    shown = (
        "return [...document.querySelectorAll('.setup select')].filter((e) =>"
        " e.offsetParent).length"
    )
    assert page.run(shown) == 3, page.run(shown)
    page.button("More").click()
    page.until("document.querySelector('.setup.open')", "all settings")
    assert page.run(shown) == 6, page.run(shown)
    page.button("Less").click()
    page.until("!document.querySelector('.setup.open')", "few settings")


def check_coordinates(page):
    """A phone shows coordinates on 19x19, large enough to be read and inside the board."""
    page.resize(360, 640)
    page.remember("settings", {**SETTINGS, "size": 19})
    page.until("document.querySelectorAll('.board-lines text').length === 76", "coordinates")
    outside = page.run(
        "const board = document.querySelector('.board-frame').getBoundingClientRect();"
        "return [...document.querySelectorAll('.board-lines text')].map((e) =>"
        " [e.textContent, e.getBoundingClientRect()]).filter(([, b]) => b.height < 8 ||"
        " b.left < board.left || b.right > board.right || b.top < board.top - 1 ||"
        " b.bottom > board.bottom + 1).map(([text]) => text)"
    )
    assert outside == [], outside


def check_confirm(page):
    """The button that places a stone covers no point, and nothing covers the button."""
    for width, height in ((320, 568), (360, 640), (768, 400)):
        page.resize(width, height)
        page.remember("settings", {**SETTINGS, "size": 19})
        page.tap("Q16")
        page.until(
            "document.querySelector('.confirm') && document.querySelector('.confirm')"
            ".getBoundingClientRect().bottom < innerHeight + 1",
            "the button in sight",
        )
        found = page.run(
            "const board = document.querySelector('.board').getBoundingClientRect();"
            "const b = document.querySelector('.confirm').getBoundingClientRect();"
            "const over = b.left < board.right && b.right > board.left &&"
            " b.top < board.bottom && b.bottom > board.top;"
            "const top = document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2);"
            "return [over, top && top.className, b.right <= innerWidth]"
        )
        assert found == [False, "confirm", True], (width, height, found)
        page.tap("K1")
        page.until("/Place K1/.test(document.body.innerText)", "another point")


def pinch(page, before, after):
    """Two fingers go from two places to two others; each place is [x, y] in pixels."""

    def send(kind, places):
        page.driver.execute_cdp_cmd(
            "Input.dispatchTouchEvent",
            {
                "type": kind,
                "touchPoints": [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)],
            },
        )

    send("touchStart", before[:1])
    send("touchStart", before)
    for step in (0.25, 0.5, 0.75, 1):
        send(
            "touchMove",
            [[a + (b - a) * step for a, b in zip(one, other)] for one, other in zip(before, after)],
        )
    send("touchEnd", after[:1])
    send("touchEnd", [])


def check_zoom(page):
    """Two fingers enlarge the board around the place between them, and place no stone."""
    page.resize(390, 844)
    page.remember("settings", {**SETTINGS, "size": 19})
    # Chromium sometimes keeps a slightly enlarged page after the window was resized.
    page.driver.execute_cdp_cmd("Emulation.setPageScaleFactor", {"pageScaleFactor": 1})
    page.until("window.visualViewport.scale === 1", "the page at its usual scale")
    size = (
        "return document.querySelector('.board [data-point=\"60\"]').getBoundingClientRect()"
        ".width"
    )
    middle = (
        "const b = arguments[0].getBoundingClientRect();"
        "return [b.x + b.width / 2, b.y + b.height / 2]"
    )
    before = page.run(size)
    x, y = page.run(middle, page.cell("D16"))
    pinch(page, [[x - 20, y], [x + 20, y]], [[x - 60, y], [x + 60, y]])
    assert abs(page.run(size) - 3 * before) < 2, (before, page.run(size))
    scale = page.run("return window.visualViewport.scale")
    assert scale == 1, "the page was enlarged by %r" % scale
    left, top = page.run(middle, page.cell("D16"))
    assert abs(left - x) < 3 and abs(top - y) < 3, ([x, y], [left, top])
    assert page.run("return document.querySelectorAll('.confirm, .moves button').length") == 0
    pinch(page, [[x - 60, y], [x + 60, y]], [[x - 30, y + 40], [x + 90, y + 40]])  # moves the board
    left, top = page.run(middle, page.cell("D16"))
    assert abs(left - x - 30) < 3 and abs(top - y - 40) < 3, ([x, y], [left, top])
    page.run("arguments[0].click()", page.button("Whole board"))
    page.until("!document.querySelector('.board.zoomed')", "the whole board")
    assert abs(page.run(size) - before) < 1, (before, page.run(size))
    pinch(page, [[x - 20, y], [x + 20, y]], [[x - 60, y], [x + 60, y]])
    page.tap("C16")  # large enough for a single tap
    page.until(
        "document.querySelectorAll('.moves button').length >= 1 &&"
        " /C16/.test(document.querySelector('.moves').innerText)",
        "a stone at C16",
    )
    page.button("New game").click()


def show(page, text):
    path = os.path.join(page.folder, "game.sgf")
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    page.driver.find_element("css selector", "input[type=file]").send_keys(path)
    page.until("document.querySelector('.title')", "the game is shown")


def check_review_ko(page):
    """A ko is marked and refused; after two passes it may be taken back. Passes are shown."""
    show(page, KO_SGF)
    page.press(Keys.HOME, Keys.RIGHT)
    page.until("document.querySelector('.board .ko')", "the mark of the ko")
    assert label(page, "C7") == "C7, empty, ko", label(page, "C7")
    page.click("C7")
    page.until("/That point is a ko/.test(document.body.innerText)", "the ko is refused")
    page.press(Keys.RIGHT)
    page.until(
        "(document.querySelector('.board-frame .passed') || document.body).innerText.trim()"
        " === 'White passed'",
        "the pass",
    )
    assert not page.run("return document.querySelector('.board .ko')")
    page.press(Keys.RIGHT)
    page.until("/Black passed/.test(document.querySelector('.passed').innerText)", "the other pass")
    page.click("C7")
    page.until("/move 4 of 4/.test(document.body.innerText)", "the ko is taken back")
    assert "white" in label(page, "C7") and "empty" in label(page, "D7")
    assert not page.run("return document.querySelector('.passed')")


def inject(page, moves, stones):
    """Shows the game of the page with other moves."""
    page.run(
        "const [moves, board] = arguments; window.change = (message) => { if (message.state)"
        " Object.assign(message.state, {moves, board, phase: 'play', thinking: false,"
        " to_play: 'W'}); }",
        moves,
        stones,
    )
    game = page.run("return location.hash")
    page.run("location.hash = '#/nets'")
    page.until("document.querySelector('.cards')", "another page")
    page.run("location.hash = arguments[0]", game)
    page.until("document.querySelectorAll('.moves button').length === %d" % len(moves), "the moves")


def check_play_ko(page):
    """In a game that is being played, the ko and the pass are marked, too.

    The test puts the moves into the messages of the server. The engine cannot be told
    to play these moves.
    """
    page.remember("settings", SETTINGS)
    page.click("E5")
    page.until("document.querySelectorAll('.moves button').length === 2", "an answer")
    rows = [["."] * 9 for _ in range(9)]
    for color, name in KO:
        rows[9 - int(name[1])]["ABCDEFGHJ".index(name[0])] = "X" if color == "B" else "O"
    rows[2][2] = "."  # the stone that was taken
    stones = "".join(sum(rows, []))
    inject(page, KO, stones)
    page.until("document.querySelector('.board .ko')", "the mark of the ko")
    assert label(page, "C7") == "C7, empty, ko", label(page, "C7")
    inject(page, KO + [("W", "pass")], stones)
    page.until(
        "/White passed/.test((document.querySelector('.passed') || document.body)" ".innerText)",
        "the pass",
    )
    assert not page.run("return document.querySelector('.board .ko')")
    page.run("window.change = null")


def check_earlier(page):
    """Who looks at an earlier position can only go back to the game."""
    page.run("location.hash = '#/play'")
    page.remember("settings", SMALL)
    page.click("C3")
    page.until(
        "document.querySelectorAll('.moves button').length === 2 &&"
        " !/thinks/.test(document.body.innerText)",
        "an answer",
    )
    before = page.run("return window.played")
    page.press(Keys.LEFT)
    page.until("/Back to the present position/.test(document.body.innerText)", "the button")
    assert not page.button("Pass") and not page.button("Undo")
    page.press("p", "u")
    page.button("Back to the present position").click()
    page.until(
        "[...document.querySelectorAll('button')].some((e) => e.innerText === 'Undo')",
        "the buttons of the game",
    )
    assert page.run("return window.played") == before, "a key has changed the game"


def test(server, page):
    page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SPY})
    page.open(server.address)
    check_komi(page)
    check_more(page)
    check_coordinates(page)
    check_confirm(page)
    check_zoom(page)
    page.resize(1280, 800)
    page.open(server.address + "#/review")
    check_review_ko(page)
    page.open(server.address + "#/play")
    check_play_ko(page)
    check_earlier(page)
    page.check_manners(server)


main(test)
