"""Each failure mode on a log in which it occurs, and on one that is much alike but sound."""

from __future__ import annotations

import pytest

from coterie.bench.studies.dynahmrc.columns import columns
from coterie.bench.studies.dynahmrc.failures import ANY, BEYOND_BODY, BEYOND_RULE, MISPLACED, MODES
from coterie.core import causes
from coterie.core.action import Cause
from coterie.core.config import Config
from coterie.core.event import from_line, to_line
from coterie.episode.play import play
from coterie.worlds.indoor.skills import skills
from coterie.worlds.indoor.tasks.draw import FINAL_PLACEMENT
from tests.bench.made import Made, failed, held, laid

WAIT = ("wait",)
IN_TRAY = {"bowl_0": "tray"}


def go(place: str, *extra: dict[str, str]) -> tuple[object, ...]:
    return ("navigate", place, "stand_pose_0", *extra)


def say(text: str, *to: str, **extra: object) -> tuple[object, ...]:
    return ("communicate", text, list(to or ("all",)), extra)


ASK = say("Bob, what is the progress?", "Bob")
UNSEEN = ("pick", "bowl_0", failed("nothing of that name is in view here."))
BROKEN = ("place", "bowl_0", "tray", failed("Only the arm may.", "may_place"))
SHIFT = ("move", 0.1, 0.0)
LAID = laid("Alice", "book_0", "table")
SHELF, FRIDGE = say("book_0 is on shelf"), say("bowl_0 is in fridge")
WORDS = "Alice cannot explore high; book_0 is out of reach, which violates a rule of this task."


def stacked(**things: str) -> Made:
    return Made(goal={"kind": "stack", "targets": ["bread_0", "ham_0"], "on": "cutting_board"}, things=things)


def one() -> Made:
    """With a single target."""
    return Made(targets=["book_0"])


def work() -> Made:
    made = Made(bodies="Ma-MoMa", targets=["book_0"])
    made.step(Bob=WAIT, Alice=go("shelf")).sees("Alice", book_0="shelf")
    made.step(held("Alice", "book_0"), Bob=WAIT, Alice=("pick", "book_0")).step(Bob=WAIT, Alice=go("table"))
    made.step(laid("Alice", "book_0", "table"), Bob=WAIT, Alice=("place", "book_0", "table"))
    made.step(held("Bob", "book_0"), Bob=("pick", "book_0"), Alice=WAIT)
    return made.step(laid("Bob", "book_0", "tray"), Bob=("place", "book_0", "tray"), Alice=WAIT)


def between() -> Made:
    """To and fro, with work between."""
    made = Made().step(Alice=go("shelf")).step(Alice=go("table")).step(Alice=go("shelf"))
    return made.step(held("Alice", "book_0"), Alice=("pick", "book_0")).step(Alice=go("table"))


def picked(times: int) -> Made:
    made = Made()
    for _ in range(times):
        made.step(held("Bob", "bowl_0"), Bob=("pick", "bowl_0"))
        made.step(laid("Bob", "bowl_0", "table"), Bob=("place", "bowl_0", "table"))
    return made


def waited(made: Made, times: int = 5, robot: str = "Alice") -> Made:
    for _ in range(times):
        made.step(**{robot: WAIT})
    return made


