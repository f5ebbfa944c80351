"""Durations that misbehave, for the process of an engine: it asks for them while it plans."""

import os
import subprocess
import sys
import time
from pathlib import Path


def forever(step):
    time.sleep(600)


class Gate:
    """No answer before the file is there."""

    def __init__(self, file):
        self.file = file

    def __call__(self, step):
        while not os.path.exists(self.file):
            time.sleep(0.005)
        return 1.0


def gone(step):
    os._exit(3)


def wrong(step):
    raise ValueError("no clock")


class Child:
    """Starts a process of its own and waits for it; where that is written."""

    def __init__(self, file):
        self.file = file

    def __call__(self, step):
        made = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        Path(self.file).write_text(f"{os.getpid()} {made.pid}")
        time.sleep(600)
