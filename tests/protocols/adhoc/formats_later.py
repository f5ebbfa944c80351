# ruff: noqa: E501 - messages stand in one line
"""Formats that were written after the adapter; 58.3 % of what they say was read at first and 0.5 % wrongly, and it was
mended by them."""

from __future__ import annotations

import json

from tests.protocols.adhoc.formats import Formats
from tests.protocols.adhoc.truth import Truth

formats = Formats()


@formats.add
def yaml(t: Truth) -> str:
    f = t.found
    return f"""name: {t.name}
capability:
  manipulator: {str(t.arm).lower()}
  max_payload: {t.payload:g} kg
  camera_height: {t.height} m
  battery_capacity: {t.full}
status:
  location: [{t.x}, {t.y}]
  room: {t.room}
  carrying: {t.held or "~"}
  battery_remaining: {t.left}
current_task: {t.doing}
explored_rooms: [{", ".join(t.explored)}]
misplaced_objects:
  - {f.name} on {f.on} in {f.room} at ({f.at[0]:g}, {f.at[1]:g})"""


@formats.add
def json_flat_camel(t: Truth) -> str:
    f = t.found
    return json.dumps({
        "agentId": t.name, "hasArm": t.arm, "maxPayload": t.payload, "cameraHeight": t.height, "batteryMax": t.full,
        "pos": {"x": t.at[0], "y": t.at[1]}, "currentRoom": t.room, "heldObject": t.held, "stepsLeft": t.left,
        "subTask": {"type": t.task.name, "args": " ".join(t.task.args)}, "exploredRooms": list(t.explored),
        "misplacedObjects": [{"id": f.name, "type": f.kind, "receptacle": f.on, "room": f.room, "x": f.at[0], "y": f.at[1]}],
    }, indent=1)  # fmt: skip


@formats.add
def python_repr(t: Truth) -> str:
    f = t.found
    return str({
        "name": t.name, "manipulation": t.arm, "payload": t.payload, "height": t.height, "total_steps": t.full, "location": t.at,
        "room": t.room, "holding": t.held or None, "remaining_steps": t.left, "doing": t.doing, "rooms_explored": list(t.explored),
        "misplaced": {f.name: {"on": f.on, "room": f.room, "position": f.at}},
    })  # fmt: skip


@formats.add
def xml_elements(t: Truth) -> str:
    f = t.found
    return (
        f"<robot><name>{t.name}</name><capabilities><arm>{'yes' if t.arm else 'no'}</arm><payload>{t.payload:g}</payload>"
        f"<height>{'high' if t.tall else 'low'}</height><battery>{t.full}</battery></capabilities><state><position>{t.x},{t.y}</position>"
        f"<room>{t.room}</room><holding>{t.held}</holding><battery>{t.left}</battery></state><task>{t.doing}</task>"
        f"<explored>{' '.join(t.explored)}</explored><misplaced><object>{f.name}</object><on>{f.on}</on><room>{f.room}</room>"
        f"<position>{f.at[0]:g},{f.at[1]:g}</position></misplaced></robot>"
    )


@formats.add
def xml_attributes(t: Truth) -> str:
    f = t.found
    return (
        f'<msg from="{t.name}">\n <ability arm="{int(t.arm)}" payload="{t.payload:g}" camera="{t.height}" battery="{t.full}"/>\n'
        f' <state x="{t.x}" y="{t.y}" room="{t.room}" held="{t.held or "none"}" battery="{t.left}"/>\n <task>{t.doing}</task>\n'
        f" <explored>{', '.join(t.explored)}</explored>\n"
        f' <misplaced object="{f.name}" on="{f.on}" room="{f.room}" x="{f.at[0]:g}" y="{f.at[1]:g}"/>\n</msg>'
    )


@formats.add
def ini(t: Truth) -> str:
    f = t.found
    return (
        f"[capabilities]\nhas_arm = {'true' if t.arm else 'false'}\npayload_kg = {t.payload:g}\nheight_m = {t.height}\n"
        f"max_battery = {t.full}\n\n[state]\npos = {t.x}, {t.y}\nin_room = {t.room}\nin_hand = {t.held or 'nothing'}\n"
        f"battery_left = {t.left}\nsubtask = {t.doing}\n\n[map]\nsearched = {', '.join(t.explored)}\n"
        f"astray = {f.name} on {f.on}, {f.room}, ({f.at[0]:g}, {f.at[1]:g})"
    )


