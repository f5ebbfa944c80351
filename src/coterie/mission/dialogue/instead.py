"""Something instead of what somebody else wants: it is asked about, both are told, and nothing goes twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.counterpart import Doubt
from coterie.mission.dialogue.patches import patched
from coterie.mission.dialogue.speech import Mission
from coterie.mission.dialogue.thread import Deed, Thread
from coterie.mission.goals import Goal
from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.wording import listed, upper

MOST_NAMED = 4


class Instead:
    """One for a mission."""

    def __init__(self, mission: Mission):
        self.mission = mission

    def of(self, thread: Thread, order: m.Order, same: bool, wrong: str = "") -> Doubt | str:
        """What is asked or said where an order is to stand in for what is under way. With `same` only what is of
        the very thing that is ordered counts, with `wrong` only what has that in it; empty where that is nothing."""
        if not self.mission.authority.may(thread.person, "command"):
            return "" if same else str(self.mission.partner.act(thread, order))
        live = [g for g in self.mission.ordered() if not wrong or wrong in self.mission.subject(g)]
        asked = {w.what for w in order.wants if w.what}, {w.where for w in order.wants if w.where}
        already = [g for g in live if {(w.what, w.where) for w in order.wants} == {self.mission.subject(g)}]
        if already:
            return f"That is under way already: {listed([self._whose(g, thread) for g in already[:1]])}."
        found = [g for g in live if self.mission.subject(g)[0] in asked[0]]
        if not same:
            found = found or [g for g in live if self.mission.subject(g)[1] in asked[1]] or live
        names = list(dict.fromkeys(self._whose(g, thread) for g in found))
        if len(names) > 1:
            more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
            shown = f"{', '.join(names[:MOST_NAMED])}{more}" if more else listed(names)
            what, where = self.mission.subject(found[-1])
            cancel = self.mission.wording.sentence(m.Steer("cancel", what, where=where))
            return f"Instead of what? Under way are {shown}. Say first what I should leave, for example: {cancel}"
        if not found and wrong and not same:
            nothing = f"Nothing with {self.mission.wording.name(wrong)} is under way."
            return f"Instead of what? {nothing} To have it, say: {self.mission.wording.sentence(order)}"
        if not found and not same:
            return f"Instead of what? Nothing is under way. To have it, say: {self.mission.wording.sentence(order)}"
        return self._doubt(thread, order, found) if found else ""

    def part_of(self, thread: Thread, instead: Meaning) -> Doubt | str:
        """Part of an order that somebody else gave is to be otherwise: "Let Spot do it." Whoever may not command is
        told whose it is and who may change it; empty where it can be part of none."""
        person, goals, authority = thread.person, self.mission.goals, self.mission.authority
        found: list[tuple[m.Order, list[Goal]]] = []
        for other in self.mission.dialogue.threads:
            for deed in other.deeds if other.person != person else ():
                live = [goals[g] for g in deed.goals if not goals[g].over]
                new = patched(deed.meaning, instead, self.mission.partner.vocabulary) if live else None
                if isinstance(new, m.Order):
                    found.append((new, live))
        if not found:
            return ""
        names = listed([self._whose(live[0], thread) for _, live in found])
        if not authority.may(person, "command"):
            may = upper(listed(authority.who_may("command")))
            return f"{upper(names)}: you ordered none of that. {may} may change it."
        if len(found) > 1:
            return f"You have ordered nothing that could be meant. Under way are {names}. Say which, with its name."
        return self._doubt(thread, *found[0])

    def _whose(self, goal: Goal, thread: Thread) -> str:
        return f"{self.mission.name_of(goal)}{f' for {goal.by}' if goal.by != thread.person else ''}"

    def _doubt(self, thread: Thread, order: m.Order, goals: Sequence[Goal]) -> Doubt:
        name, by = self.mission.name_of(goals[0]), goals[0].by
        want = order.wants[0]
        if len(goals) > 1 and len(order.wants) == 1 and (want.kind, want.count) == (m.KIT, 1):  # all of them
            order = replace(order, wants=(replace(want, count=len(goals)),))
        many = getattr(self.mission.wanted_of(goals[0]).wish, "count", 1)
        if len(goals) == len(order.wants) == 1 and want.kind == m.STOCK and want.count == 1:
            order = replace(order, wants=(replace(want, count=many),))
        times = f", {len(goals)} times" if len(goals) > 1 else ""
        ids, who = [g.id for g in goals], "You want" if by == thread.person else f"{upper(by)} wants"
        words = (
            f"{who} {name}{times}. Do you want me to call that off, and instead: {self.mission.wording.sentence(order)}"
        )
        return Doubt(words, order, lambda: self._done(thread, order, ids))

    def _done(self, thread: Thread, order: m.Order, ids: Sequence[str]) -> str:
        mission, person = self.mission, thread.person
        live = [g for i in ids if not (g := mission.goals[i]).over]
        try:
            mission.doing.possible(order, [g.id for g in live])
        except CoterieError as err:
            stays = f" So this stays: {listed([self._whose(g, thread) for g in live[:1]])}." if live else ""
            raise CoterieError(f"{err}{stays}") from err
        steering = mission.doing.steering
        rests = any(g.state == "paused" for g in live) or bool(steering.stopper(person, order.robots))
        off = f"{steering.change(thread, m.Steer('cancel'), live)}\n" if live else ""
        reply = f"{off}{mission.partner.act(thread, order)}{steering.rest(thread) if rests else ''}"
        if thread.last is not None and thread.last.meaning == order:
            thread.calls_off(g.id for g in live)
        mission.doing.inform(
            {g.by for g in live}, person, f"{person} wants instead: {self.mission.wording.sentence(order)}"
        )
        return reply

    def restored(self, thread: Thread, deed: Deed) -> str:
        """What was called off for a deed is wanted again by whoever wanted it, and they are told."""
        mission, person, steering = self.mission, thread.person, self.mission.doing.steering
        said = []
        for old in (mission.goals[i] for i in deed.called_off):
            goal = mission.doing.renewed(old)
            if steering.held:
                steering.let_rest(goal.id, person)
            name = mission.name_of(goal)
            said.append(self._whose(goal, thread))
            rests = " It rests; say continue to go on." if steering.held else ""
            mission.doing.inform(
                {old.by}, person, f"{person} took that back: {name} is wanted again, as you said.{rests}"
            )
        return f" So this is wanted again: {listed(said)}.{' It rests; say continue to go on.' * bool(steering.held)}"
