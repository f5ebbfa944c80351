"""A model's server in a process of its own: loading a model holds the interpreter for a second, in which nobody would
be answered. Such a process begins at once, since this file imports nothing of the package."""

from __future__ import annotations

import functools
import importlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

#: Read by OpenMP when it is loaded. Threads that spin while they wait for each other are ten times slower as soon as
#: another process wants their core; those that soon go to sleep are not, and lose nothing on an idle machine.
WAITING = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "10000"}


def server_of(library: Any, wanted: Mapping[str, Any]) -> Any:
    """A server of the library with these parameters, like `model.path`."""
    params = library.CommonParams()
    for path, value in wanted.items():
        *above, name = path.split(".")
        setattr(functools.reduce(getattr, above, params), name, value)
    return library.Server(params)


class Apart:
    """Such a server in a child, which ends when the other end of its input is closed."""

    def __init__(self, wanted: Mapping[str, Any]):
        pipe = subprocess.PIPE
        self._child = subprocess.Popen(
            [sys.executable, __file__], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True,
            env={**WAITING, **os.environ},
        )  # fmt: skip
        assert self._child.stdin is not None and self._child.stdout is not None
        try:
            self._child.stdin.write(json.dumps(wanted) + "\n")
            self._child.stdin.flush()
        except OSError as err:
            raise RuntimeError("The child has ended.") from err
        self.listening_address = self._child.stdout.readline().strip()
        if not self.listening_address:
            raise RuntimeError("The model was not loaded.")


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # from the terminal of the parent, which ends it
    server = server_of(importlib.import_module("xllamacpp"), json.loads(sys.stdin.readline()))
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
    os._exit(0)
