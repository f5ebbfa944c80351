import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.log.fold import state_at
from coterie.render import palette
from coterie.render.labels import Area, Labels, around, shared, shorten, width, wrap


@settings(max_examples=20)
@given(st.text(max_size=200), st.floats(30, 400), st.integers(1, 4))
def test_wrapped_words_fit(text, room, lines):
    rows = wrap(text, 11, room, lines)
    assert len(rows) <= lines
    assert all(width(r, 11) <= room for r in rows)


@given(st.text(max_size=80))
def test_words_that_fit_are_left_as_they_are(text):
    assert shorten(text, 10, 1e6) == " ".join(text.split())


def test_long_texts_are_shortened_in_no_time():
    began = time.process_time()
    assert wrap("word " * 200_000, 10.5, 200, 4)[-1].endswith("…")
    assert shorten("x" * 1_000_000, 10.5, 200).endswith("…")
    assert time.process_time() - began < 2


def test_labels_take_the_free_place():
    labels = Labels(Area(0, 0, 200, 200))
    thing = Area(90, 90, 20, 20)
    labels.taken += [thing, Area(0, 111, 200, 89)]  # nothing is free below
    placed = labels.place(40, 10, around(thing, 40, 10, 2))
    assert placed.y < 90
    assert labels.taken[-1] == placed


def test_a_robot_has_its_colour_in_every_team_and_no_two_share_one(log):
    cards = {n: r.card for n, r in state_at(log(team="Ma-MoMa-Mo-UAV")).robots.items()}
    four = palette.robots(cards)
    assert len(set(four.values())) == 4
    assert palette.robots({"Lucy": cards["Lucy"]}) == {"Lucy": four["Lucy"]}
    twins = palette.robots({"Lucy": cards["Lucy"], "Lucy2": cards["Lucy"]})
    assert twins["Lucy"] != twins["Lucy2"]


SPANS = st.builds(Area, *[st.floats(-50, 50)] * 2, *[st.floats(0, 40)] * 2)


@settings(max_examples=20)
@given(st.lists(SPANS, max_size=8), st.lists(SPANS, max_size=8), SPANS)
def test_only_what_is_near_is_compared_and_the_place_is_the_same(taken, rather_not, at):
    labels = Labels(Area(-40, -40, 80, 80))
    labels.taken, labels.rather_not = list(taken), list(rather_not)
    assert shared(at, taken) == pytest.approx(sum(at.covers(t) for t in taken))
    corners = around(at, 12.0, 5.0, 2.0)
    price = [labels.cost(Area(x, y, 12.0, 5.0).grown(2.0)) + 4.0 * i for i, (x, y) in enumerate(corners)]
    assert labels.copy().place(12.0, 5.0, corners)[:2] == corners[price.index(min(price))]
