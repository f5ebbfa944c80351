"""How learnt teammates talk: a compact code in one line.

ID Bob; CAP A1 W6.22 H1.6 B63; ST 2.5,1.25 R3 - B41; DO PUT mug_0>CounterTop@Kitchen; CLR R1,R2;
SEE mug_0!bathtub_0@R2 4.1,6.32; REC counter_top_0@R4 1.5,0.5; FAIL mug_0; ACK NO, R2 is explored
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from coterie.protocols.heuristic.lines import values
from coterie.protocols.heuristic.talk import Talk

_HEIGHTS = {"tall": "1.6", "small": "0.9"}


def encode(lines: Sequence[tuple[str, str]]) -> str:
    """Lines of keys and words in the code."""
    return "; ".join(filter(None, (_one(key, words) for key, words in lines)))


def _one(key: str, words: str) -> str:
    given = values(words)
    if key == "robot":
        return f"ID {words}"
    if key == "ability":
        arm, height = int(given["arm"] == "yes"), _HEIGHTS.get(given["height"], given["height"])
        battery = f" B{given['battery']}" if given["battery"].isdecimal() else ""
        return f"CAP A{arm} W{given['payload']} H{height}{battery}"
    if key == "state":
        held = "-" if given["holding"] == "none" else given["holding"]
        left = f" B{given['battery']}" if given["battery"].isdecimal() else ""
        room = "" if given["room"] == "none" else f" {short(given['room'])}"
        return f"ST {given['x']},{given['y']}{room} {held}{left}"
    if key == "task":
        return f"DO {_task(words)}"
    if key == "explored":
        return f"CLR {short(words).replace(', ', ',')}"
    if key == "misplaced":
        room = "" if given["room"] == "none" else f"@{short(given['room'])}"
        return f"SEE {words.split()[0]}!{given['on']}{room} {given['x']},{given['y']}"
    if key == "receptacle":
        return f"REC {words.split()[0]}@{short(given['room'])} {given['x']},{given['y']}"
    if key == "done":
        return f"DONE {words.split()[0]}"
    if key == "failed":
        return f"FAIL {words.partition(':')[0]}"
    if key == "answer":
        said, _, why = words.partition(", ")
        return f"ACK {said.upper()}{', ' + short(why) if why else ''}"
    return f"{key.upper()} {words}"


def _task(words: str) -> str:
    args = re.findall(r"<([^<>]*)>", words)
    if words.startswith("Re-place") and len(args) == 3:
        return f"PUT {args[0]}>{args[1]}" + (f"@{args[2]}" if args[2] else "")
    if words.startswith("Explore"):
        return "XPL" + (f" {short(args[0])}" if args else "")
    return words.upper()


def short(words: str) -> str:
    return re.sub(r"\broom_(\d+)", r"R\1", words)


class CodeTalk(Talk):
    """The messages of `Talk`, written in the code."""

    write = staticmethod(encode)