@formats.add
def csv_with_header(t: Truth) -> str:
    return (
        "id,arm,payload,height,max_battery,x,y,room,holding,battery_left\n"
        f"{t.name},{int(t.arm)},{t.payload:g},{t.height},{t.full},{t.x},{t.y},{t.room},{t.held or 'none'},{t.left}\n"
        f"explored: {'/'.join(t.explored)}\ntask: {t.doing}\nmisplaced: {t.found.name}/{t.found.on}/{t.found.room}"
    )


@formats.add
def markdown_table(t: Truth) -> str:
    rows = {
        "Arm": "yes" if t.arm else "no", "Payload": f"{t.payload:g} kg", "Height": "tall" if t.tall else "short",
        "Battery": f"{t.left}/{t.full}", "Position": f"({t.x}, {t.y})", "Room": t.room, "Holding": t.held or "-",
        "Task": t.doing, "Explored": ", ".join(t.explored),
    }  # fmt: skip
    return "| item | value |\n| --- | --- |\n" + "\n".join(f"| {k} | {v} |" for k, v in rows.items())


@formats.add
def markdown_bullets(t: Truth) -> str:
    f = t.found
    return (
        f"## {t.name}\n- **Manipulation:** {'yes' if t.arm else 'no'}\n- **Max load:** {t.payload:g} kg\n"
        f"- **Camera height:** {t.height} m\n- **Battery:** {t.left} of {t.full} steps\n- **Location:** ({t.x}, {t.y}), {t.room}\n"
        f"- **Carrying:** {t.held or 'nothing'}\n- **Current task:** {t.doing}\n- **Rooms explored:** {', '.join(t.explored)}\n"
        f"- **Misplaced:** {f.name} on {f.on} in {f.room}"
    )


@formats.add
def radio(t: Truth) -> str:
    arm = f"arm fitted, lifting limit {t.payload:g} kilos" if t.arm else "no arm"
    doing = {"Explore": f"Searching {t.task.args[0] if t.task.args else ''}", "Stop": "Stopped"}.get(t.task.name)
    doing = doing or f"Moving {t.task.args[0]} to {t.task.args[1]}, {t.task.args[2]}"
    return (
        f"{t.name} to all. {'Tall' if t.tall else 'Small'} unit, {arm}. {t.left} steps left out of {t.full}. "
        f"Position {t.x}, {t.y}, {t.room}. {'Carrying ' + t.held if t.held else 'Hands empty'}. {doing}. "
        f"{', '.join(t.explored)} searched. {t.found.name} out of place on {t.found.on}, {t.found.room}. Over."
    )


@formats.add
def chatty(t: Truth) -> str:
    arm = (
        f"Luckily I've got a gripper, and it can carry up to {t.payload:g} kg!"
        if t.arm
        else "Sadly I don't have an arm, so I can only look around."
    )
    hold = f"Right now I'm carrying {t.held}." if t.held else "My hands are free at the moment."
    doing = {"Explore": f"I'm on my way to explore {t.task.args[0] if t.task.args else ''}.", "Stop": "I'm done."}.get(
        t.task.name
    )
    doing = doing or f"I'm going to bring {t.task.args[0]} back to a {t.task.args[1]} in the {t.task.args[2]}."
    f = t.found
    return (
        f"Hey everyone, {t.name} speaking! {arm} I'm a {'tall' if t.tall else 'small'} robot, and my battery still has {t.left} steps left. "
        f"You can find me in {t.room}, around ({t.x}, {t.y}). {hold} {doing} By the way, I've already searched {' and '.join(t.explored)}. "
        f"I noticed that {f.name} is in the wrong place: on {f.on} in {f.room}."
    )


@formats.add
def of_itself_by_name(t: Truth) -> str:
    arm = f"{t.name} has a manipulator with a payload of {t.payload:g} kg" if t.arm else f"{t.name} has no manipulator"
    f = t.found
    return (
        f"{arm}. {t.name} is a {'tall' if t.tall else 'small'} robot. {t.name} is at ({t.x}, {t.y}) in {t.room}. "
        f"{t.name} {'is holding ' + t.held if t.held else 'holds nothing'}. {t.name} has {t.left} steps left of {t.full}. "
        f"{t.name} explored {' and '.join(t.explored)}. {t.name} saw a misplaced {f.name} on {f.on} in {f.room}."
    )


@formats.add
def formal_words(t: Truth) -> str:
    arm = (
        f"I possess manipulation ability with a maximum payload of {t.payload:g} kg"
        if t.arm
        else "I do not possess manipulation ability"
    )
    f = t.found
    return (
        f"{arm}. My height is {'high' if t.tall else 'low'}. My battery supports {t.full} steps, of which {t.left} steps remain. "
        f"My current location is ({t.x}, {t.y}) in {t.room}. {'I am holding ' + t.held if t.held else 'I am not holding any object'}. "
        f"I am performing the sub-task {t.doing}. The following rooms have been explored: {', '.join(t.explored)}. "
        f"The object {f.name}, located on {f.on} in {f.room}, is misplaced."
    )


