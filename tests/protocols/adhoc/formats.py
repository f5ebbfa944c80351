# ruff: noqa: E501 - messages stand in one line
"""Ways in which robots could talk: each writes the same facts in a format of its own."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.protocols.adhoc.truth import Truth

Writer = Callable[[Truth], str]


class Formats(dict[str, Writer]):
    """Writers by their names."""

    def add(self, write: Writer) -> Writer:
        self[write.__name__.replace("_", " ")] = write
        return write


SEEN = Formats()  # those of the three teams of the project, and plain JSON: the adapter was written with them
UNSEEN = Formats()  # written last; the adapter is not changed to fit them


@SEEN.add
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


@SEEN.add
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


@SEEN.add
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


@SEEN.add
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


@UNSEEN.add
def toml(t: Truth) -> str:
    f = t.found
    return f"""robot = "{t.name}"
task = "{t.doing}"

[abilities]
gripper = {str(t.arm).lower()}
lift_limit = {t.payload:g}
stature = "{"tall" if t.tall else "short"}"
endurance = {t.full}

[status]
coords = [{t.x}, {t.y}]
area = "{t.room}"
cargo = "{t.held}"
energy_left = {t.left}

[findings]
visited = ["{'", "'.join(t.explored)}"]
untidy = "{f.name} on {f.on} ({f.room})\""""


@UNSEEN.add
def json_lines(t: Truth) -> str:
    f = t.found
    return "\n".join(json.dumps(d) for d in (
        {"type": "capability", "from": t.name, "can_manipulate": t.arm, "max_weight_kg": t.payload, "camera_height_m": t.height},
        {"type": "state", "from": t.name, "location": {"x": t.at[0], "y": t.at[1], "room": t.room}, "in_hand": t.held or None,
         "remaining_battery": t.left},
        {"type": "plan", "from": t.name, "subtask": t.doing},
        {"type": "map", "from": t.name, "rooms_done": list(t.explored), "misplaced": [f.name]},
    ))  # fmt: skip


@UNSEEN.add
def arrows(t: Truth) -> str:
    return (
        f"{t.name} -> all\narm -> {'yes' if t.arm else 'no'}\npayload -> {t.payload:g} kg\nheight -> {t.height} m\n"
        f"position -> ({t.x}; {t.y})\nroom -> {t.room}\nholding -> {t.held or 'nothing'}\nbattery -> {t.left} of {t.full} steps\n"
        f"task -> {t.doing}\nexplored -> {' '.join(t.explored)}"
    )


@UNSEEN.add
def story(t: Truth) -> str:
    arm = f"My arm can lift things of up to {t.payload:g} kg" if t.arm else "There is no arm on me"
    hold = f"and there is {t.held} in my gripper" if t.held else "and my gripper is empty"
    doing = {"Explore": f"Next I explore {t.task.args[0] if t.task.args else ''}", "Stop": "I have stopped"}.get(
        t.task.name
    )
    doing = doing or f"I shall put {t.task.args[0]} onto the {t.task.args[1]} of the {t.task.args[2]}"
    f = t.found
    return (
        f"{arm}. I stand at ({t.x}, {t.y}), which is in {t.room}, {hold}. With {t.left} steps left I have to be quick. {doing}. "
        f"Nothing is left to see in {t.explored[0]}; {t.explored[1]} has been searched too. On {f.on} in {f.room} I found {f.name}, "
        f"which does not belong there."
    )
