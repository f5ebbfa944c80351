"""The action of a reply, whatever the protocol: it names an action, its letter, one for each robot, or says something.

Two replies that do the same may differ in their thoughts.
"""

from __future__ import annotations

import re

from coterie.core.protocol import Prompt

_ACTION = re.compile(r"^Action: (.*)$", re.M)
_OPTION = re.compile(r"^Option: ([A-Z]{1,2})$", re.M)
_ORDER = re.compile(r"^(\w+): (\w+)(\(.*\))$", re.M)
_PART = re.compile(r"^NAME (\w+) ACTION (.*)$", re.M)
_MESSAGE = re.compile(r"^Message: (.*)$", re.M)
AGREED = "I Agree"  # to a plan of another
WAITING, SILENT, ORDERS, TALK = "wait", "nothing", "orders", "message"
IDLE = frozenset({WAITING, SILENT})  # a third of all replies, and more


def chosen(prompt: Prompt, reply: str) -> str:
    """The action of a reply in a text that is the same for the same action; empty where it has none."""
    if found := _ACTION.findall(reply):
        return str(found[-1])
    if found := _OPTION.findall(reply):
        listed = re.search(rf"^{found[-1]}\. (.*)$", prompt[-1][1], re.M)
        return listed.group(1) if listed else f"option {found[-1]}"
    if found := _ORDER.findall(reply):
        return "; ".join(f"{name}: {skill}{rest}" for name, skill, rest in sorted(found))
    if reply == AGREED:
        return SILENT
    if found := _PART.findall(reply):
        return "; ".join(f"{name}: {f'{WAITING}()' if what == 'WAIT' else what}" for name, what in sorted(found))
    if found := _MESSAGE.findall(reply):
        return SILENT if found[-1].strip() == SILENT else f"{TALK}: {found[-1]}"
    return ""


def kind_of(done: str) -> str:
    """The skill that it names; for several robots, whether any of them does something."""
    if ": " in done.partition("(")[0]:
        if done.startswith(f"{TALK}: "):
            return TALK
        return WAITING if all(part.endswith(f": {WAITING}()") for part in done.split("; ")) else ORDERS
    return done.partition("(")[0]
