"""`dynahmrc:conversation`: the paper's prompts told once each; nothing is lost, nothing is told twice."""

from itertools import pairwise

import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import play
from coterie.models.scripted import Scripted
from coterie.protocols import level_of, protocols
from coterie.protocols.dynahmrc.oracle import answer
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
    assert level_of("dynahmrc:conversation") == level_of("dynahmrc:no-leader-and-conversation") == "conversation"


@pytest.mark.parametrize("idle", ["memory-15", "queues"])
def test_what_would_change_nothing_in_a_conversation_is_refused(idle):
    for name in (f"dynahmrc:conversation-and-{idle}", f"dynahmrc:{idle}-and-no-leader-and-conversation"):
        with pytest.raises(CoterieError, match=f"^'{idle}' would change nothing beside 'conversation'"):
            protocols.get(name)
    assert f"dynahmrc:paper-and-{idle}" in protocols


def test_without_memory_there_is_no_conversation():
    """Else what was said before would stand in it, and the ablation would change nothing."""
    assert level_of("dynahmrc:conversation-and-no-history") == level_of("dynahmrc:no-history-and-paper") == "paper"
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


def test_of_several_replies_to_one_turn_the_last_one_stands():
    talk = Conversation()
    _, asked, _ = run(protocol="dynahmrc:paper", team="Ma-MoMa-UAV")
    whole = of(asked, "HMRC")[0].prompt
    talk.ask(whole, Memory(), 3)
    read = 'Thought:  I wait,\n  and "rest".\nAction: wait()'
    for reply, understood, kept in (("Hm.", False, "Hm."), ("", False, "(nothing)"), (read, True, read)):
        talk.answered(reply, understood)
        assert talk.turns == [*whole, ("assistant", kept)]


UNREADABLE = ("I am  not\nsure. " * 100, "", " \n")


def unsure(ask):
    """The oracle, which now and then says what cannot be read: once, or when it is asked again, too."""
    bad = ask.stage == "HMRC" and ask.step % 3 == 1 and (ask.attempt == 0 or ask.step % 2)
    return UNREADABLE[ask.step % 9 // 3] if bad else answer(ask.prompt)


def test_a_reply_that_cannot_be_read_stays_in_the_conversation_in_short():
    _, asked, _ = run(unsure, protocol="dynahmrc:conversation", team="Ma-MoMa-UAV", level="medium-search")
    told = [a.prompt for a in of(asked, "HMRC", "Alice")]
    assert {a.attempt for a in asked} == {0, 1} and max(map(len, told)) > 16
    said = {text for prompt in told for role, text in prompt if role == "assistant"}
    assert "(nothing)" in said and not said & {*UNREADABLE} and max(map(len, said)) <= 300
    assert any("\n" in text for text in said), "what was read stays word for word"


def test_who_joins_begins_with_a_whole_prompt_and_goes_on_from_it():
    _, asked, _ = run(protocol="dynahmrc:conversation", task="make-sandwich", team="Ma-MoMa", level="medium-search",
                      changes=("anc@5:UAV",), seed=5)  # fmt: skip
    newcomer = next(a.robot for a in of(asked, "SD") if a.step)
    prompts = [a.prompt for a in of(asked, "HMRC", newcomer)]
    assert "Scene graph" in prompts[0][0][1] and len(prompts) > 3
    assert [len(p) for p in prompts] == [*range(2, 2 * len(prompts) + 1, 2)]
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(prompts))


def test_the_log_of_a_conversation_is_resumed_byte_for_byte(tmp_path):
    path = tmp_path / "log.jsonl"
    config = Config("pack-objects", "Ma-MoMa-UAV", "dynahmrc:conversation", seed=3, level="easy", scene="house:7")
    play(config, path, model=Scripted(unsure))
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    for part in (len(lines) // 3, len(lines) // 2, 3 * len(lines) // 4):
        path.write_bytes(b"".join(lines[:part]))
        play(config, path, resume=True, model=Scripted(unsure))
        assert path.read_bytes() == whole
