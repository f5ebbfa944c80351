"""Places of a house that people have closed for robots: who, for whom, and what is said of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.task import Change, Trigger
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.mission.dialogue.zones import ClosedPlaces
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim
from coterie.talk.wording import listed


class TeamZones(ClosedPlaces):
    """Those of one team, piece of furniture by piece."""

    def change(self, thread: Thread, zone: m.Zone) -> str:
        """A place is closed for robots, or open again: the team is told."""
        if zone.minutes:
            words = f"I cannot open {self.team.partner.name(zone.where)} again by the clock for this team."
            raise CoterieError(f"{words} Say: {self.team.partner.wording.sentence(replace(zone, minutes=0))}")
        places, robots = self.places(zone.where), list(zone.robots) or list(self.team.partner.robots())
        zones, word = {r: places for r in robots}, self.team.partner.name(zone.where)
        said = f"{word} is {'closed' if zone.holds else 'open again'} for {listed(robots)}."
        data = {"closed": zones if zone.holds else {}, "said": said}
        if not zone.holds:
            data["opened"] = zones
        self.team.inputs.put(Change(Trigger(step=0), "zones", data, ("all",), thread.person, awaited=False))
        self.note(thread.person, zones if zone.holds else {}, {} if zone.holds else zones)
        self.team.helper.renew()
        self.team.inform(thread.person, f"{thread.person} has spoken: {said}")
        thread.did(Deed(zone, undo=lambda _: self.change(thread, replace(zone, holds=not zone.holds))))
        return f"All right: {said}"

    def note(self, person: str, closed: Mapping[str, Sequence[str]], opened: Mapping[str, Sequence[str]]) -> None:
        """Pieces of furniture are closed for robots and others open again, by whoever's word: a plan's, too."""
        for robot, places in closed.items():
            self.closed.update({(str(place), robot): person for place in places})
        for robot, places in opened.items():
            for place in places:
                self.closed.pop((str(place), robot), None)

    def places(self, where: str) -> list[str]:
        """A piece of furniture, or all of a room."""
        chart: Any = self.team.partner.episode.world.map()
        if ("furniture", where) in chart:
            return [where]
        found = [str(k[1]) for k, room in chart.items() if k[0] == "room" and room == where]
        if not found:
            raise CoterieError(
                f"Nobody can keep away from {self.team.partner.name(where)}: name a piece of furniture or a room."
            )
        return found

    def so(self, claim: Claim) -> str:
        """What can be shut is no zone by that."""
        partner = self.team.partner
        reading, shut = partner.answers.reading(), {place for place, _ in self.closed}
        if reading is None or claim.where not in reading.places.openable or claim.where in shut:
            return super().so(claim)
        stands = partner.answers.holds(Claim(m.DOOR, claim.where))
        known = "" if stands is None else f" It {'stands open' if stands else 'is shut'}, as far as the team knows."
        return f"Nobody has closed {partner.name(claim.where)} for robots.{known}"
