"""Places of a house that people have closed for robots: who, for whom, and what is said of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.task import Change, Trigger
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim
from coterie.talk.wording import Wording, listed, upper


class TeamZones:
    """One for a team."""

    def __init__(self, partner: Any):
        """`partner` is the one whose places these are (`talk_partner.TeamPartner`)."""
        self.partner = partner
        self.closed: dict[tuple[str, str], str] = {}  # who closed which piece of furniture for which robot

    def change(self, thread: Thread, zone: m.Zone) -> str:
        """A place is closed for robots, or open again: the team is told."""
        if zone.minutes:
            words = f"I cannot open {self.partner.word(zone.where)} again by the clock for this team."
            raise CoterieError(f"{words} Say: {Wording(self.partner.vocabulary).sentence(replace(zone, minutes=0))}")
        places, robots = self.furniture(zone.where), list(zone.robots) or list(self.partner.robots())
        zones, word = {r: places for r in robots}, self.partner.word(zone.where)
        said = f"{word} is {'closed' if zone.holds else 'open again'} for {listed(robots)}."
        data = {"closed": zones if zone.holds else {}, "said": said}
        if not zone.holds:
            data["opened"] = zones
        self.partner.hall.inputs.put(Change(Trigger(step=0), "zones", data, ("all",), thread.person, awaited=False))
        self.note(thread.person, zones if zone.holds else {}, {} if zone.holds else zones)
        self.partner.hall.helper.renew()
        self.partner.hall.inform(thread.person, f"{thread.person} has spoken: {said}")
        thread.did(Deed(zone))
        return f"All right: {said}"

    def note(self, person: str, closed: Mapping[str, Sequence[str]], opened: Mapping[str, Sequence[str]]) -> None:
        """Pieces of furniture are closed for robots and others open again, by whoever's word: a plan's, too."""
        for robot, places in closed.items():
            self.closed.update({(str(place), robot): person for place in places})
        for robot, places in opened.items():
            for place in places:
                self.closed.pop((str(place), robot), None)

    def furniture(self, where: str) -> list[str]:
        """A piece of furniture, or all of a room."""
        chart: Any = self.partner.episode.world.map()
        if ("furniture", where) in chart:
            return [where]
        found = [str(k[1]) for k, room in chart.items() if k[0] == "room" and room == where]
        if not found:
            raise CoterieError(
                f"Nobody can keep away from {self.partner.word(where)}: name a piece of furniture or a room."
            )
        return found

    def so(self, claim: Claim) -> str:
        """Whether a piece of furniture or a room was closed, for a robot or for any, and by whom."""
        places, robots = self.furniture(claim.where), [claim.what] if claim.what else list(self.partner.robots())
        keys = [(p, r) for p in places for r in robots]
        shut = {k: self.closed[k] for k in keys if k in self.closed}
        name = self.partner.word(claim.where)
        reading = self.partner.answers._reading()
        if not shut and reading is not None and claim.where in reading.places.openable:  # what is shut is no zone
            stands = self.partner.answers._holds(Claim(m.DOOR, claim.where))
            known = "" if stands is None else f" It {'stands open' if stands else 'is shut'}, as far as the team knows."
            return f"Nobody has closed {name} for robots.{known}"
        if not shut:
            return f"{'No' if claim.holds else 'Yes'}, {name} is open{f' for {claim.what}' if claim.what else ''}."
        which = sorted({r for _, r in shut})
        whom = f" for {listed(which)}" if claim.what or len(which) < len(robots) else ""
        some = list(dict.fromkeys(self.partner.word(p) for p, _ in shut))
        part = "" if len(some) == len(places) else f" in part ({listed(some)})"
        by = listed(sorted(set(shut.values())))
        return f"{'Yes' if claim.holds else 'No'}, {name} is closed{part}{whom}: {by} said so."

    def which(self, robot: str) -> str:
        """The places that people have closed, for a robot or for any."""
        shut = dict.fromkeys(place for place, other in self.closed if robot in ("", other))
        rows = [self.so(Claim(m.CLOSED, robot, place)).removeprefix("Yes, ") for place in shut]
        return "\n".join(map(upper, rows)) or f"Nobody has closed a place{f' for {robot}' if robot else ''} here."
