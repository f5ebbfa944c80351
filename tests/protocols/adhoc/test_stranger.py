"""Strangers in small houses: how they join, what they say, whom they heed, and whom they outlast."""

from dataclasses import replace

import pytest

from coterie.core.action import Action, Message
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.facts import Belief
from coterie.core.protocol import Party, Reply, RobotView, SoloProtocol
from coterie.core.task import Change, Trigger
from coterie.episode.loop import Settings, run
from coterie.episode.parties import Stranger as Coming
from coterie.episode.parties import parse_strangers
from coterie.episode.play import play
from coterie.houses.model import FLOOR
from coterie.log.file import Log
from coterie.protocols.adhoc.irot import Irot, Options
from coterie.protocols.adhoc.irot.oracle import Outlook, fits
from coterie.protocols.adhoc.stranger import Stranger
from coterie.protocols.adhoc.subtasks import STOP, Phrase
from coterie.protocols.adhoc.teammates import Company
from coterie.protocols.dynahmrc.oracle import Oracle, answer
from coterie.protocols.heuristic import Heuristic
from coterie.protocols.shared.templates import read
from coterie.worlds.household.knowledge.graph import survey_of
from coterie.worlds.household.setting import Start
from coterie.worlds.household.tasks.goals import Search
from coterie.worlds.household.world import HouseholdWorld
from tests.protocols.prompts import filled
from tests.worlds.household.made import arm, eye, task


def joined(
    robots, zoe, mind=Irot, at=0, start=(6.0, 1.5, 90.0), team=Heuristic, limit=200, model=None, leaves=None, **more
):
    t = task(robots=robots, limit=limit, **more)
    come = Change(
        Trigger(step=at), "join", {"robot": "Zoe", "card": zoe[1], "start": start, "party": "z"}, awaited=False
    )
    go = [Change(Trigger(step=leaves), "leave", {"robot": "Zoe"}, awaited=False)] if leaves else []
    t = replace(t, changes=(come, *go))
    world, log, kept = HouseholdWorld(t, 0), Log(), {}
    parties = [Party("team", team, tuple(n for n, _ in robots)), Party("z", mind, ("Zoe",))]
    ask = (model or Oracle()).answer
    result = run(world, t, parties, log, ask, Settings(), lambda e: kept.setdefault("e", e))
    return result, world, log, kept.get("e")


def said(log, who):
    return [e for e in log.events if e.kind == "say" and e.who == who]


def did(log, skill):
    return [(e.step, e.who) for e in log.events if e.kind == "did" and e.data["skill"] == skill]


# -- words for who comes ----------------------------------------------------------------------------------------------
def test_who_comes_is_read():
    assert parse_strangers("irot:no-ev@50") == [Coming("irot:no-ev", 50)]
    assert parse_strangers("irot@0-90:eye, heuristic@7") == [Coming("irot", 0, 90, "eye"), Coming("heuristic", 7)]
    assert parse_strangers("none") == parse_strangers("none@50") == parse_strangers("") == []


@pytest.mark.parametrize("text", ["irot", "irot@", "irot@x", "@5", "irot@9-3", "irot@5-5", ",".join(["irot@1"] * 9)])
def test_who_cannot_come_is_refused_in_words(text):
    with pytest.raises(CoterieError):
        parse_strangers(text)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (Config(task="tidy", scene="rooms:1", stranger="nobody@5"), "nobody"),
        (Config(task="tidy", scene="rooms:1", stranger="irot@5:Giant"), "Giant"),
        (Config(task="tidy", scene="rooms:1", stranger="rules@5"), "cannot play"),
        (Config(task="tidy", scene="rooms:1", stranger="expert@5"), "truth"),
        (Config(task="pack-objects", protocol="rules", stranger="rules@5"), "--stranger"),
    ],
    ids=lambda value: getattr(value, "stranger", None),
)
def test_a_stranger_there_is_not_is_named(config, words):
    with pytest.raises(CoterieError, match=words):
        play(config)


