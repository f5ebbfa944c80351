"""What comes from outside: people's changes and words, cancellations, drivers; and what passes between parties."""

from dataclasses import dataclass, field

import pytest

from coterie.core.action import PERSON, Action, Outcome
from coterie.core.errors import CoterieError
from coterie.core.facts import UNKNOWN, Fact
from coterie.core.protocol import Party, SoloProtocol
from coterie.core.task import Change, Trigger
from coterie.core.world import Standing
from coterie.episode.inputs import Cancellation, Inputs
from coterie.episode.loop import Settings, run
from coterie.log.file import Log
from examples.yard import RUNNER, Tidier, Tidy, YardWorld, stranger_joins, yard_task
from tests.yard import cut_anywhere, play, solo, together

ASYNC = Settings(synchronous=False, step_s=1.0)


def at_step(number, what):
    """A watcher that does something once, when a step has ended."""

    def watch(e):
        if e.step == number:
            what(e)

    return watch


# -- people ---------------------------------------------------------------------------------------------------------
def meddle(e):
    """All that a person can do to an episode, at three moments."""
    if e.step == 2:
        goal = Tidy((("cup", "5,1"), ("ball", "5,0")))
        e.inject(Change(Trigger(step=0), "goal", {"goal": goal}, told=("all",), source="Eve"))
    if e.step == 3:
        e.say("Eve", "the cup first, please", to=("Ada",))
        e.inject(Change(Trigger(step=0), "join", {"robot": "Yan", "card": RUNNER, "party": "team"}, source="Eve"))
    if e.step == 4:
        e.cancel("Bo", by="Eve")


@pytest.mark.parametrize("settings", [Settings(), ASYNC], ids=["synchronous", "asynchronous"])
def test_what_a_person_did_before_a_kill_happens_again_on_resume_and_stands_without_her(settings):
    whole = play(Tidier, settings=settings, watch=meddle)
    lines = whole.log.lines()
    inputs = [e for e in whole.log.events if e.kind == "input"]
    assert [e.data["kind"] for e in inputs] == ["change", "utterance", "change", "cancel"]
    assert whole.result.success, "the goal that Eve set is the one that counts"

    def again(log):
        assert play(Tidier, settings=settings, log=log, watch=meddle).result == whole.result

    cut_anywhere(again, lines, 5)
    past = Log(past=lines[: inputs[-1].seq + 1])
    assert play(Tidier, settings=settings, log=past).log.lines() == lines, "Eve has gone home; her goal stands"
    assert play(Tidier, settings=settings).log.lines() != lines


def test_words_of_a_person_are_text_and_reach_only_whom_they_are_for():
    heard = {}
    listening = solo(lambda me: heard.setdefault(me.name, []).extend(me.inbox) or "wait")
    play(listening, yard_task(step_limit=3), watch=at_step(1, lambda e: e.say("Eve", "stop", to=("Bo",))))
    assert heard["Ada"] == []
    (message,) = heard["Bo"]
    assert (message.sender, message.text, message.facts, message.via) == ("Eve", "stop", (), PERSON)


def test_nobody_speaks_in_a_robots_name_and_unknown_robots_are_not_cancelled():
    def complain(e):
        with pytest.raises(CoterieError, match="'Bo' is a robot; nobody else speaks in its name"):
            e.say("Bo", "I am Bo")
        with pytest.raises(CoterieError, match=r"No robot 'Boo'\. Did you mean 'Bo'"):
            e.cancel("Boo")

    play(Tidier, yard_task(step_limit=1), watch=complain)


def test_an_input_that_cannot_be_read_is_a_sentence():
    lines = play(Tidier, yard_task(step_limit=2), watch=at_step(1, lambda e: e.say("Eve", "hm"))).log.lines()
    bad = [line.replace('"utterance"', '"utter"') for line in lines]
    with pytest.raises(CoterieError, match="The log holds an input that cannot be read"):
        play(Tidier, yard_task(step_limit=2), log=Log(past=bad))


@pytest.mark.parametrize(
    ("kind", "data", "words"),
    [
        ("leave", {"robot": "Zed"}, "No robot 'Zed'"),
        ("join", {"robot": "Ada", "card": RUNNER}, "There is already a robot named 'Ada'"),
        ("dance", {}, "No kind of change 'dance'"),
    ],
)
def test_what_cannot_be_is_refused_in_words_and_the_episode_goes_on(kind, data, words):
    change = Change(Trigger(step=0), kind, data, source="Eve")
    played = play(Tidier, watch=at_step(2, lambda e: e.inject(change)))
    said, refused = played.said("input")
    assert said[2]["change"] == kind and refused[2]["kind"] == "refused" and words in refused[2]["reason"]
    assert played.result == play(Tidier).result, "as if she had said nothing"
    cut_anywhere(lambda log: play(Tidier, log=log, watch=at_step(2, lambda e: e.inject(change))), played.log.lines(), 5)


