"""Several nets: what the page says of them, a game against one, and a review with another."""
import json
import os
import re
import subprocess

from page_test import AJI, main


def prepare(folder):
    """Two small nets, one of them with a scale of levels on 5x5."""
    words = []
    for name in ("5x5-small", "7x7-wide"):
        path = os.path.join(folder, name + ".aji")
        arch = "b1c8-fixup-nodist" if name == "5x5-small" else "b2c16-fixup-nodist"
        subprocess.run(
            [AJI, "net", "new", path, "--arch", arch], check=True, stdout=subprocess.DEVNULL
        )
        words.append(path)
    points = [
        {"strength": 0, "elo": -700, "deviation": 30},
        {"strength": 1, "elo": 100, "deviation": 30},
    ]
    with open(os.path.join(folder, "5x5-small.5x5.levels.json"), "w", encoding="ascii") as file:
        json.dump(
            {
                "format": 1,
                "net": "5x5-small.aji",
                "sha256": "0",
                "rules": "tromp-taylor",
                "strength_version": 1,
                "width": 5,
                "height": 5,
                "games": 200,
                "komi": 24,
                "has_ranks": True,
                "points": points,
            },
            file,
        )
    return words


def cards(page):
    return page.run("return [...document.querySelectorAll('.cards > li')].map((e) => e.innerText)")


def net_of_game(server, page):
    game = page.run("return location.hash").rsplit("/", 1)[1]
    text = server.get("/api/v1/games/%s.sgf" % game)[1]
    return re.search('"net":"([^"]*)"', text).group(1), text


def choose(page, text):
    """Chooses the option that begins with the text, as soon as there is one."""
    page.until(
        "[...document.querySelectorAll('.strip option')].some((e) =>"
        " e.text.startsWith(%s))" % json.dumps(text),
        "the choice " + text,
    )
    page.run(
        "const s = [...document.querySelectorAll('.strip select')].find((e) =>"
        " [...e.options].some((o) => o.text.startsWith(arguments[0])));"
        "s.value = [...s.options].find((o) => o.text.startsWith(arguments[0])).value;"
        "s.dispatchEvent(new Event('change', {bubbles: true}));",
        text,
    )


