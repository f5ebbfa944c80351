"""What stands in a row of results, in words and types. `docs/results.md` is made from it, and tests look at rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from coterie.bench.results import Row
from coterie.bench.study import every


class Told(NamedTuple):
    """One column: the type of its value, when it is there, and what it says."""

    type: str  # "text", "number", "whole", "yes or no", "table", "list", or one of them "or null"
    about: str
    when: str = ""  # empty: in every row of an episode that was played


TYPES: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "number": (int, float),
    "whole": (int,),
    "yes or no": (bool,),
    "table": (dict,),
    "list": (list, tuple),
}

#: Also of episodes that could not be played.
HEAD = {
    "key": Told("text", "names the episode for ever; the same for all methods"),
    "method": Told("text", "as `--methods` has it"),
    "model": Told("text", "who was asked; `none` for methods that ask nobody"),
    "digest": Told(
        "text", "stands for configuration, prompts, version and files of your own; other digest, other result"
    ),
    "labels": Told(
        "table", "which cell of a table it belongs to: `setting task level team group scene seed`, and more"
    ),
    "version": Told("text", "of the Coterie that played it"),
    "commit": Told("text", "of its source tree; empty where it was installed"),
}
COLUMNS = {
    **HEAD,
    "sees": Told("text", "what the method's mind may use: own, pooled or truth"),
    "prompts": Told("text", "fingerprint of its templates; empty where it has none"),
    "success": Told("yes or no", "whether the goal was reached (SUCC is their share)"),
    "ps": Told("number", "share of the goal that was reached (PS)"),
    "ts": Told("whole", "steps until the goal; the step limit where it was missed (TS)"),
    "as": Told("number", "actions other than wait, per robot (AS)"),
    "cc": Told("number", "messages per robot (CC)", "robots can send messages"),
    "messages": Told("whole", "messages of robots: each is an action"),
    "message_bytes": Told("whole", "bytes of their texts and of the facts they carry"),
    "said": Told("whole", "what robots said inside decisions, which costs no action"),
    "said_bytes": Told("whole", "bytes of that, likewise"),
    "calls": Told("whole", "requests to a model"),
    "tokens": Told("whole", "read and written by it"),
    "stages": Told("table", "stage of a request -> `calls`, `tokens`, `tokens_out`"),
    "failed": Told("whole", "actions that failed"),
    "refused": Told("whole", "actions that guard rails stopped"),
    "unreadable": Told("whole", "replies that no action could be read from"),
    "asked_again": Told("whole", "requests that repeat one after a reply that could not be used"),
    "reply_errors": Told("whole", "requests without a reply"),
    "repeated_failures": Told("whole", "failures of an action that had failed before in the same state"),
    "repeated_messages": Told("whole", "messages with the words of an earlier one"),
    "changes": Told("whole", "changes that were planned, or came"),
    "change_fired": Told("whole", "of them, those that came"),
    "change_bites": Told("whole", "of those, the ones that mattered"),
    "decisions": Told("whole", "actions that robots decided on, waits included"),
    "steps": Told("whole", "that were played"),
    "limit": Told("whole or null", "of steps"),
    "time_s": Told("number", "simulated time"),
    "robots": Told("table", "robot -> `body steps actions waits communicates failed refused`"),
    "memo_hits": Told("whole", "1 where a solved task was used again", "a memo took part"),
    "memo_failed": Told("whole", "1 where its plan failed on the way", "a memo took part"),
    "memo_alone": Told("whole", "1 where nobody else was asked", "a memo took part"),
    "error": Told("text", "why the episode could not be played", "it could not"),
    "crash": Told("text", "what failed that nobody foresaw; the episode counts as missed", "it crashed"),
    "crash_seed": Told("whole", "its seed", "it crashed"),
    "crash_own": Told("yes or no", "whether a file of your own failed", "it crashed"),
}


def described() -> dict[str, list[tuple[str, Told]]]:
    """Every column: by whom it is added, and what it says. "" are those of any world."""
    found: dict[str, list[tuple[str, Told]]] = {}
    for name, told in COLUMNS.items():
        found.setdefault(name, []).append(("", told))
    for study in every():
        for name, (kind, about) in study.told.items():
            found.setdefault(name, []).append((study.name, Told(kind, about)))
    return found


def amiss(row: Row) -> Iterator[str]:
    """Sentences about columns of a row that nobody describes, or that are of another type."""
    known = described()
    for name, value in row.items():
        if name not in known:
            yield f"'{name}' is described nowhere."
        elif not any(_fits(value, told.type) for _, told in known[name]):
            yield f"'{name}' is {value!r:.60}, and should be: {', '.join(told.type for _, told in known[name])}."
    for name, told in (HEAD if "error" in row else COLUMNS).items():
        if not told.when and name not in row:
            yield f"'{name}' is missing."


def _fits(value: Any, kind: str) -> bool:
    name = kind.removesuffix(" or null")
    if value is None:
        return kind.endswith(" or null")
    if isinstance(value, bool) and name != "yes or no":
        return False
    return isinstance(value, TYPES[name])
