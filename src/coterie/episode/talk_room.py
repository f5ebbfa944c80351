"""A talk that several terminals of this machine join: each person has a port and a token of their own, in a file
that only this user may read.

What comes in at a person's port was said by that person and nobody else; what a person is told goes out there alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from coterie.core.bounds import is_word
from coterie.core.errors import CoterieError
from coterie.core.files import InUse, Lock, replace_text, writing
from coterie.episode.talk import HEARD, Told
from coterie.link.folder import read_table
from coterie.link.host import Caller, Port
from coterie.link.lines import Gone, Line, call
from coterie.link.shots import robots_path

MOST_CHARS = 20_000  # of one utterance that is taken in
KEPT = 20  # messages that a person who joins later is shown
VISITOR = "visitor"


def folder_path(folder: Path | None = None) -> Path:
    return folder if folder is not None else Path(robots_path()).parent / "talk"


class Room:
    """The ports of a talk."""

    def __init__(self, speak: Callable[[str, str], None], people: Iterable[str], folder: Path | None = None):
        """`speak` is told who says what."""
        self.speak, self.folder = speak, folder_path(folder)
        self.people = [p for p in dict.fromkeys((*people, VISITOR)) if is_word(p)]
        self.tokens = {p: os.urandom(32).hex() for p in self.people}
        self._ports: dict[str, Port] = {}
        self._owned: Lock | None = None
        self._told: dict[str, list[dict[str, Any]]] = {p: [] for p in self.people}
        self._lock = threading.Lock()

    def __enter__(self) -> Room:
        with writing(f"the folder of talks '{self.folder}'", " Name another one with --folder."):
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            try:
                self._owned = Lock(self.folder / "talk")
            except InUse as err:
                raise CoterieError(f"{err} A folder has one talk; name another one with --folder.") from err
            try:
                for person, token in self.tokens.items():
                    port = self._ports[person] = Port(token.encode("ascii"), (person,), self._serve(person))
                    door = {"person": person, "port": port.number, "token": token}
                    replace_text(self._path(person), json.dumps(door) + "\n", 0o600)
                    port.start()
            except BaseException:
                self.__exit__()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        for person, port in self._ports.items():
            port.close()
            with contextlib.suppress(OSError):
                self._path(person).unlink(missing_ok=True)
        self._ports.clear()
        if self._owned is not None:
            self._owned.release()

    def _path(self, person: str) -> Path:
        return self.folder / f"{person}.json"

    def _serve(self, person: str) -> Callable[[Caller, dict[str, Any]], None]:
        def serve(caller: Caller, message: dict[str, Any]) -> None:
            text = message.get("say")
            if message.get("do") == "hello":
                with self._lock:
                    for row in self._told[person][-KEPT:]:
                        caller.tell(row)
            elif isinstance(text, str) and text.strip():
                self.speak(person, text[:MOST_CHARS])
            else:
                raise Gone("Nothing was said.")

        return serve

    def tell(self, told: Told) -> None:
        """Words for one person go to that person's terminals."""
        port = self._ports.get(told.person)
        if port is None:
            return
        row = {"tell": told.text, "t": told.time, **({"more": True} if told.number == HEARD else {})}
        with self._lock:
            if told.number != HEARD:
                self._told[told.person].append(row)
                del self._told[told.person][:-KEPT]
            for caller in list(port.callers):
                if caller.known:
                    caller.tell(row)


def joined(person: str, folder: Path | None = None) -> Line:
    """A line into the talk of this machine, as a person."""
    path = folder_path(folder) / f"{person}.json"
    if not is_word(person) or not path.is_file():
        there = sorted(p.stem for p in folder_path(folder).glob("*.json"))
        known = f"One can join as: {', '.join(there)}." if there else "Begin one with: coterie talk --scene hospital"
        raise CoterieError(f"No talk waits for '{person[:60]}' (looked in '{path.parent}'). {known}")
    data = read_table(path)
    port, token = data.get("port"), data.get("token")
    if not isinstance(port, int) or not isinstance(token, str):
        raise CoterieError(f"'{path}' does not say how the talk is reached; begin it again.")
    line = call(port, token.encode("ascii"), person, "The talk")
    line.send({"do": "hello"})
    return line
