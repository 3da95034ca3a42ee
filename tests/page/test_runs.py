"""The page of runs: charts, nets, a position through all nets, games, and changes of the files."""
import os
import shutil
import subprocess
import time

from page_test import AJI, SMALL_RUN, main


def prepare(folder):
    """A run of three nets on 5x5."""
    run = os.path.join(folder, "small-run")
    words = [word for setting in SMALL_RUN for word in ("--set", setting)]
    subprocess.run(
        [AJI, "learn", "--run", run, "--size", "5", "--time", "60s", *words],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return ["--runs", folder]


def follow(page, text):
    page.run(
        "[...document.querySelectorAll('a')].find((e) => e.innerText === arguments[0])" ".click()",
        text,
    )


def check_list(page):
    """The list shows a run that begins while it is open."""
    copy = os.path.join(page.folder, "second-run")
    shutil.copytree(os.path.join(page.folder, "small-run"), copy)
    page.until("document.querySelectorAll('.cards h2').length === 2", "the second run")
    shutil.rmtree(copy)
    page.until("document.querySelectorAll('.cards h2').length === 1", "the end of the second run")


def check_charts(page):
    page.until("document.querySelectorAll('.chart canvas').length === 2", "two charts")
    assert "Elo above net" in page.text() and "Loss, all terms" in page.text()
    page.run(
        "const s = [...document.querySelectorAll('.charts select')][1]; s.value = 'speed';"
        "s.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    page.until(
        "[...document.querySelectorAll('.chart')].some((e) =>"
        " e.getAttribute('aria-label') === 'Evaluations per second' &&"
        " e.dataset.points >= 2)",
        "the curve of the speed",
    )


def check_learned(page):
    """The same position through the first and the newest net."""
    seen = set()
    for place in (2, 1, 0):
        page.run(
            "const s = document.querySelector('.slider input'); s.value = arguments[0];"
            "s.dispatchEvent(new Event('input', {bubbles: true}))",
            place,
        )
        page.until(
            "/Net %d: Black/.test(document.querySelector('.slider').innerText)" % (place + 1),
            "net %d answers" % (place + 1),
        )
        seen.add(page.run("return document.querySelector('.slider').innerText"))
    assert len(seen) == 3, seen
    page.click("C3")
    page.until(
        "/C3, black/.test(document.querySelector('.board [data-point=\"12\"]')"
        ".getAttribute('aria-label'))",
        "a stone",
    )
    page.until("/Net 1: Black/.test(document.querySelector('.slider').innerText)", "an answer")


def check_change(server, page):
    """The page asks again when the run has changed, and only then."""
    page.run(
        "const send = WebSocket.prototype.send; window.asked = 0;"
        "WebSocket.prototype.send = function (text) {"
        " if (JSON.parse(text).op === 'run.state') window.asked += 1; send.call(this, text); }"
    )
    before = page.run("return window.watched.timers")
    time.sleep(4)
    assert page.run("return window.asked") == 0
    assert page.run("return window.watched.timers") == before, "timers of an idle page"
    with open(os.path.join(page.folder, "small-run", "log.txt"), "a", encoding="utf-8") as file:
        file.write("something new happened\n")
    page.until("window.asked === 1", "the page asks for the state")
    page.until(
        "document.querySelector('.log').textContent.includes('something new happened')",
        "the new line",
    )


def check_game(page):
    """A game of self-play opens with the values that it was played with."""
    page.until("document.querySelectorAll('.games a').length", "games")
    page.run("document.querySelector('.games a').click()")
    page.until("document.querySelector('.title')", "the game is shown")
    assert "#/review/run/small-run/" in page.run("return location.href")
    path = page.until(
        "(document.querySelector('.graph-lead') || document.body)" ".getAttribute('d')", "the graph"
    )
    assert len(path) > 10, path
    assert page.button("Analyse game"), "the page has no button Analyse game"
    assert "startTurnIdx" not in page.text(), "the page shows a comment that is for programs"


def test(server, page):
    page.open(server.address + "#/runs")
    page.until("document.querySelector('.cards h2')", "the list of runs")
    assert "small-run" in page.text() and "3 nets" in page.text(), page.text()
    check_list(page)
    follow(page, "small-run")
    check_charts(page)
    page.until("document.querySelectorAll('.candidates tbody tr').length >= 3", "nets")
    check_learned(page)
    check_change(server, page)
    for width, height in ((1280, 800), (390, 844)):
        page.resize(width, height)
        page.until("innerWidth == %d" % width, "the screen is resized")
        time.sleep(0.3)
        wide = page.run("return document.documentElement.scrollWidth")
        assert wide <= width, "the page is %d wide" % wide
        hidden = page.run(
            "const right = document.querySelector('.scrolls').getBoundingClientRect()"
            ".right; return [...document.querySelectorAll('.row-buttons button')]"
            ".filter((e) => e.getBoundingClientRect().right > right + 1).length"
        )
        assert hidden == 0, "%d wide: %d buttons of nets are cut" % (width, hidden)
    small = page.run(
        "return [...document.querySelectorAll('.sheet button, .sheet select,"
        " .sheet summary, .games a, .back')].map((e) => [e.innerText,"
        " e.getBoundingClientRect().height]).filter(([, height]) => height < 43.5)"
    )
    assert small == [], "too small for fingers: %s" % small
    page.resize(1280, 800)
    check_game(page)
    page.driver.back()
    page.until("document.querySelectorAll('.candidates tbody tr').length >= 3", "nets again")
    page.run("document.querySelector('.row-buttons button').click()")
    page.until("document.querySelectorAll('.board [role=gridcell]').length === 25", "a 5x5 board")
    page.click("C3")
    page.until("document.querySelectorAll('.moves button').length >= 2", "an answer of the net")
    assert "Aji small-run net 3" in page.text(), page.text()
    page.check_manners(server)


main(test, prepare)
