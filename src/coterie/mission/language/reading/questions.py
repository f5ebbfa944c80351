"""What people ask."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from coterie.mission.language.reading.facts import Facts
from coterie.mission.language.reading.fixed import ALL, Name
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning, Want

_SEVERAL = "several"  # of which nobody reckons how long they take together
GOODS = ("kit", "item", "caddy")  # what is brought


class Questions(Facts):
    """What people ask."""

    def how_long_there(self, *parts: Any) -> Meaning:
        named = [p for part in parts for p in (part if isinstance(part, (list, tuple)) else (part,))]
        kit = next(p for p in named if isinstance(p, Name) and p.kind == "kit")
        room = [p for p in named if isinstance(p, Name) and p.kind != "robot"][-1]
        return m.Ask("duration", what=str(kit), where=str(room)) if kit.so_many == 1 else m.Ask(_SEVERAL)

    def ask_duration(self, *parts: Any) -> Meaning | None:
        if len(parts) == 1 and isinstance(parts[0], m.Ask):
            return parts[0] if parts[0].about != _SEVERAL else None
        return m.Ask("duration", what=str(self._first(parts) or ""))

    def ask_took(self, *parts: Any) -> Meaning:
        what, where = self._first(parts), self._place(parts)
        return m.Ask("took", what=str(what or "") if what is not where else "", where=str(where or ""))

    def ask_delivered(self, *parts: Any) -> Meaning:
        first = self._first(parts)
        what = str(first) if first is not None and first.kind in GOODS else ""
        return m.Ask("delivered", what=what, where=str(self._place(parts) or ""))

    @staticmethod
    def _place(parts: tuple[Any, ...]) -> Name | None:
        flat = [p for part in parts for p in (part if isinstance(part, (list, tuple)) else (part,))]
        return next((p for p in flat if isinstance(p, Name) and p.kind in ("room", "table", "place")), None)

    def ask_what_if(self, claims: Any) -> Meaning:
        return m.Ask("what if", claims=claims if isinstance(claims, tuple) else (claims,))

    def place_closed(self, place: Name, robots: Any = ()) -> tuple[Claim, ...]:
        return tuple(Claim(m.CLOSED, r if r != ALL else "", str(place)) for r in self._robots(robots) or ("",))

    def ask_why_that(self, *parts: Any) -> Meaning:
        robot = next((p for p in parts if isinstance(p, Name) and p.kind == "robot"), "")
        return m.Ask("why that", robot=str(robot))

    def ask_why_robot(self, *parts: Any) -> Meaning:
        return m.Ask("why that", robot=str(self._first(parts) or self.fetch_robot()))

    def ask_why_name(self, name: Name) -> Meaning:
        return self._named_in(m.Ask("why that"), name)

    def ask_why_not_name(self, name: Name) -> Meaning:
        return self._named_in(m.Ask("why not"), name)

    def ask_why_not_called(self, *parts: Any) -> Meaning:
        return m.Ask("why not", robot=str(self._first(parts) or self.fetch_robot()))

    @staticmethod
    def _named_in(asked: m.Ask, name: Name) -> m.Ask:
        place = name.kind in ("room", "table")
        return replace(asked, where=str(name)) if place else replace(asked, what=str(name))

    def ask_why_so(self, claims: Any) -> Meaning:
        return m.Ask("why so", claims=claims if isinstance(claims, tuple) else (claims,))

    def ask_why_closed(self, place: Name, robots: Any = ()) -> Meaning:
        """A door that is closed may be shut; one that is closed to robots is off limits."""
        if place.kind == "door" and not robots and "limits" not in self.signed.text.split():
            return self.ask_why_so(Claim(m.DOOR, str(place), holds=False))
        return m.Ask("why so", claims=self.place_closed(place, robots))

    def ask_why_not_thing(self, thing: Any, *rest: Any) -> Meaning | None:
        (what, *more), where = self._things(thing), self._first(rest[-1:])
        return m.Ask("why not", what=str(what), where=str(where)) if where is not None and not more else None

    def ask_who_stopped(self, *parts: Any) -> Meaning:
        robots = [p for part in parts for p in self._robots(part)]
        return m.Ask("who stopped", robot=robots[0] if len(robots) == 1 and robots[0] != ALL else "")

    def who_stopped(self, *parts: Any) -> Any:
        robot = self._first(parts)
        return robot if robot is not None and robot.kind == "robot" else None

    def ask_reaction(self, trigger: tuple[Claim, ...], *_: Any) -> Meaning:
        return m.Ask("reaction", claims=trigger)

    def ask_which(self, claim: Claim) -> Meaning:
        return m.Ask("which", claims=(claim,))

    def ask_which_closed(self, robots: Any = ()) -> Meaning:
        return self.ask_which(self.which_closed(robots))

    def which_closed(self, robots: Any = ()) -> Claim:
        names = [r for r in self._robots(robots) if r != ALL]
        return Claim(m.CLOSED, names[0] if len(names) == 1 else "")

    def ask_can_it(self, robot: Name | str = "") -> Meaning:
        """Whether a robot could do what was ordered last."""
        return m.Ask("can", robot=str(robot)) if robot else m.Ask("who can")

    def ask_why_not(self, *parts: Any) -> Meaning:
        robot = next((p for p in parts if isinstance(p, Name) and p.kind == "robot"), "")
        wants, sent = self._sent(parts[-1])
        return m.Ask("why not", robot=sent or str(robot), wants=wants)

    @staticmethod
    def _sent(wants: tuple[Any, ...]) -> tuple[tuple[Want, ...], str]:
        """What is wanted, and of whom: "send Spot to alpha" wants Spot at alpha."""
        whole = next((w for w in wants if isinstance(w, m.Order)), None)
        return (whole.wants, "".join(whole.robots[:1])) if whole is not None else (wants, "")

    def ask_why_not_open(self, door: Name, *_: Any) -> Meaning:
        return m.Ask("why not", wants=(Want(m.DOOR, str(door)),))

    def ask_why_no_kit(self, kit: Name, where: Name | None = None) -> Meaning:
        return m.Ask("why not", wants=(self._kit(kit, where or ""),))

    def ask_who_can(self, *parts: Any) -> Meaning:
        skill, what = parts[-1]
        return m.Ask("who can", skill=skill, what=str(what))

    def ask_can(self, robot: Name, *rest: Any) -> Meaning:
        skill, what = rest[-1]
        if skill == "pack" and isinstance(what, Name) and what.so_many > 1:
            return m.Ask("can", robot=str(robot), wants=(Want(m.KIT, str(what), "", what.so_many),))
        return m.Ask("can", robot=str(robot), skill=skill, what=str(what))

    def ask_can_deeds(self, robots: Any, *rest: Any) -> Meaning:
        many = self._robots(robots)
        wants, sent = self._sent(rest[-1])
        return m.Ask("can", robot=sent or (many[0] if many else ""), wants=wants)

    def ask_who_task(self, wants: Any) -> Meaning:
        return m.Ask("can", wants=wants)

    def ask_progress(self, *parts: Any) -> Meaning:
        first = self._first(parts)
        return m.Ask("progress", what=str(first) if first is not None and first.kind in GOODS else "")

    def ask_under_way(self, *parts: Any) -> Meaning | None:
        """Whether somebody is bringing something somewhere: who, what and where, as far as they are named."""
        found = self._names(parts)
        robot, where = (next((n for n in found if n.kind in k), "") for k in (("robot",), ("room", "table", "place")))
        what = [n for n in found if n not in (robot, where)]
        if len(what) > 1:  # which of them is asked
            return None
        return m.Ask("under way", what="".join(map(str, what)), where=str(where), robot=str(robot))

    def ask_how_many(self, item: Name, *rest: Any) -> Meaning:
        where = next((p for p in rest if isinstance(p, Name)), self._first(rest))
        return m.Ask("how many", what=str(item), where=str(where or ""))

    def ask_closed(self, place: Name, robots: Any = (), holds: bool = True) -> Meaning:
        closed = self.place_closed(place, robots)
        return m.Ask("is it so", claims=tuple(replace(c, holds=holds) for c in closed))

    def ask_open_place(self, place: Name, robots: Any = ()) -> Meaning:
        return self.ask_closed(place, robots, False)

    def ask_open_to(self, robots: Any, place: Name) -> Meaning:
        return self.ask_closed(place, robots, False)

    def ask_is(self, claims: Any) -> Meaning:
        return m.Ask("is it so", claims=claims if isinstance(claims, tuple) else (claims,))

    def is_thing(self, *parts: Any) -> tuple[Claim, ...]:
        return self._at(parts[0], "")

    def ask_person_has(self, person: Name, things: Any) -> Meaning:
        return m.Ask("is it so", claims=self.person_has(person, things))

    def ask_claims(self, *parts: Any) -> Meaning:
        return m.Ask("is it so", claims=parts[-1])

    def ask_contents_place(self, *parts: Any) -> Meaning:
        return m.Ask("contents", what=str(parts[-1]))

    ask_contents = ask_contents_place

    def ask_who_may(self, *parts: Any) -> Meaning:
        return m.Ask("who may", right=parts[-1])

    def ask_may_i(self, *parts: Any) -> Meaning:
        return m.Ask("rights", right=str(parts[-1]))
