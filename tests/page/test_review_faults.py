"""Faults that reviews had: evaluations that are lost or land in another game, lost variations."""
import base64
import json
import os
import re
import time
import zlib

from page_test import Keys, main

GAME = "(;GM[1]FF[4]SZ[5]KM[0.5]RU[Chinese];B[cc];W[dd];B[bb];W[db];B[cd];W[bd];B[de])"
MOVES = 7


def show(page, name, data):
    path = os.path.join(page.folder, name)
    with open(path, "wb") as file:
        file.write(data)
    page.driver.find_element("css selector", "input[type=file]").send_keys(path)


def await_sweep(page):
    page.until(
        "document.querySelector('.graph') && !document.querySelector('.sweep')",
        "all positions are analysed",
    )


def kept(visits):
    """A saved evaluation of a node, as AJIA holds it."""
    value = json.dumps({"v": visits, "w": 0.9, "l": 5, "m": [["C3", visits, 0.9, 5, ""]]})
    return "1" + base64.b64encode(zlib.compress(value.encode(), 9)).decode()


def points_of_graph(page):
    path = page.run(
        "return (document.querySelector('.graph-lead') ||"
        " document.createElement('p')).getAttribute('d') || ''"
    )
    return len(re.findall("[ML]", path))


def turns_sent(page, begin):
    return page.run(
        "return window.sent.slice(arguments[0]).filter((m) => m.op === 'analysis' &&"
        " m.query.analyzeTurns).map((m) => m.query.analyzeTurns.length)",
        begin,
    )


def check_reconnect(server, page):
    """If the connection breaks during an analysis of all positions, none of them is left out."""
    page.run(
        "window.turns = new Set();"
        "window.change = (m) => { if (m.answer && !m.answer.isDuringSearch)"
        " window.turns.add(m.answer.turnNumber); };"
        "window.hold = (m) => m.answer && m.answer.turnNumber >= 3;"
    )
    show(page, "game.sgf", GAME.encode())
    page.until("window.turns.size === %d" % (MOVES + 1), "answers")
    before = page.run("window.held.splice(0); window.change = null; return window.sent.length")
    server.stop()
    page.until("document.querySelector('.connection.lost')", "the page sees it")
    page.run("window.hold = null")
    server.start(server.port)
    page.until("document.querySelector('.connection.open')", "the page is connected again")
    await_sweep(page)
    assert turns_sent(page, before)[0] == MOVES - 2, turns_sent(page, before)
    assert points_of_graph(page) == MOVES + 1, points_of_graph(page)


SETTINGS = {"size": 5, "handicap": 0, "komi": 0.5, "rules": "chinese", "color": "B", "visits": 16}


def await_moves(page, number):
    page.until(
        "document.querySelectorAll('.moves button').length >= %d && "
        "!/thinks/.test(document.body.innerText)" % number,
        "%d moves" % number,
    )


def free_point(page):
    return next(
        point
        for point in ("D4", "B2", "D2", "B4", "C4", "C2")
        if "empty" in page.cell(point).get_attribute("aria-label")
    )


def check_return(server, page):
    """A review is kept while the user looks at the game, until the game has other moves."""
    page.driver.get("about:blank")
    page.open(server.address + "#/play")
    page.remember("settings", SETTINGS)
    page.click("C3")
    await_moves(page, 2)
    game = page.run("return location.hash").rsplit("/", 1)[1]
    page.run("location.hash = '#/review/game/' + arguments[0]", game)
    await_sweep(page)
    page.press(Keys.HOME)
    page.click("A1")
    page.until("/Remove branch/.test(document.body.innerText)", "a trial move")
    page.run("location.hash = '#/play/' + arguments[0]", game)
    await_moves(page, 2)
    page.run("location.hash = '#/review/game/' + arguments[0]", game)
    page.until("document.querySelector('.graph')", "the review")
    time.sleep(1)
    assert "Remove branch" in page.text(), page.text()
    page.run("location.hash = '#/play/' + arguments[0]", game)
    await_moves(page, 2)
    page.click(free_point(page))
    await_moves(page, 4)
    page.run("location.hash = '#/review/game/' + arguments[0]", game)
    page.until("/4 moves/.test(document.body.innerText)", "the review of the longer game")
    assert "Remove branch" not in page.text(), page.text()