#: What happens, and how often which mode is found in it; None: no mode at all.
FOUND = {
    "quiet work": (work, None, 0),
    # state-task misalignment
    "asks for what is done": (
        lambda: Made(things=IN_TRAY).step(Lucy=say("Bob, please place bowl_0 into the tray.", "Bob")), 0, 1,
    ),
    "takes a target out again": (lambda: Made(things=IN_TRAY).step(Bob=("pick", "bowl_0")), 0, 1),
    "reports what is done, asks for what is not": (
        lambda: Made(things=IN_TRAY).step(Lucy=say("bowl_0 is placed.", "Bob"), Alice=say("Find book_0.", "Lucy")),
        0, 0,
    ),
    "takes a wrong layer off": (
        lambda: stacked(ham_0="cutting_board", bread_0="table").step(Bob=("pick", "ham_0")), 0, 0,
    ),
    "takes a right layer off": (
        lambda: stacked(bread_0="cutting_board", ham_0="table").step(Bob=("pick", "bread_0")), 0, 1,
    ),
    # progress-goal-experience fusion gap
    "takes what is no target": (lambda: Made().step(Alice=("pick", "fork_0")), 1, 1),
    "takes an intruder out": (lambda: Made(things={"fork_0": "tray"}).step(Bob=("pick", "fork_0")), 1, 0),
    "drives on although all is found": (lambda: one().sees("David", book_0="shelf").step(David=go("fridge")), 1, 1),
    "drives to search": (lambda: one().sees("David").step(David=go("fridge")), 1, 0),
    "drives to a target": (lambda: one().sees("David", book_0="shelf").step(David=go("shelf")), 1, 0),
    "drives to the table": (lambda: one().sees("David", book_0="shelf").step(David=go("table")), 1, 0),
    "drives on since a place proved wrong": (
        lambda: one().sees("David", book_0="shelf").sees("David", book_0="?").step(David=go("fridge")), 1, 0,
    ),
    "asks about progress": (lambda: Made().step(Alice=ASK), 1, 0),
    "asks about progress again": (lambda: Made().step(Alice=ASK).step(Alice=say("Is it done, Bob?", "Bob")), 1, 1),
    # myopic redundancy
    "the same words again": (lambda: Made().step(Alice=SHELF).step(Alice=SHELF), 2, 1),
    "other words": (lambda: Made().step(Alice=SHELF).step(Alice=FRIDGE), 2, 0),
    "to and fro": (
        lambda: Made().step(David=go("shelf")).step(David=go("fridge")).step(David=go("shelf"))
        .step(David=go("fridge")), 2, 1,
    ),
    "to and fro with work between": (between, 2, 0),
    "the same thing three times": (lambda: picked(3), 2, 1),
    "a second try": (lambda: Made().step(Alice=UNSEEN).step(Alice=UNSEEN), 2, 0),
    "a third try": (
        lambda: Made().step(Alice=UNSEEN).step(Alice=WAIT).step(Alice=UNSEEN).step(Alice=UNSEEN), 2, 1,
    ),
    # capability grounding error
    "goes where its body cannot": (lambda: Made().step(Alice=go("high", failed("It is elevated.", "level_ok"))), 3, 1),
    "is refused what its body cannot": (
        lambda: Made().refused("Bob", "open", "fridge", reason="no skill", cause=Cause("on_card")).step(Bob=WAIT), 3, 1,
    ),
    "words without a cause betray nothing": (
        lambda: Made().refused("Alice", "pick", "book_0", reason=WORDS)
        .step(Alice=("pick", "book_0", {"status": "failed", "reason": WORDS})), None, 0,
    ),
    "asks for what a teammate cannot": (lambda: Made().step(Lucy=say("Bob, please open the fridge.", "Bob")), 3, 1),
    "asks for what a teammate can": (
        lambda: Made().step(Lucy=say("Alice, please open the fridge.", "Alice"), Alice=say("I will open it.", "Bob")),
        3, 0,
    ),
    "breaks a rule": (lambda: Made().step(Alice=BROKEN), 3, 0),
    "breaks it again": (lambda: Made().step(Alice=BROKEN).step(Alice=go("table")).step(Alice=BROKEN), 3, 1),
    # over-constrained division of labour
    "waits while others search": (lambda: waited(Made()), 4, 1),
    "waits and knows all": (lambda: waited(Made().sees("Alice", bowl_0="fridge", book_0="shelf")), 4, 0),
    "an arm waits": (lambda: waited(Made(), robot="Bob"), 4, 0),
    "waits shortly": (lambda: waited(Made(), 2), 4, 0),
    "waits where all is explored": (lambda: waited(Made().step(David=go("shelf")).step(David=go("fridge"))), 4, 0),
    "waits and sees the truth": (lambda: waited(Made(sees="truth")), 4, 0),
    # spatial and affordance misbinding
    "reaches too far": (lambda: Made().step(Alice=("pick", "book_0", failed("It is 2.10 m away.", "gap"))), 5, 1),
    "opens what is open": (lambda: Made().step(Alice=("open", "fridge", failed("It is open.", "open"))), 5, 1),
    "a clause counts with its own skill": (
        lambda: Made().step(Alice=("close", "fridge", failed("It is closed.", "open"))), 5, 0,
    ),
    "shifts its base twice": (lambda: Made().step(Alice=SHIFT).step(Alice=SHIFT), 5, 1),
    "shifts it for something": (
        lambda: Made().step(Alice=SHIFT).step(Alice=("pick", "book_0")).step(Alice=SHIFT), 5, 0,
    ),
    "an arm hesitates": (lambda: waited(Made(things={"bowl_0": "table"}), 3, "Bob"), 5, 1),
    "an arm waits once": (lambda: waited(Made(things={"bowl_0": "table"}), 1, "Bob"), 5, 0),
    "nothing is within its reach": (lambda: waited(Made(), 2, "Bob"), 5, 0),
    "an arm waits for the layer below": (lambda: waited(stacked(ham_0="table", bread_0="shelf"), 2, "Bob"), 5, 0),
    # object-level contention
    "two hands on one thing": (lambda: Made().step(Alice=("pick", "book_0"), Lucy=("pick", "book_0")), 6, 1),
    "two hands on two": (lambda: Made().step(Alice=("pick", "book_0"), Lucy=("pick", "bowl_0")), 6, 0),
    "reaches for what another holds": (
        lambda: Made().step(held("Lucy", "book_0"), Lucy=("pick", "book_0"))
        .step(Alice=("pick", "book_0", failed("not in view"))), 6, 1,
    ),
    "takes back what was laid down for the arm": (
        lambda: Made().step(LAID, Alice=("place", "book_0", "table")).step(Alice=("pick", "book_0")), 6, 1,
    ),
    "the arm takes it": (
        lambda: Made().step(LAID, Alice=("place", "book_0", "table")).step(Bob=("pick", "book_0")), 6, 0,
    ),
    # communication inefficiency
    "no news": (lambda: Made().step(Alice=say("Hello, I am still looking.")), 7, 1),
    "news of another's": (lambda: Made().step(Alice=SHELF).step(Lucy=say("yes, shelf has book_0", "Bob")), 7, 1),
    "news": (
        lambda: Made().step(Alice=SHELF).step(Alice=FRIDGE)
        .step(Alice=say("Look.", facts=[["where", ["fork_0"], "shelf", 0.0]]))
        .step(Lucy=say("book_0 is on shelf", "Alice")), 7, 0,  # Alice has said so but was never told
    ),
    "after a change it may be said again": (
        lambda: Made().step(Alice=SHELF).change("zones", closed={}).step(Alice=say("shelf: book_0")), 7, 0,
    ),
}  # fmt: skip
#: In these no other mode is found.
ALONE = (
    "asks for what is done", "takes what is no target", "drives on although all is found", "to and fro",
    "goes where its body cannot", "asks for what a teammate cannot", "waits while others search", "reaches too far",
    "two hands on one thing", "no news",
)  # fmt: skip


