"""What keys are called. A key is compared without case, signs and units: `Payload (kg)`, `max_payload_kg`, `PL`."""

from __future__ import annotations

import re

FIELDS: dict[str, tuple[str, ...]] = {
    "arm": ("arm", "arms", "has arm", "with arm", "manipulator", "manipulation", "can manipulate", "gripper", "hand", "manip", "manipulates",
            "has gripper", "has manipulator", "manipulation ability", "can pick", "can grasp", "can carry"),
    "payload_kg": ("payload", "pl", "max payload", "payload max", "load", "max load", "lifts", "lift", "carries",
                   "max lift", "lifting capacity", "max mass", "max weight", "pay", "lift limit", "payload capacity"),
    "tall": ("height", "tall", "size", "camera", "camera height", "cam", "hgt", "stature", "body", "cam height", "eye height"),
    "battery_steps": ("battery capacity", "max battery", "battery max", "full battery", "capacity steps", "battery total",
                      "total battery", "total steps", "max steps", "battery full", "endurance", "steps total", "range steps"),
    "battery_left": ("battery left", "remaining battery", "battery remaining", "steps left", "remaining steps", "charge left",
                     "battery now", "remaining", "left", "steps remaining", "energy left", "current battery", "remaining energy"),
    "battery": ("battery", "bat", "batt", "power", "energy", "charge", "steps", "battery level"),
    "position": ("position", "pos", "at", "location", "loc", "xy", "coordinates", "coords", "coord", "pose", "point", "spot"),
    "x": ("x", "pos x", "x m"),
    "y": ("y", "pos y", "y m"),
    "room": ("room", "current room", "in room", "in", "area", "place", "rm", "where"),
    "holding": ("holding", "holds", "held", "carrying", "hold", "in hand", "grasping", "grasped", "object held", "hand holds",
                "held object", "item", "cargo", "carried", "gripping", "in gripper"),
    "subtask": ("task", "subtask", "sub task", "doing", "current task", "do", "activity", "plan", "current subtask", "job",
                "goal", "action", "current sub task", "intention", "now doing", "working on", "performing"),
    "explored": ("explored", "explored rooms", "rooms explored", "clr", "clear", "cleared", "done rooms", "visited", "searched", "rooms done",
                 "rooms cleared", "searched rooms", "seen rooms", "finished rooms", "rooms searched", "explored room"),
    "unexplored": ("unexplored", "not explored", "unexplored rooms", "rooms left", "rooms to explore", "todo rooms", "not searched",
                   "remaining rooms", "unsearched", "rooms unexplored"),
    "misplaced": ("misplaced", "astray", "see", "misplaced objects", "misplaced object", "out of place", "messy", "mess", "wrong place",
                  "misplaced things", "misplaced items", "found misplaced", "objects misplaced", "untidy", "misplaced item"),
    "receptacles": ("receptacle", "receptacles", "furniture", "surfaces", "places", "surface", "rec"),
    "failed": ("failed", "failure", "failures", "cannot do", "problem"),
    "answer": ("answer", "reply", "verdict", "agree", "agreement", "ack", "response", "judgement", "accept", "accepted", "opinion", "ok"),
    "robot": ("robot", "name", "id", "from", "sender", "agent", "me", "i am", "who", "unit", "robot id", "robot name", "agent id"),
}  # fmt: skip
#: Keys of things within lists of them.
OF_THINGS: dict[str, tuple[str, ...]] = {
    "name": ("name", "object", "obj", "thing", "id", "item", "object id", "object name", "receptacle", "what"),
    "kind": ("kind", "type", "class", "category", "object type"),
    "on": ("on", "place", "lies on", "receptacle", "surface", "on top of", "where", "found on", "parent", "support", "current receptacle"),
    "room": ("room", "in", "in room", "area", "rm", "room id"),
    "position": FIELDS["position"],
    "x": ("x",),
    "y": ("y",),
}  # fmt: skip
#: Headings under which further keys stand; the second part says which of two readings a plain `battery` has there.
SECTIONS: dict[str, str] = {
    **dict.fromkeys(("ability", "abilities", "capability", "capabilities", "cap", "caps", "body", "skills", "specs", "spec", "hardware",
                     "profile", "characteristics", "features", "what i can do"), "ability"),
    **dict.fromkeys(("state", "status", "st", "now", "current", "current state", "situation", "stat", "telemetry"), "state"),
    **dict.fromkeys(("house", "map", "world", "environment", "knowledge", "observations", "findings", "data", "message", "msg", "report",
                     "info", "content", "payload data", "body data", "rooms", "update"), ""),
}  # fmt: skip
_UNITS = re.compile(r"[\s_(\[]*\b(?:kg|kgs|g|m|metres?|meters?|cm|kilograms?|in kg|in m|in steps)\b[\s)\]]*$", re.I)
_FIELD = {word: name for name, words in FIELDS.items() for word in words}
_THING = {word: name for name, words in reversed(list(OF_THINGS.items())) for word in words}


def plain(key: str) -> str:
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key.strip().strip("\"'`*#<>[](){}"))
    text = re.sub(r"[_\-.\s]+", " ", text).strip().lower()
    shorter = _UNITS.sub("", text).strip()
    return re.sub(r"^(?:my|the|our|robot|current|its) (?=\w)", "", shorter or text)


def field_of(key: str) -> str:
    """The field that a key stands for; empty for one that nobody knows."""
    word = re.sub(r"[_\-.\s]+", " ", key).strip().lower()
    return _FIELD.get(word) or _FIELD.get(plain(key), "")


def section_of(key: str) -> str | None:
    """`ability`, `state`, or empty for another heading; None for what is no heading."""
    return SECTIONS.get(plain(key))


def thing_key(key: str) -> str:
    return _THING.get(plain(key), "")
