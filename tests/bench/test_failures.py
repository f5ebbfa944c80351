"""Each failure mode on a log in which it occurs, and on one that is much alike but sound."""

from __future__ import annotations

import inspect

import pytest

from coterie.bench.studies.dynahmrc.failures import BEYOND_BODY, BEYOND_RULE, MISPLACED, MODES, failure_modes
from coterie.core.action import Action
from coterie.core.config import Config
from coterie.core.event import from_line, to_line
from coterie.core.judge import known_verdict
from coterie.episode.play import play
from coterie.episode.setup import build
from coterie.worlds.indoor.skills import skills
from coterie.worlds.indoor.tasks.draw import FINAL_PLACEMENT
from tests.bench.made import Made, failed, held, laid

WAIT = ("wait",)
IN_TRAY = {"bowl_0": "tray"}


def go(place: str, *extra: dict[str, str]) -> tuple[object, ...]:
    return ("navigate", place, "stand_pose_0", *extra)


def say(text: str, *to: str, **extra: object) -> tuple[object, ...]:
    return ("communicate", text, list(to or ("all",)), extra)


def count(made: Made, mode: str) -> int:
    return failure_modes(made.events())[mode]


def only(made: Made, mode: str, times: int = 1) -> None:
    found = failure_modes(made.events())
    assert {m: n for m, n in found.items() if n} == {mode: times}


def test_there_are_eight_modes():
    assert len(MODES) == len(set(MODES)) == 8


def test_quiet_work_shows_no_failure():
    made = Made(bodies="Ma-MoMa", targets=["book_0"])
    made.step(Bob=WAIT, Alice=go("shelf")).sees("Alice", book_0="shelf")
    made.step(held("Alice", "book_0"), Bob=WAIT, Alice=("pick", "book_0")).step(Bob=WAIT, Alice=go("table"))
    made.step(laid("Alice", "book_0", "table"), Bob=WAIT, Alice=("place", "book_0", "table"))
    made.step(held("Bob", "book_0"), Bob=("pick", "book_0"), Alice=WAIT)
    made.step(laid("Bob", "book_0", "tray"), Bob=("place", "book_0", "tray"), Alice=WAIT)
    assert not any(failure_modes(made.events(success=True, partial=1.0)).values())


# -- state-task misalignment ----------------------------------------------------------------------------------------
def test_asking_for_what_is_done():
    only(Made(things=IN_TRAY).step(Lucy=say("Bob, please place bowl_0 into the tray.", "Bob")), MODES[0])


def test_taking_a_target_out_again():
    assert count(Made(things=IN_TRAY).step(Bob=("pick", "bowl_0")), MODES[0]) == 1


def test_reporting_what_is_done_or_asking_for_what_is_not():
    made = Made(things=IN_TRAY).step(Lucy=say("bowl_0 has been placed.", "Bob"), Alice=say("Find book_0.", "Lucy"))
    assert count(made, MODES[0]) == 0


def test_a_wrong_layer_may_be_taken_off():
    goal = {"kind": "stack", "targets": ["bread_0", "ham_0"], "on": "cutting_board"}
    wrong = Made(goal=goal, things={"ham_0": "cutting_board", "bread_0": "table"}).step(Bob=("pick", "ham_0"))
    assert count(wrong, MODES[0]) == 0
    right = Made(goal=goal, things={"bread_0": "cutting_board", "ham_0": "table"}).step(Bob=("pick", "bread_0"))
    assert count(right, MODES[0]) == 1


# -- progress-goal-experience fusion gap ----------------------------------------------------------------------------
def test_taking_what_is_no_target():
    only(Made().step(Alice=("pick", "fork_0")), MODES[1])


def test_an_intruder_may_be_taken_out():
    assert count(Made(things={"fork_0": "tray"}).step(Bob=("pick", "fork_0")), MODES[1]) == 0


def test_driving_on_although_all_is_found():
    made = Made(targets=["book_0"]).sees("David", book_0="shelf").step(David=go("fridge"))
    only(made, MODES[1])


@pytest.mark.parametrize(
    "known, place", [({}, "fridge"), ({"book_0": "shelf"}, "shelf"), ({"book_0": "shelf"}, "table")]
)
def test_driving_with_a_purpose(known, place):
    assert count(Made(targets=["book_0"]).sees("David", **known).step(David=go(place)), MODES[1]) == 0


