"""The keys of a review, the list of commands, and the clipboard."""
import os

from page_test import ActionChains, Keys, main

GAME = (
    "(;GM[1]FF[4]SZ[5]KM[0.5]RU[Chinese]PB[Black]PW[White]"
    ";B[cc];W[dd];B[bb](;W[db];B[cd])(;W[bd]))"
)


def show(page):
    path = os.path.join(page.folder, "game.sgf")
    with open(path, "w", encoding="ascii") as file:
        file.write(GAME)
    page.driver.find_element("css selector", "input[type=file]").send_keys(path)
    page.until(
        "document.querySelector('.graph') && !document.querySelector('.sweep')",
        "the game is analysed",
    )


def count(page, selector):
    return page.run("return document.querySelectorAll(arguments[0]).length", selector)


def until_count(page, selector, number):
    page.until(
        "document.querySelectorAll(%r).length === %d" % (selector, number),
        "%d times %s" % (number, selector),
    )


def check_marks(page):
    page.press(Keys.HOME, Keys.RIGHT * 3)  # after the third move, which has two variations
    page.until("/move 3 of 5/.test(document.body.innerText)", "the third move")
    assert count(page, ".board .child") == 0 and count(page, ".board .dot") == 0
    page.press("q")
    until_count(page, ".board .child", 2)
    page.press("w")
    until_count(page, ".board .dot", 3)
    page.press("q", "w")
    until_count(page, ".board .child, .board .dot", 0)


def check_labels(page):
    page.until("document.querySelectorAll('.board .candidate').length", "candidates")
    texts = (
        "return [...document.querySelectorAll('.board .candidate text')].map((e) =>"
        " e.textContent)"
    )
    loss = page.run(texts)
    page.press("X")
    page.until("document.querySelectorAll('.board .candidate').length", "candidates")
    win = page.run(texts)
    assert win != loss and all(0 <= int(text) <= 100 for text in win), win
    page.press("X")
    visits = page.run(texts)
    assert visits != win, visits
    page.press("X")
    assert page.run(texts) == loss


def check_policy(page):
    page.press("t")
    page.until(
        "/policy of the net/i.test(document.body.innerText) &&"
        "[...document.querySelectorAll('.board .candidate text')]"
        ".every((e) => e.textContent === '4')",
        "22 points and the pass, with 4 % each",
    )
    page.button("End").click()
    page.until("!/The policy of the net in percent/.test(document.body.innerText)", "no policy")
    page.run("document.activeElement.blur()")


def check_region(page):
    """Only the two points of the marked part are searched."""
    page.press("g")
    page.until("/Drag over a part/.test(document.body.innerText)", "the region is asked for")
    ActionChains(page.driver).click_and_hold(page.cell("D5")).move_to_element(
        page.cell("E5")
    ).release().perform()
    page.until("document.querySelector('.board .region')", "a region")
    page.until(
        "/^(D5|E5)/.test((document.querySelector('.candidates .move') || document.body)"
        ".innerText.replace(/^\\S\\s+/, ''))",
        "candidates of the region",
    )
    assert (
        page.run(
            "return document.querySelectorAll('.candidates:not(.key-moves *) tbody tr')" ".length"
        )
        <= 2
    )
    page.press("g")
    until_count(page, ".board .region", 0)


def check_pass(page):
    """K analyses the position as if the player to move had passed. K again ends this."""
    page.press("k")
    page.until("/that the player has passed/.test(document.body.innerText)", "the pass")
    page.until("document.querySelectorAll('.board .candidate').length", "candidates")
    page.press("k")
    page.until("!/that the player has passed/.test(document.body.innerText)", "no pass")


