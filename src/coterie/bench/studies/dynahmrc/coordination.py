"""Redundant and conflicting actions in rooms, counted in a log and told in the report.

Both counts need a decision that the paper leaves open (Tab. 29):

- *redundant*: a robot sets out for a piece of furniture it has reached before. Bringing a target to the work table is
  transport, however often it happens, and is left out.
- *conflicting*: two or more robots act on the same object in the same step; wait and communicate never count. Objects
  are things, containers and the furniture robots go to (the paper finds conflicts in Ma-MoMa-Mo, where Mo can only
  drive). The work table is left out as a destination, since everybody delivers there. `conflicting_things` counts
  picks, places and openings alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coterie.bench.results import Row
from coterie.bench.sections import by_composition, by_setting, per_episode, thin
from coterie.bench.studies.dynahmrc import paper
from coterie.bench.summary import by_method, distinct, select
from coterie.bench.table import number, paragraph, share, told
from coterie.core.action import COMMUNICATE, WAIT
from coterie.core.event import Event
from coterie.core.record import read
from coterie.core.records import SayEvent
from coterie.log.fold import Moment
from coterie.log.state import Act, State

FREE = (WAIT, COMMUNICATE)
HANDLING = ("pick", "place", "open", "close")


class Coordination:
    """Looks at one moment after another; `counts` tells what it found."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(("redundant", "conflicting", "conflicting_things"), 0)

    def look(self, state: State, moment: Moment) -> None:
        self.counts["redundant"] += sum(is_redundant(state, act) for act in moment.acts)
        shared = len(conflicts(state, moment))
        self.counts["conflicting"] += shared
        self.counts["conflicting_things"] += len(conflicts(state, moment, HANDLING)) if shared else 0


def is_redundant(state: State, act: Act) -> bool:
    """Does this robot set out for furniture it has reached before, other than to deliver a target?"""
    if act.skill != "navigate" or act.on not in state.robots[act.robot].visited:
        return False
    return not (act.on == state.table and state.held(act.robot) in state.targets)


def conflicts(state: State, moment: Moment, skills: Sequence[str] | None = None) -> list[str]:
    """The objects on which more than one robot acts in this step."""
    robots_on: dict[str, set[str]] = {}
    for act in moment.acts:
        if act.skill in FREE or (skills is not None and act.skill not in skills):
            continue
        if act.on not in state.names:  # a name that does not exist is nobody's object
            continue
        if act.skill == "navigate" and act.on == state.table:
            continue
        robots_on.setdefault(act.on, set()).add(act.robot)
    return sorted(name for name, robots in robots_on.items() if len(robots) > 1)


def coordination(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """As Tab. 29: redundant and conflicting actions, by setting where there are several."""
    heads = {
        "redundant": "redundant",
        "conflicting": "conflicting",
        "conflicting_things": "of these over things",
        "failed": "failed actions",
        "refused": "refused",
    }
    kinds = by_setting(rows)
    kinds = [] if len(kinds) < 2 or thin(rows, methods, len(kinds)) else kinds
    table = [
        [name, method, str(len(mine)), *(per_episode(mine, k) for k in heads)]
        for name, here in [("all", rows), *kinds]
        for method, mine in by_method(here, methods)
    ]
    if not table:
        return []
    theirs = ", ".join(f"{name} {n}" for name, n in paper.REDUNDANT.items())
    theirs = f"Redundant actions in the paper (App. 5.20): {theirs}."
    more = by_composition(rows, methods, {"redundant": 2, "conflicting": 2})
    return [paragraph("coordination"), *told(theirs, ["setting", "method", "n", *heads.values()], table, left=2), *more]


# -- elections of leaders ---------------------------------------------------------------------------------------------
# Elections of leaders: read from the votes in a log, and told in the report (Fig. 15 and 16).
# An election is what robots vote among each other at one time. Rounds are counted up to the decision, by a referee
# where no round gave one.
REFEREE = "referee"


def held_elections(events: Sequence[Event], bodies: Mapping[str, str]) -> list[dict[str, Any]]:
    """Every election in order: its step, rounds, whether a referee decided, and who leads from then on."""
    found: list[dict[str, Any]] = []
    rounds: set[str] = set()
    for e in events:
        for pred, args, value, *_ in read(SayEvent, e).facts if e.kind == "say" else ():
            if pred == "vote":
                voter, key = args[0], str(args[1]).rpartition(".")[2]
                if not found or found[-1]["step"] != e.step:
                    found.append({"step": e.step, "rounds": 0, "referee": False, "leader": "", "body": ""})
                    rounds = set()
                if voter == REFEREE:
                    found[-1]["referee"] = True
                else:
                    rounds.add(key)
                    found[-1]["rounds"] = len(rounds)
            elif pred == "leader" and isinstance(value, str):
                if not found or found[-1]["leader"] not in ("", value):  # nobody else was there to vote
                    found.append({"step": e.step, "rounds": 0, "referee": False, "leader": "", "body": ""})
                found[-1].update(leader=value, body=bodies.get(value, "?"))
    return found


def elections(rows: Sequence[Row], methods: Sequence[str]) -> list[str]:
    """Rounds of voting and the bodies of leaders, as Fig. 15 and 16."""
    bodies = sorted({e["body"] for r in rows for e in r["elections"] if e["body"]})
    how, who = [], []
    for method, mine in by_method(rows, methods):
        held = [e for r in mine for e in r["elections"]]
        if not held:
            continue
        voted = [e for e in held if e["rounds"]]
        counts = resolutions(voted)
        rounds = number(sum(e["rounds"] for e in voted) / len(voted) if voted else None, 2)
        how.append([method, number(len(held) / len(mine), 2), rounds, *(share(n, len(voted)) for n in counts.values())])
        for team in distinct(mine, "team"):
            leaders = first_leaders(select(mine, team=team))
            if leaders:
                cells = (share(leaders.count(b), len(leaders)) for b in bodies)
                who.append([method, str(team), str(len(leaders)), *cells])
    leads = ["method", "team", "elections", *(f"{b} leads" for b in bodies)]
    return [
        *told(paragraph("elections"), ["method", "elections per episode", "rounds", *RESOLUTIONS], how),
        *told("Who leads from the beginning, by the team that begins.", leads, who, left=2),
    ]


RESOLUTIONS = ("after 1 round", "after 2", "after 3", "by the referee")


def resolutions(elections: Sequence[Row]) -> dict[str, int]:
    """How many elections ended in which way."""
    rounds = [sum(e["rounds"] == n and not e["referee"] for e in elections) for n in (1, 2, 3)]
    return dict(zip(RESOLUTIONS, (*rounds, sum(e["referee"] for e in elections))))


def first_leaders(rows: Sequence[Row]) -> list[str]:
    """The bodies of those who were elected first, episode by episode."""
    return [r["elections"][0]["body"] for r in rows if r["elections"] and r["elections"][0]["body"]]