def test_a_place_that_proved_wrong_is_unknown_again():
    made = Made(targets=["book_0"]).sees("David", book_0="shelf").sees("David", book_0="?")
    assert count(made.step(David=go("fridge")), MODES[1]) == 0


def test_asking_about_progress_again():
    ask = say("Bob, what is the progress?", "Bob")
    assert count(Made().step(Alice=ask), MODES[1]) == 0
    assert count(Made().step(Alice=ask).step(Alice=say("Is it done, Bob?", "Bob")), MODES[1]) == 1


# -- myopic redundancy ----------------------------------------------------------------------------------------------
def test_the_same_words_again():
    made = Made().step(Alice=say("book_0 is on shelf")).step(Alice=say("book_0 is on shelf"))
    assert count(made, MODES[2]) == 1
    made = Made().step(Alice=say("book_0 is on shelf")).step(Alice=say("bowl_0 is in fridge"))
    assert count(made, MODES[2]) == 0


def test_to_and_fro():
    only(
        Made().step(David=go("shelf")).step(David=go("fridge")).step(David=go("shelf")).step(David=go("fridge")),
        MODES[2],
    )


def test_to_and_fro_with_work_between():
    made = Made().step(Alice=go("shelf")).step(Alice=go("table")).step(Alice=go("shelf"))
    made.step(held("Alice", "book_0"), Alice=("pick", "book_0")).step(Alice=go("table"))
    assert count(made, MODES[2]) == 0


def test_picking_the_same_thing_three_times():
    made = Made()
    for _ in range(3):
        made.step(held("Bob", "bowl_0"), Bob=("pick", "bowl_0"))
        made.step(laid("Bob", "bowl_0", "table"), Bob=("place", "bowl_0", "table"))
    assert count(made, MODES[2]) == 1


def test_a_third_try_of_what_failed_twice():
    bad = ("pick", "bowl_0", failed("nothing of that name is in view here."))
    assert count(Made().step(Alice=bad).step(Alice=bad), MODES[2]) == 0
    assert count(Made().step(Alice=bad).step(Alice=WAIT).step(Alice=bad).step(Alice=bad), MODES[2]) == 1


# -- capability grounding error -------------------------------------------------------------------------------------
def test_trying_what_the_body_cannot():
    only(Made().step(Alice=go("high", failed("Alice cannot explore high: it is an elevated place."))), MODES[3])
    refused = Made().refused("Bob", "open", "fridge", reason="Bob has no skill open; it has pick.").step(Bob=WAIT)
    assert count(refused, MODES[3]) == 1


def test_asking_a_teammate_for_what_it_cannot():
    only(Made().step(Lucy=say("Bob, please open the fridge.", "Bob")), MODES[3])


def test_asking_a_teammate_for_what_it_can():
    made = Made().step(Lucy=say("Alice, please open the fridge.", "Alice"), Alice=say("I will open fridge.", "Bob"))
    assert count(made, MODES[3]) == 0


def test_a_rule_is_learnt_once():
    broken = ("place", "bowl_0", "tray", failed(f"the placement {BEYOND_RULE}: only the arm may."))
    assert count(Made().step(Alice=broken), MODES[3]) == 0
    assert count(Made().step(Alice=broken).step(Alice=go("table")).step(Alice=broken), MODES[3]) == 1


# -- over-constrained division of labor -----------------------------------------------------------------------------
def test_waiting_while_others_search():
    made = Made()
    for _ in range(5):
        made.step(Alice=WAIT)
    only(made, MODES[4])


@pytest.mark.parametrize("case", ["knows", "arm", "short", "explored", "truth"])
def test_waiting_for_good_reason(case):
    made = Made(sees="truth" if case == "truth" else "own")
    if case == "knows":
        made.sees("Alice", bowl_0="fridge", book_0="shelf")
    if case == "explored":
        made.step(David=go("shelf")).step(David=go("fridge"))
    robot = "Bob" if case == "arm" else "Alice"
    for _ in range(2 if case == "short" else 5):
        made.step(**{robot: WAIT})
    assert count(made, MODES[4]) == 0


