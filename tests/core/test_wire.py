"""Everything in a belief, a message, an action or an outcome survives plain JSON, there and back."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coterie.core import wire
from coterie.core.action import Action, Cause, Message, Outcome, Verdict
from coterie.core.card import Card
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.protocol import Ask, Reply, RobotView
from coterie.core.task import Change, Progress, Trigger
from coterie.core.wire import decode, encode, from_wire, to_wire
from coterie.core.world import Observation
from coterie.episode.play import play
from coterie.worlds import entry_of
from coterie.worlds.indoor.bodies import robots
from coterie.worlds.indoor.tasks.goals import Pack, Sort, Stack
from examples.yard import Tidy

# -- any value ----------------------------------------------------------------------------------------------------
texts = st.text(st.characters(exclude_categories=()), max_size=8)  # also half a surrogate pair
names = st.sampled_from(["bowl_0", "Alice", "shelf", "floor@fridge", "~list", ""])
numbers = st.integers() | st.floats(allow_nan=False)
plain = st.none() | st.booleans() | numbers | texts | names | st.just(UNKNOWN)
cards = st.builds(Card, names, names, st.just("air"), st.lists(names, max_size=3).map(tuple), texts, reach_m=numbers)
pairs = st.lists(st.tuples(names, names), max_size=3).map(tuple)
some = st.lists(names, max_size=3).map(tuple)


def made(cls, *parts):
    return st.tuples(*parts).map(lambda values: cls(*values))


goals = (
    st.builds(Pack, some, names) | st.builds(Sort, pairs, some) | st.builds(Stack, some, names) | st.builds(Tidy, pairs)
)
keys = names | st.integers() | st.tuples(names, names)


def nested(inner):
    facts = made(Fact, names, some, inner, numbers, names)
    actions = made(Action, names, st.lists(inner, max_size=3).map(tuple), texts, st.lists(facts, max_size=2).map(tuple))
    messages = made(Message, names, some, texts, st.lists(facts, max_size=2).map(tuple), numbers, names)
    causes = made(Cause, names, st.none() | st.tuples(names, some, inner), st.sampled_from(["before", "during"]))
    outcomes = made(
        Outcome, names, actions, st.just("failed"), texts, numbers, numbers, st.lists(facts, max_size=2).map(tuple),
        st.none() | messages, st.none() | causes,
    )  # fmt: skip
    changes = made(Change, made(Trigger, st.none() | st.integers()), names, st.dictionaries(names, inner), some)
    return (
        st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(keys, inner, max_size=3)
        | st.sets(names) | st.frozensets(st.tuples(names, st.integers()), max_size=3)
        | facts | actions | messages | outcomes | changes
    )  # fmt: skip


values = st.recursive(plain | cards | goals, nested, max_leaves=12)


def same(a, b):
    """Equal, and of the same kinds all the way down: True is not 1, a tuple is no list, -0.0 is not 0.0."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return math.copysign(1.0, a) == math.copysign(1.0, b) and a == b
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return same(list(a.items()), list(b.items()))
    return a == b


def check(value):
    line = to_wire(value)
    line.encode("ascii")
    assert "\n" not in line
    back = from_wire(line)
    assert same(back, value), f"{value!r} came back as {back!r}"


@settings(max_examples=25)
@given(values)
def test_whatever_a_mind_may_hold_comes_back_as_it_was(value):
    check(value)


def test_the_form_is_plain_json_and_can_be_read_aloud():
    fact = Fact("where", ("bowl_0",), ("shelf", UNKNOWN), 3.5, "Alice")
    assert encode(fact) == {
        "~fact": {
            "pred": "where",
            "args": ["bowl_0"],
            "value": ["shelf", {"~unknown": None}],
            "time": 3.5,
            "source": "Alice",
        }
    }
    assert encode([1, (2,)]) == {"~list": [1, [2]]}
    assert encode({"~x": 1}) == {"~dict": [["~x", 1]]}
    assert encode(Pack(("bowl_0",))) == {"~goal": {"kind": "pack", "targets": ["bowl_0"], "into": "tray"}}
    json.dumps(encode(float("inf")), allow_nan=False)
    assert decode(encode(float("-inf"))) == float("-inf") and math.isnan(decode(encode(float("nan"))))


