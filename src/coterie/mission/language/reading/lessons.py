"""What people teach and permit, zones, and small talk."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from coterie.mission.language.reading.answers import Answers
from coterie.mission.language.reading.fixed import ALL, Name
from coterie.talk import meanings as m
from coterie.talk.meanings import Claim, Meaning, Want


class Lessons(Answers):
    """What people teach and permit, zones, and small talk."""

    def teach(self, what: str, label: str) -> Meaning:
        return m.Teach(what, label)

    def teach_unnamed(self, what: str) -> Meaning:
        return m.Teach(what)

    def teach_label(self, label: str, what: str) -> Meaning:
        return m.Teach(what, label)

    def teach_kit(self, label: str) -> Meaning:
        return m.Teach("kit", str(label))

    def quoted(self, label: Name) -> str:
        return str(label)

    def plain_label(self, *words: Name) -> str:
        return " ".join(str(w) for w in words)

    def kit_label(self, word: Name) -> str:
        return f"{word} kit"

    def _alter(self, kit: Name, how: str, things: Any, count: int | None = None) -> Meaning | None:
        many = self._things(things)
        if len(many) != 1:
            return None
        return m.Alter(str(kit), how, str(many[0]), count if count is not None else many[0].so_many)

    def alter_add(self, things: Any, kit: Name) -> Meaning | None:
        return self._alter(kit, "add", things)

    def alter_add_kit(self, kit: Name, things: Any) -> Meaning | None:
        return self._alter(kit, "add", things)

    def alter_remove(self, things: Any, kit: Name) -> Meaning | None:
        return self._alter(kit, "remove", things)

    def alter_empty(self, item: Name, kit: Name) -> Meaning | None:
        return self._alter(kit, "set", item, 0)

    def alter_set(self, kit: Name, *parts: Any) -> Meaning | None:
        things = [p for p in parts if not isinstance(p, int)]  # "three painkillers, not two"
        return self._alter(kit, "set", things[-1])

    def alter_none(self, kit: Name, *parts: Any) -> Meaning | None:
        return self._alter(kit, "set", parts[-1], 0)

    def forget(self, label: Any) -> Meaning:
        return m.Forget(str(label))

    def forget_policy(self, number: int) -> Meaning:
        return m.Forget(f"policy {number}")

    def teach_again(self, label: Name) -> Meaning:
        return m.Teach("again", str(label))

    def policy(self, trigger: tuple[Claim, ...], reaction: Any) -> Meaning:
        then, person, wants = reaction
        return m.Policy(trigger, then, person, wants)

    def policy_after(self, reaction: Any, trigger: tuple[Claim, ...]) -> Meaning:
        return self.policy(trigger, reaction)

    def trigger_silent(self, person: Name | None = None) -> tuple[Claim, ...]:
        return (Claim(m.PRESENT, str(person or ""), holds=False),)

    def react_ask(self, person: Name) -> Any:
        return "ask", str(person), ()

    def react_bring(self, person: Name) -> Any:
        return "bring", str(person), ()

    def react_deeds(self, wants: tuple[Want, ...]) -> Any:
        return "wants", "", wants

    def permit(self, person: Name, right: str, minutes: int = 0) -> Meaning:
        return m.Permit(str(person), right, True, minutes)

    def permit_before(self, minutes: int, person: Name, right: str) -> Meaning:
        return self.permit(person, right, minutes)

    def forbid(self, person: Name, right: str) -> Meaning:
        return m.Permit(str(person), right, False)

    def forbid_from(self, right: str, person: Name) -> Meaning:
        return m.Permit(str(person), right, False)

    def zoned(self, zone: m.Zone, minutes: int = 0) -> Meaning:
        return replace(zone, minutes=minutes)

    def zoned_before(self, minutes: int, zone: m.Zone) -> Meaning:
        return self.zoned(zone, minutes)

    def close_zone(self, place: Name, robots: Any = ()) -> Meaning:
        return m.Zone(str(place), self._zoned(robots))

    def forbid_zone(self, *parts: Any) -> Meaning:
        return m.Zone(str(parts[-1]), self._zoned(parts[0] if len(parts) > 1 else ()))

    def open_zone(self, place: Name, robots: Any = ()) -> Meaning:
        return m.Zone(str(place), self._zoned(robots), False)

    def allow_zone(self, robots: Any, place: Name) -> Meaning:
        return m.Zone(str(place), self._zoned(robots), False)

    def _zoned(self, robots: Any) -> tuple[str, ...]:
        return tuple(r for r in self._robots(robots) if r != ALL)
