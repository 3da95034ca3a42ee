#!/usr/bin/env python3
"""Plays fast games between two GTP programs. This script keeps the clock, as a server does: it
measures the time between its request for a move and the answer. It reports every move that came too
late, and what fraction of its allowed time each move used.

  blitz.py [--games N] [--size S] [--komi K] [--clock "KIND NUMBERS"] [--silent] [--seed N]
           BLACK WHITE

BLACK and WHITE are commands that start the two programs. The programs change colors from game to
game. KIND NUMBERS is a clock as in the command kata-time_settings: "absolute 3",
"byoyomi 0 0.1 5", "canadian 0 1 10", "fischer 1 0.05". With --silent, the script does not send
time_left, so that the programs must keep the clock themselves.
The exit code is 1 if a game was lost on time or a program failed."""

import argparse
import sys
import time

from gtp import Engine, Fault, seeded, vertex


class Clock:
    """The clock of one player. It follows the rules of kata-time_settings without any code of
    Aji."""

    def __init__(self, words):
        self.kind, numbers = words[0], [float(word) for word in words[1:]]
        self.main = numbers[0]
        self.increment = numbers[1] if self.kind == "fischer" else 0.0
        self.period = numbers[1] if self.kind in ("byoyomi", "canadian") else 0.0
        count = int(numbers[2]) if self.period else 0
        self.stones_of_period = count if self.kind == "canadian" else 1
        self.periods = count if self.kind == "byoyomi" else 1
        self.stones = self.stones_of_period
        self.in_period = self.period
        self.overtime = self.period > 0 and self.main <= 0

    def told(self):
        """Returns the two numbers of time_left: seconds, and stones or byo-yomi periods."""
        if not self.overtime:
            return self.main, 0
        return self.in_period, self.periods if self.kind == "byoyomi" else self.stones

    def most(self):
        """Returns the maximum time of the next move, in seconds."""
        if not self.overtime:
            return self.main + self.period * self.periods
        return self.in_period + self.period * (self.periods - 1)

    def spend(self, seconds):
        """Subtracts the time of a move. Returns False if the time ran out."""
        if seconds > self.most():
            return False
        if not self.overtime:
            self.main -= seconds
            if self.main >= 0:
                self.main += self.increment
                return True
            seconds, self.main, self.overtime = -self.main, 0.0, True
        while seconds > self.in_period:
            seconds -= self.in_period
            self.periods -= 1
            self.in_period = self.period
        self.in_period -= seconds
        self.stones -= 1
        if not self.stones:
            self.stones, self.in_period = self.stones_of_period, self.period
        return True


class Tally:
    """Counts over all games."""

    def __init__(self):
        self.moves = 0
        self.late = []  # a line for each game that was lost on time
        self.least = 1e9  # minimum of the time that a move had left
        self.shares = []  # for each move, the fraction that it used of its maximum time
        self.wins = {}
        self.lengths = []


def open_game(engines, options, rng):
    """Plays the same two random moves on the boards of both engines."""
    for engine in engines:
        engine.say(f"boardsize {options.size}")
        engine.say(f"komi {options.komi}")
        engine.say("clear_board")
        engine.say("kata-time_settings " + options.clock)
    played = set()
    for color in ("b", "w"):
        point = vertex(rng, options.size)
        while point in played:
            point = vertex(rng, options.size)
        played.add(point)
        for engine in engines:
            engine.say(f"play {color} {point}")


def play_game(engines, options, rng, tally, number):
    """Returns the color that won, or "" if nobody did."""
    clocks = {color: Clock(options.clock.split()) for color in "bw"}
    players = {"b": engines[number % 2], "w": engines[1 - number % 2]}
    open_game(engines, options, rng)
    passes = 0
    for turn in range(3 * options.size * options.size):
        color, other = "bw" if turn % 2 == 0 else "wb"
        clock = clocks[color]
        if not options.silent:
            seconds, stones = clock.told()
            players[color].say(f"time_left {color} {seconds:.3f} {stones}")
        most, before = clock.most(), clock.told()
        move, seconds = players[color].ask("genmove " + color)
        tally.moves += 1
        tally.least = min(tally.least, most - seconds)
        tally.shares.append(seconds / most)
        if not clock.spend(seconds):
            tally.late.append(
                f"game {number}, turn {turn}: {seconds:.3f} s of {most:.3f} (time_left: "
                f"{before[0]:.3f} {before[1]})"
            )
            return other
        if move.lower() == "resign":
            tally.lengths.append(turn)
            return other
        passes = passes + 1 if move.lower() == "pass" else 0
        if passes == 2:
            break
        players[other].say(f"play {color} {move}")
    tally.lengths.append(turn + 1)
    score = players["b"].say("final_score")
    return score[0].lower() if score[:1] in "BW" else ""


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.5)
    parser.add_argument("--clock", default="absolute 3")
    parser.add_argument("--silent", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("programs", nargs=2)
    options = parser.parse_args()
    rng, tally, begun = seeded(options.seed), Tally(), time.monotonic()
    engines = [Engine(command) for command in options.programs]
    try:
        for number in range(options.games):
            winner = play_game(engines, options, rng, tally, number)
            first = "b" if number % 2 == 0 else "w"
            key = "nobody" if not winner else "first" if winner == first else "second"
            tally.wins[key] = tally.wins.get(key, 0) + 1
    except Fault as fault:
        print("fault:", fault)
        sys.exit(1)
    finally:
        for engine in engines:
            engine.stop()
    tally.shares.sort()
    shares = [f"{tally.shares[int(part * (len(tally.shares) - 1))]:.2f}" for part in (0.5, 0.99, 1)]
    print(
        f"{options.clock}{' (silent)' if options.silent else ''}, {options.size}x{options.size}: "
        f"{options.games} games, {tally.moves} moves in {time.monotonic() - begun:.0f} s, "
        f"lost on time {len(tally.late)}; used fraction of the allowed time: median {shares[0]}, "
        f"99% {shares[1]}, "
        f"maximum {shares[2]}; minimum left {tally.least * 1000:.0f} ms; won {tally.wins}"
    )
    for line in tally.late:
        print("  " + line)
    sys.exit(1 if tally.late else 0)


if __name__ == "__main__":
    main()
