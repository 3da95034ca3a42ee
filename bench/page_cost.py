#!/usr/bin/env python3
"""Measures how much an open page slows a learning run down.

    bench/page_cost.py OUT [--aji build/release/aji] [--seconds 60] [--pairs 10] [--size 9]

Each pair is two runs of `aji learn --size N` with the same seed: one with the page open on the run,
and one without it. Which comes first changes from pair to pair. With the page, `aji serve` and
Chromium work on the same processors as the run, and the page shows the run from its beginning to
its end. The script prints the games of each run, their ratio (with the page divided by without it)
for each pair, and the median of the ratios. No other program should work at the same time.

It needs a build with -DAJI_PAGE=ON, and the Debian packages chromium, chromium-driver and
python3-selenium.
"""
import argparse
import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out")
    parser.add_argument("--aji", default=os.path.join(ROOT, "build", "release", "aji"))
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--size", type=int, default=9)
    return parser.parse_args()


def browser(folder):
    options = Options()
    options.binary_location = shutil.which("chromium")
    for word in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--window-size=1280,900",
        "--user-data-dir=" + folder,
    ):
        options.add_argument(word)
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def wait_for(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(f"waited in vain: {what}")
        time.sleep(0.1)


def start_learning(words, run, seed):
    shutil.rmtree(run, ignore_errors=True)
    os.makedirs(os.path.dirname(run), exist_ok=True)
    command = [
        words.aji,
        "learn",
        "--size",
        str(words.size),
        "--run",
        run,
        "--time",
        str(words.seconds),
        "--set",
        f"run.seed={seed}",
        "--set",
        "run.anchor=none",
    ]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def games_of(run):
    index = sqlite3.connect(f"file:{run}/run.db?mode=ro", uri=True)
    (games,) = index.execute("select value from facts where key = 'games'").fetchone()
    index.close()
    return games


def finish(learning, run):
    if learning.wait():
        raise RuntimeError(f"aji learn ended with code {learning.returncode}")
    return games_of(run)


def without_page(words, run, seed):
    return finish(start_learning(words, run, seed), run)


def with_page(words, run, seed):
    """Opens the list of runs first, so that the browser's start is not measured."""
    folder = os.path.dirname(run)
    shutil.rmtree(run, ignore_errors=True)
    os.makedirs(folder, exist_ok=True)
    command = [words.aji, "serve", "--runs", folder, "--port", "0", "--read-only"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server, tempfile.TemporaryDirectory() as user:
        driver = learning = None
        try:
            address = re.search(r"http://\S+/", server.stdout.readline()).group(0)
            driver = browser(user)
            driver.get(address + "#/runs")
            time.sleep(3)
            learning = start_learning(words, run, seed)
            wait_for(lambda: os.path.exists(os.path.join(run, "run.db")), "the run begins")

            def shows_run():
                """Opens the run from the list. Until the run is in the list, lets the page read the
                list again."""
                script = """const link = document.querySelector('.cards a');
                if (document.querySelector('dl.pairs dd')) return true;
                if (link) link.click();
                else document.dispatchEvent(new Event('visibilitychange'));
                return false"""
                time.sleep(0.3)
                return driver.execute_script(script)

            wait_for(shows_run, "the page shows the run")
            games = finish(learning, run)
            shown = driver.execute_script("return document.body.innerText")
            driver.save_screenshot(os.path.join(words.out, "page.png"))
            if "Games" not in shown:
                raise RuntimeError("the page does not show the run:\n" + shown)
        finally:
            if learning and learning.poll() is None:
                learning.kill()
                learning.wait()
            if driver:
                driver.quit()
            server.terminate()
    return games


def main():
    words = arguments()
    os.makedirs(words.out, exist_ok=True)
    ratios = []
    print("| seed | first | games without page | games with page | ratio |\n|---|---|---|---|---|")
    for seed in range(1, words.pairs + 1):
        games = {}
        order = [("page", with_page), ("none", without_page)]
        for name, measure in order if seed % 2 else reversed(order):
            games[name] = measure(words, os.path.join(words.out, name, "run"), seed)
        ratios.append(games["page"] / games["none"])
        first = "with" if seed % 2 else "without"
        print(
            f"| {seed} | {first} | {games['none']:.0f} | {games['page']:.0f} | {ratios[-1]:.3f} |",
            flush=True,
        )
    print(
        f"\nmedian of the ratios: {statistics.median(ratios):.3f} "
        f"({min(ratios):.3f} to {max(ratios):.3f})"
    )


if __name__ == "__main__":
    main()
