"""The stop kernel: pleas that were not learnt are obeyed, and remarks that only sound like it stop nobody."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.talk import meanings as m
from coterie.talk.stop import LIMIT, Named, likelihood, stops
from coterie.talk.vocabulary import Vocabulary

DATA = Path(__file__).with_name("data")


def hospital() -> Vocabulary:
    found = Vocabulary()
    for kind, names in {
        "robot": ("Spot", "Temi", "Fetch"),
        "person": ("teacher", "nurse", "pharmacist"),
        "room": ("alpha", "beta", "office"),
        "kit": ("medkit",),
        "item": ("gloves", "painkiller"),
    }.items():
        for name in names:
            found.add(kind, name)
    return found


WARD = hospital()


@pytest.mark.parametrize(
    ("said", "whom"),
    [
        ("Stop!", m.Stop()),
        ("halt everybody", m.Stop()),
        ("Spot, stop right there!", m.Stop(("Spot",))),
        ("Temi and Fetch, freeze!", m.Stop(("Temi", "Fetch"))),
        ("All of you except Temi should halt.", m.Stop(but=("Temi",))),
        ("Stop, all but Temi and Fetch!", m.Stop(but=("Temi", "Fetch"))),
        ("Not you Spot, the other one, Temi, halt!", m.Stop(but=("Spot",))),
        ("ouch, you are on my foot, stop!", m.Stop()),
    ],
)
def test_whom_a_plea_stops(said, whom):
    assert stops(said, WARD) == whom


@pytest.mark.parametrize("said", ["Bring a medkit to alpha.", "Yes.", "Where is Spot?", "the bus stop is outside"])
def test_what_is_no_plea_stops_nobody(said):
    assert stops(said, WARD) is None


def test_pleas_and_remarks_of_writers_who_saw_no_meanings():
    """Counted, so that a worse kernel is noticed; what it leaves is read by the reader."""
    names = Named.of(WARD)
    pleas = [json.loads(line)["say"] for line in (DATA / "stops.jsonl").read_text().splitlines()]
    remarks = [json.loads(line)["say"] for line in (DATA / "harmless.jsonl").read_text().splitlines()]
    lost = [p for p in pleas if likelihood(p, names) < LIMIT]
    needless = [r for r in remarks if likelihood(r, names) >= LIMIT]
    assert len(lost) <= len(pleas) * 0.1 and len(needless) <= len(remarks) * 0.06, (lost, needless)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=600))
def test_any_text_has_a_likelihood(text):
    assert 0.0 <= likelihood(text, Named.of(WARD)) <= 1.0
