"""Runs programs. If one fails, the script that called it ends with a message."""
import subprocess
import sys


def finish(words, stdout):
    words = [str(word) for word in words]
    done = subprocess.run(words, stdout=stdout, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words[:3])}: exit code {done.returncode}")
    return done.stdout


def run(words):
    """Runs a program. What it prints is shown."""
    finish(words, None)


def output_of(words):
    """Runs a program, and returns what it writes to standard output."""
    return finish(words, subprocess.PIPE)
