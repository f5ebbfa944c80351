# ruff: noqa: E501 - messages stand in one line
"""Formats that the adapter was written with: the three teams of the project and plain JSON."""

from __future__ import annotations

import json

from tests.protocols.adhoc.formats import Formats
from tests.protocols.adhoc.truth import Truth

formats = Formats()


@formats.add
def key_value_lines(t: Truth) -> str:
    task = t.task.name + "".join(f" <{a}>" for a in t.task.args)
    f = t.found
    return (
        f"robot: {t.name}\n"
        f"ability: arm={'yes' if t.arm else 'no'} payload={t.payload:g} height={'tall' if t.tall else 'small'} battery={t.full}\n"
        f"state: x={t.x} y={t.y} heading=90 room={t.room} holding={t.held or 'none'} battery={t.left}\n"
        f"task: {task}\n"
        f"misplaced: {f.name} kind={f.kind} on={f.on} room={f.room} x={f.at[0]:g} y={f.at[1]:g}\n"
        f"explored: {', '.join(t.explored)}"
    )


@formats.add
def compact_code(t: Truth) -> str:
    do = {"Explore": "XPL ", "Re-place": "PUT ", "Stop": "STOP"}[t.task.name]
    if t.task.name == "Explore":
        do += _short(t.task.args[0])
    elif t.task.args:
        do += f"{t.task.args[0]}>{t.task.args[1]}@{t.task.args[2]}"
    f = t.found
    return (
        f"ID {t.name}; CAP A{int(t.arm)} W{t.payload:g} H{t.height} B{t.full}; ST {t.x},{t.y} {_short(t.room)} {t.held or '-'} B{t.left}; "
        f"DO {do}; CLR {','.join(map(_short, t.explored))}; SEE {f.name}!{f.on}@{_short(f.room)} {f.at[0]:g},{f.at[1]:g}"
    )


def _short(room: str) -> str:
    return room.replace("room_", "R")


@formats.add
def plain_words(t: Truth) -> str:
    arm = f"I have an arm that lifts {t.payload:g} kg" if t.arm else "I have no arm"
    doing = {"Explore": f"I am exploring {t.task.args[0] if t.task.args else ''}", "Stop": "I stop here"}.get(
        t.task.name
    )
    if doing is None:
        doing = f"I am taking {t.task.args[0]} to the {t.task.args[1]} in the {t.task.args[2]}"
    f = t.found
    return (
        f"{t.name} here. {arm}, my camera is at {t.height} m and my battery lasts {t.full} steps in all; {t.left} steps are left. "
        f"I am at ({t.x}, {t.y}) in {t.room} and I hold {t.held or 'nothing'}. {doing}. I have explored {' and '.join(t.explored)}. "
        f"{f.name} is misplaced: it lies on {f.on} in {f.room} at ({f.at[0]:g}, {f.at[1]:g})."
    )


@formats.add
def json_nested(t: Truth) -> str:
    f = t.found
    return json.dumps({
        "robot": t.name,
        "capabilities": {"arm": t.arm, "payload_kg": t.payload, "height": "tall" if t.tall else "small", "battery": t.full},
        "state": {"position": list(t.at), "room": t.room, "holding": t.held or None, "battery": t.left},
        "task": t.doing,
        "misplaced": [{"object": f.name, "on": f.on, "room": f.room, "position": list(f.at)}],
        "explored": list(t.explored),
    })  # fmt: skip
