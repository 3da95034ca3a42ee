"""Faults that the page had in games: what it offers too early, sends wrongly, or does not tell."""
from page_test import main

SETTINGS = {"size": 5, "handicap": 0, "komi": 0.5, "rules": "chinese", "color": "B", "visits": 16}


def await_moves(page, number):
    page.until("document.querySelectorAll('.moves button').length >= %d && "
               "!/thinks/.test(document.body.innerText)" % number, "%d moves" % number)


def show_changed(page, fields):
    """Shows the present game as if its state had these members."""
    page.run("window.change = (message) => { if (message.state) Object.assign(message.state,"
             " arguments[0]); }".replace("arguments[0]", fields))
    game = page.run("return location.hash")
    page.run("location.hash = '#/nets'")
    page.until("document.querySelector('.cards')", "another page")
    page.run("location.hash = arguments[0]", game)


def check_agree(page):
    """Nobody can agree, or mark stones, before the engine has proposed which stones are dead."""
    page.remember("settings", SETTINGS)
    page.click("C3")
    await_moves(page, 2)
    show_changed(page, "{phase: 'score', thinking: true, dead: [], territory: null,"
                 " points: {B: 1, W: 2}}")
    page.until("document.querySelector('.card h2')", "the question for dead stones")
    assert "looks for dead stones" in page.text(), page.text()
    assert page.button("Agree") is None, "Agree can be pressed"
    page.click("C3")
    page.run("window.change = null; location.hash = '#/nets'")
    sent = page.run("return window.sent.map((m) => m.op)")
    assert "game.score" not in sent, sent


def test(server, page):
    page.spy()
    page.open(server.address)
    check_agree(page)
    assert page.run("return window.watched.violations") == []


main(test)
