"""Which goals somebody speaks of: by a name, a robot, or because they ordered them; also orders that still wait."""

from __future__ import annotations

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.resting import ALL, Resting
from coterie.mission.dialogue.thread import NO_GOAL, Thread
from coterie.mission.goals import STATES, Goal
from coterie.talk import meanings as m
from coterie.talk.wording import upper

MY_OWN = "mine"


class Meant(Resting):
    """The goals that are meant."""

    def meant(self, thread: Thread, steer: m.Steer) -> list[Goal]:
        """The goals that somebody speaks of: of a kit, of robots, or their own."""
        live = self._live()
        if steer.how == "resume":
            live = [g for g in live if g.state == "paused"]
        elif steer.how == "pause":
            live = [g for g in live if g.state != "paused"]
        mine = [g for g in live if g.by == thread.person]
        if steer.what or steer.where:
            return self._named(thread, steer, live)
        if steer.robots:
            return self._with_robots(steer, live)
        if steer.level == MY_OWN:
            return mine
        if steer.how == "pause":
            return live
        if steer.how == "resume":
            return self._resting(thread, live)
        if steer.level == "all":
            return mine
        return self._latest(thread, live)

    def _named(self, thread: Thread, steer: m.Steer, live: list[Goal]) -> list[Goal]:
        found = self._of_name(steer, live)
        if steer.level == MY_OWN:
            found = [g for g in found if g.by == thread.person]
            if not found and not self._put_off(thread, steer):
                raise CoterieError(f"You have ordered nothing with {self.doing.wording.name(steer.what)}.")
        if not found and not self._put_off(thread, steer):
            others = self._of_name(steer, self._live())
            if others:  # which go on, or rest, already
                raise CoterieError(f"{upper(self.mission.name_of(others[0]))} {STATES[others[0].state]}.")
            about = " for ".join(self.doing.wording.name(n) for n in (steer.what, steer.where) if n)
            raise CoterieError(f"{NO_GOAL}{about}.{self._part_of_a_kit(steer.what)}")
        return [g for g in found if g.by == thread.person] or found

    def _part_of_a_kit(self, thing: str) -> str:
        """How a thing is left out of a kit that is under way."""
        kits = self.mission.speech.kit_names()
        for goal in self._live():
            kit = getattr(self.mission.wanted_of(goal).wish, "what", "")
            count = kits[kit][1].get(thing, 0) if kit in kits else 0
            if count:
                say = self.doing.wording.sentence(m.Alter(kit, "remove", thing, count))
                return f" It is part of {self.mission.name_of(goal)}; for all that are ordered, say: {say}"
        return ""

    def _of_name(self, steer: m.Steer, live: list[Goal]) -> list[Goal]:
        wishes = ((g, self.mission.wanted_of(g).wish) for g in live)
        return [
            g for g, wish in wishes
            if steer.what in ("", getattr(wish, "what", "")) and steer.where in ("", getattr(wish, "where", ""))
        ]  # fmt: skip

    def _with_robots(self, steer: m.Steer, live: list[Goal]) -> list[Goal]:
        if steer.how != "resume":
            ids = {g.id for g in self._of_robots(steer.robots)}
            return [g for g in live if g.id in ids]
        return [g for g in live if self.mission.wanted_of(g).scope & set(steer.robots)]

    def _resting(self, thread: Thread, live: list[Goal]) -> list[Goal]:
        """What goes on at a bare "continue": after a stop what was stopped; what somebody else paused by its name does
        not."""
        if ALL in self.held:
            return [g for g in live if self._rest(g).how == "stop"]
        person = thread.person
        return [g for g in live if person in (self._rest(g).person, g.by) or self._rest(g).how != "pause"]

    def _latest(self, thread: Thread, live: list[Goal]) -> list[Goal]:
        """All goals of the last order of theirs that is not over, or the last goal of theirs."""
        for deed in thread.deeds:
            found = [g for g in live if g.id in deed.goals and isinstance(deed.meaning, m.Order)]
            if found or (isinstance(deed.meaning, m.Order) and self._waits(thread, deed.meaning)):
                return found
        mine = [g for g in live if g.by == thread.person]
        return [max(mine, key=lambda g: g.submitted_s)] if mine else []

    def _waits(self, thread: Thread, order: m.Order) -> bool:
        return bool(order.when) and any(self._same(thread, s, order) for s in self.doing.standing)

    @staticmethod
    def _same(thread: Thread, standing: object, order: m.Order) -> bool:
        waiting: m.Order = standing.order  # type: ignore[attr-defined]
        return standing.person == thread.person and waiting.wants == order.wants  # type: ignore[attr-defined]

    def _put_off(self, thread: Thread, steer: m.Steer) -> m.Order | None:
        """An order of theirs that waits until something is so, where somebody speaks of it."""
        if steer.how != "cancel" or steer.robots or steer.level not in ("", MY_OWN):
            return None
        for deed in thread.deeds:
            order = deed.meaning
            if not isinstance(order, m.Order):
                continue
            if not (steer.what or steer.where) and any(not self.mission.goals[g].over for g in deed.goals):
                return None  # that is under way, and nearer
            fits = any(steer.what in ("", w.what) and steer.where in ("", w.where) for w in order.wants)
            if fits and self._waits(thread, order):
                return order
        return None

    def drop(self, thread: Thread, order: m.Order) -> None:
        self.doing.standing = [s for s in self.doing.standing if s.stands or not self._same(thread, s, order)]

    def forbidden(self, meaning: m.Zone | m.Steer) -> list[str]:
        """Robots that are about to do what somebody does not want: go to a place, or do what was ordered."""
        if isinstance(meaning, m.Zone):
            return list(self.mission.doing.zones.bound_for(meaning))
        named = bool(meaning.what or meaning.where)
        ids = {g.id for g in (self._of_name(meaning, self._live()) if named else self._live())}
        return sorted({i.robot for i in self.mission.agenda
                       if self.mission._root(self.mission.goals[i.goal]).id in ids})  # fmt: skip