def check_mark(page):
    """M makes a move a key move, and M again ends this. The SGF keeps the mark."""
    page.press(Keys.HOME, Keys.RIGHT * 2)
    page.until("/move 2 of 5/.test(document.body.innerText)", "the second move")
    rows = "[...document.querySelectorAll('.key-moves tbody tr')].map((e) => e.innerText)"
    assert page.run("return " + rows) == [], "the game has key moves"
    page.press("m")
    page.until(rows + ".length === 1", "a key move")
    assert "D2" in page.run("return " + rows)[0], page.run("return " + rows)
    page.press(Keys.RIGHT, "m")
    page.until(rows + ".length === 2", "another key move")
    page.press(Keys.HOME, "n")
    page.until("/move 2 of 5/.test(document.body.innerText)", "N goes to the marked move")
    page.press("m")
    page.until(rows + ".length === 1", "one key move less")
    page.run(
        "Object.defineProperty(navigator, 'clipboard', {configurable: true,"
        " value: {writeText: (text) => { window.copied = text; return Promise.resolve(); }}})"
    )
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("c").key_up(Keys.CONTROL).perform()
    sgf = page.until("window.copied", "a copy")
    assert sgf.count("HO[1]") == 1 and "B[bb]HO[1]" in sgf, sgf
    page.press(Keys.RIGHT, "m")
    page.until(rows + ".length === 0", "no key move")
    page.run("delete window.copied")


def check_alone(page):
    page.press("Z")
    page.until("!document.querySelector('header').offsetParent", "only the board")
    assert count(page, ".board") == 1
    page.press(Keys.ESCAPE)
    page.until("document.querySelector('header').offsetParent", "everything again")


def check_palette(page):
    page.press(Keys.HOME)
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
    page.until(
        "document.querySelector('.palette li') && document.activeElement.tagName === 'INPUT'",
        "commands",
    )
    page.press("last move")
    until_count(page, ".palette li", 1)
    page.press(Keys.ENTER)
    page.until("/move 5 of 5/.test(document.body.innerText)", "the last move")
    assert count(page, "dialog") == 0


def check_copy(page):
    page.run(
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: (text) =>"
        " { window.copied = text; return Promise.resolve(); }}})"
    )
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("c").key_up(Keys.CONTROL).perform()
    page.until("window.copied", "a copy")
    assert "PB[Black]" in page.run("return window.copied"), page.run("return window.copied")


def check_help(page):
    page.press("?")
    page.until("document.querySelector('.keys')", "the table of keys")
    keys = page.run(
        "return [...document.querySelectorAll('.keys th')].map((e) => e.innerText"
        ".replace(/\\\\s+/g, ' ').trim())"
    )
    for key in ("Q", "W", "T", "G", "K", "M", "Shift X", "Shift Z", "Tab", "Ctrl C", "Ctrl K"):
        assert key in keys or key.replace(" ", "") in keys, (key, keys)
    page.button("Close").click()


def check_tab(server, page):
    """On the board, Tab leads from a game to its review and back; Escape leaves the board."""
    page.open(server.address + "#/play")
    page.remember(
        "settings",
        {"size": 5, "handicap": 0, "komi": 0.5, "rules": "chinese", "color": "B", "visits": 16},
    )
    page.click("C3")
    page.until(
        "document.querySelectorAll('.moves button').length >= 2 &&"
        " !/thinks/.test(document.body.innerText)",
        "an answer",
    )
    page.run("document.querySelector('.board [tabindex=\"0\"]').focus()")
    page.press(Keys.TAB)
    page.until(
        "location.hash.startsWith('#/review/game/') && document.querySelector('.graph')",
        "the review",
    )
    page.run("document.querySelector('.board [tabindex=\"0\"]').focus()")
    page.press(Keys.TAB)
    page.until(
        "location.hash.startsWith('#/play/') && document.querySelector('.moves')", "the game"
    )
    page.run("document.querySelector('.board [tabindex=\"0\"]').focus()")
    page.press(Keys.ESCAPE, Keys.TAB)
    assert page.run("return location.hash.startsWith('#/play/')")
    assert page.run("return document.activeElement.tagName") != "BODY"


def test(server, page):
    page.open(server.address + "#/review")
    show(page)
    check_marks(page)
    check_labels(page)
    check_policy(page)
    check_region(page)
    check_pass(page)
    check_mark(page)
    check_alone(page)
    check_palette(page)
    check_copy(page)
    check_help(page)
    check_tab(server, page)
    page.check_manners(server)


main(test)
