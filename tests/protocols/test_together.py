"""Large teams in few words: who says the same is named together, and nothing is lost by it."""

from hypothesis import given
from hypothesis import strategies as st

from coterie.core.config import Config
from coterie.episode.play import play
from coterie.protocols.shared.together import FEW, apart, listed, own_part, together

NAMES = st.lists(st.sampled_from([f"Alice{n}" for n in range(30)]), min_size=1, max_size=24, unique=True)
ABOUT = st.sampled_from(
    [f'"{about}" ({able}).' for about, able in (("flies, looks", "navigate"), ("lifts; brings", "pick, place"))]
)


@given(NAMES, st.data())
def test_what_is_named_together_can_be_taken_apart(names, data):
    rows = [(name, data.draw(ABOUT)) for name in names]
    shown = together(rows, FEW + 1)
    assert len({words for _, words in shown}) == len(shown) <= len(rows)
    told = apart(" ".join(f"{who}: {words}" for who, words in shown))
    assert sorted(told.replace(" Alice", "\nAlice").split("\n")) == sorted(f"{n}: {words}" for n, words in rows)
    assert sorted(apart(listed(shown)).split("\n")) == sorted(f"{n}: {words}" for n, words in rows)


def test_a_small_team_is_told_one_by_one_and_own_names_do_not_tell_words_apart():
    rows = [("Bob", '"I am Bob."'), ("Eve", '"I am Eve."')]
    assert together(rows, FEW) == rows
    assert together(rows, FEW + 1) == [("Bob, Eve", '"I am Bob."')]
    assert apart('3 Bob, Eve: "cup_0 is at desk_0, I think." 4 Eve: "Yes, all of it."') == (
        '3 Bob: "cup_0 is at desk_0, I think." 3 Eve: "cup_0 is at desk_0, I think." 4 Eve: "Yes, all of it."'
    )


def test_each_robot_of_a_large_team_is_told_its_own_part_of_the_plan():
    plan = "Bob: desk_0, sink_0; Bob2: shelf_0"
    assert own_part(plan, "Bob", 24) == "Bob: desk_0, sink_0" and own_part(plan, "Bob2", 24) == "Bob2: shelf_0"
    assert own_part(plan, "Eve", 24) == plan == own_part(plan, "Bob", FEW)


def test_24_robots_are_asked_in_few_tokens():
    team = "-".join(["Ma", *["MoMa", "Mo", "UAV"] * 8][:24])
    result = play(Config("pack-objects", team, "dynahmrc", "oracle", 4, "hall"))
    asked = [e.data for e in result.log.events if e.kind == "reply"]
    assert result.log.events[-1].data["success"] and len(asked) > 200
    assert sum(d.get("tokens_in", 0) + d.get("tokens_out", 0) for d in asked) / len(asked) <= 800
