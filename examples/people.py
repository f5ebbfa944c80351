"""People in the loop: Eve speaks to a team, wants something else, stops a robot; and one robot has motors of its own.

Run it:  python examples/people.py
"""

from __future__ import annotations

from dataclasses import dataclass, field

from coterie.core.action import Action, Outcome
from coterie.core.config import Config
from coterie.core.task import Change, Trigger
from coterie.episode.inputs import Cancellation, Input, Inputs, Utterance
from coterie.episode.loop import Episode
from coterie.episode.play import Played, play
from coterie.worlds.indoor.tasks.goals import Pack

CONFIG = Config(task="pack-objects", protocol="rules", seed=4, synchronous=False)


# -- a person -------------------------------------------------------------------------------------------------------
class Eve:
    """Stands for somebody at a keyboard. `inputs` may be filled from any thread, at any time; so that the example
    repeats, she goes by the simulated clock."""

    def __init__(self) -> None:
        self.inputs = Inputs()
        fewer = Pack(targets=("wallet_0", "lemon_0"))
        self.plan: list[tuple[float, Input]] = [
            (12.0, Utterance("Eve", "Never mind the drawer.", to=("Alice",))),
            (12.0, Cancellation("Alice", by="Eve")),
            (24.0, Change(Trigger(step=0), "goal", {"goal": fewer}, told=("all",), source="Eve")),
        ]

    def __call__(self, episode: Episode) -> None:
        """Called whenever something has ended."""
        while self.plan and episode.world.now >= self.plan[0][0]:
            self.inputs.put(self.plan.pop(0)[1])


# -- a robot of flesh and steel -------------------------------------------------------------------------------------
@dataclass
class Motors:
    """Carries out the actions of one robot. These count to three; yours talk to a machine."""

    log: list[str] = field(default_factory=list)

    def start(self, robot: str, action: Action, now: float) -> Motion:
        self.log.append(f"{robot}: {action}")
        return Motion(robot, action, now)


@dataclass
class Motion:
    robot: str
    action: Action
    begun: float
    polls: int = 0

    def poll(self, now: float) -> Outcome | None:
        """Asked once a simulated second: None while it moves, and how it ended when it has."""
        self.polls += 1
        return self._ended("done", "The motors stand still.", now) if self.polls == 3 else None

    def cancel(self, now: float) -> Outcome:
        return self._ended("cancelled", "The motors were stopped.", now)

    def _ended(self, status: str, words: str, now: float) -> Outcome:
        return Outcome(self.robot, self.action, status, words, self.begun, now - self.begun)  # type: ignore[arg-type]


def main() -> Played:
    eve, motors = Eve(), Motors()
    played = play(CONFIG, watch=eve, inputs=eve.inputs, drivers={"Lucy": motors})
    for event in played.log.events:
        if event.kind == "input" and event.data["kind"] != "ended":
            print(f"step {event.step}: {event.who}, {event.data['kind']}")
    print(f"{len(motors.log)} actions went to Lucy's motors, the first was {motors.log[0]}")
    print(f"{played.result.status} after {played.result.steps} steps")
    return played


if __name__ == "__main__":
    main()
