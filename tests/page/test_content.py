"""What the page tells is what the log says: numbers, beliefs, prompts, replies, and where robots are."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.bench.metrics import episode_metrics
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.core.record import read
from coterie.core.records import AskEvent, ReplyEvent
from coterie.log.fold import states
from coterie.page import content, embedded, page
from coterie.page.goals import Goals
from coterie.page.minds import _LEFT_OUT, value_words
from coterie.page.scenery import Pool, edits, small
from coterie.page.story import Story

TALK = {"protocol": "dynahmrc", "model": "oracle", "task": "pack-objects", "seed": 2}


@pytest.fixture(scope="module")
def told_of(log):
    """`told_of(**options)`: the log of such an episode, and what its page tells."""
    made = {}

    def tell(**options):
        key = repr(options)
        if key not in made:
            made[key] = log(**options), content(log(**options))
        return made[key]

    return tell


@pytest.fixture
def talk(told_of):
    """Of a team that talks and asks a model."""
    return told_of(**TALK)


def told_figures(told):
    return {key: value for key, value, _, _ in told["figures"]}


@pytest.mark.parametrize("options", [TALK, {"protocol": "rules", "seed": 3}])
def test_figures_are_those_of_the_bench(told_of, options):
    events, told = told_of(**options)
    shown, numbers = told_figures(told), episode_metrics(events)
    assert shown["success"] == ("yes" if numbers["success"] else "no")
    assert shown["steps"] == str(numbers["steps"]) and shown["failed"] == str(numbers["failed"])
    assert shown["as"] == f"{numbers['as']:.2f}" and shown["ps"] == f"{round(100 * numbers['ps'])} %"
    assert shown.get("calls", "0") == str(numbers["calls"]) and shown.get("tokens", "0") == str(numbers["tokens"])
    assert shown["messages"] == str(sum(e.kind == "message" for e in events))
    assert shown.get("talk", "0") == str(sum(e.kind == "say" for e in events))


def test_a_log_without_an_end_is_a_page_too(talk):
    events, whole = talk
    told = content([e for e in events if e.kind != "end"])
    assert len(page(whole).encode()) < 400_000, "a small file"
    assert told["verdict"] == {"ok": None, "text": "not finished"}
    assert told_figures(told)["calls"] == told_figures(whole)["calls"]
    assert "success" not in told_figures(told)


def test_prompts_and_replies_are_verbatim(talk):
    events, told = talk
    shown = [e for step in told["steps"] for e in step["e"] if e["k"] == "ask"]
    asks = [read(AskEvent, e) for e in events if e.kind == "ask"]
    replies = {e.causes[0]: read(ReplyEvent, e) for e in events if e.kind == "reply"}
    assert len(shown) == len(asks) > 20
    for entry, ask, event in zip(shown, asks, (e for e in events if e.kind == "ask")):
        said = [(role, "\n".join(told["lines"][i] for i in ids)) for role, *ids in entry["p"]]
        assert said == [(role, text) for role, text in ask.prompt]
        assert "\n".join(told["lines"][i] for i in entry["r"]) == replies[event.seq].text
        assert entry["n"] == [replies[event.seq].tokens_in, replies[event.seq].tokens_out]


@pytest.mark.parametrize("options", [TALK, {"protocol": "rules", "seed": 3}])
def test_beliefs_of_every_step_come_back_from_their_changes(told_of, options):
    events, told = told_of(**options)
    held: dict[str, dict] = {}
    for step, state in zip(told["steps"], states(events)):
        for name, rows in step.get("b", {}).items():
            for subject, label, value, *_ in rows:
                held.setdefault(name, {})[told["words"][subject], told["words"][label]] = value
        for name, robot in state.robots.items():
            shown = sorted(told["words"][v] for v in held.get(name, {}).values() if v >= 0)
            meant = [
                (key, value)
                for key, value in robot.believes.items()
                if key[0] not in _LEFT_OUT and not isinstance(value, dict) and key[1:]
            ]
            meant = [(k, v) for k, v in meant if str(v) != "?" and not (k[0] == "online" and v is True)]
            assert shown == sorted(value_words(v) for _, v in meant), (state.step, name)


def test_who_takes_something_to_be_where_it_is_not_is_told_so(told_of):
    """A cup is carried off behind a robot's back: its belief is marked from the next step on, and not before."""
    events, plain = told_of(protocol="rules", seed=3)
    seen = next(e for e in events if e.kind == "see" and any(r[0] == "where" for r in e.data["facts"]))
    thing = next(r[1][0] for r in seen.data["facts"] if r[0] == "where")
    at = next(i for i, e in enumerate(events) if e.kind == "truth" and e.step == 1)
    moved = events[at]._replace(data={"facts": [*events[at].data["facts"], ["where", [thing], "nowhere_9"]]})
    told = content([*events[:at], moved, *events[at + 1 :]])
    marked = [
        (step["n"], name)
        for step in told["steps"]
        for name, rows in step.get("b", {}).items()
        for row in rows
        if len(row) > 4 and told["words"][row[4]] == "nowhere_9" and told["words"][row[0]] == thing
    ]
    assert (2, seen.who) in marked and not [n for n, _ in marked if n < 2]
    assert not any("nowhere_9" in word for word in plain["words"])


