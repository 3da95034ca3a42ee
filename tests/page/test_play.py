"""A game on 5x5 up to two passes, by mouse, by touch and only by keys: always the same SGF."""
from page_test import Keys, main

MOVES = ["C3", "D4", "B2", "B4"]
SETTINGS = {"size": 5, "handicap": 0, "komi": 0.5, "rules": "chinese", "color": "B", "visits": 16}
LETTERS = "ABCDE"
MOVES_MAX = 60


def count(page):
    return page.run("return document.querySelectorAll('.moves button').length")


def await_turn(page, before):
    """Waits for the engine's answer, or for the end of play."""
    page.until(
        "document.querySelectorAll('.moves button').length >= %d || "
        "document.querySelector('.panel h2')" % (before + 2),
        "an answer",
    )


def by_mouse(page, point):
    page.button("Pass").click() if point == "pass" else page.click(point)


def by_touch(page, point):
    page.run("arguments[0].click()", page.button("Pass")) if point == "pass" else page.tap(point)


def by_keys(page, point):
    if point == "pass":
        return page.press("p")
    page.run("document.activeElement.blur()")
    for _ in range(60):  # Tab leads to the board
        if page.run("return document.activeElement.getAttribute('role')") == "gridcell":
            break
        page.press(Keys.TAB)
    at = page.run("return document.activeElement.getAttribute('aria-label')")
    across = LETTERS.index(point[0]) - LETTERS.index(at[0])
    up = int(point[1]) - int(at[1])
    page.press(
        (Keys.RIGHT if across > 0 else Keys.LEFT) * abs(across)
        + (Keys.UP if up > 0 else Keys.DOWN) * abs(up)
    )
    at = page.run("return document.activeElement.getAttribute('aria-label')")
    assert at.startswith(point + ","), at
    page.press(Keys.ENTER)


def agree(page, way):
    if way is by_keys:
        page.press(Keys.ESCAPE)  # on the board, Tab leads to the review
        for _ in range(60):
            if page.run("return document.activeElement.innerText") == "Agree":
                break
            page.press(Keys.TAB)
        page.press(Keys.ENTER)
    else:
        page.button("Agree").click()


def play(server, page, way):
    page.resize(*((390, 844) if way is by_touch else (1280, 800)))
    page.open(server.address + "#/play")
    page.remember("settings", SETTINGS)
    planned = list(MOVES)
    while count(page) < MOVES_MAX and "dead" not in page.text():
        before = count(page)
        point = planned.pop(0) if planned else "pass"
        if point != "pass" and "empty" not in page.cell(point).get_attribute("aria-label"):
            continue
        way(page, point)
        await_turn(page, before)
    page.until("document.querySelector('.score')", "points are counted")
    agree(page, way)
    page.until("/You (win|lose)|A draw/.test(document.body.innerText)", "a result")
    game = page.run("return location.hash").rsplit("/", 1)[1]
    page.driver.get("about:blank")
    return server.get("/api/v1/games/%s.sgf" % game)[1]


def test(server, page):
    games = {}
    for way in (by_mouse, by_touch, by_keys):
        games[way.__name__] = play(server, page, way)
    first = games["by_mouse"]
    assert first.count(";B[") >= 4 and ";B[cc]" in first and "RE[" in first, first
    assert games["by_touch"] == first, games
    assert games["by_keys"] == first, games
    page.open(server.address)
    page.check_manners(server)


main(test)
