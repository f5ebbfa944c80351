"""The parties of an episode, from a configuration: the team, those named with `--party`, and strangers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from coterie.core.config import Config
from coterie.core.entry import WorldEntry
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.protocol import Mind, Party, TeamProtocol
from coterie.core.task import Change, Task, Trigger
from coterie.protocols import protocols

NOBODY = "none"  # a method: the team stays by itself
PARTY = "stranger"
MOST = 8
_FORM = re.compile(r"([^@\s]+)@(\d{1,6})(?:-(\d{1,6}))?(?::(\S+))?")


class Stranger(NamedTuple):
    method: str
    comes: int  # at this step
    leaves: int | None = None
    body: str = ""


def parse_strangers(text: str) -> list[Stranger]:
    """Parse `"irot@50"` to the strangers and when each comes; `none` for none."""
    found = []
    for part in filter(None, (p.strip() for p in text.split(","))):
        if part == NOBODY:
            continue
        match = _FORM.fullmatch(part)
        if match is None:
            raise CoterieError(
                f"'{part}' is no stranger: write METHOD@STEP, like irot@50, or irot@50-200 to leave again."
            )
        method, comes, leaves, body = match.groups()
        if leaves is not None and int(leaves) <= int(comes):
            raise CoterieError(
                f"The stranger '{part}' leaves before it has come; write METHOD@FROM-TO, like irot@50-200."
            )
        if method != NOBODY:
            found.append(Stranger(method, int(comes), None if leaves is None else int(leaves), body or ""))
    if len(found) > MOST:
        raise CoterieError(f"{len(found)} strangers are more than {MOST}.")
    return found


def party_name(number: int) -> str:
    return PARTY if number == 0 else f"{PARTY}{number + 1}"


def with_strangers(task: Task, config: Config, entry: WorldEntry) -> Task:
    """Return the task with the changes by which strangers join; the team does not wait for them."""
    known = {(c.data.get("party"), c.kind) for c in task.changes}
    changes: list[Change] = []
    for number, stranger in enumerate(parse_strangers(config.stranger)):
        party = party_name(number)
        if (party, "join") in known:
            continue
        body = stranger.body or protocols.get(stranger.method)().body
        joining: dict[str, Any] = dict(entry.newcomer(task, config, number, body))
        joining["party"] = party
        changes.append(Change(Trigger(step=stranger.comes), "join", joining, awaited=False))
        if stranger.leaves is not None:
            leaving = {"robot": joining["robot"]}
            changes.append(Change(Trigger(step=stranger.leaves), "leave", leaving, awaited=False))
    return replace(task, changes=(*task.changes, *changes)) if changes else task


def robots_of(changes: Sequence[Change], party: str) -> tuple[str, ...]:
    """Return the robots that join as that party."""
    return tuple(str(c.data["robot"]) for c in changes if c.kind == "join" and c.data.get("party") == party)


RULES = "oracle"  # the model that is a rule mind
RULE_MINDS = (RULES, "garbled", "straying")  # and those of whose replies some are spoilt
TEAM = "team"  # everybody who belongs to no other party


class Named(NamedTuple):
    name: str
    protocol: str
    robots: tuple[str, ...]


def parse_party(text: str) -> Named:
    """`"stranger=random-legal:Lucy"` to a party: its name, who decides, and its robots."""
    name, sign, rest = text.partition("=")
    protocol, colon, robots = rest.rpartition(":")  # a protocol's variant has a colon, too
    members = tuple(filter(None, (r.strip() for r in robots.split(","))))
    if not (sign and colon and protocol and members and name.isidentifier()):
        raise CoterieError(f"'{text}' is not a party: write NAME=PROTOCOL:ROBOT,ROBOT, like scouts=rules:Lucy.")
    if name == TEAM:
        raise CoterieError(f"'{TEAM}' is the party of everybody else; give yours another name.")
    protocols.get(protocol)
    return Named(name, protocol, members)


def other_parties(config: Config) -> list[Named]:
    """Return the parties besides the team; a robot is in one of them at most."""
    found = [parse_party(text) for text in config.parties]
    names, robots = [p.name for p in found], [r for p in found for r in p.robots]
    for what, listed in (("party", names), ("robot", robots)):
        twice = next((n for n in listed if listed.count(n) > 1), None)
        if twice is not None:
            raise CoterieError(f"The {what} '{twice}' is named twice in --party.")
    return found


def parties_of(config: Config, task: Task, entry: WorldEntry) -> list[Party]:
    """The team first. A memo, where one is used, is asked before the team's protocol."""
    others = other_parties(config)
    coming = [str(c.data.get("robot", "")) for c in task.changes if c.kind == "join"]
    known = [*(n for n, _ in task.robots), *coming]
    for robot in (r for p in others for r in p.robots):
        if robot not in known:
            raise unknown_name("robot", robot, known)
    away = {r for p in others for r in p.robots}
    if not set(known) - away:
        raise CoterieError("--party leaves nobody in the team; keep somebody, or leave out --party.")
    before: tuple[Mind, ...] = ()
    if config.memo:
        from coterie.memo import parse_variant  # most runs do without

        before = (partial(entry.recall, parse_variant(config.memo)),)
    team = Party(
        TEAM, _team_mind(config.protocol, config.model), tuple(n for n, _ in task.robots if n not in away), before
    )
    coming_later = [
        Party(party_name(number), partial(_mind, s.method, config.model), robots_of(task.changes, party_name(number)))
        for number, s in enumerate(parse_strangers(config.stranger))
    ]
    return [team, *(Party(p.name, protocols.get(p.protocol), p.robots) for p in others), *coming_later]


def _team_mind(protocol: str, model: str) -> Mind:
    """How minds of a team are made; where no rule mind answers them, not even one that is spoilt, they are told so."""
    inner = model.split(":", 2)[2] if model.startswith("turned:") and model.count(":") > 1 else model
    ruled = inner.partition(":")[0] in RULE_MINDS
    return protocols.get(protocol) if ruled else partial(_mind, protocol, model)


def _mind(protocol: str, model: str) -> TeamProtocol:
    """A mind that is told whether a rule mind answers it."""
    mind = protocols.get(protocol)()
    mind.ruled = model == RULES
    return mind


def unawaited(changes: Sequence[Change], others: Sequence[Named]) -> tuple[Change, ...]:
    """Return the changes of a task; a team does not wait for a robot that will join another party."""
    away = {r for p in others for r in p.robots}
    return tuple(c._replace(awaited=False) if c.kind == "join" and c.data.get("robot") in away else c for c in changes)
