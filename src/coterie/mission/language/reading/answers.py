"""What people answer, and how they stop, pause and hurry."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from coterie.mission.language.reading.fixed import ALL, Name
from coterie.mission.language.reading.questions import Questions
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning, Want


class Steered(NamedTuple):
    """What somebody speaks of: a kit or a thing, and where it goes, as far as either was said."""

    what: str = ""
    where: str = ""
    level: str = ""


class Wrong(NamedTuple):
    """What was said before, and is not meant."""

    name: str


class Answers(Questions):
    """What people answer, and how they stop, pause and hurry."""

    def approve_number(self, count: int) -> Meaning:
        return m.Approve(str(count))

    def kit_goes(self, kit: Name, room: Name) -> Meaning:
        return m.Order((self._kit(kit, room),))

    def things_go(self, things: Any, place: Name) -> Meaning:
        return m.Order(self._stock(things, place))

    def robot_rather(self, robot: Name, *_: Name) -> Meaning:
        return m.Correct(m.Somewhere(str(robot)))

    def without(self, robots: Any) -> Meaning | None:
        """Nothing but whom it is to be done without."""
        names = tuple(r for r in self._robots(robots) if r != ALL)
        return m.Correct(m.Order((), without=names)) if names else None

    def things(self, *things: Any) -> Any:
        names = [t for part in things for t in self._things(part)]
        return names

    def said(self, value: Any = None) -> Any:
        if isinstance(value, list) and value and all(isinstance(v, Name) for v in value):
            return m.Things(tuple((str(v), v.so_many) for v in value))
        return value

    def things_kit(self, kit: Name) -> Meaning:
        return m.Things(((str(kit), kit.so_many),))

    def unknown_words(self, *parts: Any) -> Meaning:
        return m.Things((), (" ".join(str(p) for p in parts),))

    def unknown_counted(self, count: int, *parts: Any) -> Meaning:
        return m.Things(((" ".join(str(p) for p in parts), count),), (" ".join(str(p) for p in parts),))

    def unknown_label(self, label: Name) -> Meaning:
        return m.Things((), (str(label),))

    def somewhere(self, *parts: Any) -> Meaning:
        return m.Somewhere(str(parts[-1]))

    def fetch_answer(self) -> Meaning:
        return m.Somewhere(str(self.fetch_robot()))

    def bare_number(self, count: int) -> Meaning:
        return m.Number(count)

    def wrong_one(self, *names: Any) -> Wrong | None:
        name = self._first(names)
        return Wrong(str(name)) if name is not None and name.kind != "robot" else None

    def robot_does(self, *robots: Name) -> Meaning:
        """Whoever is named first is to do it, but for "not Spot, Temi should do it"."""
        return m.Correct(m.Somewhere(str(robots[0])))

    def not_this_robot(self, wrong: Name, robot: Name) -> Meaning:
        return m.Correct(m.Somewhere(str(robot)))

    def cancel_going(self, *parts: Any) -> Meaning | None:
        """ "The banana should not go into the tray": what is on its way there is called off."""
        meant = self.steer_kit_noun(*parts)
        return m.Steer("cancel", meant.what, where=meant.where) if meant.what else None

    def cancel_things(self, things: Any) -> Meaning | None:
        return self._of_one_thing("cancel", things)

    def pause_things(self, things: Any, *_: Any) -> Meaning | None:
        return self._of_one_thing("pause", things)

    def resume_things(self, *parts: Any) -> Meaning | None:
        return self._of_one_thing("resume", parts[-1])

    def pause_going_on(self, *parts: Any) -> Meaning | None:
        """ "Do not go on with the gloves." """
        return self._of_one_thing("pause", parts[-1])

    def prioritise_things(self, things: Any, *_: Any) -> Meaning | None:
        return self._of_one_thing("prioritise", things, "high")

    def deprioritise_things(self, things: Any, *_: Any) -> Meaning | None:
        return self._of_one_thing("prioritise", things, "low")

    def _of_one_thing(self, how: str, things: Any, level: str = "") -> Meaning | None:
        many = self._things(things)
        return m.Steer(how, str(many[0]), level) if len(many) == 1 else None

    def correct(self, *parts: Any) -> Meaning:
        value = self.said(next((p for p in parts if p is not None and not isinstance(p, Wrong)), None))
        wrong = next((p.name for p in parts if isinstance(p, Wrong)), "")
        return m.Correct(value, wrong) if isinstance(value, Meaning) else m.Refuse()

    def correct_wrong_first(self, *parts: Any) -> Meaning:
        return self.correct(*parts)

    def stop_robots(self, robots: Any) -> Meaning:
        return m.Stop(self._these(robots))

    def _these(self, robots: Any) -> tuple[str, ...]:
        """The robots that are named; none where everybody is meant."""
        names = self._robots(robots)
        return () if ALL in names else names

    def steer_kit(self, *parts: Any) -> Steered:
        names = [p for p in parts if isinstance(p, Name)]
        what = next((n for n in names if n.kind == "kit"), "")
        return Steered(str(what), str(next((n for n in names if n.kind != "kit"), "")))

    def steer_kit_noun(self, *parts: Any) -> Steered:
        names = [n for p in parts for n in ([p] if isinstance(p, Name) else p if isinstance(p, list) else [])]
        places = [n for n in names if n.kind in ("room", "table", "place")]
        what = next((n for n in names if n not in places), "")
        return Steered(str(what), str(places[0]) if places else "")

    def steer_current(self, *parts: Any) -> Steered:
        return Steered("", str(self._first(parts) or ""))

    def steer_mine(self, *parts: Any) -> Steered:
        return Steered("", str(self._first(parts) or ""), "mine")

    def _steer(self, how: str, parts: tuple[Any, ...], level: str = "") -> Meaning:
        meant = next((p for p in parts if isinstance(p, Steered)), Steered())
        return m.Steer(how, meant.what, level or meant.level, where=meant.where)

    def pause(self, *parts: Any) -> Meaning:
        return self._steer("pause", parts)

    def pause_robots(self, robots: Any, *_: Any) -> Meaning:
        return m.Steer("pause", robots=self._these(robots))

    def resume(self, *parts: Any) -> Meaning:
        return self._steer("resume", parts)

    def resume_robots(self, robots: Any) -> Meaning:
        return m.Steer("resume", robots=self._these(robots))

    def cancel(self, *parts: Any) -> Meaning:
        meant = self._steer("cancel", parts)
        assert isinstance(meant, m.Steer)
        every = {"everything", "all"} & set(self.signed.text.split()) and not (meant.what or meant.where)
        return replace(meant, level="all") if every else meant

    def cancel_deeds(self, *parts: Any) -> Meaning | None:
        """Not to do something takes back an order to do it; not to go somewhere closes the way."""
        robots, wants = self._robots(parts[0]) if len(parts) > 1 else (), parts[-1]
        if len(wants) != 1 or not isinstance(wants[0], Want):  # which of them is not to be done is asked
            return None
        if wants[0].kind == m.AT:
            return m.Zone(wants[0].where, tuple(r for r in robots if r != ALL))
        if robots:  # whether others are to do it is asked
            return None
        return m.Steer("cancel", wants[0].what, where=wants[0].where if wants[0].kind == m.KIT else "")

    def prioritise(self, *parts: Any) -> Meaning:
        return self._steer("prioritise", parts, "high")

    def deprioritise(self, *parts: Any) -> Meaning:
        return self._steer("prioritise", parts, "low")

    def give_priority(self, *parts: Any) -> Meaning:
        low = "low" in self.signed.text.split() or "lower" in self.signed.text.split()
        return self._steer("prioritise", parts, "low" if low else "high")
