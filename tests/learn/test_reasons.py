"""What of a reply is learnt, and actions that somebody else played: which are kept, and with which reason."""

import json
import random
import re
from collections import namedtuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.bench.studies.dynahmrc.lessons import draw
from coterie.cli import learn as command
from coterie.cli import main
from coterie.core.errors import CoterieError
from coterie.core.protocol import Reply
from coterie.learn import gathering
from coterie.learn.demos import brief, played, teach
from coterie.learn.gathering import Wish, gather_into
from coterie.learn.pool import IGNORED
from coterie.learn.samples import Sample, aimed, portion, read, write
from coterie.protocols.dynahmrc.oracle import action_in, reasoned
from coterie.protocols.noisy_oracle import Straying


def of(reply, stage="HMRC"):
    return Sample(stage, (("user", "?"),), reply)


# -- targets and shares -----------------------------------------------------------------------------------------------
def test_one_half_of_a_reply_may_be_left_out():
    both = [of("Thought: It is here.\nAction: pick(cup_0)"), of("Thought: All.\nPlan: Bob: bed\nSpeech: Me.", "TALB")]
    vote = of("Alice", "LE")
    assert list(aimed([*both, vote], "both")) == [*both, vote]
    assert [s.reply for s in aimed([*both, vote], "action")] == [
        "Action: pick(cup_0)",
        "Plan: Bob: bed\nSpeech: Me.",
        "Alice",
    ]
    assert [s.reply for s in aimed([*both, vote], "thought")] == ["Thought: It is here.", both[1].reply, "Alice"]
    assert list(aimed([of("Action: wait()")], "thought")) == [], "nothing of it is left"
    assert [s.reply for s in aimed([of("Thought: only that")], "action")] == ["Thought: only that"]


WORDS = st.text("abc Action:Thought\n", min_size=1).filter(lambda t: t.strip() and "\n" not in t)


@given(WORDS, WORDS)
@settings(max_examples=20)
def test_both_halves_together_are_the_reply(thought, action):
    whole = of(f"Thought: {thought}\nAction: {action}")
    (one,), (other,) = aimed([whole], "thought"), aimed([whole], "action")
    assert f"{one.reply}\n{other.reply}" == whole.reply
    assert one.prompt == other.prompt == whole.prompt


def test_a_larger_share_holds_the_smaller():
    samples = [of(str(i)) for i in range(90)]
    random.Random(4).shuffle(samples)
    some, more, all_of_them = (portion(samples, share) for share in (0.3, 0.6, 1.0))
    assert len(some) == 27 and more[:27] == some and all_of_them == samples
    assert {int(s.reply) < 50 for s in some} == {True, False}, "old and new ones"
    with pytest.raises(CoterieError, match="nothing to learn"):
        portion(samples, 0.0)


Recipe = namedtuple("Recipe", "length")


class Letters:
    """Every letter is a token."""

    def many(self, texts):
        return [[ord(c) for c in t] for t in texts]


class Listening:
    """A training that keeps what it is to learn."""

    steps = 1
    recipe = Recipe(length=4096)

    def train(self, rows, tell, between=None):
        self.learnt = ["".join(map(chr, row[row != IGNORED])) for row in rows.labels]

    def save(self, path):
        pass


@pytest.mark.parametrize(
    ("words", "learnt"),
    [
        ((), "Thought: It is here.\nAction: pick(cup_0)"),
        (("--targets", "action"), "Action: pick(cup_0)"),
        (("--targets", "thought"), "Thought: It is here."),
        (("--share", "0.3"), "Thought: It is here.\nAction: pick(cup_0)"),
    ],
)
def test_the_command_learns_what_it_is_told_to(tmp_path, monkeypatch, capsys, words, learnt):
    tuning = Listening()
    monkeypatch.setattr(command, "_tuning", lambda args, **more: (tuning, Letters()))
    write(tmp_path / "d.jsonl", [of("Thought: It is here.\nAction: pick(cup_0)")] * 10, {})
    assert main(["learn", "train", str(tmp_path / "d.jsonl"), "--out", str(tmp_path / "t.npz"), *words]) == 0
    count = 3 if "--share" in words else 10
    assert tuning.learnt == [f"{learnt}<|im_end|>" * count]


