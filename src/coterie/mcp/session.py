"""An episode in which an agent sits at the seats of some robots: it looks, acts, and is told what came of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from coterie.core.action import Action
from coterie.core.config import Config
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.kinds import Misread
from coterie.core.protocol import Ask, Reply
from coterie.core.world import Driver
from coterie.episode.driving import HERE
from coterie.episode.inputs import Cancellation, Inputs, Stop
from coterie.episode.play import Played, play
from coterie.episode.setup import build, resolve
from coterie.log.file import Log
from coterie.mcp.consent import Consent
from coterie.protocols.seat import Seat
from coterie.worlds import entry_of


class Left(CoterieError):
    """The agent has left its seat."""


class Session:
    """One episode in a thread of its own. It is the model that the seats ask, and waits for the agent's answers."""

    name = "agent"

    def __init__(
        self,
        config: Config,
        seats: Sequence[str],
        consent: Consent,
        drivers: Mapping[str, Driver],
        log: Path | None,
        follow: Callable[[Log], None] | None = None,
    ):
        config = resolve(config)
        robots = [n for n, _ in build(config)[1].robots]
        self.seats = tuple(seats) or tuple(robots)
        for name in (*self.seats, *drivers):
            if name not in robots:
                raise unknown_name("robot", name, robots)
        if odd := [n for n in drivers if n not in self.seats]:
            raise CoterieError(
                f"{', '.join(odd)} is driven, and nobody but the agent would decide for it: take its seat."
            )
        self.config, self.consent, self.log, self.inputs = config, consent, log, Inputs()
        self.driven = frozenset(drivers)
        self._close = getattr(drivers, "close", lambda: None)
        self.language = entry_of(config.task).language
        self.turns: dict[str, Ask] = {}
        self.result: dict[str, Any] | None = None
        self._given: dict[str, str] = {}
        self._gone = False
        seat = partial(Seat, self.seats)
        run = partial(play, config, log, model=self, inputs=self.inputs, before=[seat], follow=follow)
        self._thread = threading.Thread(
            target=self._run, args=(partial(run, drivers=consent.guard(drivers)),), daemon=True
        )
        self._thread.start()

    def _run(self, episode: Callable[[], Played]) -> None:
        try:
            result = episode().result
            ended: dict[str, Any] = result._asdict()
        except Left:
            ended = {"status": "left"}
        except CoterieError as err:
            ended = {"status": "failed", "error": str(err)}
        self._close()
        with self.consent.changed:
            self.result, self.turns = ended, {}
            self.consent.changed.notify_all()

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        """Wait for the agent: called by the episode, for all seats that are to decide now."""
        with self.consent.changed:
            self.turns = {ask.robot: ask for ask in asks}
            self._given.clear()
            self.consent.changed.notify_all()
            self.consent.changed.wait_for(lambda: self._gone or self._given.keys() >= self.turns.keys())
            if self._gone:
                raise Left("The agent has left its seat.")
            self.turns = {}
            return [Reply(self._given[ask.robot]) for ask in asks]

    # -- tools ------------------------------------------------------------------------------------------------------
    def look(self, robot: str = "", wait_s: float = 30.0) -> dict[str, Any]:
        """The view of a robot at its decision, or the end; waits until one of them is there."""
        if robot and robot not in self.seats:
            raise unknown_name("seat", robot, self.seats)
        with self.consent.changed:
            self.consent.changed.wait_for(lambda: self.result is not None or self._open(robot), wait_s)
            if self.result is not None:
                return {"over": True, "log": self.log.stem if self.log is not None else "", **self.result}
            turn = next(iter(self._open(robot)), None)
            told = {"over": False, "waits_for_a_yes": [str(p) for p in self.consent.waiting()]}
            if turn is None:
                return {**told, "waits": True, "why": "nobody has to decide at the moment"}
            return {**told, "driven": turn.robot in self.driven, **json.loads(turn.prompt[-1][1])}

    def _open(self, robot: str) -> list[Ask]:
        return [a for n, a in self.turns.items() if n not in self._given and robot in ("", n)]

    def act(self, robot: str, text: str) -> dict[str, Any]:
        """Decide for a robot. What would move a driven one without a right is proposed, and waits for a yes."""
        turn = next(iter(self._open(robot)), None) if robot else None
        if turn is None:
            raise CoterieError(f"{robot or 'Nobody'} has nothing to decide now; look first.")
        known = json.loads(turn.prompt[-1][1])
        read = self.language.read(text, known["team"])
        if isinstance(read, Misread):
            raise CoterieError(f"That is no action: {read.reason}. Legal ones are written like {known['legal'][0]}.")
        if robot in self.driven and read.skill not in HERE:
            proposal = self.consent.ask(robot, read)
            if proposal is not None:
                threading.Thread(target=self._decided, args=(proposal, turn, read), daemon=True).start()
                return {
                    "proposed": proposal.number,
                    "words": f"{robot} moves when a person says yes; look meanwhile.",
                }
        return {"done": self._give(turn, self.language.written(read))}

    def _give(self, turn: Ask, text: str) -> bool:
        with self.consent.changed:
            if self.turns.get(turn.robot) is not turn:  # it was decided otherwise, or is over
                return False
            self._given[turn.robot] = text
            self.consent.changed.notify_all()
            return True

    def _decided(self, proposal: Any, turn: Ask, action: Action) -> None:
        """Wait for a person's answer to a proposal."""

        def decided() -> bool:
            gone = self.result is not None or proposal.number not in self.consent.proposals
            return proposal.answer is not None or gone or turn not in self._open(turn.robot)

        with self.consent.changed:
            in_time = self.consent.changed.wait_for(decided, proposal.until - self.consent.clock())
            if proposal.answer is None:
                why = "over with its episode" if self.result is not None else "not needed: it was decided otherwise"
                self.consent.end(proposal, why if in_time else "not answered")
            elif proposal.answer and not self._give(turn, self.language.written(action)):
                self.consent.take(turn.robot, action)  # a yes that came too late is used up

    def cancel(self, robot: str) -> dict[str, Any]:
        """Call off what a robot does, what was decided for it and has not begun, and what waits for a yes."""
        if robot not in self.seats:
            raise unknown_name("seat", robot, self.seats)
        with self.consent.changed:
            proposed = [p for p in self.consent.waiting() if p.robot == robot]
            for proposal in proposed:
                self.consent.end(proposal, "taken back by the agent")
            self.consent.withdraw(robot)
            decided = self._given.pop(robot, "") if robot in self.turns else ""
            ending = robot not in self.turns and self.result is None
            if ending:  # taken in once nobody has to decide
                self.inputs.put(Cancellation(robot, self.consent.agent))
        return {"proposed": [str(p) for p in proposed], "decided": decided, "ending": ending}

    def stop(self, by: str, on: bool = True) -> None:
        self.inputs.put(Stop(by, ("all",), on))

    def leave(self) -> None:
        with self.consent.changed:
            self._gone = True
            self.consent.changed.notify_all()
        self._thread.join(10.0)
        self.consent.withdraw()