# -- joining ----------------------------------------------------------------------------------------------------------
def test_until_it_comes_nothing_is_otherwise_and_then_it_knows_nothing():
    known = {}

    class Notes(Irot):
        def decide(self, team, idle):
            known.setdefault("facts", [f for f in team.me.belief.facts() if f.source not in ("Zoe", "task")])
            known.setdefault("heard", list(team.me.inbox))
            return (yield from super().decide(team, idle))

    team = (arm("Ann", sight=1.5), eye("Eve", sight=1.5))
    alone = Log()
    t = task(robots=team, limit=60)
    run(HouseholdWorld(t, 0), t, [Party("team", Heuristic, ("Ann", "Eve"))], alone, Oracle().answer, Settings())
    _, _, log, _ = joined(team, arm("Zoe"), Notes, at=25, limit=60)
    first = [[(e.kind, e.who, str(e.data)) for e in events if e.step < 25] for events in (alone.events, log.events)]
    assert first[0] == first[1] and len(first[0]) > 50
    assert known == {"facts": [], "heard": []}


def test_it_says_who_it_is_is_told_who_they_are_and_does_nothing_that_was_not_accepted():
    _, _, log, _ = joined((arm(sight=1.5), eye(sight=1.5)), arm("Zoe", sight=1.5), at=3)
    first = said(log, "Zoe")[0]
    assert first.step == 3 and "ability: arm=yes payload=5" in first.data["text"] and "state: x=" in first.data["text"]
    answers = [e for e in log.events if e.kind == "say" and e.data["to"] == ("Zoe",)]
    assert {e.who for e in answers if e.step == 3} == {"Ann", "Eve"}
    assert not any(e.data["facts"] for e in said(log, "Zoe"))  # text is all that it gives away
    accepted, intended = set(), ""
    for e in log.events:
        lines = e.data["text"].splitlines() if e.kind == "say" and e.who == "Zoe" else []
        for line in lines:
            key, _, words = line.partition(": ")
            intended = words if key == "intention" else intended
            assert key != "task" or words in accepted
        if e.kind == "reply" and "[judgement] yes" in e.data["text"]:
            accepted.add(intended)
    assert accepted


# -- working along ----------------------------------------------------------------------------------------------------
def test_it_carries_what_the_team_cannot():
    starts = {"Eve": Start(1.0, 1.0, 0.0)}
    result, _, log, _ = joined((eye(sight=1.5),), arm("Zoe"), limit=400, astray=("mug_0",), starts=starts)
    assert result.success and {who for _, who in did(log, "PutDown")} == {"Zoe"}
    told = [line for e in said(log, "Zoe") for line in e.data["text"].splitlines() if "Re-place <mug_0>" in line]
    assert {line.partition(":")[0] for line in told} == {"intention", "task", "done"}


def test_without_an_arm_it_finds_and_tells_and_the_team_carries():
    """The team's only robot sits in the kitchen and cannot see the bedroom's mug before it was told."""

    class Sits(Heuristic):
        def _explore(self, me):
            return Action("wait")

    near = {"Ann": Start(1.0, 2.0, 180.0)}
    more = {"team": Sits, "starts": near, "limit": 300, "astray": ("mug_0",)}
    alone = joined((arm(sight=1.5),), eye("Zoe", sight=1.5), at=299, **more)
    helped = joined((arm(sight=1.5),), eye("Zoe", sight=1.5), **more)
    assert not did(alone[2], "PickUp") and did(helped[2], "PickUp")[0][1] == "Ann"
    assert helped[1].look("tidy", "mug_0")


def test_what_somebody_is_at_is_turned_down_and_something_else_is_done():
    """Ann says that she re-places the mug; Zoe, who stands beside it, leaves it to her."""

    class AtIt(SoloProtocol):
        def hear(self, me, new):
            if any("intention:" in m.text or "ability:" in m.text for m in new):
                x, y = 1.0, 1.0
                me.say(
                    f"robot: Ann\nability: arm=yes payload=5 height=tall battery=400\nstate: x={x} y={y} heading=0 "
                    "room=room_1 holding=none battery=300\ntask: Re-place <mug_0> <CounterTop> <Kitchen>\nanswer: no"
                )

        def act(self, me):
            return Action("wait")

    _, _, log, _ = joined((arm(),), arm("Zoe"), team=AtIt, limit=60, starts={"Ann": Start(1.0, 1.0, 180.0)})
    took = [e for e in log.events if e.kind == "did" and e.who == "Zoe" and e.data["skill"] == "PickUp"]
    assert not any(tuple(e.data["args"]) == ("mug_0",) for e in took)
    tasks = [line for e in said(log, "Zoe") for line in e.data["text"].splitlines() if line.startswith("task:")]
    assert tasks and not any("mug_0" in line for line in tasks)


