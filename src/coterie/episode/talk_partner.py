"""A team of a house as a partner in talk: its goal changes, zones close, and it is told from what it believes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.task import goal_from_json
from coterie.episode.inputs import Stop
from coterie.episode.loop import Episode
from coterie.episode.talk_answers import TeamAnswers
from coterie.mission.dialogue.conversation import Deed, Interaction, Thread
from coterie.mission.dialogue.correction import undo
from coterie.mission.dialogue.counterpart import Partner, stop_holds
from coterie.mission.dialogue.effects import Confirm, Effects, call
from coterie.mission.dialogue.zones import ClosedPlaces
from coterie.protocols.shared.guide import knows
from coterie.talk import meanings as m
from coterie.talk.meanings import LATER, Claim, Meaning
from coterie.talk.vocabulary import Vocabulary, spaced
from coterie.talk.wording import listed, upper


class TeamPartner(Partner):
    """A team of a house as a partner in talk. It knows what robots believe and do, and nothing else."""

    kind = "team"

    def __init__(self, hall: Any):
        super().__init__(hall, Vocabulary())
        self.hall = hall
        self.stops: list[str] = []  # who has stopped robots and let them go on, the last at the end
        self.held: dict[str, str] = {}  # who has stopped which robot
        self.zones = TeamZones(hall)
        self.answers = TeamAnswers(self)

    @property
    def episode(self) -> Episode:
        assert self.hall.episode is not None
        return self.hall.episode

    def met(self, episode: Episode) -> None:
        """Names of the house: furniture and rooms, doors and what opens, things, and robots."""
        world: Any = episode.world
        chart, truth = world.map(), getattr(world, "truth", {})
        named: list[tuple[str, Any]] = []
        for (about, *args), value in chart.items():
            named += [("room", room) for room in value] if about == "all_rooms" and isinstance(value, tuple) else []
            named += [({"furniture": "table"}.get(about, about), args[0])] if about in ("furniture", "door") else []
        named += [("table", place) for place in getattr(self.goal, "platforms", ())]
        named += [("item", key[1]) for key in truth if key[0] == "where"] if isinstance(truth, Mapping) else []
        named += [("item", thing) for thing in getattr(self.goal, "targets", ())]
        for kind, name in ((kind, str(name)) for kind, name in named):
            if unnumbered(name) != name:
                self.vocabulary.share(kind, spaced(unnumbered(name)), name)
            self.vocabulary.add(kind, name, [spaced(name)])
        for robot in episode.views:
            self.vocabulary.add("robot", robot)

    @property
    def goal(self) -> Any:
        """The present goal: also one that was just asked for, of which the team hears in its next step."""
        coming = self.hall.coming
        return coming if coming is not None else self.episode.world.goal  # type: ignore[attr-defined]

    # -- for the manager ------------------------------------------------------------------------------------------
    def robots(self) -> Sequence[str]:
        return sorted(self.episode.views)

    def people(self) -> Sequence[str]:
        return sorted(self.hall.authority.members)

    def teach(self, thread: Thread, meaning: m.Teach) -> Interaction:
        raise CoterieError("This team cannot be taught; a mission can: coterie talk --scene hospital")

    def possible(self, thread: Thread, meaning: Meaning, instead: Deed) -> None:
        """Require that it is of a kind that this team does, too; the rest is seen when it is done."""
        super().possible(thread, meaning, instead)
        if isinstance(meaning, m.Order):
            self.pairs(meaning.wants)

    def about_to(self, person: str, meaning: m.Zone | m.Steer) -> m.Stop | None:
        return m.Stop(meaning.robots)

    def doubts(self, thread: Thread, meaning: Meaning) -> Confirm | None:
        """A no, or a cancel, to nothing that was proposed may be about what its speaker has ordered."""
        if m.cancels_all(meaning):
            return self._doubts_all(thread)
        cancel = isinstance(meaning, m.Steer) and meaning.how == "cancel" and not meaning.what
        last, mine = thread.last, self.hall.helper.way is None and (cancel or isinstance(meaning, m.Refuse))
        if not mine or last is None or not isinstance(last.meaning, m.Order):
            return None
        words = f"Do you want me to take back: {self.wording.sentence(last.meaning)}"
        return Confirm(m.Forget(), words, [undo(last)])

    def _doubts_all(self, thread: Thread) -> Confirm | None:
        """One confirmation for everything that a person has ordered and not taken back."""
        wanted = _homes(self.goal)
        orders = [d for d in thread.deeds if isinstance(d.meaning, m.Order)
                  and any(wanted.get(w.what) == w.where for w in d.meaning.wants)]  # fmt: skip
        if not orders or not self.hall.authority.may(thread.person, "command"):
            return None
        said = " ".join(dict.fromkeys(self.wording.sentence(d.meaning) for d in reversed(orders)))

        def rest() -> str:
            led = "\nI no longer lead the team." if self.hall.helper.leave(thread.person) else ""
            return f"The goal is now: {self.goal.text()}{led}"

        undone: Effects = [part for deed in orders for part in (undo(deed), "\n")]
        words = f"Do you want me to take back all that you ordered: {said}"
        return Confirm(m.Steer("cancel", level="all"), words, [*undone, call(rest)])

    # -- doing ----------------------------------------------------------------------------------------------------
    def do(self, thread: Thread, meaning: Meaning) -> str:
        rests = m.only_waits(meaning) and not self.authority.may(thread.person, "command")
        meaning = m.Stop(meaning.robots) if rests and isinstance(meaning, m.Steer) else meaning  # that they may
        no = self.turned_away(thread.person) if isinstance(meaning, (m.Order, m.Zone, m.Steer)) else ""
        return no or super().do(thread, meaning)

    def deeds(self) -> Mapping[type[Meaning], Callable[[Thread, Any], str]]:
        return {m.Stop: self._stop, m.Approve: self._answered, m.Refuse: self._answered, m.Permit: self.permit,
                m.Tell: self._tell, m.Order: self._order, m.Zone: self.zones.change, m.Steer: self._steer}  # fmt: skip

    def _stop(self, thread: Thread, stop: m.Stop) -> str:
        thread.did(Deed(stop, undo=stop_holds))
        who = listed(stop.robots) or "everybody"
        self._hold(thread.person, stop.robots, True, f"stopped {who}", f"has stopped {who}")
        return f"{upper(who)} stop{'s' * (len(stop.robots) < 2)}. Say continue to go on."

    def _hold(self, person: str, robots: tuple[str, ...], on: bool, did: str, told: str) -> None:
        """Halt robots until a person says continue, or let them go on; everybody else is told."""
        self.hall.inputs.put(Stop(person, robots or ("all",), on=on))
        self.hall.inform(person, f"{person} {told}.")
        self.stops.append(f"{person} {did}")
        if on:
            self.held.update(dict.fromkeys(robots or self.robots(), person))
        else:
            self.held = {r: p for r, p in self.held.items() if robots and r not in robots}

    def proposed(self, person: str) -> str:
        helper = self.hall.helper
        told = helper.waiting and person in helper.way.told
        return helper.proposed(person) if told and self.hall.authority.may(person, "approve") else ""

    def _answered(self, thread: Thread, meaning: m.Approve | m.Refuse) -> str:
        helper = self.hall.helper
        if meaning == m.Refuse(LATER) and helper.waiting:
            return "All right, that waits; say yes or no when you know."
        return helper.answered(thread.person, isinstance(meaning, m.Approve))

    def _steer(self, thread: Thread, steer: m.Steer) -> str:
        person, helper = thread.person, self.hall.helper
        if steer.how in ("resume", "pause"):
            return self._rest(person, steer.robots, steer.how == "pause")
        if steer.how == "cancel" and steer.what:
            if steer.what not in self.goal.targets:
                return f"{self.name(steer.what)} is not part of the goal."
            if getattr(self.goal, "kind", "") not in ("pack", "bring"):
                raise CoterieError("Nothing can be left out of this goal.")
            less = _like(self.goal, {t: p for t, p in _homes(self.goal).items() if t != steer.what})
            return f"All right.{self._changed(thread, m.Steer('cancel', steer.what), less)}"
        if steer.how == "cancel":
            none = "You have ordered nothing, and I do not lead the team. Say stop, or what the goal should leave out."
            return "All right, the team is left to itself." if helper.leave(person) else none
        if steer.how == "help" and self.hall.coming is not None:
            return "The goal has just changed, and the team hears of it now. Ask again if they get stuck."
        if steer.how == "help":
            return helper.propose(person)
        raise CoterieError("This team decides for itself; change its goal, close a zone, or stop it.")

    def _rest(self, person: str, robots: tuple[str, ...], on: bool) -> str:
        who = listed(robots)
        told = f"lets {who or 'everybody'} {'rest' if on else 'go on'}"
        self._hold(person, robots, on, f"said {'wait' if on else 'continue'}", told)
        if on:
            return "All right, they rest. Say continue to go on."
        return f"All right, {who or 'they'} {'goes' if len(robots) == 1 else 'go'} on."

    def pairs(self, wants: Sequence[m.Want]) -> list[tuple[str, str]]:
        """Things and the places where they are wanted."""
        pairs = [(w.what, w.where) for w in wants if w.kind == m.STOCK and w.where]
        if len(pairs) != len(wants):
            raise CoterieError("A team of this house can bring things to places; say for example: " + self.tips()[0])
        return pairs

    def _order(self, thread: Thread, order: m.Order) -> str:
        pairs = self.pairs(order.wants)
        words = listed([f"{self.name(t)} to {self.name(p)}" for t, p in pairs])
        if not knows(self.episode.world):
            raise CoterieError("What this team is to do cannot be changed in words; houses like flat take orders.")
        more = _like(self.goal, {**_homes(self.goal), **dict(pairs)})
        return f"All right, I tell the team: {words}.{self._changed(thread, order, more)}"

    def _changed(self, thread: Thread, meaning: Meaning, new: Any) -> str:
        """Something makes another goal of what is wanted; what it is now."""
        old = self.goal
        self._want(thread.person, new)
        thread.did(Deed(meaning, undo=lambda _: self._want(thread.person, taken_back(self.goal, old, new))))
        return f" The goal is now: {new.text()}"

    def _want(self, person: str, goal: Any) -> None:
        """The team is to want something else; where that is less for others, they are told."""
        homes = _homes(goal)
        less = any(homes.get(thing) != place for thing, place in _homes(self.goal).items())
        self.hall.wants(person, goal)
        if less:
            self.hall.inform(person, f"{person} has spoken. The goal is now: {goal.text()}")
        self.hall.put(person, "goal", {"goal": goal})

    def _tell(self, thread: Thread, told: m.Tell) -> str:
        """Pass facts to the robots, from a person whose word is taken."""
        person = thread.person
        if not self.hall.authority.may(person, "tell"):
            who = listed(self.hall.authority.who_may("tell")).capitalize()
            raise CoterieError(f"{person} may not state facts here, where nobody would check them. {who} may.")
        facts: list[tuple[str, list[str], Any]] = []
        for claim in told.claims:
            if claim.kind == m.STOCK and claim.what in self.vocabulary.names("item") and claim.where and claim.holds:
                facts.append(("where", [claim.what], claim.where))
            elif claim.kind == m.DOOR:
                facts.append(("open", [claim.what], claim.holds))
            else:
                raise CoterieError("I can tell the team where a thing is, or that a door is open or shut.")
        said = self.wording.sentence(told)
        self.hall.put(person, "news", {"text": said, "facts": facts})
        self.hall.helper.renew()
        return f"All right, I tell the team: {said}"

    # -- answering ------------------------------------------------------------------------------------------------
    def name(self, name: str) -> str:
        plain = spaced(unnumbered(name))
        return spaced(name) if plain in self.vocabulary.shared else plain


def unnumbered(name: str) -> str:
    """`cup_2` as `cup`."""
    plain, _, number = name.rpartition("_")
    return plain if plain and number.isdigit() else name


# -- places that people have closed -----------------------------------------------------------------------------------
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
        closed, opened = (zones, {}) if zone.holds else ({}, zones)
        more = {"opened": opened} if opened else {}
        self.team.put(thread.person, "zones", {"closed": closed, "said": said, **more})
        self.note(thread.person, closed, opened)
        self.team.helper.renew()
        self.team.inform(thread.person, f"{thread.person} has spoken: {said}")
        thread.did(Deed(zone, undo=lambda _: self.change(thread, replace(zone, holds=not zone.holds))))
        return f"All right: {said}"

    def note(self, person: str, closed: Mapping[str, Sequence[str]], opened: Mapping[str, Sequence[str]]) -> None:
        """Note pieces of furniture that are closed for robots or open again, by any person or plan."""
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
        """The answer to a claim; of something that can be shut, being open or shut is not about a zone."""
        partner = self.team.partner
        reading, shut = partner.answers.reading(), {place for place, _ in self.closed}
        if reading is None or claim.where not in reading.places.openable or claim.where in shut:
            return super().so(claim)
        stands = partner.answers.holds(Claim(m.DOOR, claim.where))
        known = "" if stands is None else f" It {'stands open' if stands else 'is shut'}, as far as the team knows."
        return f"Nobody has closed {partner.name(claim.where)} for robots.{known}"


# -- goals, as people change them -------------------------------------------------------------------------------------
def taken_back(now: Any, old: Any, new: Any) -> Any:
    """The goal as it is now without what made the new of the old; what was wanted since stays."""
    if now == new:
        return old
    was, then, still = (_homes(g) for g in (old, new, now))
    changed = {t for t in {*was, *then} if was.get(t) != then.get(t) and still.get(t) == then.get(t)}
    kept = {t: p for t, p in still.items() if t not in changed}
    return _like(now, {**kept, **{t: was[t] for t in changed if t in was}})


def _like(goal: Any, homes: Mapping[str, str]) -> Any:
    """A goal that wants things there: of the same kind, where all of them are packed, and else one that only brings."""
    if not homes:
        raise CoterieError("Nothing would be left to be done.")
    if getattr(goal, "kind", "") == "pack" and set(homes.values()) == {goal.into}:
        return replace(goal, targets=tuple(homes))
    return goal_from_json({"kind": "bring", "pairs": [list(p) for p in homes.items()]})


def _homes(goal: Any) -> dict[str, str]:
    """Where a goal wants things, as far as it says so."""
    return {t: str(goal.home(t)) for t in goal.targets if goal.home(t)}
