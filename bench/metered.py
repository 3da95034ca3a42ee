"""Runs a program until it has used a given amount of processor time.

The time that a program has used is kept in the file NAME.seconds, so that a program that was
stopped can go on later with the time that is left. Because only its own processor time counts,
other programs may run on the machine at the same time.
"""
import os
import signal
import subprocess
import sys
import time


def seconds_used(name):
    """Returns the processor time that the programs of `name` have used so far, in seconds. It is 0
    if no time was noted."""
    try:
        with open(f"{name}.seconds", encoding="ascii") as file:
            return float(file.read())
    except FileNotFoundError:
        return 0.0


def note_seconds(name, seconds):
    with open(f"{name}.seconds.new", "w", encoding="ascii") as file:
        file.write(f"{seconds:.1f}\n")
    os.rename(f"{name}.seconds.new", f"{name}.seconds")


def process_seconds(process):
    """Returns the processor time of a process. The process still runs, or it has ended and nobody
    has waited for it yet."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ended(process):
    """Says whether a process has ended, without waiting for it, so that its time can still be
    read."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def run_for(name, wanted, command):
    """Runs `command` until `name` has used `wanted` seconds of processor time, and then stops it by
    SIGINT, as Ctrl-C does. The output goes to NAME.log. Nothing is done if at most 10 seconds are
    left. If this program gets SIGINT or SIGTERM, it stops the command first. Raises RuntimeError if
    the command ends by itself or fails."""
    before = seconds_used(name)
    if before > wanted - 10:
        return
    with open(f"{name}.log", "a", encoding="utf-8") as log:
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
        # If the caller ignores SIGCHLD, so does this program. Then the kernel discards the time and
        # the exit code of the command as soon as it ends.
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        process = subprocess.Popen(command, stdout=log, stderr=log, process_group=0)
        stopped = False
        try:
            while not ended(process):
                time.sleep(1)
                used = before + process_seconds(process.pid)
                note_seconds(name, used)
                if used >= wanted and not stopped:
                    process.send_signal(signal.SIGINT)
                    stopped = True
        finally:
            if not stopped:
                process.send_signal(signal.SIGINT)
            while not ended(process):
                time.sleep(0.1)
            note_seconds(name, before + process_seconds(process.pid))
            code = process.wait()
    if not stopped or code not in (0, 130):
        raise RuntimeError(f"{command[0]} ended with code {code}: see {name}.log")