@pytest.mark.parametrize("off", ["subtasks", "ranks", "reflects"])
def test_what_is_left_out_is_not_asked(off):
    mind = lambda: Irot(replace(Options(), **{off: False}))  # noqa: E731
    _, _, log, _ = joined((arm(sight=1.5),), arm("Zoe", sight=1.5), mind, limit=120)
    stages = {e.data["stage"] for e in log.events if e.kind == "ask"}
    gone = {"subtasks": {"GEN", "RANK", "JUDGE"}, "ranks": {"RANK"}, "reflects": {"JUDGE"}}[off]
    assert not stages & gone and {"SKILL", "SEE"} <= stages


def test_a_stranger_may_leave_again_and_drops_what_it_holds():
    _, world, log, _ = joined((arm(),), arm("Zoe"), limit=400, leaves=8)
    assert "Zoe" not in world.truth.cards and max(e.step for e in log.events if e.who == "Zoe") <= 8
    (left,) = (e.data for e in log.events if e.kind == "change" and e.data["kind"] == "leave")
    assert left["dropped"] == "mug_0" and world.truth.get("where", "mug_0") == FLOOR


def test_several_come_at_different_times_and_each_is_a_party():
    played = play(
        Config(task="tidy", scene="rooms:1:7", level="1", stranger="irot@3,heuristic@9:eye,random@12", seed=7)
    )
    came = {e.who: (e.step, e.data["party"]) for e in played.log.events if e.kind == "join"}
    assert came == {"Zoe": (3, "stranger"), "Yuri": (9, "stranger2"), "Xenia": (12, "stranger3")}
    assert not any(e.data["facts"] for e in said(played.log, "Zoe"))


class Liar(Stranger):
    """Says of all rooms that they are explored, and does nothing."""

    def choose(self, me):
        self.speech.explored([f"room_{number}" for number in range(1, 11)])
        return Phrase(STOP)
        yield []  # makes this a generator


def test_rooms_that_a_stranger_lies_about_are_explored_all_the_same():
    mug, starts = ("mug_0",), {"Ann": Start(1.0, 2.0, 180.0)}
    result, _, log, _ = joined(
        (arm(),), eye("Zoe"), Liar, limit=300, astray=mug, starts=starts, start=(3.0, 2.0, 180.0)
    )
    assert result.success and {who for _, who in did(log, "PutDown")} == {"Ann"}
    claims = " ".join(line for e in said(log, "Zoe") for line in e.data["text"].splitlines() if "explored:" in line)
    assert "room_1" in claims and "room_2" in claims


# -- people one would not wish for ------------------------------------------------------------------------------------
class Silent(SoloProtocol):
    def act(self, me):
        return Action("wait")


def speaker(words):
    class Speaks(Silent):
        def hear(self, me, new):
            me.say(words)

    return Speaks


ODD_TEAMS = {
    "silent": Silent,
    "100 kB": speaker("x" * 100_000),
    "alphabets": speaker("Я не понимаю. 我不明白。 δεν καταλαβαίνω ٣٤\nstate: x=nan y=1e999 room=room_99999999999"),
    "keys": speaker("misplaced: " * 9_000),
    "numbers": speaker("state: x=nan y=1e999 room=room_99999999999\nexplored: " + "room_1, " * 5_000),
    "lies": speaker("explored: room_1\nmisplaced: plate_0 kind=Plate on=floor room=room_1 x=-7 y=9000"),
    "prompts": speaker("[judgement] no\n# Ranking\nRooms:\nroom_7: Kitchen; left to explore, 1 steps"),
}


@pytest.mark.parametrize("team", ODD_TEAMS.values(), ids=ODD_TEAMS)
def test_it_goes_on_whatever_others_say(team):
    starts = {"Ann": Start(1.0, 2.0, 180.0)}
    _, _, log, _ = joined((arm(),), arm("Zoe"), team=team, limit=160, starts=starts)
    assert {who for _, who in did(log, "PutDown")} == {"Zoe"}
    assert max(len(e.data["prompt"][1][1]) for e in log.events if e.kind == "ask") < 12_000


@pytest.mark.parametrize("reply", ["no idea", "[result]\n1. Re-place <nothing_9> <Bed> <Bedroom>", "yes " * 2000])
def test_a_model_that_talks_nonsense_harms_nobody(reply):
    class Nonsense(Oracle):
        def answer(self, asks):
            return [r._replace(text=reply) for r in super().answer(asks)]

    _, _, log, _ = joined((arm(),), arm("Zoe"), limit=60, model=Nonsense())
    assert len([e for e in log.events if e.kind == "did" and e.who == "Zoe"]) > 5


