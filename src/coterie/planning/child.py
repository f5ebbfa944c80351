"""The other end of a `Planner`: a process that answers one question after another until nobody asks any more.

Questions and answers are pickled, each after its length. Only the process that started this one holds the other ends of
the pipes. What an engine prints goes nowhere. When the pipe of questions closes, and when an engine runs past its limit
while nobody looks, the process ends with everything it started.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import struct
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

GRACE_S = 5.0  # beyond the limit, before the process ends itself
LENGTH = struct.Struct(">Q")
JUDGES = "judges"  # as an argument: plans will be judged by `unified_planning`, which takes a second to load


def send(pipe: BinaryIO, what: Any) -> None:
    data = pickle.dumps(what)
    pipe.write(LENGTH.pack(len(data)) + data)
    pipe.flush()


def receive(pipe: BinaryIO) -> bytes | None:
    """The next thing, as it was written; None at the end."""
    head = pipe.read(LENGTH.size)
    return pipe.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None


def _end() -> None:
    """This process and all that it started: it leads a group of its own."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _listen(pipe: BinaryIO, asked: queue.Queue[bytes]) -> None:
    while (what := receive(pipe)) is not None:
        asked.put(what)
    _end()


def _respond(ask: Callable[..., Any], what: bytes) -> Any:
    from coterie.core.errors import CoterieError
    from coterie.planning.answer import Answer

    try:
        question, engine, limits, judged = pickle.loads(what)
    except Exception as error:  # noqa: BLE001 - it may name anything that is not there
        return CoterieError(
            f"A planning question could not be read in the process of its engine: {type(error).__name__}: {error}. "
            "What it holds of yours, like how long steps take (`lasts`), has to be in a module that can be imported."
        )
    timer = threading.Timer(limits.wall_s + GRACE_S, _end)
    timer.daemon = True
    timer.start()
    try:
        return ask(question, engine, limits, judged)
    except CoterieError as error:
        return error
    except Exception as error:  # noqa: BLE001 - whatever an engine throws is told to the one who asked
        return Answer("broken", engine=engine, said=f"The engine {engine} broke: {type(error).__name__}: {error}")
    finally:
        timer.cancel()


def main() -> None:
    out = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    asked: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, asked), daemon=True).start()
    from coterie.planning.engines import answer
    from coterie.planning.unified.names import ready

    if JUDGES in sys.argv:
        ready()  # before the first question, if that is not there yet
    while True:
        send(out, _respond(answer, asked.get()))


if __name__ == "__main__":
    main()
