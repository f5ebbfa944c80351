"""Elections of leaders: read from the votes in a log, and told in the report (Fig. 15 and 16).

An election is what robots vote among each other at one time. Rounds are counted up to the decision, by a referee where
no round gave one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coterie.bench.results import Row
from coterie.bench.summary import by_method, distinct, select
from coterie.bench.table import number, share, told
from coterie.core.event import Event
from coterie.core.record import read
from coterie.core.records import SayEvent

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
    words = "How elections were settled. Rounds: of voting, in the mean; the referee decides when three give no leader."
    leads = ["method", "team", "elections", *(f"{b} leads" for b in bodies)]
    return [
        *told(words, ["method", "elections per episode", "rounds", *RESOLUTIONS], how),
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
