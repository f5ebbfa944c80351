"""`coterie stop` before anything else is loaded: where all goes well, it is done before the rest would have been found.

Robots do not wait until Python has found everything: this takes a few milliseconds beyond the start of Python.
"""

from __future__ import annotations

import os
import sys
import time

from coterie.link.shots import LIFE, MOST_SHOT, Hurry, Seal, me, robots_path, shoot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FIRST_S = 0.5  # for all robots to answer; the rest of the command, which has words for everything, waits longer
_LATER = ("--release", "--list", "--ready", "--help", "-h")  # those stop nobody, or not yet


def fire(words: Sequence[str]) -> bool:
    """Stop robots as `coterie stop` with these words does; whether that is all, and was said. What is wrong, with the
    words or with robots, is found out and told by the rest of the command, which stops them again."""
    if any(word.startswith(_LATER) for word in words):
        return False
    try:
        with Hurry():
            return _fire(*_options(words))
    except (OSError, ValueError, KeyboardInterrupt):
        return False


def _fire(told: Mapping[str, str], names: Sequence[str], plain: bool) -> bool:
    begun = time.monotonic()
    path = robots_path(told.get("--folder"))
    with open(os.path.join(path, "stop-key"), "rb") as file:
        seal = Seal(file.read(1_000).strip())
    found = [n.removesuffix(".json") for n in os.listdir(path) if n.endswith(".json") and not n.startswith(".")]
    if any(name not in found for name in names):
        return False  # a name that nobody has: told before anything happens
    wanted = sorted(names or found)
    aims = {name: aim for name in wanted if (aim := _aim(os.path.join(path, f"{name}.json"))) is not None}
    answers = shoot(_socket(), seal, aims, told.get("--by") or me(), FIRST_S) if aims else {}
    if not (plain and answers and len(answers) == len(wanted)) or any(a.wrong or a.unkept for a in answers.values()):
        return False
    took_ms = 1000 * (time.monotonic() - begun)
    if "--json" in told:
        halts = ", ".join(f'"{name}": {answers[name].took_ms!r}' for name in wanted)
        text = f'{{"stopped": {{{halts}}}, "wrong": {{}}, "unkept": {{}}, "took_ms": {took_ms:.3f}}}'
    else:
        text = f"stopped: {', '.join(wanted)} ({took_ms:.0f} ms)"
    if sys.stdout is None or not text.isascii():  # names that a terminal may not be able to show
        return False
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
    return True


def _options(words: Sequence[str]) -> tuple[dict[str, str], list[str], bool]:
    """Options with their values, all that is none, and whether everything was understood."""
    told: dict[str, str] = {}
    names = []
    plain = True
    rest = iter(words)
    for word in rest:
        name, sign, value = word.partition("=")
        if name in ("--folder", "--by"):
            told[name] = value if sign else next(rest, "")
            plain = plain and bool(told[name])
        elif word == "--json":
            told[word] = "yes"
        elif not word.startswith("-"):
            names.append(word)
        else:
            plain = False
    return told, names, plain


def _aim(path: str) -> tuple[int, str] | None:
    """Where a robot listens and how shots at it begin, if its driver runs; of the JSON that it wrote. (Within a text
    the quotes would be others.)"""
    try:
        with open(path, "rb") as file:
            told = file.read(MOST_SHOT).decode("ascii")
        pid, port = (_number(told, name) for name in ("pid", "stop_port"))
        life = told.partition('"life": "')[2][:LIFE]
        os.kill(pid, 0)
    except PermissionError:  # another user's
        pass
    except (OSError, ValueError, OverflowError):
        return None  # one that cannot be reached keeps no other from being stopped
    return (port, life) if 0 < port <= 65535 and len(life) == LIFE and life.isalnum() else None


def _number(told: str, name: str) -> int:
    after = told.partition(f'"{name}": ')[2]
    return int(after[: len(after) - len(after.lstrip("0123456789"))])


def _socket():  # type: ignore[no-untyped-def]
    try:
        import _socket as sockets
    except ImportError:
        import socket as sockets  # type: ignore[no-redef]
    return sockets.socket(sockets.AF_INET, sockets.SOCK_DGRAM)