# -- busy robots ----------------------------------------------------------------------------------------------------
def test_a_cancelled_robot_is_free_and_decides_anew():
    decided = []

    def lift(me):
        decided.append((me.name, me.time))
        return Action("grab", ("ball",)) if me.name == "Bo" else "wait"

    task = yard_task(time_limit_s=4.0, step_limit=None)
    played = play(solo(lift), task, ASYNC, watch=lambda e: e.cancel("Bo") if e.world.now == 1.0 else None)
    ends = [(t, d["status"]) for t, _, d in played.said("outcome", "Bo")]
    assert ends[0] == (1.0, "cancelled"), "a grab takes two seconds"
    assert ("Bo", 1.0) in decided, "it is asked again at once"
    assert played.result.status == "time limit"


def test_a_cancellation_of_an_idle_robot_or_one_that_left_does_nothing():
    inputs = Inputs()
    for robot in ("Ada", "Nobody"):
        inputs.put(Cancellation(robot))
    result, log = together(task=yard_task(step_limit=2), inputs=inputs)
    assert result.steps == 2 and [e.data["kind"] for e in log.events if e.kind == "input"] == ["cancel", "cancel"]


class Obedient(SoloProtocol):
    """Grabs the ball from afar, which takes two seconds, unless somebody says something meanwhile."""

    asked: list = []

    def act(self, me):
        return Action("grab", ("ball",)) if me.name == "Bo" else Action("wait")

    def between(self, team, busy):
        me = team.me
        self.asked.append((me.name, me.inbox[-1].text))
        yield []
        return {me.name: Action("wait", why="told to")} if me.inbox[-1].text == "stop" else {}


def at_once(words):
    """What becomes of somebody who is told something while at work."""
    Obedient.asked = []
    task = yard_task(time_limit_s=5.0, step_limit=None)
    eve = lambda e: e.say("Eve", words, to=("Bo",)) if words and e.world.now == 1.0 else None  # noqa: E731
    return play(Obedient, task, ASYNC, watch=eve)


def test_a_busy_robot_hears_and_its_party_is_asked_between_its_actions():
    played = at_once("stop")
    first, second, *_ = [(t, d["action"], d["status"]) for t, _, d in played.said("outcome", "Bo")]
    assert Obedient.asked[0] == ("Bo", "stop")
    assert first[1:] == ("grab(ball)", "cancelled") and first[0] < 2.0
    assert second[1] == "wait()"
    calm = at_once("")
    assert calm.said("outcome", "Bo")[0][2]["status"] == "failed", "nobody said a word: it came to its own end"

    at_once("well done")
    assert Obedient.asked == [("Bo", "well done")], "a party that goes on is asked once about the same words"


# -- parties --------------------------------------------------------------------------------------------------------
def test_between_parties_only_text_travels():
    def tell(me):
        fact = Fact("where", ("ball",), "9,9", me.time, me.name)
        me.say("the ball is far away", facts=[fact])
        return Action("communicate", ("by radio", ("all",)), facts=(fact,)) if me.step == 0 else "wait"

    believed, heard = {}, []

    def listen(me):
        heard.extend(me.inbox)
        believed[me.name] = me.look("where", "ball")
        return "wait"

    task = yard_task(step_limit=3)
    both = [Party("one", solo(tell), ("Ada",)), Party("two", solo(listen), ("Bo",))]
    run(YardWorld(task), task, both, Log(), lambda asks: [])
    assert {m.text for m in heard} == {"the ball is far away", "by radio"}
    assert all(m.facts == () for m in heard) and believed["Bo"] is UNKNOWN
    together(solo(lambda me: tell(me) if me.name == "Ada" else listen(me)), task)
    assert believed["Bo"] == "9,9", "within a party facts travel with the words"


@pytest.mark.parametrize("aloud", [True, False], ids=["say", "communicate"])
def test_a_fact_without_a_time_is_newer_than_what_was_seen(aloud):
    believed = []

    def gossip(me):
        if me.name == "Bo":
            believed.append(me.look("at", "Lena"))
            return "wait"
        place = f"{me.step},0"
        fact = Fact("at", ("Lena",), place, me.time, me.name) if me.step == 1 else Fact("at", ("Lena",), place)
        if aloud:
            me.say(f"Lena is at {place}", facts=(fact,))
            return "wait"
        return Action("communicate", (f"Lena is at {place}", ("all",)), facts=(fact,))

    play(solo(gossip), yard_task(step_limit=4))
    assert believed == [UNKNOWN, "0,0", "1,0", "2,0"]


def test_a_finished_team_does_not_wait_for_a_stranger():
    alone = play(Tidier)
    played = play(Tidier, yard_task(changes=[stranger_joins(step=30)]))
    assert played.result == alone.result
    assert played.log.events[-1].data["unfired"] == ["join"]


def test_a_change_that_is_awaited_keeps_a_finished_team_going():
    late = stranger_joins(step=30)._replace(awaited=True)
    assert play(Tidier, yard_task(changes=[late])).result.steps > 30


