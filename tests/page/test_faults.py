"""Faults that the page had: what it sends too often, forgets, shows wrongly, or trusts too much."""
import base64
import json
import os
import time
import zlib

from page_test import main

SETTINGS = {"size": 5, "handicap": 0, "komi": 0.5, "rules": "chinese", "color": "B", "visits": 16}

# A busy browser: what waits for the next frame, and each short timer, comes 2 s late.
BUSY = """
const wait = window.setTimeout;
window.setTimeout = (work, ms, ...words) => wait(work, ms <= 100 ? ms + 2000 : ms, ...words);
window.requestAnimationFrame = (work) => wait(work, 2000);
"""


def sent(page, op):
    return page.run("return window.sent.filter((m) => m.op === arguments[0]).length", op)


def await_moves(page, number):
    page.until(
        "document.querySelectorAll('.moves button').length >= %d && "
        "!/thinks/.test(document.body.innerText)" % number,
        "%d moves" % number,
    )


def check_open(page):
    """The page does not ask the server to open a game that the page has just begun. A hint goes on
    when the server sends a new state with the same position."""
    page.remember("settings", SETTINGS)
    page.click("C3")
    await_moves(page, 2)
    assert sent(page, "game.open") == 0, page.run("return window.sent")
    page.press("h")
    page.until("document.querySelector('.estimate')", "a hint")
    before = sent(page, "analysis")
    page.run(
        "const s = document.querySelector('.strip select'); s.value = 'v50';"
        "s.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    page.until("window.sent.some((m) => m.op === 'game.settings')", "the new strength is sent")
    time.sleep(0.5)
    assert sent(page, "analysis") == before, "the hint began again"


def check_announcements(page):
    """The moves of another game are not read out as if they had just been played."""
    game = page.run("return location.hash")
    page.button("New game").click()
    page.until("document.querySelector('.setup')", "the settings of a new game")
    page.click("D4")
    await_moves(page, 2)
    page.click("B2") if "empty" in page.cell("B2").get_attribute("aria-label") else page.click("A1")
    await_moves(page, 4)
    page.until(
        "document.querySelector('[aria-live]').textContent.includes([...document"
        ".querySelectorAll('.moves button')].pop().lastChild.textContent)",
        "the last move is read out",
    )
    page.run(
        "const region = document.querySelector('[aria-live]');"
        "window.told = []; new MutationObserver(() => window.told.push(region.textContent))"
        ".observe(region, {childList: true, characterData: true, subtree: true})"
    )
    other = page.run("return location.hash")
    page.run("location.hash = arguments[0]", game)
    page.until("document.querySelectorAll('.moves button').length === 2", "the first game")
    page.run("location.hash = arguments[0]", other)
    page.until("document.querySelectorAll('.moves button').length === 4", "the second game")
    time.sleep(0.3)
    assert page.run("return window.told") == [], page.run("return window.told")


def check_void(page):
    """A game without result is not a draw."""
    page.run(
        "window.change = (message) => { if (message.state) Object.assign(message.state,"
        " {phase: 'over', result: 'Void', thinking: false}); }"
    )
    game = page.go_away()
    page.run("location.hash = arguments[0]", game)
    page.until("document.querySelector('.card h2')", "the result")
    assert page.run("return document.querySelector('.card h2').innerText") == "No result"
    page.run("window.change = null")


def check_engine_error(page):
    """If the engine has no move, the page says why."""
    page.run(
        "window.change = (message) => { if (message.state) message.state.error ="
        " 'The engine found no move.'; }"
    )
    game = page.go_away()
    page.run("location.hash = arguments[0]", game)
    page.until(
        "/engine found no move/.test((document.querySelector('[role=alert]') ||"
        " document.createElement('p')).innerText)",
        "the reason",
    )
    page.run("window.change = null")


def check_storage(page):
    """A value that the browser does not store is kept for this tab all the same."""
    page.run("location.hash = '#/play'")
    page.until("document.querySelector('.setup')", "the settings")
    page.run(
        "Storage.prototype.setItem = () => { throw new Error('full'); };"
        "const s = document.querySelector('.setup select'); s.value = '7';"
        "s.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    page.until("document.querySelectorAll('.board [role=gridcell]').length === 49", "7x7")
    page.run("location.hash = '#/nets'")
    page.until("document.querySelector('.cards')", "another page")
    page.run("location.hash = '#/play'")
    page.until("document.querySelectorAll('.board [role=gridcell]').length === 49", "still 7x7")


def show(page, text):
    path = os.path.join(page.folder, "game.sgf")
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    page.driver.find_element("css selector", "input[type=file]").send_keys(path)


def kept(visits, padding):
    value = json.dumps({"v": visits, "w": 0.9, "l": 5, "m": [["C3", visits, 0.9, 5, ""]]})
    packed = zlib.compress((value + " " * padding).encode(), 9)
    return "1" + base64.b64encode(packed).decode()


def check_bomb(page):
    """The property AJIA of an SGF node holds a saved evaluation. The page ignores a short value of
    AJIA that unpacks to a very long text, and uses an ordinary value."""
    page.run("location.hash = '#/review'")
    page.until("document.querySelector('.drop-zone')", "the page of reviews")
    good, bomb = kept(77777, 10), kept(88888, 1 << 22)
    assert len(bomb) < 8000, len(bomb)
    show(page, "(;GM[1]SZ[5]KM[0.5]AJIA[%s];B[cc]AJIA[%s])" % (good, bomb))
    page.until(
        "document.querySelector('.graph') && !document.querySelector('.sweep')",
        "the game is analysed",
    )
    page.press("e")
    page.press("e")
    page.until("document.querySelector('.candidates td:last-child')", "candidates")
    assert "77777" in page.text()
    page.run("document.querySelector('[aria-label=Forward]').click()")
    page.until("/move 1 of 1/.test(document.body.innerText)", "the first move")
    page.until("document.querySelectorAll('.candidates tbody tr').length", "candidates")
    assert "88888" not in page.text()


def check_practice(page):
    """If the engine has no answer while the user practises, the page says so and goes on."""
    page.run(
        "window.failed = []; addEventListener('unhandledrejection', (event) =>"
        " window.failed.push(String(event.reason)));"
        "addEventListener('error', (event) => window.failed.push(event.message));"
    )

    def node(win, lead, best):
        value = {"v": 300, "w": win, "l": lead, "m": [[best, 300, win, lead, ""]]}
        return "0" + base64.b64encode(json.dumps(value).encode()).decode()

    show(
        page,
        "(;GM[1]SZ[5]KM[0.5]AJIA[%s];B[aa]AJIA[%s])" % (node(0.9, 20, "C3"), node(0.1, -20, "C3")),
    )
    page.until(
        "document.querySelector('.graph') && !document.querySelector('.sweep') &&"
        " document.querySelector('.key-moves tbody')",
        "a key move",
    )
    page.button("Practise").click()
    page.until("/Find a better one/.test(document.body.innerText)", "a question")
    page.run(
        "window.change = (message) => { if (message.answer) message.answer ="
        " {id: message.answer.id, noResults: true, turnNumber: 0, isDuringSearch: false}; }"
    )
    page.click("D2")
    page.until("/engine could not evaluate/.test(document.body.innerText)", "the page says so")
    page.run("window.change = null")
    page.click("D2")
    page.until("/D2 (loses|is good)/.test(document.body.innerText)", "a second attempt")
    assert page.run("return window.failed") == []


def check_busy(page, address):
    """A page that is connected before its first frame is drawn shows that it is connected."""
    script = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": BUSY})
    page.driver.get("about:blank")
    page.driver.get(address + "#/nets")
    page.until("document.querySelector('.connection.open')", "the page is connected", 20)
    page.until("/Play this net/.test(document.body.innerText)", "the nets", 20)
    page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    page.driver.get("about:blank")
    page.open(address)


def check_retry(server, page):
    """When the network is back, the page does not wait for its next attempt."""
    server.stop()
    page.until("document.querySelector('.connection.lost')", "the page sees it")
    time.sleep(9)  # the waits between attempts grow
    server.start(server.port)
    begin = time.monotonic()
    page.run("dispatchEvent(new Event('online'))")
    page.until("document.querySelector('.connection.open')", "the page is connected again")
    assert time.monotonic() - begin < 1.5, time.monotonic() - begin


def test(server, page):
    page.spy()
    page.open(server.address)
    check_open(page)
    check_announcements(page)
    check_void(page)
    check_engine_error(page)
    check_storage(page)
    check_bomb(page)
    check_practice(page)
    check_busy(page, server.address)
    check_retry(server, page)
    assert page.run("return window.watched.violations") == []


main(test)