@pytest.mark.parametrize(
    "value",
    [
        Verdict(None),
        Verdict(False, "no", Cause("reach", ("gap", ("Bob", "cup"), 1.2), "during")),
        Ask("Bob", "HMRC", 3, 1, (("system", "s"), ("user", "u")), ["A", "B"], 2**62),
        Reply("text", 3, 4, "late"),
        Progress(True, 1.0, "done"),
        Observation("Bob", 1.5, (Fact("pose", ("Bob",), (1.0, 2.0)),), ("Alice",)),
        *(card for _, card in robots.items()),
    ],
    ids=lambda v: type(v).__name__,
)
def test_cards_verdicts_requests_and_replies_too(value):
    check(value)


def test_numbers_of_numpy_become_numbers():
    numpy = pytest.importorskip("numpy")
    assert from_wire(to_wire((numpy.float64(0.5), numpy.int64(3), numpy.bool_(True)))) == (0.5, 3, True)


class Own:
    def __init__(self, x):
        self.x = x


def test_a_class_of_ones_own_is_named_until_it_is_carried(monkeypatch):
    monkeypatch.setattr(wire, "_forms", dict(wire._forms))
    monkeypatch.setattr(wire, "_tags", dict(wire._tags))
    with pytest.raises(CoterieError, match=r"no wire form.*carry\(Own"):
        encode(Fact("own", (), Own(3)))
    wire.carry(Own, "own", lambda v: v.x, Own)
    assert decode(encode(Fact("own", (), Own(3)))).value.x == 3
    with pytest.raises(CoterieError, match="already a wire form"):
        wire.carry(Own, "fact", lambda v: v.x, Own)


@pytest.mark.parametrize(
    "line, words",
    [
        ("{", "not JSON"),
        ('{"~applause": 3}', "No wire form 'applause'"),
        ('{"~fact": {"pred": "where"}}', "not a fact"),
        ('{"~card": {"body": "Mo"}}', "not a card"),
        ('{"~goal": {"kind": "dance"}}', "No kind of goal 'dance'"),
    ],
)
def test_what_cannot_be_read_is_a_sentence(line, words):
    with pytest.raises(CoterieError, match=words):
        from_wire(line)


# -- what is really said and done ---------------------------------------------------------------------------------
class Tap:
    """Listens at the edge of a world and at the mouths of its robots."""

    def __init__(self, monkeypatch):
        self.heard, self.patch = [], monkeypatch
        say = RobotView.say

        def saying(view, *args, **kwargs):
            say(view, *args, **kwargs)
            self.heard.append(view.outbox[-1])

        monkeypatch.setattr(RobotView, "say", saying)

    def on(self, cls):
        for name in ("observe", "start", "advance", "apply"):
            self.patch.setattr(cls, name, self._listening(name, getattr(cls, name)))

    def _listening(self, name, method):
        def called(world, given=None):
            result = method(world, given)
            if name in ("start", "apply"):
                self.heard += given.values() if name == "start" else [given]
            else:
                self.heard += result if name == "advance" else [result]
            return result

        return called


PLAYED = [
    {"protocol": "rules", "team": "Ma-MoMa-Mo-UAV", "changes": ("cto@5",), "guard": True},
    {"task": "sort-solids", "protocol": "dynahmrc", "model": "oracle", "team": "Ma-MoMa", "changes": ("anc@5:UAV",)},
    {"protocol": "expert", "changes": ("rec@5:MoMa",), "noise": "real", "synchronous": False},
    {"task": "sandwich", "protocol": "roco", "model": "oracle"},
]


@pytest.mark.parametrize("config", PLAYED, ids=lambda c: f"{c.get('task', 'pack-objects')}-{c.get('protocol', '')}")
def test_everything_seen_said_and_done_in_an_episode_survives(config, monkeypatch):
    if config.get("task") == "sandwich":
        pytest.importorskip("mujoco")
    tap = Tap(monkeypatch)
    entry = entry_of(config.get("task", "pack-objects"))
    task = entry.task(entry.settle(Config(**config)))
    tap.on(type(entry.world(task, entry.settle(Config(**config)))))
    play(Config(**config))
    kinds = {type(v).__name__ for v in tap.heard}
    assert {"Observation", "Action", "Outcome"} <= kinds and (not config.get("changes") or "Change" in kinds)
    for value in tap.heard:
        check(value)
