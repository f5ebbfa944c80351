"""The small parts of the loop, each by itself: the clock, the post, seeds of requests, names of episodes, plugins."""

from types import SimpleNamespace

import pytest

from coterie.core.action import Message
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.facts import Belief, Fact
from coterie.core.protocol import Ask, Reply
from coterie.core.task import Change, Trigger
from coterie.episode.clock import Clock
from coterie.episode.deciding import Asking
from coterie.episode.inputs import Cancellation
from coterie.episode.loop import Episode, Settings
from coterie.episode.play import episode_key
from coterie.episode.post import Post
from coterie.episode.setup import resolve, sight
from coterie.log.file import Log
from examples import yard
from examples.yard import Tidier, YardWorld, yard_task
from tests.yard import parties, play


# -- the clock --------------------------------------------------------------------------------------------------------
def change(step=None, time=None, awaited=True):
    return Change(Trigger(step, time), "nothing", {}, awaited=awaited)


def clock(*changes, synchronous=True, steps=10, seconds=None):
    return Clock(yard_task(changes=changes, step_limit=steps, time_limit_s=seconds), synchronous, 2.0)


def test_changes_come_due_once():
    first, second, third = change(step=1), change(time=3.0), change(step=5)
    c = clock(first, second, third)
    assert c.due(0.0) == [] and c.due(3.0) == [second] and c.due(3.0) == []
    c.tick(4.0)
    assert (c.step, c.due(4.0), c.pending) == (1, [first], [third])


@pytest.mark.parametrize(
    ("what", "steps", "seconds", "awaits"),
    [
        (change(step=9), 10, None, True),
        (change(step=10), 10, None, False),
        (change(step=10), None, None, True),
        (change(step=9, awaited=False), 10, None, False),
        (change(time=9.0), 10, None, True),
        (change(time=9.0), 10, 9.5, True),
        (change(time=9.0), 10, 9.0, False),
        (change(), 10, None, False),
    ],
)
def test_what_a_team_goes_on_for(what, steps, seconds, awaits):
    assert clock(what, steps=steps, seconds=seconds).awaits() is awaits


def test_limits():
    c = clock(steps=2, seconds=5.0)
    assert not c.out_of_steps() and not c.out_of_time(4.9) and c.out_of_time(5.0)
    c.tick(1.0)
    c.tick(1.0)
    assert c.step == 2 and c.out_of_steps()
    free = clock(steps=None)
    assert not free.out_of_steps() and not free.out_of_time(1e9)
    spans = clock(synchronous=False)
    spans.tick(3.9)
    assert spans.step == 1
    spans.tick(4.0)
    assert spans.step == 2


def test_the_next_moment():
    assert clock(steps=None).next(0.0) is None and clock(steps=None).next(0.0, default=7.0) == 7.0
    c = clock(change(time=3.0), change(step=2), seconds=9.0)
    assert c.next(0.0) == 3.0 and c.next(3.0) == 9.0 and c.next(9.0) is None
    assert c.next(0.0, thinking=[1.5, 0.0]) == 1.5
    spans = clock(change(step=2), synchronous=False)
    assert spans.next(0.0) == 4.0 and spans.next(4.0) == 20.0


# -- the post ---------------------------------------------------------------------------------------------------------
def agent(name, side):
    return SimpleNamespace(name=name, side=side, view=SimpleNamespace(inbox=[], outbox=[], belief=Belief(), name=name))


class Roster:
    def __init__(self, **sides):
        self.agents = {n: agent(n, s) for n, s in sides.items()}
        self.side_of = dict(sides)

    def __iter__(self):
        return iter(self.agents.values())


def test_whom_words_reach_and_what_of_them():
    roster = Roster(Ada="a", Bo="a", Cid="b")
    post = Post(roster, Log(), None)
    fact = Fact("at", ("cup",), "here", 1.0, "Ada")
    post.deliver(Message("Ada", ("all",), "hi", (fact,)))
    boxes = {n: a.view.inbox for n, a in roster.agents.items()}
    assert [len(b) for b in boxes.values()] == [0, 1, 1]
    assert boxes["Bo"][0].facts == (fact,) and boxes["Cid"][0].facts == ()
    assert roster.agents["Bo"].view.belief.fact("at", "cup").source == "Ada"
    assert roster.agents["Cid"].view.belief.cursor == 0
    post.deliver(Message("Ada", ("Nobody", "Ada", "Cid"), "you"))
    assert [len(b) for b in boxes.values()] == [0, 1, 2]
    post.deliver(Message("Anna", ("Bo",), "words of a person", (fact._replace(value="there", time=2.0),)))
    assert roster.agents["Bo"].view.belief.value("at", "cup") == "there"


