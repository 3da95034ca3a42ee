#!/usr/bin/env python3
"""A GTP program that plays like somebody who has just learned the rules. It looks one move ahead.

It captures the largest chain that it can capture. Otherwise, if a chain of its own is in atari, it
extends the largest such chain to more than one liberty, if it can. Otherwise it plays a random
legal move that does not fill an eye of its own and, if there is such a move, does not put its own
stone in atari. It passes if no move is left. Suicide is forbidden, and so is a move that repeats
the position before the opponent's last move (simple ko).

    bench/newcomer.py [--seed 1]
"""
import argparse
import random
import sys

COLUMNS = "ABCDEFGHJKLMNOPQRST"
EMPTY, BLACK, WHITE = 0, 1, 2


class Board:
    """A board whose points are numbers from 0 to width * height - 1, row by row from the top."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.stones = [EMPTY] * (width * height)
        self.before = None  # the stones before the last move
        self.neighbours = [self._neighbours(point) for point in range(width * height)]

    def _neighbours(self, point):
        y, x = divmod(point, self.width)
        places = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        inside = [p for p in places if 0 <= p[0] < self.width and 0 <= p[1] < self.height]
        return [y * self.width + x for x, y in inside]

    def chain(self, point):
        """Returns the points of the chain at `point`, and the set of its liberties."""
        color, points, liberties, todo = self.stones[point], {point}, set(), [point]
        while todo:
            for near in self.neighbours[todo.pop()]:
                if self.stones[near] == EMPTY:
                    liberties.add(near)
                elif self.stones[near] == color and near not in points:
                    points.add(near)
                    todo.append(near)
        return points, liberties

    def play(self, point, color):
        """Plays a move and returns the number of captured stones. Returns None, and leaves the
        board as it is, if the point is not empty, or if the move is suicide or takes back a ko."""
        if self.stones[point] != EMPTY:
            return None
        old = list(self.stones)
        self.stones[point] = color
        captured = 0
        for near in self.neighbours[point]:
            if self.stones[near] == 3 - color:
                points, liberties = self.chain(near)
                if not liberties:
                    captured += len(points)
                    for dead in points:
                        self.stones[dead] = EMPTY
        if not self.chain(point)[1] or self.stones == self.before:
            self.stones = old
            return None
        self.before = old
        return captured

    def try_move(self, point, color):
        """Returns what play() would return, and the number of liberties that the stone would have.
        The board stays as it is."""
        stones, before = list(self.stones), self.before
        captured = self.play(point, color)
        liberties = len(self.chain(point)[1]) if captured is not None else 0
        self.stones, self.before = stones, before
        return captured, liberties

    def is_eye(self, point, color):
        """Says whether `point` is empty, all its neighbours are stones of `color`, and at most one
        of its diagonal neighbours (none at the edge) is a stone of the opponent."""
        if self.stones[point] != EMPTY:
            return False
        if any(self.stones[near] != color for near in self.neighbours[point]):
            return False
        y, x = divmod(point, self.width)
        places = [(x + dx, y + dy) for dx in (-1, 1) for dy in (-1, 1)]
        inside = [p for p in places if 0 <= p[0] < self.width and 0 <= p[1] < self.height]
        bad = sum(self.stones[y * self.width + x] == 3 - color for x, y in inside)
        return bad <= (1 if len(inside) == 4 else 0)


def choose(board, color, rng):
    """Returns the newcomer's move, or None for a pass."""
    empty = [point for point, stone in enumerate(board.stones) if stone == EMPTY]
    rng.shuffle(empty)
    tried = {point: board.try_move(point, color) for point in empty}
    captures = {point: captured for point, (captured, _) in tried.items() if captured}
    if captures:
        return max(captures, key=captures.get)
    saves = {}
    for point, stone in enumerate(board.stones):
        if stone == color:
            points, liberties = board.chain(point)
            place = next(iter(liberties))
            if len(liberties) == 1 and tried[place][1] > 1:
                saves[place] = len(points)
    if saves:
        return max(saves, key=saves.get)
    moves = [p for p in empty if tried[p][0] is not None and not board.is_eye(p, color)]
    return max(moves, key=lambda point: tried[point][1] > 1, default=None)


def point_of(text, board):
    """Returns the point of a move such as "D4", or None for a pass."""
    if text.lower() == "pass":
        return None
    x, row = COLUMNS.index(text[0].upper()), int(text[1:])
    if not (x < board.width and 1 <= row <= board.height):
        raise ValueError(text)
    return (board.height - row) * board.width + x


def text_of(point, board):
    if point is None:
        return "pass"
    y, x = divmod(point, board.width)
    return f"{COLUMNS[x]}{board.height - y}"


def color_of(text):
    return BLACK if text.lower() in ("b", "black") else WHITE


class Engine:
    """The commands of GTP that a match needs. Each returns the text of its answer."""

    def __init__(self, seed):
        self.board = Board(19, 19)
        self.rng = random.Random(seed)

    def boardsize(self, words):
        self.board = Board(int(words[0]), int(words[-1]))
        return ""

    def clear_board(self, words):
        del words
        self.board = Board(self.board.width, self.board.height)
        return ""

    def play(self, words):
        point = point_of(words[1], self.board)
        if point is None:
            self.board.before = None
        elif self.board.play(point, color_of(words[0])) is None:
            raise ValueError("illegal move")
        return ""

    def genmove(self, words):
        color = color_of(words[0])
        point = choose(self.board, color, self.rng)
        if point is None:
            self.board.before = None
        else:
            self.board.play(point, color)
        return text_of(point, self.board)

    def answer(self, words):
        fixed = {
            "name": "newcomer",
            "version": "1",
            "protocol_version": "2",
            "komi": "",
            "quit": "",
            "list_commands": "boardsize clear_board genmove komi list_commands name play "
            "protocol_version quit version".replace(" ", "\n"),
        }
        if words[0] in fixed:
            return fixed[words[0]]
        if words[0] not in ("boardsize", "clear_board", "play", "genmove"):
            raise ValueError("unknown command")
        return getattr(self, words[0])(words[1:])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    engine = Engine(parser.parse_args().seed)
    for line in sys.stdin:
        words = line.split("#")[0].split()
        number = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            continue
        try:
            print(f"={number} {engine.answer(words)}\n", flush=True)
        except (ValueError, IndexError) as error:
            print(f"?{number} {error}\n", flush=True)
        if words[0] == "quit":
            break


if __name__ == "__main__":
    main()
