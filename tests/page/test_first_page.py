"""The first page: its size, the hosts it talks to, no timers when idle, and all sizes of screen."""
import os
import re
import time

from page_test import VIEWPORTS, Server, main

BYTES_MAX = 100000
PAGES = ("#/play", "#/review", "#/nets", "#/runs")


def check_size(server):
    """The files of the first page, with those that app.js imports at once."""
    script = server.get("/app.js")[1]
    chunks = ["/" + name for name in re.findall(r'from\s*"\./([\w.-]+\.js)"', script)]
    sizes = {path: server.get(path)[0] for path in ["/", "/app.js", "/app.css"] + chunks}
    assert chunks, "app.js imports nothing"
    assert sum(sizes.values()) <= BYTES_MAX, sizes


def check_licences(server):
    """The page comes with the licences of the packages that it contains."""
    licences = server.get("/licences.txt")[1]
    for name in (
        "preact",
        "uplot",
        "@sabaki/go-board",
        "@sabaki/immutable-gametree",
        "@sabaki/sgf",
        "doken",
    ):
        assert "contains %s " % name in licences, name
    assert licences.count("Permission is hereby granted") >= 6, licences
    for name in ("esbuild", "iconv-lite", "axe-core"):
        assert name not in licences, name


def check_rest(page):
    """A page that nobody uses sets no timers."""
    time.sleep(1)
    before = page.run("return window.watched.timers")
    time.sleep(3)
    after = page.run("return window.watched.timers")
    assert before == after, "%d timers in three seconds" % (after - before)


def check_targets(page, width):
    """On phones, everything that a finger presses is at least 44 pixels high."""
    small = page.run(
        "return [...document.querySelectorAll('button, select, summary, nav a')]"
        ".map((e) => [e.innerText, e.getBoundingClientRect()])"
        ".filter(([, b]) => b.width > 1 && b.height < 43.5).map(([text, b]) => [text, b.height])"
    )
    assert small == [], "%d wide: too small for fingers: %s" % (width, small)


def check_fit(page, width, height):
    page.resize(width, height)
    page.until("innerWidth == %d" % width, "the screen is resized")
    time.sleep(0.3)  # the board measures itself
    wide = page.run("return document.documentElement.scrollWidth")
    assert wide <= width, "%d x %d: the page is %d wide" % (width, height, wide)
    outside = page.run(
        "return [...document.querySelectorAll('button, select, a:not(.skip), .board')]"
        ".filter((e) => e.offsetParent !== null || e.closest('svg'))"
        ".map((e) => [e.innerText || e.className.baseVal, e.getBoundingClientRect()])"
        ".filter(([, b]) => b.width > 1 && (b.left < -1 || b.right > innerWidth + 1))"
        ".map(([text]) => text)"
    )
    assert outside == [], "%d x %d: outside the screen: %s" % (width, height, outside)
    if width < 500:
        check_targets(page, width)
    board = page.run(
        "const b = document.querySelector('.board');"
        "return b ? b.getBoundingClientRect().width : null"
    )
    if board and min(width, height) < 500:
        assert board >= 0.9 * min(width, height), "%d x %d: a board of %d" % (width, height, board)


def check_token(server, page):
    """A server with a token: the page takes it from the address, and removes it from there."""
    path = os.path.join(server.folder, "token")
    with open(path, "w", encoding="ascii") as file:
        file.write("a-token_of_this-test\n")
    other = Server(server.folder, "--token-file", path)
    try:
        page.open(other.address)
        assert "a-token" not in page.run("return location.href")
        page.driver.refresh()
        page.until("document.querySelector('.connection.open')", "the token is kept for the tab")
    finally:
        other.process.kill()


def test(server, page):
    check_size(server)
    check_licences(server)
    page.open(server.address)
    cells = page.run(
        "return document.querySelectorAll('[role=grid] [role=row] [role=gridcell]')" ".length"
    )
    assert cells == 81, cells
    reachable = page.run("return document.querySelectorAll('.board [tabindex=\"0\"]').length")
    assert reachable == 1, reachable
    check_rest(page)
    for part in PAGES:
        for width, height in VIEWPORTS:
            page.driver.get(server.address + part)
            check_fit(page, width, height)
    page.check_manners(server)
    check_token(server, page)


main(test)