def check_play(server, page):
    page.run(
        "arguments[0].closest('li').querySelectorAll('button')[0].click()",
        page.run(
            "return [...document.querySelectorAll('h2')].find((e) =>"
            " e.innerText === '5x5-small')"
        ),
    )
    page.until("document.querySelectorAll('.board [role=gridcell]').length === 25", "a 5x5 board")
    page.until("/another net file/.test(document.body.innerText)", "a warning of the levels")
    choose(page, "level 2")
    page.click("C3")
    page.until("document.querySelectorAll('.moves button').length >= 2", "an answer")
    assert re.search("level 2, about \\d+k", page.text()), page.text()
    net, text = net_of_game(server, page)
    assert '"label":"level 2, about' in text and '"strength":0' in text, text
    assert net == "5x5-small" and "PW[Aji 5x5-small]" in text, text
    page.button("New game").click()
    choose(page, "automatic: 5x5-small")
    page.run(
        "const s = document.querySelector('.strip select'); s.value = '7';"
        "s.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    page.until("document.querySelectorAll('.board [role=gridcell]').length === 49", "a 7x7 board")
    page.click("D4")
    page.until("document.querySelectorAll('.moves button').length >= 2", "an answer")
    assert net_of_game(server, page)[0] == "7x7-wide"
    page.button("New game").click()
    choose(page, "weak")  # there are no levels on 7x7
    page.click("D4")
    page.until("/strength 0.00/.test(document.body.innerText)", "the strength")


def check_review(server, page):
    """The review of a game begins again when another net is chosen."""
    game = page.run("return location.hash").rsplit("/", 1)[1]
    page.open(server.address)
    page.run(
        "const send = WebSocket.prototype.send; window.nets = [];"
        "WebSocket.prototype.send = function (text) { const m = JSON.parse(text);"
        " if (m.op === 'analysis') window.nets.push(m.net); send.call(this, text); }"
    )
    page.run("location.hash = '#/review/game/' + arguments[0]", game)
    page.until(
        "document.querySelector('.graph') && !document.querySelector('.sweep')",
        "the game is analysed",
    )
    assert set(page.run("return window.nets")) == {"7x7-wide"}, page.run("return window.nets")
    page.run("window.nets = []")
    choose(page, "uniform")
    page.until("window.nets.includes('uniform')", "queries to the other net")
    page.until("!document.querySelector('.sweep')", "the game is analysed by the other net")
    assert set(page.run("return window.nets")) == {"uniform"}, page.run("return window.nets")


def await_held(page, what):
    page.until("window.held.length", what)


def check_late_answers(server, page):
    """Games and analyses begin only when the page knows the nets, and the levels of the net."""
    page.spy()
    held = page.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {"source": "window.hold = (message) => message.nets || message.levels;"},
    )
    page.driver.get("about:blank")
    page.driver.get(server.address + "#/play")
    page.remember(
        "settings",
        {
            "size": 7,
            "handicap": 0,
            "komi": 0.5,
            "rules": "chinese",
            "color": "B",
            "visits": 16,
            "level": None,
            "net": None,
        },
    )
    await_held(page, "the nets are late")
    page.click("D4")
    assert "game.new" not in page.run("return window.sent.map((m) => m.op)")
    page.run("window.release()")
    page.until("document.querySelectorAll('.moves button').length >= 2", "an answer")
    assert net_of_game(server, page)[0] == "7x7-wide"
    game = page.run("return location.hash").rsplit("/", 1)[1]
    page.driver.get("about:blank")
    page.driver.get(server.address + "#/play")
    page.remember(
        "settings",
        {
            "size": 5,
            "handicap": 0,
            "komi": 0.5,
            "rules": "chinese",
            "color": "B",
            "visits": 16,
            "level": "2",
            "net": None,
        },
    )
    await_held(page, "the nets are late")
    page.run(
        "window.hold = (message) => message.levels;"
        "for (const deliver of window.held.splice(0)) deliver()"
    )
    await_held(page, "the levels are late")
    page.click("C3")
    assert "game.new" not in page.run("return window.sent.map((m) => m.op)")
    page.run("window.release()")
    page.until("document.querySelectorAll('.moves button').length >= 2", "an answer")
    assert '"label":"level 2, about' in net_of_game(server, page)[1]
    page.driver.get(server.address + "#/review/game/" + game)
    page.run("localStorage.removeItem('aji.review.net')")
    page.driver.refresh()
    page.until("document.querySelector('.graph') && window.held.length", "the game is shown")
    assert "analysis" not in page.run("return window.sent.map((m) => m.op)")
    page.run("window.release()")
    page.until(
        "document.querySelector('.graph') && !document.querySelector('.sweep')",
        "the game is analysed",
    )
    nets = set(page.run("return window.sent.filter((m) => m.op === 'analysis').map((m) => m.net)"))
    assert nets == {"7x7-wide"}, nets
    page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", held)


def test(server, page):
    page.open(server.address + "#/nets")
    page.until(
        "document.querySelectorAll('.cards .pairs').length === 3 &&"
        "/channels/.test(document.querySelectorAll('.cards > li')[2].innerText)",
        "facts",
    )
    texts = cards(page)
    assert (
        texts[0].startswith("uniform") and "Used if no net is meant for the board" in texts[0]
    ), texts
    assert "5 × 5" in texts[1] and "1 block of 8 channels" in texts[1], texts
    assert "7 × 7" in texts[2] and "2 blocks of 16 channels" in texts[2], texts
    check_play(server, page)
    check_review(server, page)
    check_late_answers(server, page)
    page.check_manners(server)


main(test, prepare)
