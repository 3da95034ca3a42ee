"""A review: hostile and old SGFs, analysis of all positions, candidates, a trial move, saving."""
import os
import re

from page_test import Keys, main

HOSTILE = (
    "(;GM[1]FF[4]CA[UTF-8]SZ[5]KM[0.5]RU[Chinese]"
    "PB[<img src=x onerror=window.broken=1>]PW[White]"
    "C[<img src=x onerror=window.broken=1>]"
    ";B[cc];W[dd];B[bb];W[db];B[cd];W[bd](;B[de])(;B[dc];W[ec]))"
)
MOVES = 7  # of its main line
DAMAGED = "(;GM[1]FF[4]SZ[5];B[cc"
OTHER = "(;GM[2]FF[4]SZ[8])"


def show(page, folder, name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    page.driver.find_element("css selector", "input[type=file]").send_keys(path)


def await_sweep(page):
    page.until(
        "document.querySelector('.graph') && !document.querySelector('.sweep') && "
        "!document.querySelector('.sweep-begin')",
        "all positions are analysed",
    )


def check_hostile(page):
    show(page, page.folder, "hostile.sgf", HOSTILE.encode())
    page.until("document.querySelector('.title')", "the game is shown")
    assert "<img src=x" in page.text()
    assert page.run("return document.images.length") == 0
    assert page.run("return window.broken === undefined")
    await_sweep(page)


def check_graph(page):
    slider = page.driver.find_element("css selector", "[role=slider]")
    assert slider.get_attribute("aria-valuemax") == str(MOVES), "moves of the graph"
    path = page.run("return document.querySelector('.graph-lead').getAttribute('d')")
    assert len(re.findall("[ML]", path)) == MOVES + 1, path


def check_walk(page):
    page.press(Keys.HOME)
    for move in range(1, MOVES + 1):
        page.press(Keys.RIGHT)
        page.until("/move %d of 7/.test(document.body.innerText)" % move, "move %d" % move)
        said = page.run("return document.querySelector('.standing-loss').innerText")
        assert "was a best move" in said or re.search("lost [0-9.]*[1-9]", said), said
    page.press(Keys.LEFT * 2)
    page.until("/move 5 of 7/.test(document.body.innerText)", "two moves back")
    page.press(Keys.RIGHT, Keys.RIGHT, Keys.DOWN)  # the other variation
    page.until("/move 7 of 8/.test(document.body.innerText)", "the variation")
    page.press(Keys.HOME)
    page.until("/Beginning/.test(document.body.innerText)", "the first position")


def check_cut(page):
    """The numbers of a move in a long game are never cut."""
    places = [chr(97 + x) + chr(97 + y) for y in range(0, 19, 2) for x in range(0, 19, 2)]
    moves = "".join(";%s[%s]" % ("BW"[i % 2], place) for i, place in enumerate(places))
    show(page, page.folder, "moves.sgf", ("(;GM[1]SZ[19]%s)" % moves).encode())
    page.until("/100 moves/.test(document.body.innerText)", "100 moves")
    page.press(Keys.END)
    page.until("/move 100 of 100\\s+Black.s win rate/.test(document.body.innerText)", "a value")
    for width, height in ((1280, 800), (1024, 768), (768, 1024), (360, 800)):
        page.resize(width, height)
        page.until("innerWidth === %d" % width, "the screen is resized")
        cut = page.run(
            "return [...document.querySelectorAll('.standing, .standing *')].filter("
            "(e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth)"
            ".map((e) => e.innerText)"
        )
        assert cut == [], (width, cut)
    page.resize(1280, 800)


def check_candidates(page):
    page.until("document.querySelectorAll('.candidates tbody tr').length", "candidates")
    assert page.run("return document.querySelectorAll('.board .candidate').length") >= 1
    page.until(
        "(document.activeElement.blur(),"
        "document.querySelector('.candidates .move').focus(),"
        "document.querySelectorAll('.board .line text').length)",
        "a variation",
    )
    page.run("document.activeElement.blur()")
    page.until("!document.querySelector('.board .line text')", "no variation")
    for pressed in ("true", "false"):
        page.press("r")
        page.until(
            "[...document.querySelectorAll('[aria-pressed=%s]')]"
            ".some((e) => e.innerText === 'Territory')" % pressed,
            "territory",
        )


def check_trial(page):
    page.press(Keys.HOME)
    page.click("A1")
    page.until("/Remove branch/.test(document.body.innerText)", "a trial move")
    page.until("document.querySelectorAll('.candidates tbody tr').length", "an answer to it")
    page.press(Keys.DELETE)
    page.until("/Beginning\\s+8 moves/.test(document.body.innerText)", "the branch is gone")


def check_kept(page, server):
    """A saved review opens again without a query to the engine."""
    page.button("Save").click()
    text = page.saved("review.sgf")
    values = re.findall(r"AJIA\[([^\]]*)\]", text)
    assert len(values) >= MOVES + 1, text
    assert max(map(len, values)) <= 1024, max(map(len, values))
    page.driver.get("about:blank")
    page.open(server.address + "#/review")
    page.run("WebSocket.prototype.send = function (text) { (window.sent ||= []).push(text); }")
    show(page, page.folder, "again.sgf", text.encode())
    await_sweep(page)
    check_graph(page)
    page.press(Keys.RIGHT)
    page.until("document.querySelectorAll('.candidates tbody tr').length", "kept candidates")
    assert page.run("return (window.sent || []).length") == 0, page.run("return window.sent")
    show(page, page.folder, "hostile.sgf", HOSTILE.encode())  # the engine does not hear of it
    page.until("document.querySelector('.sweep')", "the analysis of all positions begins")
    page.button("Stop").click()
    page.until("document.querySelector('.graph-empty')", "words instead of a graph")


def check_problems(page):
    show(page, page.folder, "other.sgf", OTHER.encode())
    page.until("/another game than Go/.test(document.body.innerText)", "another game is refused")
    show(page, page.folder, "words.sgf", b"no game at all")
    page.until("/not an SGF/.test(document.body.innerText)", "words are refused")
    long = "(;GM[1]SZ[9]" + ";B[aa];W[]" * 5000 + ")"
    show(page, page.folder, "long.sgf", long.encode())
    page.until("/10000 moves/.test(document.body.innerText)", "10,000 moves are shown")
    page.until(
        "/cannot analyse this position/.test(document.body.innerText)",
        "Black plays twice at one point: the engine says that it is illegal",
    )


def check_encodings(page):
    for name, label in (("黒番", "shift_jis"), ("柯洁", "gb18030"), ("이세돌", "euc-kr")):
        for declared in ("CA[%s]" % label, ""):
            if not declared and label != "gb18030":
                continue  # without CA, only the first of the old encodings is surely recognised
            text = "(;GM[1]%sSZ[5]PB[%s];B[cc])" % (declared, name)
            show(page, page.folder, "old.sgf", text.encode(label))
            page.until(
                "document.querySelector('.player-name').innerText === '%s'" % name,
                "the name %s in %s" % (name, label),
            )


def check_practice(page):
    page.button("Practise").click()
    page.until("/Practise the mistakes/.test(document.body.innerText)", "practice")
    if page.button("Show"):
        page.button("Show").click()
        page.until("/best move was/.test(document.body.innerText)", "the best move")
        best = re.search("best move was (\\w+)", page.text()).group(1)
        if best != "pass":
            assert re.search("black|white", page.cell(best).get_attribute("aria-label")), best
    page.button("End practice").click()
    page.until("document.querySelector('.graph')", "the review again")


def test(server, page):
    page.open(server.address + "#/review")
    page.until("/no earlier games/.test(document.body.innerText)", "the list of games is open")
    check_hostile(page)
    check_graph(page)
    check_walk(page)
    check_candidates(page)
    check_trial(page)
    check_practice(page)
    check_kept(page, server)
    page.driver.get("about:blank")
    page.open(server.address + "#/review")
    check_cut(page)
    check_encodings(page)
    check_problems(page)
    page.check_manners(server)


main(test)
