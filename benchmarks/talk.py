"""Talk: the same teaching in fifty ways, and how fast words are answered. `benchmarks/crowd.py`: ten people at once.

python benchmarks/talk.py teach 50     # other nouns, numbers and order of answers, each from its seed, and delivered
python benchmarks/talk.py teach 25 50  # seeds 25 to 49
python benchmarks/talk.py words        # an utterance without planning
python benchmarks/talk.py crowd        # ten people say all kinds of things while the planner works: see crowd.py
"""

from __future__ import annotations

import gc
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


def words() -> None:
    """How long an utterance takes that nothing is planned for: read, done or answered, and said."""
    from coterie.talk.stop import stops
    from tests.mission.talkers import Hospital
    from tests.mission.test_language import ROWS

    talk = Hospital()
    talk.say("teacher", "Hello.")  # the grammar is loaded
    stops("hello", talk.mission.partner.vocabulary)
    gc.freeze()  # as `coterie talk` does both
    plans = ("what if", "why not", "ask can: carry", "ask duration: ", "ask chance: ", "correct: ")
    took = {}
    for text, meant in ROWS:
        if not any(p in meant for p in plans):
            began = time.process_time()  # of the processor: others may use it at the same time
            talk.say("teacher", text)
            took[text] = 1000 * (time.process_time() - began)
    ordered = sorted(took.values())
    share = lambda p: ordered[int(p * (len(ordered) - 1))]  # noqa: E731
    print(
        f"{len(ordered)} utterances: median {share(0.5):.0f} ms, 95 % {share(0.95):.0f} ms, most {ordered[-1]:.0f} ms"
    )


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else "words"
    if what == "teach":
        numbers = [int(n) for n in sys.argv[2:]] or [50]
        teach(range(*numbers))
    elif what == "crowd":
        from crowd import main

        main(sys.argv[2:])
    else:
        words()
