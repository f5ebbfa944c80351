"""Frames of guesses: each looks at a sentence and says what it would mean, or nothing. The first that does counts."""

from __future__ import annotations

from collections.abc import Callable

from coterie.mission.language.guess_answers import answer
from coterie.mission.language.guess_facts import tell
from coterie.mission.language.guess_lessons import alter, correct, kit_told, permit, teach
from coterie.mission.language.guess_orders import order
from coterie.mission.language.guess_questions import ask, what_if
from coterie.mission.language.guess_rules import conditional
from coterie.mission.language.guess_steering import steer, stop
from coterie.mission.language.heard import Heard
from coterie.talk.meanings import Meaning


def frames() -> tuple[Callable[[Heard], Meaning | None], ...]:
    return FRAMES


#: In this order: what is said in few words or sets a frame for the rest comes first.
FRAMES: tuple[Callable[[Heard], Meaning | None], ...] = (
    stop,
    kit_told,
    teach,
    permit,
    what_if,
    conditional,
    correct,
    ask,
    steer,
    alter,
    order,
    tell,
    answer,
)
