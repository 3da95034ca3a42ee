"""A printed review has a diagram for each key move, which the page shows only while it prints."""
import base64
import os

from page_test import Keys, main

GAME = (
    "(;GM[1]FF[4]SZ[9]KM[6.5]RU[Chinese]PB[Black]PW[White]" ";B[ee];W[gc];B[cg];W[gg];B[aa];W[fe])"
)

# Notes what the page shows when it is about to be printed. The page has its own listener, which was
# added earlier and so runs earlier.
NOTE = """
addEventListener('beforeprint', () => {
  const of = (e, selector) => e.querySelectorAll(selector).length;
  window.printed = [...document.querySelectorAll('.diagram')].map((e) => ({
    text: e.querySelector('figcaption').innerText, numbers: of(e, '.line text'),
    crosses: of(e, '.mark.cross'), stones: of(e, '.disc'), cells: of(e, '[role=gridcell]')}));
});
"""


def prepare(_):
    """A net that finds the mistake in GAME."""
    return ["nets/9x9-b5c48.aji"]


def test(server, page):
    page.open(server.address + "#/review")
    path = os.path.join(page.folder, "game.sgf")
    with open(path, "w", encoding="ascii") as file:
        file.write(GAME)
    page.driver.find_element("css selector", "input[type=file]").send_keys(path)
    page.until(
        "document.querySelector('.graph') && !document.querySelector('.sweep')",
        "the game is analysed",
    )
    page.press(Keys.HOME, Keys.RIGHT, "m")  # a key move that was no mistake
    page.until("[...document.querySelectorAll('.key-moves tbody tr')].length >= 2", "key moves")
    count = page.run("return document.querySelectorAll('.key-moves tbody tr').length")
    page.run(NOTE)
    answer = page.driver.execute_cdp_cmd("Page.printToPDF", {})
    assert base64.b64decode(answer["data"]).startswith(b"%PDF"), "the page was not printed"
    diagrams = page.run("return window.printed")
    assert len(diagrams) == count, diagrams
    assert [int(one["text"].split()[1][:-1]) for one in diagrams] == sorted(
        int(one["text"].split()[1][:-1]) for one in diagrams
    ), "not in the order of the game"
    blunder = next(one for one in diagrams if one["text"].startswith("Move 5: Black A9"))
    assert "A9 lost" in blunder["text"] and "better: " in blunder["text"], blunder
    assert blunder["numbers"] >= 2 and blunder["crosses"] == 1, blunder
    assert blunder["stones"] == 4 + blunder["numbers"] and blunder["cells"] == 0, blunder
    assert diagrams[0]["text"].startswith("Move 1: Black E5"), diagrams
    page.until("!document.querySelector('.diagram')", "no diagrams on the screen")
    page.check_manners(server)


main(test, prepare)
