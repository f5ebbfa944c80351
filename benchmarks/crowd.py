"""Ten people say all kinds of things at once while the planner works: how soon each has a reply, and the last one.

python benchmarks/crowd.py                   # ten people, everything that can be said; plans in a process of their own
python benchmarks/crowd.py rounds=12 people=20 seed=2

The first reply is whatever somebody is told after speaking; the last is the answer itself. They are the same where the
answer is there at once. "plans" is the share of the words that were said while a plan was sought.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass

from coterie.episode.inputs import Inputs
from coterie.episode.talk import Hall, Told, config_of, ending, run

#: What people say, by its kind. A row of several sentences is said one after the other, each when the one before has an
#: answer: a correction needs something to be put right, an answer needs a question.
KINDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "looked up": (("What is going on?",), ("What is your plan?",), ("Who can open doors?",), ("Who is here?",),
                  ("Where is the bandage box?",), ("What is on table B?",), ("What are your goals?",),
                  ("How many painkillers are on table B?",), ("What can Spot do?",), ("Is the door to alpha open?",),
                  ("Why did you fail?",), ("Who may approve plans?",), ("What have you learned?",), ("Help.",)),
    "history": (("What has happened so far?",), ("What changed?",), ("How far are you?",)),
    "chances": (("What are the chances?",), ("How likely is it to work?",)),
    "duration": (("How long will it take?",), ("How long does a woundkit take?",)),
    "what if": (("What if table E is empty?",), ("What if Spot is gone?",), ("What if the door to alpha is jammed?",),
                ("How long will it take if table E is empty?",), ("How likely is it to work without Temi?",)),
    "why not": (("Why don't you bring a woundkit to gamma?",), ("Why don't you use Temi?",)),
    "can": (("Can you deliver a feverkit to gamma?",), ("Can Spot open doors?",), ("Who can carry a medkit?",)),
    "fact": (("There are two painkillers on table C.",), ("There is one thermometer on table G.",),
             ("Table F is empty.",), ("The door to gamma is open.",)),
    "correction": (("There are two painkillers on table D.", "No, three.", "I meant table C."),),
    "order": (("Bring a painkiller to table G.", "Undo that."), ("Open the door to beta.", "Undo that."),
              ("Send Temi to gamma.", "No, to beta.", "Undo that.")),
    "approval": (("Yes.",), ("No.",), ("The nurse may approve plans for ten minutes.",)),
    "lesson": (("Define a new kit '{new}'.", "A medical caddy.", "Two painkillers.", "No, three.", "Nothing else.",
                "Forget the {new}."),),
    "steering": (("Pause.", "Continue."), ("Stop!", "Continue."), ("Right, stop.", "Continue.")),
    "other words": (("any idea what the lot of you are up to just now?",), ("I'd fancy a medkit over in gamma, cheers",
                    "No."), ("the moon is made of cheese",), ("do the thing with the stuff",)),
    "talk": (("Hello.",), ("Thank you.",), ("What did you understand?",), ("Say that again.",)),
}  # fmt: skip
GIVE_UP_S = 60.0  # for the last reply
PATIENCE_S = 0.3  # between two things that somebody says


@dataclass
class Timed:
    kind: str
    text: str
    planning: bool
    first_s: float | None = None
    last_s: float | None = None


class Crowd:
    def __init__(self, people: int, rounds: int, seed: int):
        self.people, self.rounds, self.seed, self.kinds = people, rounds, seed, list(KINDS)
        self.hall = Hall(Inputs(), speed=50.0)
        self.hall.hear = self._told
        self._told_at: dict[str, list[float]] = defaultdict(list)
        self._lock = threading.Lock()
        self.rows: list[Timed] = []
        live = {"apart": True}  # as `coterie talk` plans
        made = config_of("hospital", 3)
        self._thread = threading.Thread(target=run, args=(self.hall, *made), kwargs=live, daemon=True)

    def _told(self, told: Told) -> None:
        self._told_at[told.person].append(time.perf_counter())

    def _say(self, person: str, kind: str, text: str) -> None:
        before, number = len(self._told_at[person]), self.hall.spoken.get(person, 0) + 1
        row = Timed(kind, text, self.hall._thinking())
        began = time.perf_counter()
        self.hall.speak(person, text)
        while time.perf_counter() < began + GIVE_UP_S and (row.first_s is None or row.last_s is None):
            if row.first_s is None and len(self._told_at[person]) > before:
                row.first_s = self._told_at[person][before] - began
            if row.last_s is None and self.hall.answered_by_now(person) >= number:
                row.last_s = time.perf_counter() - began
                row.first_s = row.last_s if row.first_s is None else row.first_s
            time.sleep(0.005)
        with self._lock:
            self.rows.append(row)

    def _person(self, number: int) -> None:
        rng, name = random.Random(f"{self.seed} {number}"), f"person{number}"
        for i in range(self.rounds):
            kind = self.kinds[(number + i) % len(self.kinds)]
            for text in rng.choice(KINDS[kind]):
                self._say(name, kind, text.format(new=f"kit{number}x{i}"))
                time.sleep(PATIENCE_S)

    def _busy(self, over: threading.Event) -> None:
        """Goals come and go, so that plans are sought all the time."""
        rng = random.Random(self.seed)
        while not over.is_set():
            kit, room = rng.choice(("medkit", "feverkit", "woundkit")), rng.choice(("alpha", "beta", "gamma"))
            self._say("instructor", "", f"Deliver a {kit} to {room}.")
            over.wait(1.0)
            self._say("instructor", "", "Continue.")
            self._say("instructor", "", "Undo that.")

    def held(self) -> None:
        self._thread.start()
        while self.hall.mission is None or not self.hall.live:
            time.sleep(0.05)
        for n in range(self.people):  # they may order and tell; a visitor would be refused, which is quick
            self.hall.mission.authority.join(f"person{n}", "instructor")
        self._say("teacher", "", "Hello.")  # the grammar is loaded
        self.rows.clear()
        over = threading.Event()
        threads = [threading.Thread(target=self._person, args=(n,)) for n in range(self.people)]
        busy = threading.Thread(target=self._busy, args=(over,))
        busy.start()
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        over.set()
        busy.join()
        self.hall.inputs.put(ending())
        self._thread.join(60)

    def table(self) -> None:
        rows = [r for r in self.rows if r.kind]
        print(f"{self.people} people, {len(rows)} utterances; p50 / p95 / most in seconds by the clock")
        print(f"{'kind':12} {'said':>4} {'plans':>6}   {'first reply':>20}   {'last reply':>20}   none")
        for kind in [*dict.fromkeys(r.kind for r in rows), "all"]:
            mine = [r for r in rows if kind in (r.kind, "all")]
            first, last = ([x for r in mine if (x := getattr(r, f)) is not None] for f in ("first_s", "last_s"))
            share = sum(r.planning for r in mine) / len(mine)
            lost = sum(r.last_s is None for r in mine)
            print(f"{kind:12} {len(mine):4} {share:6.0%}   {_figures(first):>20}   {_figures(last):>20}   {lost}")
        slow = sorted((r for r in rows if r.first_s is None or r.first_s > 1.0), key=lambda r: -(r.first_s or 1e9))
        for text, count in Counter(f"{r.text} (after {r.first_s or -1:.1f} s)" for r in slow).most_common(12):
            print(f"  late: {count} x {text}")


def _figures(took: list[float]) -> str:
    if not took:
        return "-"
    ordered = sorted(took)
    return f"{statistics.median(ordered):.2f} {ordered[math.ceil(0.95 * len(ordered)) - 1]:.2f} {ordered[-1]:.2f}"


if __name__ == "__main__":
    given = {name: int(value) for name, _, value in (word.partition("=") for word in sys.argv[1:])}
    crowd = Crowd(given.get("people", 10), given.get("rounds", len(KINDS)), given.get("seed", 1))
    crowd.held()
    crowd.table()