# -- spatial/affordance misbinding ----------------------------------------------------------------------------------
def test_reaching_too_far():
    only(Made().step(Alice=("pick", "book_0", failed("book_0 is out of reach: it is 2.10 m away."))), MODES[5])


def test_shifting_the_base_twice():
    shift = ("move", 0.1, 0.0)
    assert count(Made().step(Alice=shift).step(Alice=shift), MODES[5]) == 1
    assert count(Made().step(Alice=shift).step(Alice=("pick", "book_0")).step(Alice=shift), MODES[5]) == 0


def test_an_arm_that_hesitates():
    assert count(Made(things={"bowl_0": "table"}).step(Bob=WAIT).step(Bob=WAIT).step(Bob=WAIT), MODES[5]) == 1
    assert count(Made(things={"bowl_0": "table"}).step(Bob=WAIT), MODES[5]) == 0
    assert count(Made().step(Bob=WAIT).step(Bob=WAIT), MODES[5]) == 0  # nothing within its reach


def test_an_arm_that_waits_for_the_layer_below():
    goal = {"kind": "stack", "targets": ["bread_0", "ham_0"], "on": "cutting_board"}
    made = Made(goal=goal, things={"ham_0": "table", "bread_0": "shelf"}).step(Bob=WAIT).step(Bob=WAIT)
    assert count(made, MODES[5]) == 0


# -- object-level contention ----------------------------------------------------------------------------------------
def test_two_hands_on_one_thing():
    only(Made().step(Alice=("pick", "book_0"), Lucy=("pick", "book_0")), MODES[6])
    assert count(Made().step(Alice=("pick", "book_0"), Lucy=("pick", "bowl_0")), MODES[6]) == 0


def test_reaching_for_what_another_holds():
    made = Made().step(held("Lucy", "book_0"), Lucy=("pick", "book_0"))
    assert count(made.step(Alice=("pick", "book_0", failed("not in view"))), MODES[6]) == 1


def test_taking_back_what_was_laid_down_for_the_arm():
    made = Made().step(laid("Alice", "book_0", "table"), Alice=("place", "book_0", "table"))
    assert count(made.step(Alice=("pick", "book_0")), MODES[6]) == 1
    made = Made().step(laid("Alice", "book_0", "table"), Alice=("place", "book_0", "table"))
    assert count(made.step(Bob=("pick", "book_0")), MODES[6]) == 0


# -- communication inefficiency -------------------------------------------------------------------------------------
def test_words_without_news():
    only(Made().step(Alice=say("Hello, I am still looking.")), MODES[7])
    made = Made().step(Alice=say("book_0 is on shelf")).step(Lucy=say("yes, shelf has book_0", "Bob"))
    assert count(made, MODES[7]) == 1


def test_words_with_news():
    made = Made().step(Alice=say("book_0 is on shelf")).step(Alice=say("bowl_0 is in fridge"))
    made.step(Alice=say("Look.", facts=[["where", ["fork_0"], "shelf", 0.0]]))
    made.step(Lucy=say("book_0 is on shelf", "Alice"))  # Alice has said so but was never told
    assert count(made, MODES[7]) == 0


def test_after_a_change_it_may_be_said_again():
    made = Made().step(Alice=say("book_0 is on shelf")).change("zones", closed={}).step(Alice=say("shelf: book_0"))
    assert count(made, MODES[7]) == 0


# -- against the program itself -------------------------------------------------------------------------------------
def test_the_feedback_that_is_looked_for_exists():
    words = " ".join(c.words for _, s in skills.items() for c in s.when) + FINAL_PLACEMENT.clause.words
    world, _ = build(Config(team="Ma-MoMa", seed=1))
    words += world.check({"Bob": Action("open", ("fridge",))})["Bob"].reason
    words += inspect.getsource(known_verdict)
    for part in (*BEYOND_BODY, *MISPLACED, BEYOND_RULE):
        assert part in words, part


def test_memory_and_file_give_the_same_labels():
    for protocol in ("random", "expert"):
        log = play(Config(protocol=protocol, team="Ma-MoMa", seed=4, changes=("anc@5:UAV",))).log
        found = failure_modes(log.events)
        assert found == failure_modes([from_line(to_line(e)) for e in log.events])
        assert bool(any(found.values())) == (protocol == "random")
