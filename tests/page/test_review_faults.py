"""Faults that reviews had: evaluations that are lost or land in another game, lost variations."""
import os
import re
import time

from page_test import Keys, main

GAME = "(;GM[1]FF[4]SZ[5]KM[0.5]RU[Chinese];B[cc];W[dd];B[bb];W[db];B[cd];W[bd];B[de])"
MOVES = 7


def show(page, name, data):
    path = os.path.join(page.folder, name)
    with open(path, "wb") as file:
        file.write(data)
    page.driver.find_element("css selector", "input[type=file]").send_keys(path)


def await_sweep(page):
    page.until("document.querySelector('.graph') && !document.querySelector('.sweep')",
               "all positions are analysed")


def points_of_graph(page):
    path = page.run("return (document.querySelector('.graph-lead') ||"
                    " document.createElement('p')).getAttribute('d') || ''")
    return len(re.findall("[ML]", path))


def turns_sent(page, begin):
    return page.run("return window.sent.slice(arguments[0]).filter((m) => m.op === 'analysis' &&"
                    " m.query.analyzeTurns).map((m) => m.query.analyzeTurns.length)", begin)


def check_reconnect(server, page):
    """If the connection breaks during an analysis of all positions, none of them is left out."""
    page.run("window.turns = new Set();"
             "window.change = (m) => { if (m.answer && !m.answer.isDuringSearch)"
             " window.turns.add(m.answer.turnNumber); };"
             "window.hold = (m) => m.answer && m.answer.turnNumber >= 3;")
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


def test(server, page):
    page.spy()
    page.open(server.address + "#/review")
    check_reconnect(server, page)
    assert page.run("return window.watched.violations") == []


main(test)
