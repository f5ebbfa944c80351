"""Consent to motion: an agent moves a driven robot by a right that a person gave, or by a person's yes to one action.

Rights are permissions of `Authority`: to command one robot, until a time. What an agent asks for without one is a
proposal; a yes is for that action alone, once, and for as long as the proposal stands. A driver is asked to start
nothing else (`guard`). Who approves joins at a door that the agent has no tool for.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from coterie.core.action import Action, Cause, Outcome
from coterie.core.causes import DRIVER
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.world import Driver
from coterie.mission.journal import Journal
from coterie.mission.knowledge.authority import Authority

APPROVER = "approver"
COMMAND = "command"
STANDS_S = 300.0  # for which a proposal waits for an answer, and a yes for the action to begin
HELP = "Say: list, ask N, yes N, no N, grant ROBOT MINUTES, revoke ROBOT, stop, release."


@dataclass
class Proposal:
    """An action that an agent wants a driven robot to do."""

    number: int
    robot: str
    action: Action
    until: float  # [s] on the clock
    answer: bool | None = None

    def __str__(self) -> str:
        return f"{self.number}: {self.robot} {self.action}"


class Permit(NamedTuple):
    """One start of an action that is allowed: by a yes, or by a right, and then for as long as there is that right."""

    robot: str
    action: Action
    until: float  # [s] on the clock
    by_right: bool = False


class Consent:
    """Rights to move driven robots, proposals that wait for a yes, and allowed actions that have not begun."""

    def __init__(self, agent: str = "agent", folder: Path | None = None, clock: Callable[[], float] = time.time):
        self.agent, self.clock = agent, clock
        self.authority = Authority(Journal(folder / "consent.jsonl" if folder is not None else None, clock))
        self.authority.join(APPROVER, "teacher")
        self.authority.join(agent, "visitor")
        self.robots: tuple[str, ...] = ()  # that are driven, where that is known
        self.proposals: dict[int, Proposal] = {}
        self.tell: Callable[[str], None] = lambda words: None  # whoever approves
        self.show: Callable[[Proposal, str], None] = lambda proposal, over: None  # `over`: what became of it
        self.stop: Callable[[str, bool], None] = lambda by, on: None
        self.changed = threading.Condition()
        self._permits: list[Permit] = []
        self._count = 0

    def grant(self, robot: str, minutes: float) -> None:
        """Let the agent command a robot for a while; only whoever starts the server or stands at the door gets here."""
        if self.robots and robot not in self.robots:
            raise unknown_name("driven robot", robot, self.robots)
        if not 0 < minutes <= 24 * 60:
            raise CoterieError(f"A right is given for some minutes, up to a day, and not for {minutes:g}.")
        self.authority.grant(APPROVER, self.agent, COMMAND, robot, self.clock() + 60 * minutes)

    def may(self, robot: str) -> bool:
        return self.authority.may(self.agent, COMMAND, robot)

    # -- the agent's side -------------------------------------------------------------------------------------------
    def ask(self, robot: str, action: Action) -> Proposal | None:
        """Allow an action of a robot that the agent may command; otherwise propose it, instead of what was proposed for
        that robot before."""
        with self.changed:
            if self.may(robot):
                self._permits.append(Permit(robot, action, self.clock() + STANDS_S, by_right=True))
                return None
            for old in [p for p in self.proposals.values() if p.robot == robot]:
                self.end(old, "replaced by another one")
            self.authority.refusal(self.agent, COMMAND, robot)  # kept in the journal
            number = self._count = self._count + 1
            made = self.proposals[number] = Proposal(number, robot, action, self.clock() + STANDS_S)
        self.show(made, "")
        self.tell(f"The agent proposes {made}. Say yes {number} or no {number}.")
        return made

    # -- a person's side --------------------------------------------------------------------------------------------
    def heard(self, text: str) -> None:
        """Take in what the person at the door said; anything but the exact forms moves nobody."""
        try:
            self.tell(self._answered(text.lower().split(), text.split()))
        except CoterieError as err:
            self.tell(str(err))

    def _answered(self, words: list[str], names: list[str]) -> str:
        match words:
            case ["list"]:
                return "; ".join(map(str, self.waiting())) or "Nothing waits for a yes."
            case [first, *_] if first.strip(".,!") == "stop":  # in whatever words
                self.stop(APPROVER, True)
                return "Stopped."
            case ["release"]:
                self.stop(APPROVER, False)
                return "Released."
            case ["yes" | "no", number] if number.isdecimal() and len(number) < 10:
                return self._decided(int(number), words[0] == "yes")
            case ["ask", number] if number in {str(p.number) for p in self.waiting()}:
                found = self.proposals[int(number)]
                left = f"{found.until - self.clock():.0f} s"
                return f"{self.agent} proposes {found}, for {left} more. A yes lets {found.robot} do that once."
            case ["grant", _, minutes] if minutes.isdecimal() and len(minutes) < 10:
                self.grant(names[1], float(minutes))
                return f"The agent may command {names[1]} for {minutes} minutes."
            case ["revoke", _]:
                taken = self.authority.revoke(APPROVER, self.agent, COMMAND, names[1])
                self.withdraw(names[1])
                return f"Taken back: {len(taken)}."
        return HELP

    def withdraw(self, robot: str = "") -> None:
        """Withdraw what was allowed and has not begun: for a robot, or for all, as after a stop."""
        with self.changed:
            self._permits = [p for p in self._permits if robot and p.robot != robot]

    def end(self, proposal: Proposal, why: str) -> None:
        """A proposal that nobody has answered waits no longer."""
        with self.changed:
            if self.proposals.pop(proposal.number, None) is not None and proposal.answer is None:
                self.show(proposal, why)
                self.changed.notify_all()

    def waiting(self) -> list[Proposal]:
        now = self.clock()
        return [p for p in self.proposals.values() if p.answer is None and p.until > now]

    def _decided(self, number: int, yes: bool) -> str:
        with self.changed:
            found = next((p for p in self.waiting() if p.number == number), None)
            if found is None:
                return f"No proposal {number} waits for an answer."
            found.answer = yes
            if yes:
                self._permits.append(Permit(found.robot, found.action, self.clock() + STANDS_S))
            self.changed.notify_all()
        self.show(found, "allowed" if yes else "refused")
        return f"{'Allowed' if yes else 'Refused'}: {found}"

    # -- the driver's side ------------------------------------------------------------------------------------------
    def take(self, robot: str, action: Action) -> bool:
        """Use up the permit for one start of an action; whether there was one that still holds."""
        with self.changed:
            now = self.clock()
            self._permits = [p for p in self._permits if p.until > now and (self.may(p.robot) or not p.by_right)]
            found = next((p for p in self._permits if p.robot == robot and p.action[:2] == action[:2]), None)
            if found is not None:
                self._permits.remove(found)
        return found is not None

    def guard(self, drivers: Mapping[str, Driver]) -> Mapping[str, Driver]:
        """The same drivers, which start nothing without a permit."""
        for driver in drivers.values():
            driver.start = self._guarded(driver.start)  # type: ignore[method-assign, assignment]
        return drivers

    def _guarded(self, start: Callable[[str, Action, float], Any]) -> Callable[[str, Action, float], Any]:
        def guarded(robot: str, action: Action, now: float) -> Any:
            if self.take(robot, action):
                return start(robot, action, now)
            words = "No person has allowed this motion."
            ended = Outcome(robot, action, "failed", words, now, 0.0, cause=Cause(DRIVER))
            return SimpleNamespace(poll=lambda now: ended, cancel=lambda now: ended)  # its driver has not heard of it

        return guarded
