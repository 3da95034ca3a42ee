"""Faults that the page had in games: what it offers too early, sends wrongly, or does not tell."""
import os

from page_test import Keys, Server, main

SETTINGS = {"size": 5, "handicap": 0, "komi": 0.5, "rules": "chinese", "color": "B", "visits": 16}


def await_moves(page, number):
    page.until(
        "document.querySelectorAll('.moves button').length >= %d && "
        "!/thinks/.test(document.body.innerText)" % number,
        "%d moves" % number,
    )


def show_changed(page, fields):
    """Shows the present game as if its state had these members."""
    page.run(
        "window.change = (message) => { if (message.state) Object.assign(message.state,"
        " arguments[0]); }".replace("arguments[0]", fields)
    )
    game = page.go_away()
    page.run("location.hash = arguments[0]", game)


def check_agree(page):
    """Nobody can agree, or mark stones, before the engine has proposed which stones are dead."""
    page.remember("settings", SETTINGS)
    page.click("C3")
    await_moves(page, 2)
    show_changed(
        page, "{phase: 'score', thinking: true, dead: [], territory: null," " points: {B: 1, W: 2}}"
    )
    page.until("document.querySelector('.card h2')", "the question for dead stones")
    assert "looks for dead stones" in page.text(), page.text()
    assert page.button("Agree") is None, "Agree can be pressed"
    page.click("C3")
    page.run("window.change = null; location.hash = '#/nets'")
    sent = page.run("return window.sent.map((m) => m.op)")
    assert "game.score" not in sent, sent


def check_keys_after_choices(page):
    """After a click on a switch, or after a choice from a list, keys give commands again."""
    page.run("location.hash = '#/play'")
    page.until("document.querySelector('.setup')", "the settings")
    page.remember("settings", SETTINGS)
    page.click("C3")
    await_moves(page, 2)
    page.driver.find_element("css selector", ".switch label:nth-of-type(2)").click()
    assert page.run("return document.activeElement.type") == "radio"
    page.press("h")
    page.until("document.querySelector('.estimate')", "a hint")
    page.press("h")
    page.until("!document.querySelector('.estimate')", "no hint")
    page.press(Keys.LEFT)  # the switch needs this key itself
    page.until("document.querySelector('.switch input').checked", "no help")
    assert page.button("Back to the present position") is None
    lists = "document.querySelector('.strip select')"
    page.run(
        "const s = %s; s.focus();"
        "s.dispatchEvent(new Event('pointerdown', {bubbles: true})); s.value = 'v50';"
        "s.dispatchEvent(new Event('change', {bubbles: true}))" % lists
    )
    assert page.run("return document.activeElement === document.body"), "the list has the focus"
    page.run("%s.focus()" % lists)
    page.press("h")  # in a list, letters choose
    page.run("document.activeElement.blur()")
    page.press("z")
    page.until("/Back to the present position/.test(document.body.innerText)", "one move back")
    assert page.run("return !document.querySelector('.estimate')")


def check_typed_points(page):
    """A point cannot be typed into a position that is not shown, or before the game has come."""
    page.press("/")
    assert page.run("return !document.querySelector('.point-entry')"), "an earlier position"
    page.press("x")
    page.until("!/Back to the present position/.test(document.body.innerText)", "the last position")
    page.press("/")
    page.until("document.querySelector('.point-entry')", "a field for a point")
    page.press(Keys.ESCAPE)
    page.run("window.hold = (m) => m.state")
    game = page.go_away()
    page.run("location.hash = arguments[0]", game)
    page.until("/Loading/.test(document.body.innerText)", "the game is on its way")
    page.press("/")
    assert page.run("return !document.querySelector('.point-entry')"), "the game is not there yet"
    page.run("window.release()")
    await_moves(page, 2)


def check_undo(page):
    """Undo can be pressed only if there is a move of the player. Screen readers hear of it."""
    page.run("location.hash = '#/play'")
    page.until("document.querySelector('.setup')", "the settings")
    page.remember("settings", {**SETTINGS, "color": "W"})
    page.button("Start").click()
    await_moves(page, 1)
    assert page.button("Pass") and page.button("Undo") is None, page.text()
    page.press("u")
    page.click(
        next(
            point
            for point in ("C3", "D4")
            if "empty" in page.cell(point).get_attribute("aria-label")
        )
    )
    await_moves(page, 3)
    assert "no move" not in page.text(), page.text()
    page.button("Undo").click()
    page.until(
        "document.querySelector('[aria-live]').textContent === '2 moves taken back'",
        "the page says what was taken back",
    )
    page.button("Resign").click()
    page.until("document.querySelector('.buttons .danger')", "the question")
    page.run("document.querySelector('.buttons .danger').click()")
    page.until("/You lose/.test(document.body.innerText)", "the result")
    page.press("u")
    page.until(
        "document.querySelector('[aria-live]').textContent === 'The game goes on.'",
        "the page says that the game goes on",
    )


def check_try_again(page):
    """If the engine could not answer, the user can ask it again. A hint that fails says why."""
    page.run(
        "window.change = (m) => { if (m.state) m.state.error = 'No engine.'; };"
        "window.sent.length = 0"
    )
    game = page.go_away()
    page.run("location.hash = arguments[0]", game)
    page.until("/No engine/.test(document.body.innerText)", "an error")
    page.run("window.sent.length = 0; window.change = null")
    page.button("Try again").click()
    page.until("!/No engine/.test(document.body.innerText)", "no error")
    assert page.run("return window.sent.map((m) => m.op)") == ["game.open"]
    assert page.button("Try again") is None
    page.run(
        "window.change = (m) => { if (m.answer) m.answer = {id: m.answer.id,"
        " error: 'Not today.'}; }"
    )
    page.button("Hint").click()
    page.until("/There is no hint: Not today/.test(document.body.innerText)", "the reason")
    page.run("window.change = null")


def check_limit(server, page):
    """If the server limits the visits, the page offers no more, and the first game can begin."""
    other = Server(os.path.join(server.folder, "limited"), "--max-visits", "60")
    try:
        page.open(other.address)
        page.until("document.querySelectorAll('.strip option').length", "the settings")
        texts = page.run("return [...document.querySelectorAll('.strip select')][2].innerText")
        assert "50 visits" in texts and "60 visits" in texts and "100 visits" not in texts, texts
        assert "weak" in texts and "medium" not in texts, texts
        page.click("C3")
        await_moves(page, 2)
        page.remember("settings", {**SETTINGS, "level": 0.75})
        page.button("New game").click()
        page.until("document.querySelector('.setup')", "the settings")
        page.click("C3")
        await_moves(page, 2)
    finally:
        other.process.kill()


def test(server, page):
    page.spy()
    page.open(server.address)
    check_agree(page)
    check_keys_after_choices(page)
    check_typed_points(page)
    check_undo(page)
    check_try_again(page)
    check_limit(server, page)
    assert page.run("return window.watched.violations") == []


main(test)