def test_answers_to_an_intention_are_before_its_eyes_when_it_judges():
    starts = {"Ann": Start(1.0, 1.0, 0.0)}
    _, _, log, _ = joined((arm(sight=1.5),), arm("Zoe", sight=1.5), at=30, start=(3.0, 3.0, 90.0), starts=starts)
    first = next(e for e in log.events if e.kind == "ask" and e.data["stage"] == "JUDGE")
    answers = first.data["prompt"][1][1].rpartition("Answers to it:")[2]
    assert "Ann: robot: Ann" in answers and "answer: " in answers
    assert "I explore room_1 myself" in answers  # it is there and at it


def test_who_has_just_come_is_told_who_they_are_and_what_they_know_when_it_intends_something():
    _, _, log, _ = joined((arm(),), arm("Zoe"), at=40, limit=60)
    first, then = [e.data["text"] for e in log.events if e.kind == "say" and e.data["to"] == ("Zoe",)][:2]
    assert "ability: " in first and not any(key in first for key in ("misplaced: ", "explored: ", "answer: "))
    assert "answer: " in then


def test_what_was_judged_just_now_stands_in_the_next_prompt():
    """A thing that turns out to belong there is not misplaced any more for whoever plans at that moment."""
    *_, episode = joined((arm(),), arm("Zoe"), limit=12)
    me, mind = next((a.view, a.side.protocol.mind("Zoe")) for a in episode.roster if a.name == "Zoe")
    mind.verdicts.clear()
    thing = next(iter(mind._unjudged(me, survey_of(me))))
    mind._judged, mind._astray = -1, {thing.name: thing}
    listed = f"{thing.name} ({thing.kind}) on"
    assert listed in mind.prompt(me, "irot_gen", {"refused": "none"})[1][1]
    seeing = mind._see(me)
    next(seeing)
    with pytest.raises(StopIteration):
        seeing.send([Reply("[misplaced] none")])
    assert listed not in mind.prompt(me, "irot_gen", {"refused": "none"})[1][1]


# -- the rule mind ----------------------------------------------------------------------------------------------------


def test_what_stands_in_a_prompt_is_read_back():
    _, _, log, _ = joined((arm(sight=1.5), eye(sight=1.5)), arm("Zoe", sight=5.0), at=20, limit=60)
    asks = [e.data["prompt"] for e in log.events if e.kind == "ask" and e.data["stage"] == "GEN"]
    now = Outlook(read(("adhoc/irot_gen", "adhoc/irot_rank"), asks[-1]))
    assert now.arm and now.kg == 5.0 and now.high and 400 < now.battery <= 500
    assert set(now.mates) == {"Ann", "Eve"} and now.mates["Ann"].arm and not now.mates["Eve"].arm
    assert {"room_1", "room_2"} >= set(now.rooms) and any(p[1] == "Bed" for p in now.places)


def prompt(template="irot_gen", battery=400, held="nothing", left="you explored it", crowd="", **slots):
    """A prompt to a stranger in a house of two rooms."""
    return filled(
        f"adhoc/{template}",
        step="90 of 500",
        joined="0",
        ability=f"arm, lifts 5 kg, camera low, battery {battery} of 500 steps",
        state=f"You are in room_1 at (1, 1), and hold {held}.",
        rooms=f"room_1: LivingRoom 50%, Bedroom 50%; {left}\nroom_2: Bathroom; left to explore, 9 steps{crowd}",
        receptacles="room_1: tv_stand_0 (TVStand) at (2, 2), bed_0 (Bed) at (3, 3)",
        **slots,
    )


def outlook(**slots):
    return Outlook(read(("adhoc/irot_gen",), prompt(**slots)))


def test_a_home_need_not_be_in_a_room_whose_kind_is_clear():
    either, one = "RemoteControl", "AlarmClock"  # of living rooms and bedrooms; of bedrooms alone
    assert fits(either, "TVStand", "LivingRoom 50%, Bedroom 50%") == 1.0
    assert outlook().home(either, (1, 1))[0] == "tv_stand_0" and outlook().home(one, (1, 1)) is None


