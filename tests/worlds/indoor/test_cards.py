"""A robot card that says only what it must has the usual body; card files and cards agree on what is usual."""

import pytest

from coterie.core.card import Card
from coterie.core.errors import CoterieError
from coterie.worlds.indoor.bodies import add_card, load_card


def test_what_a_card_leaves_out_is_the_usual(tmp_path):
    file = tmp_path / "cart.toml"
    file.write_text('body = "Cart"\nmobility = "ground"\nskills = ["navigate", "wait"]\n')
    card = load_card(file)
    assert card == Card("Cart", "Cart", "ground", ("navigate", "wait"), "a Cart robot")
    usual = (card.footprint_m, card.height_m, card.speed_mps, card.reach_m, card.reach_low_m, card.reach_high_m)
    assert usual == (0.25, 1.0, 0.8, 0.0, 0.0, 1.3)
    assert (card.shoulder_m, card.payload_kg, card.camera_high_m, card.battery_steps) == (0.8, 0.0, 1.7, None)
    assert card.moves
    assert not card.manipulates


def test_the_gap_is_measured_from_the_shoulder():
    card = Card("A", "A", "ground", ("pick",), "", shoulder_m=0.5, payload_kg=1.0)
    assert card.gap((1.0, 2.0), (1.0 + 2.0, 2.0 + 3.0, 0.5 + 6.0)) == 7.0
    assert card.manipulates


def test_who_lifts_nothing_has_no_payload(tmp_path):
    path = tmp_path / "odd.toml"
    path.write_text('body = "Odd"\nmobility = "ground"\nskills = ["navigate", "wait"]\npayload_kg = 2.0\n')
    with pytest.raises(CoterieError, match=r"cannot `pick` takes nothing up; leave out `payload_kg`, or add the skill"):
        load_card(path)
    assert Card("B", "B", "ground", ("grab",), "", payload_kg=1.0).manipulates, "whatever a world calls it"


def test_a_body_that_exists_already_says_in_which_line_to_rename_it(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('# mine\nbody = "MoMa"\nmobility = "ground"\nskills = ["navigate", "wait"]\n')
    with pytest.raises(CoterieError, match=r"line 2: `body`: there is a robot 'MoMa' already; .* like \"MoMa2\""):
        add_card(path)
    assert load_card(path).body == "MoMa"  # to check a card is no reason to complain
