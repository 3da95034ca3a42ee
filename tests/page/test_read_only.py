"""A server that was started with --read-only shows runs and their games, and nothing else."""
import os
import subprocess

from page_test import AJI, main

SETTINGS = [
    "run.nets=2",
    "run.threads=1",
    "run.arch=b1c8-fixup-nodist",
    "run.rows_first=60",
    "run.rows_cycle=60",
    "run.gate_games=0",
    "run.rate_games=0",
    "selfplay.full.visits=8",
    "selfplay.cheap.visits=4",
    "run.cache_mb=1",
]


def prepare(folder):
    """A run of two nets on 5x5."""
    run = os.path.join(folder, "small-run")
    words = [word for setting in SETTINGS for word in ("--set", setting)]
    subprocess.run(
        [AJI, "learn", "--run", run, "--size", "5", "--time", "60s", *words],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return ["--runs", folder, "--read-only"]


def links(page):
    return page.run("return [...document.querySelectorAll('nav a')].map((e) => e.innerText)")


def test(server, page):
    page.open(server.address)
    page.until("document.querySelector('.cards h2')", "the list of runs")
    assert links(page) == ["Runs"], links(page)
    page.run("location.hash = '#/play'")
    page.until(
        "location.hash === '#/runs' && document.querySelector('.cards h2 a')",
        "the page of runs instead of that of games",
    )
    page.run("document.querySelector('.cards h2 a').click()")
    page.until("document.querySelectorAll('.candidates tbody tr').length", "the nets of the run")
    assert not page.button("Play"), "a button to play against a net"
    page.until("document.querySelectorAll('.games a').length", "the games of the run")
    page.run("document.querySelector('.games a').click()")
    page.until("document.querySelector('.graph-lead')", "the graph of the game")
    assert not page.button("Analyse game"), "a button for an analysis"
    assert not page.button("Practise"), "a button for practice"
    assert not page.run("return document.querySelector('.problem')"), page.text()
    page.check_manners(server)


main(test, prepare)
