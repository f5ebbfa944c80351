"""`dynahmrc:paper`: what the paper's prompts hold and no more, one election, queues of exactly K, words alone."""

import re

import pytest

from coterie.core.errors import CoterieError
from coterie.core.protocol import protocols
from coterie.episode.setup import reply_tokens
from coterie.protocols import for_endpoint, level_of, with_interval
from coterie.protocols.dynahmrc import Options, variant
from tests.protocols.dynahmrc.helpers import act_out, of, prompt_at, run
from tests.protocols.dynahmrc.test_changes import FOR_LUCY, at, task_with, votes

PAPER = variant("paper").mind.options
LOOK = ["navigate(sofa, 0)", "navigate(bed, 0)"]


def everything(asked):
    return [(a, "\n".join(text for _, text in a.prompt)) for a in asked]


def test_who_places_in_the_end_is_never_hinted_at():
    """Only the fixed arm may, and a robot learns it by failing."""
    hint = re.compile(r"final placement|the arm does|lay it on|can take it from table|reaches it|works there", re.I)
    for task in ("pack-objects", "sort-solids", "make-sandwich"):
        _, asked, _ = run(
            lambda a: "Content: I am here." if a.stage == "SD" else "Plan: all of Alice, Bob, David and Lucy search."
            if a.stage in ("TALB", "LP") else None,
            protocol="dynahmrc:paper", task=task, team="Ma-MoMa-Mo-UAV",
        )  # fmt: skip
        others = [(a, text) for a, text in everything(asked) if a.robot != "Bob"]
        assert len(others) > 50
        assert not [(a.stage, found.group()) for a, text in others if (found := hint.search(text))]


def test_the_oracle_does_not_tell_before_somebody_has_failed_at_it():
    _, asked, _ = run(protocol="dynahmrc:paper", team="Ma-MoMa-UAV", seed=10_000)
    texts = [text for a, text in everything(asked) if a.robot != "Bob"]
    known = [text for text in texts if re.search(r"final placement|only the arm", text)]
    assert 0 < len(known) < len(texts) and all("The placement violates a rule" in text for text in known)


def test_nothing_is_worked_out_for_the_model():
    _, asked, _ = run(protocol="dynahmrc:paper", team="Ma-MoMa-UAV")
    digests = ("Left to search", "Searched: ", "Needed: ", "Closed to", "You repeat", "The goal changed",
               "last sign of", "joined at step", "To be taken off", "Alive: ", "Within your reach")  # fmt: skip
    for _, text in everything(asked):
        assert not [d for d in digests if d in text]
    prompt = of(asked, "HMRC", "Alice")[-1].prompt
    assert "Scene graph" in prompt[0][1] and "Your last actions, oldest first:\n" in prompt[1][1]


def test_queues_hold_exactly_ten():
    script = {"Alice": LOOK * 12}
    for options, most in ((PAPER, 10), (Options(style="full"), 14)):
        _, asked = act_out(task_with(steps=23), script, options=options)
        text = prompt_at(asked, "Alice", 22)
        listed = text.split("Your last actions, oldest first:\n")[1].split("\nWhat came of them:")[0].splitlines()
        assert 10 <= len(listed) <= most
        assert options is not PAPER or [int(x.split()[0]) for x in listed] == list(range(12, 22))


def test_words_alone_travel():
    script = {"David": ["navigate(table_1, 0)", 'communicate("apple_0 is at table_1.", all)']}
    log, asked = act_out(task_with(), script, options=PAPER)
    carried = [f[0] for e in log.events if e.kind in ("say", "message") for f in e.data["facts"]]
    assert set(carried) <= {"intro", "proposal", "vote", "leader", "team_plan", "report"}
    text = prompt_at(asked, "Alice", 2)
    assert '"apple_0 is at table_1."' in text and "things: apple_0" not in text  # she was told, and has not seen it
    assert "things: apple_0" in prompt_at(asked, "David", 2)
    assert 'David says: "' in text.split("\n")[1]


def test_votes_have_reasons_abilities_and_places():
    for options in (PAPER, Options(style="full")):
        _, asked = act_out(task_with(), {}, options=options)
        vote = of(asked, "LE")[0]
        text = "\n".join(t for _, t in vote.prompt)
        assert vote.choices is None  # a name alone would leave no room for a reason
        assert text.index("Reason: ") < text.index("Leader: the name")
        assert "What they can do, in their own words:\nAlice: " in text and "sofa: " in text
    _, asked = act_out(task_with(), {}, options=Options())
    assert of(asked, "LE")[0].choices


def test_there_is_one_election_and_never_another():
    _, asked = act_out(task_with(at(2, "leave", robot="Lucy"), steps=14), {}, votes(FOR_LUCY), options=PAPER)
    assert {a.step for a in of(asked, "LE")} == {0}
    assert not [a for a in of(asked, "LP") if a.step > 2]
    assert "Lucy's plan: " in prompt_at(asked, "Alice", 13)


def test_variants_combine():
    both = protocols.get("dynahmrc:full-and-no-history")().mind.options
    assert (both.style, both.memory) == ("full", 0)
    paper = protocols.get("dynahmrc:memory-15-and-paper")().mind.options
    assert (paper.style, paper.memory, paper.exact) == ("paper", 15, True)
    assert protocols.get("dynahmrc:no-leader-and-interval-5")().mind.options.interval == 5
    assert protocols.get("coherent:full-and-memory-10")().length == 10
    assert reply_tokens("dynahmrc:no-history-and-paper")["HMRC"] > reply_tokens("dynahmrc")["HMRC"]
    assert reply_tokens("dynahmrc:conversation") == reply_tokens("dynahmrc:paper")
    assert "dynahmrc:full-and-no-history" not in list(protocols)  # made when asked for
    for bad in ("full-and-paper", "full-and-full", "memory-15-and-nonsense", "interval-0", "interval-5-and-interval-6"):
        with pytest.raises(CoterieError, match="No protocol"):
            protocols.get(f"dynahmrc:{bad}")


def test_endpoints_are_asked_at_length_unless_a_style_is_named():
    assert for_endpoint("dynahmrc") == "dynahmrc:full" and for_endpoint("coela:memory-15") == "coela:full-and-memory-15"
    for name in (
        "dynahmrc:assisted",
        "dynahmrc:compact",
        "dynahmrc:paper",
        "dynahmrc:no-history-and-compact",
        "rules",
        "roco",
    ):
        assert for_endpoint(name) == name
    told = {
        "dynahmrc": "assisted",
        "coela:full-and-memory-15": "full",
        "dynahmrc:no-history-and-paper": "paper",
        "roco": "",
    }
    assert {name: level_of(name) for name in told} == told
    assert with_interval("dynahmrc:full", 5) == "dynahmrc:full-and-interval-5"
    with pytest.raises(CoterieError, match="--interval is for dynahmrc"):
        with_interval("coela", 5)