@pytest.mark.parametrize("what", FOUND)
def test_each_mode_is_found_where_it_occurs_and_not_in_what_is_much_alike(what):
    make, mode, times = FOUND[what]
    found = columns(make().events())["failures"]
    if mode is None:
        assert not any(found.values())
    else:
        assert found[MODES[mode]] == times
    if what in ALONE:
        assert {m for m, n in found.items() if n} == {MODES[mode]}


# -- against the program itself -------------------------------------------------------------------------------------
@pytest.mark.parametrize("table", [BEYOND_BODY, BEYOND_RULE, MISPLACED])
def test_the_clauses_that_are_looked_for_exist(table):
    declared = {name: {c.name for c in skill.when} for name, skill in skills.items()}
    declared[FINAL_PLACEMENT.skill].add(FINAL_PLACEMENT.clause.name)
    declared[ANY] = {v for k, v in vars(causes).items() if k.isupper()}
    for skill, clauses in table.items():
        assert clauses <= declared[skill], skill


def test_memory_and_file_give_the_same_labels():
    for protocol in ("random", "expert"):
        log = play(Config(protocol=protocol, team="Ma-MoMa", seed=4, changes=("anc@5:UAV",))).log
        found = columns(log.events)["failures"]
        assert found == columns([from_line(to_line(e)) for e in log.events])["failures"]
        assert bool(any(found.values())) == (protocol == "random")
