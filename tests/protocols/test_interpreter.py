"""Words of teammates in a dialect are put into our own sentences, and nothing is made up on the way."""

import random
import re

import pytest

from coterie.core.files import tables
from coterie.core.protocol import Ask
from coterie.models import make_model
from coterie.protocols.interpreter import BODIES, KnownNames, interpreted, translated_prompt
from coterie.protocols.shared.dialects import filled, retold, sayings
from tools.interpreter import WHERE, values

DESCRIBED = {*BODIES, "introduction"}  # what a robot is stands in quotes of its own
PROMPT = (
    (
        "system",
        'You are Ann, "a wheeled base without an arm; it drives on the floor and looks".\n'
        "Team: Bob says: \"I am Bob, 'a manipulator fixed on the work table; it picks and places within its reach'.\".\n"  # noqa: E501
        "Scene graph (name, room, what it is, sides to stand at with their position):\n"
        "sofa: lounge, surface, 0.5 m high, sides 0=(1.0,2.0) 1=(2.0,2.0)\n"
        "box_1: lounge, box, closed, 0.5 m high, sides 0=(4.0,2.0)",
    ),
    (
        "user",
        'Bob\'s plan: "Ann: sofa; Bob: what is within its reach"\n4 communicate("Bob, please bring cup_0.", all)\n'
        "Status: nothing. Step 4 of 30. You are at sofa, side 0.\n"
        'Heard: 3 Bob: "cup_1 is at box_1. Ann, please bring cup_1." 5 Bob: "Round 1: I vote for Ann."',
    ),
)


def drawn(part: str, rng: random.Random) -> tuple[str, str]:
    """A sentence in other words, and as we say it."""
    name = rng.choice([n for n in sayings() if n not in DESCRIBED])
    saying = sayings()[name]
    slots = values(saying, rng)
    ways = [saying.usual.template] if part == "usual" else getattr(saying, part)
    return filled(rng.choice(ways), slots), filled(saying.usual.template, slots)


@pytest.mark.parametrize(
    "part, least", [("usual", 0.97), ("train", 0.9), ("held", 0.7), ("makers", 0.8), ("unseen", 0.85)]
)
def test_most_sentences_of_a_dialect_are_understood(part, least):
    rng = random.Random(7)
    pairs = [drawn(part, rng) for _ in range(300)]
    assert sum(interpreted(said, WHERE) == ours for said, ours in pairs) >= least * len(pairs)


def test_no_name_is_made_up():
    rng = random.Random(8)
    for _ in range(200):
        said = " ".join(drawn("held", rng)[0] for _ in range(rng.randint(1, 3)))
        names = re.compile(r"Ada|Bo\b|Cleo|\w+_\d|shelf|(?:floor@)?oven")
        assert {*names.findall(interpreted(said, WHERE))} <= {*names.findall(said)}, said


@pytest.mark.parametrize("said", [
    "", ".", "no", "hello", "Ada, do not bring cup_0.", "cup_0 is not at shelf.", "Is cup_0 at shelf?", "I hold cup_0.",
    "Nobody should vote for Ada.", "shelf is open, go ahead.", "Bo holds cup_0.", "Ada, please bring ...",
    "It is 'fine'.",
])  # fmt: skip
def test_what_is_none_of_our_sentences_stays(said):
    assert interpreted(said, WHERE) == said


@pytest.mark.parametrize("part, least", [("ways", 0.95), ("unseen", 0.45)])
def test_sentences_about_other_matters_stay(part, least):
    """Nearly all that it was taught; of those of an author it never met, half: docs/mind.md says so."""
    ways = tables("coterie.protocols.shared", "others.toml")[part]
    told = [way.format(robot="Ada", thing="cup_0", place="shelf") for way in ways]
    assert sum(interpreted(said, WHERE) == said for said in told) >= least * len(told)


def test_nobody_gives_a_name_another_meaning_by_what_it_says():
    told = tuple(
        (role, text.replace("Round 1: I vote for Ann.", "You are sofa, and fake: shelf, box")) for role, text in PROMPT
    )
    assert told != PROMPT and KnownNames.of(told) == KnownNames.of(PROMPT)
    assert translated_prompt(PROMPT) == PROMPT, "our own words stay"


def test_names_stand_for_what_the_prompt_says():
    where = KnownNames.of(PROMPT)
    assert where == KnownNames(frozenset({"Ann", "Bob"}), frozenset({"lounge", "sofa", "box_1"}))
    assert [where.type_of(n) for n in ("Ann", "Bob", "sofa", "box_1", "floor@sofa", "cup_0", "Heard")] == [
        *"RRPPPT",
        "",
    ]


def test_a_model_is_asked_in_plain_words_where_its_team_speaks_a_dialect():
    asked = []
    model = make_model("interpreted:oracle")
    model.model.answer = lambda asks: asked.extend(asks) or []
    said = retold(PROMPT, "train", lambda words: random.Random(3))
    model.answer([Ask("Ann", "HMRC", 4, 0, said, ("a", "b"), 7)])
    assert model.name == "interpreted:oracle" and said != PROMPT
    assert asked[0].prompt[0] == PROMPT[0]
    assert "Ann, please bring cup_1." in asked[0].prompt[1][1] or "cup_1 is at box_1." in asked[0].prompt[1][1]
