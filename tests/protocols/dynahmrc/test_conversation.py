"""`dynahmrc:conversation`: the paper's prompts told once each; nothing is lost, nothing is told twice."""

from itertools import pairwise

import pytest

from coterie.protocols import level_of
from coterie.protocols.shared import conversation
from coterie.protocols.shared.conversation import Conversation, unfolded
from coterie.protocols.shared.memory import Memory
from coterie.protocols.shared.templates import read
from tests.protocols.dynahmrc.helpers import of, run

QUEUES = ("actions", "feedback", "messages")
CASES = [
    {"task": "pack-objects", "team": "Ma-MoMa-UAV", "changes": ("cto@5",)},
    {"task": "sort-solids", "team": "Ma-MoMa-Mo-UAV", "changes": ("rec@5:MoMa",), "noise": "real", "seed": 6},
    {"task": "make-sandwich", "team": "Ma-MoMa", "changes": ("anc@5:UAV",), "guard": True, "seed": 5},
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["task"])
def test_a_conversation_put_together_is_the_prompt_of_the_paper(case, monkeypatch):
    """But for the queues, which hold all that was told and not the last ten alone."""
    both, ask = [], Conversation.ask

    def listened(self, whole, memory, robots):
        prompt = ask(self, whole, memory, robots)
        both.append((read(("dynahmrc/hmrc",), unfolded(prompt)), read(("dynahmrc/hmrc",), whole)))
        return prompt

    monkeypatch.setattr(Conversation, "ask", listened)
    run(protocol="dynahmrc:conversation", **{"level": "medium-search", **case})
    assert len(both) > 20
    for told, whole in both:
        rest = {slot: text for slot, text in whole.items() if slot not in (*QUEUES, "scene_graph")}
        assert {slot: told[slot] for slot in rest} == rest
        assert sorted(told["scene_graph"].split("\n")) == sorted(whole["scene_graph"].split("\n"))
        for slot in QUEUES:
            assert whole[slot] in ("none", "nothing yet") or told[slot].endswith(whole[slot])


def test_each_turn_begins_with_all_that_was_said_before_it():
    _, asked, _ = run(protocol="dynahmrc:conversation", team="Ma-MoMa-UAV", level="medium-search", changes=("cto@5",))
    for robot in ("Alice", "Bob", "Lucy"):
        turns = [a.prompt for a in of(asked, "HMRC", robot)]
        assert len(turns) > 3
        for earlier, later in pairwise(turns):
            assert later[: len(earlier)] == earlier
            assert [role for role, _ in later[len(earlier) :]] == ["assistant", "user"]
            assert "Scene graph" not in later[-1][1] and "Skills:" not in later[-1][1]


def test_one_that_grows_too_long_begins_anew(monkeypatch):
    monkeypatch.setattr(conversation, "MOST_CHARS", 6_000)
    _, asked, _ = run(protocol="dynahmrc:conversation", team="Ma-MoMa-UAV", level="medium-search", seed=5)
    sizes = [sum(len(text) for _, text in a.prompt) for a in of(asked, "HMRC")]
    whole = [a for a in of(asked, "HMRC") if len(a.prompt) == 2 and a.step]
    assert max(sizes) < 8_000 and whole and all("Scene graph" in a.prompt[0][1] for a in whole)


def test_what_is_no_conversation_stays_as_it_is():
    _, asked, _ = run(protocol="dynahmrc:paper", team="Ma-MoMa-UAV")
    assert all(unfolded(a.prompt) is a.prompt for a in asked)
    again = (*of(asked, "HMRC")[0].prompt, ("assistant", "Hm."), ("user", "That could not be read."))
    assert unfolded(again) is again


def test_the_oracle_and_the_script_read_conversations():
    for reply in (None, "script"):
        from coterie.protocols.script_model import reply_to

        def said(ask):
            system, text = unfolded(ask.prompt)[0][1], "\n".join(t for _, t in unfolded(ask.prompt))
            return reply_to(system, text) if ask.stage == "HMRC" else None

        played, _, _ = run(said if reply else None, protocol="dynahmrc:conversation", team="Ma-MoMa-UAV", level="easy")
        assert played.result.success


def test_its_level_is_named_apart_from_the_paper():
    assert level_of("dynahmrc:conversation") == "conversation"


def test_without_memory_there_is_no_conversation():
    """Else what was said before would stand in it, and the ablation would change nothing."""
    _, asked, _ = run(protocol="dynahmrc:conversation-and-no-history", team="Ma-MoMa-UAV", level="medium-search")
    assert {len(a.prompt) for a in of(asked, "HMRC")} == {2}
    assert all("nothing yet" in a.prompt[1][1] for a in of(asked, "HMRC"))


def test_a_turn_that_was_not_answered_is_not_followed_by_another():
    talk, memory = Conversation(), Memory()
    _, asked, _ = run(protocol="dynahmrc:paper", team="Ma-MoMa-UAV")
    whole = of(asked, "HMRC")[0].prompt
    assert talk.ask(whole, memory, 3) == talk.ask(whole, memory, 3) == whole
    talk.answered("Thought: I wait.\nAction: wait()")
    assert [role for role, _ in talk.ask(whole, memory, 3)] == ["system", "user", "assistant", "user"]
