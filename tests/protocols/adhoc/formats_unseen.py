# ruff: noqa: E501 - messages stand in one line
"""Formats that were written last; the adapter is not changed to fit them: they measure it."""

from __future__ import annotations

import json

from tests.protocols.adhoc.formats import Formats
from tests.protocols.adhoc.truth import Truth

formats = Formats()


@formats.add
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


@formats.add
def ros_echo(t: Truth) -> str:
    return f"""header:
  frame_id: map
robot_name: {t.name}
pose:
  x: {t.x}
  y: {t.y}
  theta: 1.57
room: {t.room}
manipulator: {t.arm}
payload: {t.payload:g}
battery:
  remaining: {t.left}
  capacity: {t.full}
holding: '{t.held}'
---"""


@formats.add
def json_lines(t: Truth) -> str:
    f = t.found
    return "\n".join(json.dumps(d) for d in (
        {"type": "capability", "from": t.name, "can_manipulate": t.arm, "max_weight_kg": t.payload, "camera_height_m": t.height},
        {"type": "state", "from": t.name, "location": {"x": t.at[0], "y": t.at[1], "room": t.room}, "in_hand": t.held or None,
         "remaining_battery": t.left},
        {"type": "plan", "from": t.name, "subtask": t.doing},
        {"type": "map", "from": t.name, "rooms_done": list(t.explored), "misplaced": [f.name]},
    ))  # fmt: skip


@formats.add
def short_words(t: Truth) -> str:
    arm = f"Arm: yes ({t.payload:g} kg)." if t.arm else "Arm: no."
    return (
        f"{arm} Tall: {'yes' if t.tall else 'no'}. At {t.x}/{t.y} in {t.room}. Battery {t.left}/{t.full}. "
        f"Hand: {t.held or 'empty'}. Task: {t.doing}. Explored: {', '.join(t.explored)}."
    )


@formats.add
def arrows(t: Truth) -> str:
    return (
        f"{t.name} -> all\narm -> {'yes' if t.arm else 'no'}\npayload -> {t.payload:g} kg\nheight -> {t.height} m\n"
        f"position -> ({t.x}; {t.y})\nroom -> {t.room}\nholding -> {t.held or 'nothing'}\nbattery -> {t.left} of {t.full} steps\n"
        f"task -> {t.doing}\nexplored -> {' '.join(t.explored)}"
    )


@formats.add
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


@formats.add
def headings(t: Truth) -> str:
    return (
        f"CAPABILITIES\n  Arm ....... {'yes' if t.arm else 'no'}\n  Payload ... {t.payload:g} kg\n\nSTATE\n  Position .. ({t.x}, {t.y})\n"
        f"  Room ...... {t.room}\n  Holding ... {t.held or 'nothing'}\n  Battery ... {t.left} / {t.full}\n\nTASK\n  {t.doing}"
    )


@formats.add
def commas(t: Truth) -> str:
    return (
        f"{t.name}, arm {'yes' if t.arm else 'no'}, payload {t.payload:g} kg, height {t.height} m, position ({t.x}, {t.y}), room {t.room}, "
        f"holding {t.held or 'nothing'}, battery {t.left} of {t.full}, task {t.doing}"
    )
