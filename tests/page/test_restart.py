"""A server that is stopped and started in the middle of a game: no move is lost or doubled."""
from page_test import main


def moves(page):
    return page.run(
        "return [...document.querySelectorAll('.moves button')]" ".map((e) => e.innerText)"
    )


def await_moves(page, number):
    page.until(
        "document.querySelectorAll('.moves button').length >= %d && "
        "!/thinks/.test(document.body.innerText)" % number,
        "%d moves" % number,
    )


def test(server, page):
    page.open(server.address)
    page.remember(
        "settings",
        {"size": 5, "handicap": 0, "komi": None, "rules": "japanese", "color": "B", "visits": 16},
    )
    page.click("C3")
    await_moves(page, 2)
    before = moves(page)
    server.stop()
    page.until("document.querySelector('.connection.lost')", "the page sees it")
    free = next(
        point
        for point in ("D4", "B2", "D2", "B4")
        if "empty" in page.cell(point).get_attribute("aria-label")
    )
    page.click(free)  # the page sends it when the server is back
    server.start(server.port)
    page.until("document.querySelector('.connection.open')", "the page is connected again")
    await_moves(page, 4)
    assert moves(page)[:2] == before, (before, moves(page))
    assert free in moves(page)[2], moves(page)
    page.driver.refresh()  # the address of the page has the game
    await_moves(page, 4)
    assert len(moves(page)) == 4, moves(page)
    assert page.run("return window.watched.violations") == []


main(test)
