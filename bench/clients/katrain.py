#!/usr/bin/env python3
"""Reviews a game with KaTrain's own core, without KaTrain's window. The script lets KaTrain analyse
every position of the game. For one position it also starts KaTrain's further analyses (alternative,
sweep, equalize, extra), and starts and stops pondering. At the end, each of KaTrain's computer
players makes a move.

  katrain.py [--remote] KATRAIN AJI NET GAME.sgf [VISITS] [HUMAN_NET]

With --remote, the script starts `aji serve`, and KaTrain's engine for remote computers analyses
through this server. Without --remote, KaTrain starts `aji analysis` itself. KATRAIN is the folder
with KaTrain's sources. KaTrain's core needs Kivy (Debian: python3-kivy python3-certifi
python3-chardet python3-websocket; run the script by /usr/bin/python3). The exit code is 1 if a
check failed."""

import atexit
import os
import subprocess
import sys
import tempfile
import time

REMOTE = "--remote" in sys.argv
sys.argv = [word for word in sys.argv if word != "--remote"]
if len(sys.argv) < 5:
    sys.exit(__doc__)
KATRAIN, AJI, NET, GAME = sys.argv[1:5]
VISITS = int(sys.argv[5]) if len(sys.argv) > 5 else 50
HUMAN = sys.argv[6] if len(sys.argv) > 6 else ""
del sys.argv[1:]
os.environ.update(KIVY_NO_ARGS="1", KIVY_NO_CONSOLELOG="1", HOME=tempfile.mkdtemp())
sys.path.insert(0, KATRAIN)

from katrain.core.ai import game_report, generate_ai_move  # noqa: E402
from katrain.core.base_katrain import KaTrainBase  # noqa: E402
from katrain.core.constants import OUTPUT_ERROR, OUTPUT_KATAGO_STDERR  # noqa: E402
from katrain.core.engine import KataGoEngine  # noqa: E402
from katrain.core.game import Game, KaTrainSGF  # noqa: E402

PLAYERS = (
    "default",
    "handicap",
    "simple",
    "scoreloss",
    "jigo",
    "policy",
    "p:weighted",
    "p:pick",
    "p:local",
    "p:tenuki",
    "p:territory",
    "p:influence",
)
faults = []


class Controls:
    def set_status(self, *words, **more):
        pass


def check(good, what):
    print(("  ok    " if good else "  FAULT ") + what, flush=True)
    if not good:
        faults.append(what)


def settle(engine, seconds=600):
    begun = time.time()
    time.sleep(0.3)
    while engine.queries_remaining() and time.time() - begun < seconds:
        time.sleep(0.05)
    return time.time() - begun


def start():
    logs = []
    katrain = KaTrainBase(force_package_config=True, debug_level=0)
    katrain.controls = Controls()
    katrain.log = lambda message, level=0: logs.append((level, str(message)))
    config = dict(katrain.config("engine"))
    config.update(
        katago=AJI, model=NET, humanlike_model=HUMAN, allow_recovery=False, max_visits=VISITS
    )
    if not REMOTE:
        return katrain, KataGoEngine(katrain, config), logs
    from katrain.core.remote_engine import RemoteKataGoEngine

    config.update(remote_url=serve())
    return katrain, RemoteKataGoEngine(katrain, config), logs


def serve():
    """Starts `aji serve` on a free port, and returns the address of its analysis socket."""
    command = [AJI, "serve", NET, "--port", "0", "--games", tempfile.mkdtemp()]
    if HUMAN:
        command += ["--human-net", HUMAN]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    atexit.register(server.kill)
    address = server.stdout.readline().strip()
    return address.replace("http://", "ws://") + "ws/analysis"


def review(katrain, engine):
    game = Game(katrain, engine, move_tree=KaTrainSGF.parse_file(GAME))
    seconds = settle(engine)
    nodes = list(game.root.nodes_in_tree)
    done = [node for node in nodes if node.analysis_complete]
    check(
        len(done) == len(nodes),
        f"{len(nodes)} positions of the game, {len(done)} analysed, {seconds:.1f} s",
    )
    visits = [node.root_visits for node in done]
    check(min(visits) >= VISITS, f"visits {min(visits)} to {max(visits)}, wanted {VISITS}")
    points = game.board_size[0] * game.board_size[1]
    check(
        all(len(node.policy) == points + 1 and len(node.ownership) == points for node in done),
        "each analysis has a policy and an ownership of the right size",
    )
    check(all(-0.01 <= node.winrate <= 1.01 for node in done), "win rates within 0 and 1")
    report = game_report(game, thresholds=[12, 6, 3, 1.5, 0.5, 0])[0]
    accuracy = {color: f"{of['accuracy']:.0f}" for color, of in report.items() if of}
    check(
        len(accuracy) == 2, f"the report on the game has the accuracy of both players: {accuracy}"
    )
    return game, nodes


def look_closer(engine, game, node):
    game.set_current_node(node)
    for mode in ("alternative", "sweep", "equalize", "extra"):
        before = node.root_visits
        game.analyze_extra(mode)
        seconds = settle(engine)
        check(
            not engine.queries_remaining(),
            f"{mode}: {seconds:.1f} s, {len(node.analysis['moves'])} moves, visits {before} to "
            f"{node.root_visits}",
        )
    before = node.root_visits
    node.analyze(engine, priority=10, ponder=True)
    time.sleep(3)
    more = node.root_visits
    engine.stop_pondering()
    settle(engine, 5)
    check(
        more > before and not engine.queries_remaining(),
        f"pondering: visits {before} to {more}; it stopped",
    )


def play(katrain, game):
    for name in PLAYERS:
        move, node = generate_ai_move(game, "ai:" + name, katrain.config("ai/ai:" + name))
        check(node == game.current_node, f"player {name}: {move}")


def main():
    katrain, engine, logs = start()
    print("command:", engine.command if REMOTE else " ".join(engine.command))
    game, nodes = review(katrain, engine)
    look_closer(engine, game, nodes[len(nodes) // 2])
    play(katrain, game)
    engine.on_new_game()
    time.sleep(0.5)
    check(engine.check_alive(), "the engine runs after the start of a new game")
    for level, message in logs:
        if level == OUTPUT_KATAGO_STDERR:
            print("  stderr:", message)
    errors = [message for level, message in logs if level == OUTPUT_ERROR]
    check(not errors, f"errors logged: {len(errors)} {errors[:3]}")
    warnings = [message for _, message in logs if "'warning'" in message]
    check(not warnings, f"warnings: {len(warnings)} {warnings[:3]}")
    begun = time.time()
    engine.shutdown(finish=False)
    check(time.time() - begun < 5, f"shut down in {time.time() - begun:.1f} s")
    print(f"{len(faults)} faults", flush=True)
    atexit._run_exitfuncs()  # os._exit() would leave the server running
    os._exit(1 if faults else 0)  # Kivy would wait for a window


if __name__ == "__main__":
    main()