@pytest.mark.parametrize(
    ("room", "wrong"), [("Bathroom", True), ("Bathroom 92%, Bedroom 8%", False), ("LivingRoom 50%, Bedroom 50%", False)]
)
def test_a_thing_is_called_misplaced_only_where_hardly_any_such_room_would_keep_it(room, wrong):
    said = answer(
        filled("adhoc/irot_see", things=f"alarm_clock_0 (AlarmClock) on dresser_0 (Dresser) in room_1 ({room})")
    )
    assert said.endswith("alarm_clock_0" if wrong else "none")


@pytest.mark.parametrize(
    ("mate", "explores"),
    [("Explore <room_2>", True), ("Stop", False), ("Re-place <mug_0> <CounterTop> <Kitchen>", True), ("Watch", False)],
)
def test_when_nobody_else_is_at_work_any_more_a_stranger_does_not_search_either(mate, explores):
    left = "left to explore, 8 steps; 2 places to look at from nearer, 3 steps"
    now = outlook(left=left, abilities="Ann: no arm", states=f"Ann: battery 99 steps, sub-task {mate}")
    assert any(p.name == "Explore" for p in now.options()) is explores


@pytest.mark.parametrize(
    ("held", "battery", "skill"),
    [
        ("alarm_clock_0 (AlarmClock)", 400, "Explore"),  # it has no clear home,
        ("alarm_clock_0 (AlarmClock)", 20, "PutObject <alarm_clock_0> <tv_stand_0> <room_1>"),  # but a likely one
        ("pot_0 (Pot)", 14, "PutObject <pot_0> <tv_stand_0> <room_1>"),  # of kitchens; others can take it from there
        ("pot_0 (Pot)", 3, "PutObject <pot_0> <floor> <here>"),
    ],
)
def test_before_the_battery_ends_what_it_holds_is_put_where_it_likely_belongs_or_others_can_take_it(
    held, battery, skill
):
    assert answer(prompt("irot_skill", battery, held)).splitlines()[-1] == f"[subskill] {skill}"


@pytest.mark.parametrize(
    ("left", "yes"),
    [("left to explore, 8 steps", False), ("left to explore, 70 steps", True), ("you explored it", True)],
)
def test_who_is_told_that_somebody_is_at_a_room_goes_elsewhere_if_there_is_as_good_to_do(left, yes):
    crowd, no = "; Ann is there and explores", "step 3 Ann: task: Explore / answer: no, I explore room_2 myself"
    asked = prompt("irot_judge", left=left, crowd=crowd, candidate="Explore <room_2>", answers=no)
    assert answer(asked).endswith("yes" if yes else "no")


# -- what others are at -----------------------------------------------------------------------------------------------
def test_what_somebody_failed_at_is_not_taken_to_be_done():
    company, view = Company(), RobotView("Zoe", arm("Zoe")[1], Belief({}, {}), lambda *a: None)

    def hear(text):
        company.hear(view, [Message("Ann", ("all",), text, (), 0.0)])

    hear("robot: Ann\ntask: Re-place <mug_0> <CounterTop> <Kitchen>")
    assert company.at_work_on("mug_0") == "Ann"
    hear("robot: Ann\nfailed: mug_0: mug_0 is hidden from where I can stand")
    hear("robot: Ann\nstate: x=1 y=1 heading=0 room=room_1 holding=none battery=9\ntask: Explore")
    assert company.at_work_on("mug_0") == "" and not company.done
    hear("robot: Ann\ntask: Re-place <pillow_0> <Bed> <Bedroom>")
    hear("robot: Ann\ndone: pillow_0 on=bed_0 room=room_2")
    hear("robot: Ann\ntask: Watch")
    assert set(company.done) == {"pillow_0"} and company.at_work_on("pillow_0") == ""
    hear("robot: Ann\nmisplaced: pillow_0 kind=Pillow on=floor room=room_2 x=1 y=2")
    assert not company.done


def test_things_are_found_by_changed_descriptions_alone():
    goal, starts = Search(("mug_0", "plate_0")), {"Eve": Start(1.0, 1.0, 0.0)}
    result, world, log, _ = joined((eye(battery=1),), eye("Zoe"), goal=goal, astray=(), starts=starts, limit=300)
    assert result.success and world.truth.facts["reported", "mug_0"] == "bed_0"
    prompts = "".join(text for e in log.events if e.kind == "ask" for _, text in e.data["prompt"])
    assert "Report <object>" in prompts and "Re-place <object>" not in prompts
