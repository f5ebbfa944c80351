"""Help for a team of a house that does not get on: a way out is planned, proposed to people, and carried out at a yes.

Two ways out are known: a plan over all robots, from what they believe together; and, where a closed zone is what no
plan gets past, opening it again. Nothing of it happens before a person who may approve has said yes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.facts import Belief, Fact
from coterie.core.protocol import RobotView
from coterie.mission.knowledge.authority import Refused
from coterie.planning.answer import Answer
from coterie.protocols.shared.guide import Guide, Unplanned, closed_zones, knows, lost, plan_for, rounds, words_of
from coterie.protocols.shared.reading import Pool, Reading
from coterie.talk.wording import listed

QUIET_STEPS = 12  # without progress, in which something failed or everybody waited, before people are told
MOST_TRIES = 8  # closed zones that are thought open one by one, before all of them are
TIMEOUT_S = 600.0  # of simulated time, for a proposal
MOST_TOLD = 8  # steps of a plan that are told
SUPPOSED = "supposed"  # the source of facts that need not be so
Supposed = tuple[str, tuple[str, ...], Any]  # predicate, arguments, value


def steps_told(plan: Answer, most: int) -> str:
    """The first steps of a plan, in words."""
    steps = [f"{s.robot} {words_of(s.action)}" for s in plan.steps]
    return ", ".join(steps[:most]) + (f" and {len(steps) - most} more" if len(steps) > most else "")


@dataclass
class WayOut:
    """A proposal: a plan, zones that have to be opened for it, and who was told of it in which words."""

    answer: Answer
    opened: tuple[tuple[str, str], ...] = ()  # robot, furniture
    words: str = ""
    told: set[str] = field(default_factory=set)
    until_s: float = 0.0  # when it is withdrawn, if nobody has said yes
    led: bool = False  # a person has
    no: set[str] = field(default_factory=set)  # who has said no, which outweighs the yes of others


class Helper:
    """Proposals and approvals between people and the guide of a team."""

    def __init__(self, hall: Any):
        self.hall, self.guide, self.pool = hall, Guide(), Pool()
        self.way: WayOut | None = None  # that is proposed or followed
        self._best = -1.0
        self._since = 0
        self._failed = False
        self._waiting: set[str] = set()
        self._said = False

    # -- what the team believes -----------------------------------------------------------------------------------
    def views(self) -> dict[str, RobotView]:
        episode: Any = self.hall.episode
        if not episode.views:
            raise Unplanned("No robot is here.")
        return self.pool.gather(episode.roster.view_of(dict(episode.views), episode.step, truth=False))

    def supposing(self, facts: Sequence[Supposed] = (), gone: Collection[str] = ()) -> dict[str, RobotView]:
        """The team's belief if facts were so, and without the robots that are `gone`."""
        world: Any = self.hall.episode.world
        if not knows(world):
            raise Unplanned("The planner knows the skills of houses with a scene graph, and this is another world.")
        views = self.views()
        old = next(iter(views.values())).belief
        belief = Belief(old.base, old.listings)
        belief.tell_all(old.facts())
        now = 1.0 + max([self.hall.now, *(f.time for f in old.facts())])
        belief.tell_all(Fact(pred, args, value, now, SUPPOSED) for pred, args, value in facts)
        look = world.lookup(belief)
        left = {n: v for n, v in views.items() if n not in gone}
        if not left:
            raise Unplanned("nobody would be left.")
        alive = {n: tuple(h for h in v.heartbeat if h not in gone) for n, v in left.items()}
        return {n: replace(v, belief=belief, look=look, heartbeat=alive[n]) for n, v in left.items()}

    def way_out(self) -> WayOut:
        """The plan that is found; where zones are in the way, also which would have to be opened."""
        views = self.supposing()
        answer = plan_for(views)
        if answer.found:
            return WayOut(answer)
        closed = closed_zones(views)
        for zones in [*([z] for z in closed[:MOST_TRIES]), closed]:  # as few as possible
            way = plan_for(self.supposing([("allowed", zone, True) for zone in zones])) if zones else answer
            if way.found:
                return WayOut(way, tuple(zones))
        raise Unplanned(answer.words)

    # -- proposals ------------------------------------------------------------------------------------------------
    def propose(self, person: str) -> str:
        """Plan a way out and propose it; the words. Raises `Unplanned` where there is none."""
        if self.guide.on:
            return f"I am at it already: {self.plan_words()}"
        self.hall.authority.require(person, "command")
        way = self.way_out()
        way.words, way.told, way.until_s = self._words(way), {person}, self.hall.now + TIMEOUT_S
        self.way = way
        return f"{way.words} Do you want me to do it?"

    def _words(self, way: WayOut) -> str:
        zones = listed([f"{self.hall.partner.name(f)} for {r} again" for r, f in way.opened])
        could = f"I could {f'open {zones}, then ' * bool(zones)}lead the team: {steps_told(way.answer, MOST_TOLD)}."
        unseen = listed(lost(Reading(next(iter(self.views().values())))))
        if way.answer.engine == "search":
            return f"Nobody has seen {unseen} yet. {could}"
        rest = f" Nobody has seen {unseen} yet; that is looked for afterwards." if unseen else ""
        return f"{could} It takes about {rounds(way.answer)} steps.{rest}"

    @property
    def waiting(self) -> bool:
        return self.way is not None and not self.way.led

    def answered(self, person: str, yes: bool) -> str:
        """A yes or a no; `Refused` from those who may not approve."""
        way = self.way
        if way is None or way.led:
            return "Nothing was proposed, so there is nothing to answer."
        if person not in way.told:
            return self.proposed(person)
        self.hall.authority.require(person, "approve")
        (way.no.discard if yes else way.no.add)(person)
        if yes and way.no:
            who = listed(sorted(way.no))
            raise CoterieError(f"{who} said no to it, and that counts until they say yes; talk to each other.")
        for other in sorted(way.told - {person}):
            self.hall.tell(other, f"{person} said {'yes' if yes else 'no'} to the way out.")
        if not yes:
            return "All right, I leave that."
        self._begin(way, person)
        return "All right, I lead the team. Say cancel to leave it to itself again."

    def proposed(self, person: str) -> str:
        """The pending proposal, for a person who may approve it: an answer counts from a person who was told before."""
        assert self.way is not None
        self.hall.authority.require(person, "approve")
        self.way.told.add(person)
        return f"{self.way.words} Do you want me to do it?"

    def _begin(self, way: WayOut, person: str) -> None:
        if way.opened:
            opened = {robot: [f for r, f in way.opened if r == robot] for robot, _ in way.opened}
            words = "; ".join(f"{r} may go to {listed(f)} again" for r, f in opened.items())
            self.hall.put(person, "zones", {"closed": {}, "opened": opened, "said": f"{words}."})
        self.guide.follow(way.answer)
        way.led = True

    def leave(self, person: str) -> bool:
        """Leave the team to itself again; return whether it was led, or that was proposed."""
        if self.way is None:
            return False
        self.hall.authority.require(person, "command")
        self.guide.drop()
        self.way = None
        return True

    def plan_words(self) -> str:
        left = [f"{s.robot} {words_of(s.action)}" for s in self.guide.left()]
        return f"{', then '.join(left[:MOST_TOLD])}." if left else "the plan is nearly done."

    # -- after every step -----------------------------------------------------------------------------------------
    def note(self, event: Any) -> None:
        """Note failures, and robots that only wait."""
        if (event.kind == "outcome" and event.data["status"] not in ("done", "cancelled")) or event.kind == "refused":
            self._failed = True
        elif event.kind == "act":
            (self._waiting.add if event.data["skill"] == "wait" else self._waiting.discard)(event.who)

    def expire(self) -> None:
        """Withdraw a proposal whose time is over, before a yes that comes after it is heard."""
        if self.way is not None and self.waiting and self.hall.now >= self.way.until_s:
            self._over("Nobody said yes to the way out in time; I withdraw it.")

    def watch(self) -> None:
        """Tell people what became of a plan, and that a team does not get on."""
        if self.way is not None and self.way.led and not self.guide.on:
            self._over("\n".join(self.guide.news))
        self.guide.news.clear()
        if self.hall.coming is not None:
            return
        episode: Any = self.hall.episode
        progress = episode.world.progress()
        if self.guide.on and progress.done:
            self.guide.drop()
            self._over()
        if progress.done or progress.partial > self._best:
            self._best, self._since, self._failed, self._said = progress.partial, episode.step, False, False
            return
        stuck = self._failed or self._waiting >= set(episode.views)
        led = self.guide.on or self.waiting
        if stuck and not led and not self._said and episode.step - self._since >= QUIET_STEPS:
            self._said = True
            self._offer(episode.step - self._since)

    def _offer(self, steps: int) -> None:
        why = f"The team does not get on: no progress in {steps} steps. "
        try:
            words = self.propose(self.hall.person)
        except Refused:
            words = "Say help the team if I should look for a way out."
        except CoterieError as err:
            words = f"I see no way out either: {err}"
        self.hall.tell(self.hall.person, f"{why}{words}")

    def renew(self) -> None:
        """Forget what was said of being stuck: the goal or a place has changed."""
        episode: Any = self.hall.episode
        self.guide.renew()
        self._since, self._failed, self._said, self._best = episode.step, False, False, -1.0

    def _over(self, words: str = "") -> None:
        """The way out is done, has failed, or was not wanted; those who were told of it are told that, too."""
        told, self.way = self.way.told if self.way is not None else set(), None
        for person in sorted(told) if words else ():
            self.hall.tell(person, words)