# -- drivers --------------------------------------------------------------------------------------------------------
@dataclass
class Slow:
    """A robot of flesh and steel: it ends after so many questions, or not at all."""

    polls: int = 3
    status: str = "done"
    started: list = field(default_factory=list)
    stopped: list = field(default_factory=list)

    def start(self, robot, action, now):
        self.started.append((robot, str(action), now))
        return Underway(self, robot, action, now)


class Underway:
    def __init__(self, driver, robot, action, start):
        self.driver, self.robot, self.action, self.start, self.asked = driver, robot, action, start, 0

    def poll(self, now):
        self.asked += 1
        if self.asked < self.driver.polls:
            return None
        return Outcome(self.robot, self.action, self.driver.status, "The motors say so.", self.start, now - self.start)

    def cancel(self, now):
        self.driver.stopped.append((self.robot, now))
        return Outcome(self.robot, self.action, "cancelled", "stopped", self.start, now - self.start)


def with_driver(driver, log=None, settings=None, mind=Tidier, inputs=None, **options):
    return together(mind, yard_task(**options), log, settings, inputs=inputs, drivers={"Bo": driver})


def outcomes(log):
    return [e.data for e in log.events if e.kind == "outcome" and e.who == "Bo"]


@pytest.mark.parametrize("settings", [Settings(), ASYNC], ids=["synchronous", "asynchronous"])
def test_a_robot_with_a_driver_of_its_own_takes_part(settings):
    driver = Slow()
    result, log = with_driver(driver, settings=settings, step_limit=40)
    assert result.success, "the world takes over what its motors have done"
    acts = [e for e in log.events if e.kind == "act" and e.who == "Bo"]
    assert [s[1] for s in driver.started] == [f"{e.data['skill']}({', '.join(e.data['args'])})" for e in acts]
    took = {end["took"] for end in outcomes(log) if end["status"] == "done"}
    assert min(took) >= 2.0, "three questions, a second apart, whatever the skill declares"


def test_simulated_time_goes_as_fast_as_the_clock_while_driven_robots_only_wait():
    class Paced(Slow):
        poll_s, begun = 0.1, ""

        def begin(self, run):
            self.asked = []

        def standing(self, robot):
            return Standing()

        def sensed(self, robot, wait_s=0.0):
            return []

        def keep_pace(self, now):
            self.asked.append(now)

    driver = Paced()
    with_driver(driver, settings=ASYNC, mind=solo(lambda me: "wait"), step_limit=4)
    gaps = [b - a for a, b in zip([0.0, *driver.asked], driver.asked)]
    assert driver.asked[-1] >= 3.0 and max(gaps) <= 0.1 + 1e-9, "the clock is kept at every question"


def test_what_a_driver_cannot_do_fails_in_its_own_words():
    _, log = with_driver(Slow(status="failed"), step_limit=4)
    assert {(e["status"], e["reason"]) for e in outcomes(log)} == {("failed", "The motors say so.")}


def test_the_world_does_not_believe_a_driver_what_cannot_be():
    _, log = with_driver(Slow(), mind=solo(lambda me: Action("grab", ("ball",))), step_limit=1)
    (end,) = outcomes(log)
    assert end["status"] == "failed" and end["reason"] == "ball is not in the cell of Bo."


def test_late_answers_of_drivers_are_in_the_log_and_are_not_asked_for_again():
    whole, log = with_driver(Slow(polls=2), step_limit=12)
    lines = log.lines()
    ended = [e.seq for e in log.events if e.data.get("kind") == "ended"]
    acts = [e.seq for e in log.events if e.kind == "act" and e.who == "Bo"]
    assert len(ended) > 3
    for cut in range(2, len(lines), 7):
        again = Slow(polls=2)
        result, past = with_driver(again, Log(past=lines[:cut]), step_limit=12)
        assert len(again.started) == len(acts) - sum(i < cut for i in ended), "only what had not ended is driven"
        if not any(a < cut <= e for a, e in zip(acts, ended)):  # not in the middle of a motion, which begins anew
            assert past.lines() == lines and result == whole


def test_a_driver_can_be_stopped_by_a_person():
    inputs = Inputs()

    class Once(Slow):
        def start(self, robot, action, now):
            inputs.put(Cancellation(robot))
            return super().start(robot, action, now)

    driver = Once(polls=10_000)
    result, log = with_driver(driver, inputs=inputs, step_limit=2)
    assert result.steps == 2 and len(driver.stopped) == 2
    assert {end["status"] for end in outcomes(log)} == {"cancelled"}


def test_a_world_that_cannot_take_over_says_so():
    class Bare:
        """A world without `accept`."""

        def __init__(self, inner):
            self.inner = inner

        def __getattr__(self, name):
            if name == "accept":
                raise AttributeError(name)
            return getattr(self.inner, name)

    task = yard_task()
    with pytest.raises(CoterieError, match="takes no robots with drivers of their own"):
        party = Party("team", Tidier, ("Ada", "Bo"))
        run(Bare(YardWorld(task)), task, [party], Log(), lambda a: [], drivers={"Bo": Slow()})
