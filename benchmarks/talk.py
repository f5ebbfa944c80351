"""Talk: the same teaching in fifty ways, each from its seed: other nouns, numbers and order of answers.

python benchmarks/talk.py [50]     # seeds 0 to 49: taught, ordered by somebody else, and delivered
python benchmarks/talk.py 25 50    # seeds 25 to 49
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from coterie.episode.talk import Talk

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.mission.drawn_lessons import drawn, expected  # noqa: E402

PATIENT_S = 1800.0  # of the clock, for a plan on a machine that does other things, too


def _ended(talk: Talk) -> list[str]:
    """What became of what was ordered: until it is over, or waits for somebody."""
    until = time.monotonic() + PATIENT_S
    while time.monotonic() < until:
        states = [g.state for g in talk.mission.goals.all() if not g.parent]
        if all(s in ("done", "failed", "cancelled", "waiting") for s in states):
            break
        time.sleep(0.1)
    return states


def teach(seeds: range) -> None:
    """Kits drawn from seeds are taught, ordered by somebody else, and carried out until they are delivered."""
    taught = delivered = 0
    began = time.perf_counter()
    for seed in seeds:
        lesson = drawn(seed)
        with Talk("hospital", seed=seed) as talk:
            replies = [talk.say("teacher", text) for text in lesson.lines]
            talk.say("instructor", f"Deliver a {lesson.label} to {lesson.room}.", PATIENT_S)
            goals = [talk.mission.wanted_of(g).wish for g in talk.mission.goals.all()]
            ok = [dict(w.contents) for w in goals] == [lesson.contents] and expected(lesson, replies)
            end = _ended(talk)
        taught += ok
        delivered += end == ["done"]
        if not ok or end != ["done"]:
            print(f"seed {seed}: {end} {lesson} {replies} {goals}", flush=True)
    print(f"{taught} of {len(seeds)} taught as meant, {delivered} delivered, {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    teach(range(*([int(n) for n in sys.argv[1:]] or [50])))