def test_robots_are_where_the_log_says(talk):
    events, told = talk
    frames = told["scenery"]["map"]["frames"]
    assert len(frames) == len(told["steps"])
    for before, after, step in zip(states_of(events), states_of(events)[1:], frames[1:]):
        for name, pose in after.items():
            if name in step.get("r", {}):
                continue
            assert pose == before[name], "a robot that does not move on the page has not moved in the log"


def states_of(events):
    return [{n: r.pose for n, r in state.robots.items()} for state in states(events)]


HOUSE = {"task": "tidy", "protocol": "expert", "scene": "rooms:3", "level": "1", "seed": 3}
YARD = {"task": "yard-tidy", "level": "beam", "protocol": "foreman"}


@pytest.mark.parametrize("options", [YARD, HOUSE])
def test_other_worlds_have_maps_with_robots_that_move(log, options):
    told = content([e for e in log(**options) if e.step < 30])
    shown = told["scenery"]["map"]
    assert len(shown["frames"]) == len(told["steps"])
    assert {n for f in shown["frames"] for n in f.get("r", {})} == {r["name"] for r in told["robots"]}
    assert len(page(told)) < 400_000


def test_pictures_are_thinned_until_they_can_be_mailed():
    steps = list(range(-1, 30))
    shown = list(small(((step, bytes(40_000)) for step in steps for _ in range(5)), steps))
    assert len(shown) == len(steps) and all(shown), "of every step the last moment stays"
    assert 1_000_000 < sum(len(d) for row in shown for d in row) < 4_600_000


def test_a_world_that_nobody_can_draw_is_told_in_words(talk):
    events, whole = talk
    first = events[0]._replace(data={**events[0].data, "world": "elsewhere"})
    told = content([first, *events[1:]])
    assert "elsewhere" in told["scenery"]["none"] and len(told["steps"]) == len(whole["steps"])
    with pytest.raises(CoterieError, match="first line"):
        content([Event(0, 0, 0.0, "act", "Bob", {}, ())])


def test_data_cannot_leave_their_block():
    text = embedded({"x": "</script><script>alert(1)</script><!-- \u2028 & "})
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text)["x"] == "</script><script>alert(1)</script><!-- \u2028 & "


def test_goals_tell_what_their_plans_have_in_store():
    words = Pool()
    goals, seq = Goals("hospital", words), 0

    def add(kind, data, who="", causes=()):
        nonlocal seq
        seq += 1
        goals.take(Event(seq, 0, 0.0, kind, who, data, causes))
        return seq

    def rows():
        return [(row["id"], row["state"], [words.items[i] for i in row["left"]]) for row in goals.rows()]

    for name in ("g1", "g2"):
        add("mission", {"what": "goal", "goal": name, "by": "nurse", "text": f"the {name}"})
    steps = [["Fetch", "goto", "atG", "atB"], ["Spot", "goto", "atE", "atG"]]
    add("mission", {"what": "plan", "goal": "g1", "steps": steps})
    assert rows() == [
        ("g1", "under way", ["Fetch goes to table B", "Spot goes to table G"]),
        ("g2", "in the queue", []),
    ]
    acts = [add("act", {"skill": s, "args": a}, who) for who, s, *a in steps]
    add("outcome", {"status": "failed", "reason": ""}, "Fetch", (acts[0],))
    add("outcome", {"status": "done", "reason": ""}, "Spot", (acts[1],))
    assert rows()[0] == ("g1", "under way", ["Fetch goes to table B"])
    add("mission", {"what": "changed", "goal": "g1", "to": "cancel", "by": "nurse"})
    add("mission", {"what": "blocked", "goal": "g2", "by": "g1"})
    assert rows() == [("g1", "cancelled", []), ("g2", "waits for others", [])]


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"what": "failure", "why": "grasp"}, ["failure: grasp"]),
        ({"what": "failure"}, ["failure: "]),
        ({"what": "tell", "to": "nurse", "text": "Plan 1:\n1. Spot waits"}, ["Plan 1:\n1. Spot waits"]),
        ({"what": "changed_over", "goal": "g1", "robots": []}, []),
        ({"what": "declined", "by": "nurse", "text": "gloves", "words": "none"}, []),
    ],
)
def test_a_mission_of_another_version_is_told_as_far_as_it_goes_and_words_keep_their_lines(told, words):
    assert [e["x"] for e in Story(Pool()).entries(Event(1, 0, 0.0, "mission", "", told), 0)] == words


IDS = st.lists(st.integers(0, 6), max_size=12)


@given(IDS, IDS)
def test_edits_turn_one_list_into_the_other(old, new):
    now = list(old)
    for at, gone, *come in edits(old, new):  # as the page does it
        now[at : at + gone] = come
    assert now == new


def test_a_pool_writes_everything_once():
    pool = Pool()
    assert [pool.id(w) for w in ("a", "b", "a")] == [0, 1, 0]
    assert pool.id(("key", 1), lambda: ["written"]) == 2 == pool.id(("key", 1), lambda: ["not again"])
    assert pool.items == ["a", "b", ["written"]]