def test_talk_inside_decisions_is_noted_and_delivered():
    roster, log = Roster(Ada="a", Bo="a"), Log()
    roster.agents["Bo"].view.outbox.append(Message("Bo", ("Ada",), "hm", (Fact("at", ("x",), 1, 2.0),)))
    Post(roster, log, None).deliver_stage_talk()
    (event,) = log.events
    assert (event.kind, event.who) == ("say", "Bo")
    assert event.data == {"to": ("Ada",), "text": "hm", "facts": [["at", ("x",), 1, 2.0]]}
    assert len(roster.agents["Ada"].view.inbox) == 1 and roster.agents["Bo"].view.outbox == []


# -- requests ---------------------------------------------------------------------------------------------------------
def ask(robot="Ada"):
    return Ask(robot, "act", 0, 0, (("user", "?"),))


def run(generator, *answers):
    """The requests that a generator made, and what it returned."""
    asked, left = [], list(answers)
    try:
        asked.append(next(generator))
        while True:
            asked.append(generator.send(left.pop(0)))
    except StopIteration as end:
        return asked, end.value


def test_requests_have_seeds_of_their_own():
    asking = Asking(Log(), 3)
    first, again, other = (asking.seeded(ask(r)).seed for r in ("Ada", "Ada", "Bo"))
    assert len({first, again, other, 0}) == 4
    assert Asking(Log(), 3).seeded(ask()).seed == first != Asking(Log(), 4).seeded(ask()).seed


def test_replies_come_from_the_log_as_far_as_it_goes():
    log = Log()
    asks = [ask("Ada"), ask("Bo")]
    assert run(Asking(log, 0).answer(asks), [Reply("a", 1), Reply("b", 2)]) == ([asks], [Reply("a", 1), Reply("b", 2)])
    assert [(e.kind, e.who, e.causes) for e in log.events] == [
        ("ask", "Ada", ()), ("ask", "Bo", ()), ("reply", "Ada", (0,)), ("reply", "Bo", (1,)),
    ]  # fmt: skip
    again = Log(past=log.lines()[:3])
    assert run(Asking(again, 0).answer(asks), [Reply("c", 2)]) == ([[asks[1]]], [Reply("a", 1), Reply("c", 2)])
    whole = Log(past=log.lines())
    assert run(Asking(whole, 0).answer(asks)) == ([], [Reply("a", 1), Reply("b", 2)])
    assert run(Asking(Log(), 0).answer([])) == ([], [])
    with pytest.raises(CoterieError, match="The model gave 1 replies to 2 requests"):
        run(Asking(Log(), 0).answer(asks), [Reply("a")])


# -- the rest ---------------------------------------------------------------------------------------------------------
def test_who_cancels_where_nobody_is_named():
    task = yard_task()
    episode = Episode(YardWorld(task), task, parties(Tidier), Log(), Settings())
    episode.roster.sync({})
    episode.cancel("Ada")
    episode.cancel("Bo", "Anna")
    taken = [episode.inputs.take(Log()) for _ in range(3)]
    assert taken == [Cancellation("Ada", "person"), Cancellation("Bo", "Anna"), None]
    with pytest.raises(CoterieError, match="No robot 'Zoe'"):
        episode.cancel("Zoe")


def test_names_of_episodes():
    plain = resolve(Config(task="yard-tidy", seed=3))
    assert episode_key(plain).split("/")[:3] == ["yard-tidy", plain.level, "3"]
    assert episode_key(plain).count("/") == 4
    assert episode_key(resolve(Config(task="yard-tidy", seed=3, guard=True))).startswith(episode_key(plain) + "/")
    assert episode_key(resolve(Config(task="yard-tidy", seed=3, load=()))) == episode_key(plain)


def test_what_minds_may_use():
    assert sight("rules") == "own" and sight("rules", True) == "pooled"
    assert sight("expert") == sight("expert", memo=True) == "truth"


@pytest.mark.parametrize("synchronous", [True, False])
def test_time_goes_on_when_nobody_is_left(synchronous):
    gone = [Change(Trigger(step=1), "leave", {"robot": robot}) for robot in ("Ada", "Bo")]
    back = Change(Trigger(step=4), "join", {"robot": "Ada", "card": yard.RUNNER})
    task = yard_task(changes=(*gone, back), step_limit=8)
    played = play(Tidier, task, Settings(synchronous=synchronous, step_s=1.0))
    assert played.result.status == "step limit" and played.result.steps == 8
    assert [e.step for e in played.log.events if e.kind == "join"] == [4]
    assert [e.step for e in played.log.events if e.kind == "act" and e.who == "Ada"][-1] >= 5
