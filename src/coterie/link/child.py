"""The far end of a link: `python -m coterie.link.child` reads requests, a line each, and answers each with a line.

It holds one robot's view and its protocol, and knows nothing but what it was told: the place (`WorldEntry.grounds`),
and line by line what the robot perceives, hears and learns.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from typing import Any, TextIO

from coterie.core.entry import Grounds
from coterie.core.errors import CoterieError
from coterie.core.facts import Belief
from coterie.core.protocol import Option, RobotView, TeamProtocol, TeamView
from coterie.core.wire import from_wire, to_wire
from coterie.link.lines import Twin
from coterie.protocols import protocols
from coterie.worlds import worlds


class Seat:
    """The place of a mind in its own process."""

    def __init__(self, request: dict[str, Any]):
        self.protocol: TeamProtocol = protocols.get(request["protocol"])()
        if self.protocol.sees != "own":
            raise CoterieError(
                f"The protocol '{request['protocol']}' sees more than its own robot, so it cannot sit elsewhere; "
                "take one with sees = 'own', such as rules."
            )
        ground = request["ground"]
        self.grounds: Grounds = worlds.get(ground["world"]).grounds(ground)
        belief = Belief(self.grounds.map, self.grounds.listings)
        card = request["card"]
        self.view = RobotView(
            request["name"],
            card,
            belief,
            self.grounds.lookup(belief),
            rules=self.grounds.rules,
            skills={name: self.grounds.skill(name) for name in card.skills},
            step_limit=request["step_limit"],
            seed=request["seed"],
            sure=request["sure"],
        )
        self.twin = Twin(belief)
        self.thinking: Generator[Any, Any, Any] | None = None
        self.option: Option | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        do = request["do"]
        if do == "told":
            self.protocol.told(request["change"])
            return {}
        self._perceive(request)
        if do in ("decide", "between"):
            step, now = request["clock"]
            team = TeamView({self.view.name: self.view}, step, now, lookup=self.grounds.lookup)
            ask = self.protocol.decide if do == "decide" else self.protocol.between
            self.thinking = ask(team, [self.view.name])
            found = self._think(None)
        elif do == "resume":
            found = self._think(list(request["replies"]))
        elif do == "step" and self.option is not None:
            found = {"action": self.option.step(self.view)}
        elif do == "interrupted" and self.option is not None:
            found = {"why": self.option.interrupted(self.view)}
        else:
            raise CoterieError(f"Nothing can be done about '{do}' now.")
        said, self.view.outbox[:] = tuple(self.view.outbox), []
        return {**found, "said": said, "news": self.twin.news()}

    def _perceive(self, request: dict[str, Any]) -> None:
        self.twin.take(request["news"])
        view, told = self.view, request["view"]
        view.step, view.time, view.heartbeat = told["step"], told["time"], told["heartbeat"]
        view.pulse = told["pulse"]
        view.inbox[:], view.refusals[:] = told["inbox"], told["refusals"]
        view.outcome = told.get("outcome", view.outcome)

    def _think(self, replies: list[Any] | None) -> dict[str, Any]:
        assert self.thinking is not None
        try:
            return {"asks": tuple(self.thinking.send(replies))}
        except StopIteration as end:
            decision = (end.value or {}).get(self.view.name)
        if isinstance(decision, Option):
            self.option = decision
            return {"option": decision.name}
        return {"action": decision}


def serve(lines: TextIO, out: TextIO) -> None:
    """Answer requests until the other end closes."""
    seat: Seat | None = None
    for line in lines:
        try:
            request = from_wire(line)
            if seat is None:
                seat = Seat(request)
                found: dict[str, Any] = {}
            else:
                found = seat.answer(request)
            text = to_wire(found)
        except CoterieError as err:
            text = to_wire({"error": str(err)})
        except Exception as err:  # noqa: BLE001 - whatever a mind does wrong is told at the near end, where it is heard
            text = to_wire({"error": f"The mind in the other process failed: {type(err).__name__}: {err}."})
        out.write(text + "\n")
        out.flush()


def main() -> None:
    """Serve a mind on standard input and output; what it prints itself goes to the error output."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        serve(sys.stdin, out)


if __name__ == "__main__":
    main()