@formats.add
def query_string(t: Truth) -> str:
    return (
        f"robot={t.name}&arm={int(t.arm)}&payload={t.payload:g}&height={t.height}&battery={t.left}/{t.full}&x={t.x}&y={t.y}&room={t.room}"
        f"&holding={t.held or 'none'}&task={t.doing.replace(' ', '+')}&explored={','.join(t.explored)}"
    )


@formats.add
def brackets(t: Truth) -> str:
    """As in the prompts of the paper."""
    arm = "can manipulate" if t.arm else "cannot manipulate"
    return (
        f"{t.name}: [{arm}, {'tall' if t.tall else 'low'}, {t.payload:g}, {t.full}]; {t.name}: [location: ({t.x}, {t.y}, 90.0), "
        f"room: {t.room}, arm: {'hold ' + t.held if t.held else 'no objects hold'}]"
    )


@formats.add
def facts(t: Truth) -> str:
    me = t.name.lower()
    return (
        f"(has_arm {me} {str(t.arm).lower()}) (payload {me} {t.payload:g}) (at {me} {t.x} {t.y}) (in {me} {t.room}) "
        f"(holding {me} {t.held or 'nothing'}) (battery {me} {t.left}) (explored {t.explored[0]}) (misplaced {t.found.name})"
    )


@formats.add
def calls(t: Truth) -> str:
    task = f"{t.task.name}({', '.join(t.task.args)})"
    return (
        f"arm({str(t.arm).lower()}). payload({t.payload:g}). position({t.x}, {t.y}). room({t.room}). holding({t.held or 'none'}). "
        f"battery({t.left}). task({task}). explored({', '.join(t.explored)}). misplaced({t.found.name}, {t.found.on}, {t.found.room})."
    )


@formats.add
def proto_text(t: Truth) -> str:
    return (
        f'robot: "{t.name}"\ncapabilities {{ arm: {str(t.arm).lower()} payload: {t.payload:g} height: {t.height} battery: {t.full} }}\n'
        f'state {{ x: {t.x} y: {t.y} room: "{t.room}" holding: "{t.held or "none"}" battery: {t.left} }}\n'
        f'task: "{t.doing}"\nexplored: "{", ".join(t.explored)}"'
    )


@formats.add
def log_lines(t: Truth) -> str:
    return "\n".join(
        f"12:00:{i:02d} [INFO] {t.name} {line}"
        for i, line in enumerate((
            f"arm={str(t.arm).lower()} payload={t.payload:g}kg cam={t.height}m", f"pose=({t.x}, {t.y}) room={t.room} hold={t.held or 'none'}",
            f"battery={t.left}/{t.full}", f"task={t.doing}", f"explored={','.join(t.explored)}",
        ))
    )  # fmt: skip


@formats.add
def numbered(t: Truth) -> str:
    return (
        f"1. Arm: {'present' if t.arm else 'absent'}\n2. Payload (kg): {t.payload:g}\n3. Height: {t.height} m\n4. Steps left: {t.left}\n"
        f"5. Location: x = {t.x}, y = {t.y}\n6. Room: {t.room}\n7. In hand: {t.held or 'nothing'}\n8. Task: {t.doing}\n"
        f"9. Explored rooms: {', '.join(t.explored)}\n10. Misplaced: {t.found.name} ({t.found.on}, {t.found.room})"
    )


@formats.add
def own_letters(t: Truth) -> str:
    """A code with a key of its own, which nobody can know."""
    return f"${t.name[0]}|q{int(t.arm)}|w{t.payload:g}|z{t.x}:{t.y}|{t.left}|{t.task.name[0]}"


@formats.add
def numbers_alone(t: Truth) -> str:
    return f"{t.name},{int(t.arm)},{t.payload:g},{t.height},{t.full},{t.x},{t.y},{t.left}"


@formats.add
def german(t: Truth) -> str:
    arm = f"Ich habe einen Arm und hebe {t.payload:g} kg" if t.arm else "Ich habe keinen Arm"
    return (
        f"{arm}. Ich bin bei ({t.x}, {t.y}) im Zimmer {t.room}. Ich halte {t.held or 'nichts'}. Noch {t.left} Schritte."
    )


@formats.add
def russian(t: Truth) -> str:
    return f"Я {t.name}. {'У меня есть рука' if t.arm else 'У меня нет руки'}. Осталось {t.left} шагов. Осмотрено: {len(t.explored)}."