def check_resume(server, page):
    """An analysis of all positions goes on when the user comes back to the review."""
    show(page, "again.sgf", GAME.encode())
    page.until("/7 moves/.test(document.body.innerText)", "the game")
    page.run("location.hash = '#/nets'")
    page.until("document.querySelector('.cards')", "another page")
    page.run("location.hash = '#/review'")
    await_sweep(page)
    assert points_of_graph(page) == MOVES + 1, points_of_graph(page)


def check_charset(page):
    """A saved review says that it is in UTF-8, whatever the original said. A file that is in UTF-8
    is read as UTF-8, even if it says something else."""
    show(page, "old.sgf", "(;GM[1]CA[GB2312]SZ[5]PB[柯洁];B[cc])".encode("gb2312"))
    page.until("document.querySelector('.player-name').innerText === '柯洁'", "the name")
    page.button("Save").click()
    text = page.saved("review.sgf")
    assert "CA[UTF-8]" in text and "GB2312" not in text and "PB[柯洁]" in text, text
    show(page, "other.sgf", b"(;GM[1]SZ[5]PB[B];B[bb])")
    page.until("document.querySelector('.player-name').innerText === 'B'", "another game")
    show(page, "wrong.sgf", "(;GM[1]CA[GB2312]SZ[5]PB[柯洁];B[cc])".encode())
    page.until("document.querySelector('.player-name').innerText !== 'B'", "the third game")
    name = page.run("return document.querySelector('.player-name').innerText")
    assert name == "柯洁", name


def check_rules(page):
    """Usual spellings of rules are understood. The page says so if it does not know the rules."""
    for text, wanted in (
        ("AGA rules", "aga"),
        ("Chinese-KGS", "chinese-kgs"),
        ("bga", "bga"),
        ("New Zealand", "new-zealand"),
        ("Chinese, Pair Go", "chinese"),
        ("日本ルール", "japanese"),
        ("Tromp-Taylor", "tromp-taylor"),
    ):
        page.run("window.sent.length = 0")
        show(page, "rules.sgf", ("(;GM[1]CA[UTF-8]SZ[5]RU[%s];B[cc])" % text).encode())
        rules = page.until(
            "(window.sent.find((m) => m.op === 'analysis') || {query: {}})" ".query.rules",
            "a query by the rules " + text,
        )
        assert rules == wanted, (text, rules)
        await_sweep(page)
        assert "does not know the rules" not in page.text()
    show(page, "rules.sgf", b"(;GM[1]SZ[5]RU[Calvinball];B[cc])")
    page.until(
        "/does not know the rules .Calvinball.*Japanese rules/.test(" "document.body.innerText)",
        "a note on the rules",
    )
    await_sweep(page)
    assert "cannot analyse" not in page.text(), page.text()


def check_late_evaluations(page):
    """Evaluations of one game that come while another one is read are not shown in the other."""
    page.run(
        "window.change = (m) => { if (m.answer && m.answer.rootInfo)"
        " Object.assign(m.answer.rootInfo, {visits: 66666, winrate: 0.66}); };"
        "window.hold = (m) => m.answer;"
        "const read = Blob.prototype.arrayBuffer;"
        "Blob.prototype.arrayBuffer = async function () {"
        " if (this instanceof File) return read.call(this); window.reading = true;"
        " await new Promise((resolve) => { window.go = resolve; }); return read.call(this); }"
    )
    show(page, "one.sgf", b"(;GM[1]SZ[5]KM[0.5];B[cc])")
    page.until("/1 move\\b/.test(document.body.innerText) && window.held.length", "evaluations")
    show(page, "two.sgf", ("(;GM[1]SZ[5]KM[0.5]AJIA[%s];B[bb];W[cc])" % kept(300)).encode())
    page.until("window.reading", "the second game is being read")
    page.run("for (const deliver of window.held.splice(0)) deliver(); window.go()")
    page.until("/2 moves/.test(document.body.innerText)", "the second game")
    assert "win rate 66 %" not in page.text(), page.text()
    page.run("window.change = null; window.held.splice(0); window.hold = null")


def test(server, page):
    page.spy()
    page.open(server.address + "#/review")
    check_reconnect(server, page)
    check_return(server, page)
    check_resume(server, page)
    check_charset(page)
    check_rules(page)
    check_late_evaluations(page)
    assert page.run("return window.watched.violations") == []


main(test)
