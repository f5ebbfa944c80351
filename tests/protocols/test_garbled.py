"""The oracle with spoilt replies: as many as asked for, the same ones every time."""

from __future__ import annotations

import random

import pytest

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask
from coterie.models import make_model
from coterie.protocols.negotiate.situation import Known, Mate, Situation
from coterie.protocols.noisy_oracle import Garbled, Mistaken, misnamed, spoilt
from tests.protocols.prompts import filled

SCENE = Situation(Mate("Ann", False), (), (), (Known("room_1", "", 3), Known("room_2", "", 9))).text()
ASKS = [Ask("Ann", "NEG", i, 0, filled("negotiate/plan", name="Ann", situation=SCENE), None, i) for i in range(200)]


def test_a_share_of_replies_is_spoilt_and_always_the_same():
    good = Garbled(0.0).answer(ASKS)
    bad = Garbled(0.3).answer(ASKS)
    assert 40 < sum(a.text != b.text for a, b in zip(good, bad)) < 80
    assert bad == Garbled(0.3).answer(ASKS)
    assert {r.text.rpartition("\n")[2] for r in bad} > {"Task: Explore <room_1>", "Task: Explore <room_2>"}


def test_names_are_exchanged_for_others_of_their_kind_and_yes_for_no():
    rng = random.Random(0)
    assert misnamed("Task: Explore <room_1>", "room_1 room_7 mug_0", rng) == "Task: Explore <room_7>"
    assert misnamed("[judgement] yes", "", rng) == "[judgement] no"


def test_it_is_named_with_its_share():
    assert make_model("garbled:0.25").name == "garbled:0.25"
    for spec in ("garbled:2", "garbled:x", "garbled"):
        with pytest.raises(CoterieError):
            make_model(spec)


TABLE = "You plan for the arms Alice, Bob around a table, round by round."
LISTS = "Objects: apple, milk\nTargets: bin_left, bin_right"
PLAN = "So.\nEXECUTE\nNAME Alice ACTION PLACE apple bin_left PATH [(0.10, 0.20, 0.50)]\nNAME Bob ACTION WAIT"


def test_plans_for_the_table_are_spoilt_in_what_they_say_and_talk_is_not():
    rng = random.Random(0)
    made = {spoilt(PLAN, f"{TABLE}\n{LISTS}", rng) for _ in range(60)}
    assert PLAN not in made and all(m.startswith("So.\nEXECUTE\nNAME Alice ACTION ") for m in made)
    assert any("PLACE milk bin_left" in m for m in made) and any("apple bin_right" in m for m in made)
    assert any("(0.10, 0.20, 0.05)" in m for m in made) and any("Alice ACTION WAIT" in m for m in made)
    assert spoilt("I see apple.\nPROCEED", f"{TABLE}\n{LISTS}", rng) == "I see apple.\nPROCEED"


def test_wrong_opinions_are_the_same_whenever_it_is_asked():
    always, prompt = Mistaken(1.0), f"{TABLE}\n{LISTS}"
    assert always._wrong(PLAN, prompt) == PLAN.replace("bin_left", "bin_right") == always._wrong(PLAN, prompt)
    assert Mistaken(0.0)._wrong(PLAN, prompt) == PLAN
    assert always._wrong("NAME Bob ACTION PICK milk", prompt) == "NAME Bob ACTION PICK apple"


def test_a_call_of_a_slow_oracle_is_booked_with_its_seconds():
    model = make_model("oracle:1.5")
    assert model.name == "oracle:1.5" and model.answer(ASKS[:3]) == make_model("oracle").answer(ASKS[:3])
    assert [c.seconds for c in model.ledger.calls] == [1.5] * 3
    for spec in ("oracle:x", "oracle:-1"):
        with pytest.raises(CoterieError, match="seconds of a call"):
            make_model(spec)


def test_a_stubborn_planner_repeats_a_refused_plan_and_is_drawn_anew_where_things_lie_elsewhere():
    def asked(job, where, more=""):
        return (
            f"{TABLE}\nTask: {job}. Goal: All into the bin.\n{LISTS}\nAll see: milk: on table; apple: {where}.\n{more}"
        )

    half = Mistaken(0.5, stubborn=True)
    spots = [f"({n / 100:.2f}, 0.38, 0.30), on table" for n in range(60)]
    wrong = [half._wrong(PLAN, asked("pack-grocery", spot)) != PLAN for spot in spots]
    assert 15 < sum(wrong) < 45
    assert wrong != [half._wrong(PLAN, asked("sort-cubes", spot)) != PLAN for spot in spots]
    spot = spots[wrong.index(True)]
    again = asked("pack-grocery", spot, "[Environment Feedback]: plan 1 of this round was refused.\nRound 2 of 10.")
    assert half._wrong(PLAN, again) == half._wrong(PLAN, asked("pack-grocery", spot)) != PLAN
    assert half._wrong(PLAN, asked("pack-grocery", spots[wrong.index(False)], "Round 9 of 10.")) == PLAN
    assert (
        Mistaken(0.0, stubborn=True)._wrong(PLAN, again) == PLAN and make_model("stubborn:0.3").name == "stubborn:0.3"
    )
