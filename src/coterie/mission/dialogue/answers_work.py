"""Questions about the team: why, who can, what is being done, what has happened, and what was brought where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coterie.core.errors import CoterieError
from coterie.mission.dialogue.answering import Answering
from coterie.mission.dialogue.thread import Thread
from coterie.mission.estimate import minutes
from coterie.mission.goals import STATES, Goal
from coterie.mission.goals.states import OVER
from coterie.talk.meanings import CLOSED, KIT, STOCK, Ask, Claim, Order, Tell, Want
from coterie.talk.wording import listed, upper

MOST_EVENTS = 8
MOST_BROUGHT = 10  # that are listed
NOTHING = "Nothing has failed so far."


class WorkAnswers(Answering):
    # -- reasons --------------------------------------------------------------------------------------------------
    def _why(self, thread: Thread, q: Ask) -> str:
        stopped = self.mission.doing.steering.held
        if stopped:
            robot = "" if "" in stopped else next(iter(stopped))
            return f"{self.mission.doing.steering.who(robot)}\n{self._failed(thread, q)}".replace(f"\n{NOTHING}", "")
        return self._failed(thread, q)

    def _failed(self, thread: Thread, q: Ask) -> str:
        declined = self.mission.doing.why_declined(thread.person)
        if declined and not (q.what or q.robot):
            return f"I have not begun with what you ordered last: {declined}"
        failed = [(f, g) for g in self.mission.goals.all() for f in self.mission.recovery.of(g).failures]
        if not failed:
            return NOTHING
        failure, goal = failed[-1]
        words = self.mission._because(goal, failure)
        if failure.cause is not None and not self._looks:
            self.mission.desk.taught(thread.person, failure.cause)
        end = ""
        root = self.mission._root(goal)
        explained = self.mission.wanted_of(root).explanation
        if explained is not None:
            end = f" I gave it up: {explained['why']}."
        elif root.state == "waiting":
            end = " A way out waits for a yes."
        return f"{upper(self.mission.name_of(root))}: {words} ({failure.stage.lower()}).{end}"

    def _why_that(self, thread: Thread, q: Ask) -> str:
        if q.what or q.where:
            return self._why_name(thread, q.what or q.where)
        items = [i for i in self.mission.agenda.running() if not q.robot or i.robot == q.robot]
        coming = [i for i in self.mission.agenda.waiting() if not q.robot or i.robot == q.robot]
        items, rows = items or coming[:1], []
        for item in items:
            goal = self.mission._root(self.mission.goals[item.goal])
            step = self.mission.domain.step_words(item.robot, item.action)
            rows.append(f"{step}, since {goal.by} wants {self.mission.name_of(goal)}.")
        if rows:
            return "\n".join(rows)
        waits = [g for g in self.mission.ordered() if g.state in ("waiting", "paused")]
        if waits:
            who = self.mission.doing.steering.who(q.robot) if waits[0].state == "paused" else ""
            return f"{upper(self.mission.name_of(waits[0]))} {STATES[waits[0].state]}. {who}".rstrip()
        return f"{q.robot or 'Nobody'} {'does nothing' if q.robot else 'does anything'} at the moment."

    def _wanted(self, thread: Thread, goal: Goal) -> str:
        who = "You want" if goal.by == thread.person else f"{upper(goal.by)} wants"
        return f"{who} {self.mission.name_of(goal)}"

    def _why_name(self, thread: Thread, name: str) -> str:
        """Who wants something of this name, or which step has to do with it; or that nothing has."""
        live = self.mission.ordered()
        about = [g for g in live if name in self.mission.subject(g)]
        if about:
            return "\n".join(f"{self._wanted(thread, g)}." for g in about)
        step = next((i for i in self.mission.agenda if name in i.action.args), None)
        if step is not None:
            goal = self.mission._root(self.mission.goals[step.goal])
            words = self.mission.domain.step_words(step.robot, step.action)
            return f"It is planned: {words}. {self._wanted(thread, goal)}."
        rest = listed([self.mission.name_of(g) for g in live])
        under_way = f" Under way: {rest}." if rest else " Nothing is under way."
        return f"Nobody wants anything with {self.mission.wording.name(name)}.{under_way}"

    def _why_not_name(self, thread: Thread, q: Ask) -> str:
        """Nobody has ordered that; what was ordered instead, and how it can be changed."""
        name, said = q.what or q.where, self._why_name(thread, q.what or q.where)
        live = self.mission.ordered()
        goal = next((g for g in reversed(live) if g.by == thread.person), live[-1] if live else None)
        if goal is None or not said.startswith("Nobody"):
            return said
        (what, where), kind = self.mission.subject(goal), self._kind(name)
        order = Order((Want(KIT, what if q.where else name, name if q.where else where),))
        known = self._kind(what) == "kit" and kind == ("room" if q.where else "kit")
        how = f" To change that, say: {self.mission.wording.sentence(order).rstrip('.')} instead." if known else ""
        return f"{self._wanted(thread, goal)}, and nobody has said {self.mission.wording.name(name)}.{how}"

    def _who_stopped(self, thread: Thread, q: Ask) -> str:
        """Who stopped robots or let them go on; where nobody did, what failed, or why they move."""
        said = self.mission.doing.steering.who(q.robot)
        if said:
            return said
        failed = any(self.mission.recovery.of(g).failures for g in self.mission.goals.live())
        more = self._why(thread, Ask("why")) if failed else self._why_that(thread, Ask("why that", robot=q.robot))
        return f"Nobody has stopped {q.robot or 'anything'}. {more}"

    def _why_so(self, thread: Thread, q: Ask) -> str:
        """From whom it is known that something is so; and what is planned about a door."""
        if all(c.kind == CLOSED for c in q.claims):
            return "\n".join(
                upper(self.mission.doing.zones.so(c).removeprefix("Yes, ").removeprefix("No, ")) for c in q.claims
            )
        words, so = (
            self.mission.wording._claims(q.claims),
            self.mission.doing.so(self.mission.doing.conditions(q.claims)),
        )
        if so is None:
            return f"I do not know whether {words}, so I cannot say why."
        if not so:
            return f"It is not so that {words}, as far as I know."
        facts = [self.mission.knowledge.fact(*key) for key, _ in self.mission.doing.facts(q.claims)]
        known = max((f for f in facts if f is not None), key=lambda f: f.time, default=None)
        who = "" if known is None else str(known.source)
        here = {*self.mission.reports.robots, *self.mission.authority.people()}
        how = "has seen it" if who in self.mission.reports.robots else "said so"
        by = f" {upper(who)} {how}." if who in here else ""
        doors = {c.what for c in q.claims if self._kind(c.what) == "door"}
        steps = [i for i in self.mission.agenda if i.action.skill == "opendoor" and doors & {*i.action.args}]
        plan = f" It is planned: {self.mission.domain.step_words(steps[0].robot, steps[0].action)}." if steps else ""
        return f"{upper(words)}.{by} Why, nobody has told me.{plan}"

    def _not_from(self, q: Ask) -> str:
        """Why a thing is not taken from a place: there is none, nobody knows of one, or the plan takes another."""
        look, name, at = self.mission.now_only().look, self.mission.wording.some(q.what, 1), self._label(q.where)
        count = look("stock", q.what, q.where)
        if not isinstance(count, int):
            say = self.mission.wording.sentence(Tell((Claim(STOCK, q.what, q.where),)))
            return f"I do not know whether there is {name} at {at}; nobody has looked. If there is, say: {say}"
        if not count:
            return f"There is none at {at}, as far as I know."
        steps = [i for i in self.mission.agenda if i.action.skill == "pickup" and q.what in i.action.args]
        mine = [i for i in steps if any(q.where in str(a) for a in i.action.args)]
        if mine:
            return f"It is planned: {self.mission.domain.step_words(mine[0].robot, mine[0].action)}."
        rest = f" It is planned: {self.mission.domain.step_words(steps[0].robot, steps[0].action)}." if steps else ""
        some = f"There {'is' if count == 1 else 'are'} {self.mission.wording.some(q.what, count)} at {at}"
        return f"{some}, and the plan that I have found does not need {'it' if count == 1 else 'them'}.{rest}"

    def _why_not(self, thread: Thread, q: Ask) -> str:
        if q.what and q.where:
            return self._not_from(q)
        if q.what or q.where:
            return self._why_not_name(thread, q)
        return self.supposing.why_not(q) if q.wants or not q.robot else self._unused(thread, q.robot)

    def _unused(self, thread: Thread, robot: str) -> str:
        """Why a robot has no part in what is planned; or which it has."""
        card, skills = self.mission.cards.get(robot), self.mission.domain.skills
        if card is None or robot not in self.mission.reports.robots:
            return f"{robot} is not here."
        offer = self._offer(thread)
        steps = list(offer.steps) if offer is not None else [i.step for i in self.mission.agenda]
        mine = [s for s in steps if s.robot == robot]
        if mine:
            return f"I do count on {robot}:\n{self._listed(mine)}"
        if not steps:
            return f"There is no plan at the moment in which {robot} could have a part."
        lacks = [s.action.skill for s in steps if s.action.skill not in card.skills]
        found = [k.help or k.name for s in dict.fromkeys(lacks) if (k := skills.find(s)) is not None]
        limits = [r for r in self.mission.recovery.rules.values() if robot in r.name]
        stopper = self.mission.doing.steering.held.get(robot)
        if stopper is not None:
            return f"I plan without {robot}: {stopper} has stopped it. Say: {robot}, continue."
        if limits:
            return f"I plan without {robot}: {limits[0].clause.words}"
        if found:
            return f"{robot}, {card.about}, has no part in the plan. It lacks skills of it: {'; '.join(found)}."
        return f"{robot} could do it, too; the plan that I found needs only {listed(sorted({s.robot for s in steps}))}."

    # -- abilities ------------------------------------------------------------------------------------------------
    def _last_order(self, thread: Thread) -> Order:
        """What somebody has ordered last, or what is under way where that is one thing alone."""
        found = next((d.meaning for d in thread.deeds if isinstance(d.meaning, Order) and d.meaning.wants), None)
        others = [d.meaning for t in self.mission.dialogue.threads for d in t.deeds
                  if isinstance(d.meaning, Order) and any(not self.mission.goals[g].over for g in d.goals)]  # fmt: skip
        if found is None and len(others) != 1:
            raise CoterieError("What do you mean by it? Say for example: Can Temi deliver a medkit to alpha?")
        return found or others[0]

    def _who_could(self, thread: Thread) -> str:
        order, able = self._last_order(thread), []
        for robot in sorted(self.mission.reports.robots):
            try:
                for wish, _, _ in self.mission.doing.wishes(replace(order, robots=())):
                    self.mission.doing.check(wish, robot)
                able.append(robot)
            except CoterieError:
                continue
        words = self.mission.wording.sentence(replace(order, robots=(), without=()))
        ask = f" Ask for example: Can {able[0]} do it?" if able else ""
        return f"{words} By their skills {listed(able) or 'nobody here'} could.{ask}"

    def _who_can(self, thread: Thread, q: Ask) -> str:
        if not q.skill:
            return self._who_could(thread)
        who = [r for r in self.mission.cards if self._able(r, q)]
        what = self.mission.wording._skill(q)
        return f"{listed(who)} can {what}." if who else f"Nobody here can {what}."

    def _able(self, robot: str, q: Ask) -> bool:
        if robot not in self.mission.reports.robots:
            return False
        skills = set(self.speech.abilities(q.skill)) & set(self.mission.cards[robot].skills)
        if q.skill == "open" and q.what and self._kind(q.what) != "door":
            return False
        banned = {r.skill for r in self.mission.recovery.rules.values() if robot in r.name}
        if q.skill in ("pick", "carry") and q.what:
            carried = self.speech.containers()[0] if self._kind(q.what) == "kit" else q.what
            if self.mission.now_only().look("carries", robot, carried) is not True:
                return False
        return bool(skills - banned)

    def _can(self, thread: Thread, q: Ask) -> str:
        if not q.wants and not q.skill:
            wants = self._last_order(thread).wants
            return self.supposing.why_not(replace(q, wants=wants), asked=True, say=f"Let {q.robot} do it.")
        if q.wants:
            return self.supposing.why_not(q, asked=True)
        if not q.robot:
            who = [r for r in self.mission.cards if self._able(r, q)]
            what = self.mission.wording._skill(q)
            return f"Yes: {listed(who)} can {what}." if who else f"No, nobody here can {what}."
        if self._able(q.robot, q):
            return f"Yes, {q.robot} can {self.mission.wording._skill(q)}."
        others = [r for r in self.mission.cards if self._able(r, q)]
        more = f" {listed(others)} can." if others else ""
        return f"No, {q.robot} cannot {self.mission.wording._skill(q)}.{more}"

    def _ability(self, thread: Thread, q: Ask) -> str:
        robots = [q.robot] if q.robot else sorted(self.mission.reports.robots)
        rows = []
        for robot in robots:
            card = self.mission.cards.get(robot)
            if card is None:
                raise CoterieError(f"{robot} is not here.")
            found = [self.mission.domain.skills.find(s) for s in card.skills]
            helps = [s.help or s.name for s in found if s is not None and s.name != "wait"]
            rows.append(f"{robot}, {card.about}: {'; '.join(helps)}." if q.robot else f"{robot}: {card.about}.")
        return "\n".join(rows)

    # -- how it goes ----------------------------------------------------------------------------------------------
    def _doing(self, thread: Thread, q: Ask) -> str:
        running = {i.robot: i for i in self.mission.agenda.running()}
        robots = [q.robot] if q.robot else sorted(self.mission.reports.robots)
        rows = []
        for robot in robots:
            item = running.get(robot)
            if item is not None:
                rows.append(self.mission.domain.step_words(robot, item.action) + ".")
            elif q.robot:
                waits = any(i.robot == robot for i in self.mission.agenda)
                rows.append(f"{robot} {'waits for others' if waits else 'has nothing to do'}.")
        live = self.mission.ordered()
        if not q.robot:
            rows += [f"{self._state(g)}" for g in live]
        last = f" The last thing: {self.mission.events[-1][1]}" if self.mission.events else ""
        return "\n".join(rows) or f"Nothing; nobody wants anything.{last}"

    def _state(self, goal: Goal) -> str:
        by = f"{goal.by} wants {self.mission.name_of(goal)}"
        return f"{by}: it {STATES[goal.state]}."

    def _progress(self, thread: Thread, q: Ask) -> str:
        rows, live = [], self.mission.ordered()
        named = self.mission.ordered(q.what) or [g for g in live if self._brings(g, q.what, "")]
        for goal in named:
            mine = {goal.id, *(c.id for c in self.mission.goals.children(goal.id))}
            done = sum(i.goal in mine and i.state == "done" for i in self.mission.agenda.past)
            left = sum(i.goal in mine for i in self.mission.agenda)
            rest = self._rest([goal])
            more = f"; about {minutes(rest.duration_s)} are left" if rest is not None else ""
            rows.append(
                f"{upper(self.mission.name_of(goal))} {STATES[goal.state]}: {done} steps done, {left} to come{more}."
            )
        over = self.mission.ordered(q.what, states=OVER)
        if rows:
            asked = any(g.by == thread.person for g in named)
            own = [] if asked or not q.what else [g for g in over if g.by == thread.person]
            rows += [f"What you ordered, {self.mission.name_of(g)}, {STATES[g.state]}." for g in own[-1:]]
            return "\n".join(rows)
        last = f" The last one: {self.mission.name_of(over[-1])} {STATES[over[-1].state]}." if over else ""
        of = f" with {self.mission.wording.name(q.what)}" if q.what and live else ""  # something else is
        return f"Nothing{of} is under way.{last}"

    def _under_way(self, thread: Thread, q: Ask) -> str:
        """Whether somebody is bringing something somewhere: a yes says who, a no what is brought otherwise."""
        live = self.mission.ordered()
        about = [g for g in live if self._brings(g, q.what, q.where)]
        for goal in about:
            robots = sorted({i.robot for i in self.steps_of([goal])})
            if goal.state == "running" and robots and q.robot in ("", *robots):
                return (
                    f"Yes: {self._state(goal)} {listed(robots)} {'has' if len(robots) == 1 else 'have'} a part in it."
                )
        who, what = q.robot or "nobody", self.mission.wording.some(q.what, 1) if q.what else "anything"
        to = f" to {self.mission.wording.name(q.where)}" if q.where else ""
        no = f"No, {who} is {'not ' * bool(q.robot)}bringing {what}{to} at the moment."
        rows = [self._state(g) for g in about or live]
        rows += [f"{s.person} wants, as soon as {s.words}: {self.mission.wording.sentence(s.order)}"
                 for s in self.mission.doing.standing if not s.stands]  # fmt: skip
        return "\n".join([no, *rows])

    def _brings(self, goal: Goal, what: str, where: str) -> bool:
        """Whether a goal is to have a thing, or a kit with that in it, somewhere."""
        brought, place = self.mission.subject(goal)
        kits = self.speech.kit_names()
        inside = kits[brought][1] if brought in kits else {}
        if self._kind(brought) not in ("kit", "item", "caddy") or where not in ("", place):
            return False
        return what in ("", brought) or bool(inside.get(what))

    def _history(self, thread: Thread, q: Ask) -> str:
        """What people and the mission did, and what robots did of late."""
        told = self._told(thread, self.mission.events[-MOST_EVENTS:], "Nothing has happened yet.")
        done = [i for i in self.mission.agenda.past if i.state == "done"]
        words, late = self.mission.domain.step_words, done[-MOST_EVENTS:]
        rows = [f"  {clock(i.ended_s)} {words(i.robot, i.action)}" for i in late]
        last = "; the last" if len(done) > MOST_EVENTS else ""
        lead = f"{len(done)} step{'s are' if len(done) > 1 else ' is'} done{last}:"
        return "\n".join([told, lead, *rows]) if done else told

    def _changed(self, thread: Thread, q: Ask) -> str:
        return self._told(thread, self.mission.events[thread.seen :][-MOST_EVENTS:], "Nothing new since you asked.")

    def _told(self, thread: Thread, events: Sequence[tuple[float, str]], nothing: str) -> str:
        thread.seen = len(self.mission.events)
        return "\n".join(f"{clock(t)} {words}" for t, words in events) or nothing

    def _goals(self, thread: Thread, q: Ask) -> str:
        rows = [self._state(g) for g in self.mission.ordered()]
        rows += [
            f"{s.person} wants, as soon as {s.words}: {self.mission.wording.sentence(s.order)}"
            for s in self.mission.doing.standing
            if not s.stands
        ]
        over = self.mission.ordered(states=OVER)[-1:]
        last = "".join(f" The last was {self.mission.name_of(g)} for {g.by}, which {STATES[g.state]}." for g in over)
        return "\n".join(rows) or f"Nobody wants anything at the moment.{last}"

    # -- what is over --------------------------------------------------------------------------------------------------
    def _done(self, what: str, where: str) -> list[Goal]:
        """Goals that were reached, of a thing and at a place if those are named; the last at the end."""
        found = self.mission.ordered(what, where, ("done",))
        return sorted(found, key=lambda g: g.history[-1].time if g.history else 0.0)

    def _under_way_now(self, what: str, where: str) -> str:
        found = self.mission.ordered(what, where)
        return " ".join(f"{upper(self.mission.name_of(g))} {STATES[g.state]}." for g in found)

    def _took(self, thread: Thread, q: Ask) -> str:
        """How long the last one took, from when it was ordered; of what is under way, for how long it has been."""
        now = self.mission.now
        live = self.mission.ordered(q.what, q.where)
        rows = [f"{upper(self.mission.name_of(g))} is not done yet: it was ordered {_ago(now - g.submitted_s)}."
                for g in live]  # fmt: skip
        done = self._done(q.what, q.where)
        mine = [g for g in done if g.by == thread.person] or done
        if mine and not live:
            goal = mine[-1]
            rows.append(
                f"{upper(self.mission.name_of(goal))} took {minutes(goal.history[-1].time - goal.submitted_s)}."
            )
        return "\n".join(rows) or "Nothing like that is done so far."

    def _delivered(self, thread: Thread, q: Ask) -> str:
        """What was brought, where, when and for whom, and what is on its way."""
        kinds = ("kit", "item", "caddy")
        done = [g for g in self._done(q.what, q.where) if self._kind(self.mission.subject(g)[0]) in kinds]
        at = f" to {self.mission.wording.name(q.where)}" if q.where else ""
        names = [f"{self.mission.name_of(g)} for {self._whom(g, thread)}" for g in done]
        left = f"{len(names) - MOST_BROUGHT} more, and " if len(names) > MOST_BROUGHT else ""
        what = f"Nobody has brought {self.mission.wording.some(q.what, 1)}" if q.what else "Nothing was brought"
        said = f"Brought so far{at}: {left}{listed(names[-MOST_BROUGHT:])}." if names else f"{what}{at} so far."
        return f"{said} {self._under_way_now(q.what, q.where)}".rstrip()

    def _whom(self, goal: Goal, thread: Thread) -> str:
        return f"{'you' if goal.by == thread.person else goal.by} at {clock(goal.history[-1].time)}"


def clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def _ago(seconds: float) -> str:
    return f"{minutes(seconds)} ago" if seconds >= 1 else "just now"