# -- reasons for given actions ----------------------------------------------------------------------------------------
TAUGHT = "Thought: It is needed.\nAction: pick( cup_0 )"


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("Action: pick(cup_0)", "Thought: It is needed.\nAction: pick(cup_0)"),
        ("Thought: why not\nAction: pick(cup_0)", "Thought: It is needed.\nAction: pick(cup_0)"),
        ("Thought: Nobody\nlooked.\nAction: open(box_1)", "Thought: Nobody looked.\nAction: open(box_1)"),
        ("Action: open(box_1)", "Thought: This comes next.\nAction: open(box_1)"),
        ("Thought: hm", ""),
    ],
)  # fmt: skip
def test_what_was_played_has_the_teachers_reason_or_its_own(said, reply):
    assert reasoned(said, TAUGHT) == reply


@pytest.mark.parametrize(
    ("said", "action"),
    [
        ("<think>pick(x)?</think>\n**Action:** `pick(cup_0)`", "pick(cup_0)"),
        ('{"thought": "so", "action": "place(cup_0, tray)"}', "place(cup_0, tray)"),
        ('Action: communicate("I see\ncup_0.", all)', 'communicate("I see cup_0.", all)'),
        ("I would rather not.", ""),
    ],
)
def test_an_action_is_read_from_what_models_write(said, action):
    assert action_in(said) == action
    assert bool(reasoned(said, "")) == bool(action)


# -- episodes that somebody played ------------------------------------------------------------------------------------
class Terse:
    """Plays like the oracle, and thinks nothing; says something unreadable now and then, and strays."""

    name = "terse"

    def __init__(self):
        self.straying = Straying(0.2)

    def answer(self, asks):
        found = [
            r.text.rpartition("\n")[2] if a.stage == "HMRC" else r.text
            for a, r in zip(asks, self.straying.answer(asks))
        ]
        return [Reply("Hm." if a.stage == "HMRC" and a.seed % 9 == 0 else t) for a, t in zip(asks, found)]


@pytest.fixture(scope="module")
def shown():
    return list(played(draw(4, 6), Terse(), 6, rename=0.0, whose="played"))


def test_what_a_player_did_is_learnt_with_a_reason(shown):
    acts = [s for one in shown for s in one.samples if s.stage == "HMRC"]
    assert len(acts) > 50 and all(s.reply.startswith("Thought: ") and s.action and not s.again for s in acts)
    own = [s for s in acts if action_in(s.reply) != action_in(teach(s.prompt))]
    same = [s for s in acts if s not in own]
    assert own and len(same) > 3 * len(own), "the player's own actions, and not the teacher's"
    assert all(s.reply == reasoned(s.reply, "") for s in own)
    assert all(s.reply == brief(teach(s.prompt)) for s in same)


def test_what_failed_is_no_example(shown):
    failures = 0
    for one in shown:
        told, learnt = set(), set()
        for s in one.samples:
            text = "\n".join(t for _, t in s.prompt)
            me = re.search(r"You are (\w+)", text).group(1)
            told |= {(me, int(n), act) for n, act in re.findall(r"(\d+) (\w+\([^;]*?\)) FAILED", text)}
            if s.stage == "HMRC":
                step = int(re.search(r"^Step (\d+) of", text, re.M).group(1))
                learnt.add((me, step, action_in(s.reply)))
        failures += len(told)
        assert not told & learnt
    assert failures > 5, "there were some"


def test_only_successful_episodes_are_kept_on_request(tmp_path, monkeypatch, shown):
    ended = [shown[0]._replace(success=True), *(one._replace(success=False) for one in shown[1:])]
    monkeypatch.setattr(gathering, "played", lambda *args, **more: iter(ended))
    both = {k: gather_into(tmp_path / f"{k}.jsonl", Wish(episodes=3, keep=k)) for k in ("all", "success")}
    assert all((one.episodes, one.successes) == (len(ended), 1) for one in both.values()), "all are counted"
    every, kept = ({s.prompt for s in read(tmp_path / f"{k}.jsonl")} for k in ("all", "success"))
    assert kept and kept < every and kept <= {s.prompt for s in ended[0].samples}
    assert json.loads((tmp_path / "success.card.json").read_text())["keep"] == "success"
