"""A real house: what is known of it is what its robots report. `examples/stand_in.py` plays the robots."""

from dataclasses import replace

import pytest

from coterie.core.action import Action, Outcome
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.protocol import Party
from coterie.core.sight import Detection, Sight
from coterie.core.world import Standing
from coterie.episode.driving import Driving
from coterie.episode.play import play
from coterie.episode.roster import Roster
from coterie.episode.setup import build, resolve, task_of
from coterie.link.robot import Job, done
from coterie.log.file import Log, read_log
from coterie.log.fold import state_at
from coterie.protocols.rules import Rules
from coterie.worlds.indoor.pictures import HousePictures

CONFIG = Config(task="pack-objects", seed=1, real="robots", synchronous=False)


class Near:
    """A driver in this process; an action ends when it is next asked about. Time goes as fast as it can."""

    poll_s = 0.5

    def __init__(self, robot, every=lambda: None):
        self.robot, self.every, self.run = robot, every, ""

    def begin(self, run):
        self.run = run

    def standing(self, robot):
        return Standing()

    def keep_pace(self, now):
        pass

    def sensed(self, robot, wait_s=0.0):
        self.every()
        sight = self.robot.sense()
        return [] if sight is None else [sight]

    def start(self, robot, action, now):
        self.doing, self.began = action, now
        return self

    def poll(self, now):
        report = self.robot.do(self.doing, Job(self.robot.name, "a", self.run, 0, self.doing))
        return Outcome(self.robot.name, self.doing, report.status, report.reason, self.began, now - self.began,
                       facts=report.facts, cause=report.cause)  # fmt: skip

    def cancel(self, now):
        return Outcome(self.robot.name, self.doing, "cancelled", "", self.began, now - self.began)


def team(stand_in, seed=1, noise=0.0, every=lambda: None):
    house = stand_in.House(Config(task="pack-objects", seed=seed), seed, noise, 1e9)
    return house, {name: Near(stand_in.StandIn(name, house), every) for name in house.cards}


def test_a_team_packs_what_its_robots_see(stand_in):
    house, drivers = team(stand_in)
    played = play(CONFIG, drivers=drivers)
    assert played.result.success
    wanted = set(played.task.goal.targets)
    on_tray = {f"{t.kind}_0" for t in house.things if t.on == "tray"}
    assert on_tray == wanted, "in the other simulator, too, where nobody looked for the goal"


def test_robots_that_do_nothing_and_see_nothing_find_nothing(stand_in):
    class Liar(stand_in.StandIn):
        def do(self, action, job):
            return done("ok")

        def sense(self):
            return Sight(pose=self.house.poses[self.name], holds="")

    house, _ = team(stand_in)
    task = task_of(resolve(CONFIG))
    liars = {name: Near(Liar(name, house)) for name in house.cards}
    played = play(CONFIG, task=replace(task, step_limit=task.step_limit // 3), drivers=liars)
    assert not played.result.success and played.result.partial == 0
    found = [e for e in played.log.events if e.kind == "see" and any(f[0] == "spot" for f in e.data["facts"])]
    assert not found, "nobody believes to know where anything is"
    told = [e.data["reason"] for e in played.log.events if e.kind == "outcome" and "as is reported" in e.data["reason"]]
    assert told, "that robots claim to be where they are not is noticed"


def test_a_thing_that_is_carried_off_is_looked_for_again(stand_in):
    seen = {}

    def carry_off():
        held = {t.kind for t in house.things if t.on in house.cards}
        if not seen and held:
            seen["said"] = house.carry_off()

    house, drivers = team(stand_in, seed=3, every=carry_off)
    played = play(replace(CONFIG, seed=3), drivers=drivers)
    assert "was carried off" in seen["said"]
    assert played.result.success


def test_a_thing_that_is_carried_to_where_all_was_searched_is_searched_for_at_once(stand_in):
    """Nobody has seen it before: nothing but another search finds it."""
    house, drivers = team(stand_in, seed=3)
    hidden = [t for t in house.things if t.kind in house.wanted and t.on not in house.cards]
    for thing in hidden:
        thing.back, thing.on = thing.on, "nowhere"

    class Late(Near):
        def sensed(self, robot, wait_s=0.0):
            if sum(self.gone.values()) > 60:
                for thing in hidden:
                    thing.on = thing.back if thing.on == "nowhere" else thing.on
            return super().sensed(robot, wait_s)

        def start(self, robot, action, now):
            self.gone[action.skill] = self.gone.get(action.skill, 0) + 1
            return super().start(robot, action, now)

    Late.gone = {}
    played = play(replace(CONFIG, seed=3), drivers={name: Late(d.robot) for name, d in drivers.items()})
    assert played.result.success
    waited = [e for e in played.log.events if e.kind == "act" and "no place left" in e.data.get("why", "")]
    movers = [e for e in waited if house.cards[e.who].manipulates and house.cards[e.who].moves]
    assert not movers, "nobody who can search and carry waits for the half of the time"


def test_whoever_asks_whether_there_is_news_loses_nothing_of_it(stand_in, house):
    """As the wait for a robot that is out of contact does."""

    class Once(Near):
        def sensed(self, robot, wait_s=0.0):
            reports, self.left = self.left, []
            return reports

    drivers = {"Alice": Once(None)}
    drivers["Alice"].left = [Sight(pose=(1.0, 1.0)), Sight(pose=(2.0, 1.0))]
    _, task = build(resolve(CONFIG))
    roster = Roster(house, task, [Party("team", Rules, tuple(house.cards))], 0, drivers)
    roster.sync({})
    driving = Driving(house, roster, Log())
    assert driving.has_news() and driving.has_news()
    assert [n.sight.pose for n in driving.news()] == [(1.0, 1.0), (2.0, 1.0)]
    assert not driving.has_news()


@pytest.mark.parametrize("seed", (4, 6))
def test_noise_does_not_keep_a_team_from_its_goal(stand_in, seed):
    _, drivers = team(stand_in, seed, noise=1.0)
    assert play(replace(CONFIG, seed=seed), drivers=drivers).result.success


def test_a_run_is_resumed_from_what_was_perceived(stand_in, tmp_path):
    _, drivers = team(stand_in)
    log = tmp_path / "log.jsonl"
    play(CONFIG, log, drivers=drivers)
    whole = log.read_bytes()
    shown = state_at(read_log(log))
    assert {t.name for t in shown.at_place("tray")} == set(shown.targets), "a picture shows what was reported"
    HousePictures().picture(read_log(log), tmp_path / "end.svg")
    assert all(f">{name}<" in (tmp_path / "end.svg").read_text() for name in shown.targets)
    log.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))  # killed before its end was written
    _, others = team(stand_in)
    assert play(CONFIG, log, resume=True, drivers=others).result.success
    assert log.read_bytes() == whole


def test_half_a_team_may_be_simulated_on_what_the_others_report(stand_in):
    house, drivers = team(stand_in)
    arm = next(n for n, c in house.cards.items() if c.mobility == "fixed")
    real = {n: d for n, d in drivers.items() if n != arm}
    played = play(CONFIG, drivers=real)
    driven = next(e.data for e in played.log.events if e.kind == "input" and e.data["kind"] == "driven")
    assert driven["names"] == list(real) or set(driven["names"]) == set(real)
    assert any(e.kind == "outcome" and e.who == arm for e in played.log.events)


def test_without_a_word_of_where_it_is_nothing_begins(stand_in):
    class Mute(stand_in.StandIn):
        def sense(self):
            return None

    house, _ = team(stand_in)
    with pytest.raises(CoterieError, match=r"has not said where it is .* `sense`"):
        play(CONFIG, drivers={name: Near(Mute(name, house)) for name in house.cards})


# -- what a report means ------------------------------------------------------------------------------------------
@pytest.fixture
def house():
    world, _ = build(resolve(CONFIG))
    return world


@pytest.fixture
def bowl(house):
    """The bowl of the task, which nobody has seen yet."""
    return next(t for t in house.tracker.of_task if house.things[t].kind == "bowl")


@pytest.fixture
def spot(house):
    f = house.scene.piece["book_case"]
    return (*f.centre, f.surface_m)


def test_a_kind_gets_the_name_of_the_task_and_what_is_not_seen_where_all_is_seen_is_not_there(house, bowl, spot):
    x, y, z = spot
    house.sense("Alice", Sight(things=(Detection("bowl", (x, y, z)),), places=("book_case",)))
    assert house.truth["where", bowl] == "book_case"
    house.sense("Alice", Sight(things=(Detection("bowl", (x + 0.2, y, z)), Detection("bowl", (x - 0.2, y, z)))))
    names = sorted(t for t, thing in house.things.items() if thing.kind == "bowl" and house.truth["where", t])
    assert len(names) == 2 and bowl in names, "two bowls are two things"
    house.sense("Alice", Sight(pose=(1.0, 1.0)))
    assert house.truth["where", bowl] == "book_case", "a robot that looks elsewhere says nothing of it"
    kept, facts = house.snapshot(), house.observe("Alice").facts
    house.sense("Alice", Sight(places=("book_case",)))
    assert house.truth["where", bowl] is None
    assert ("contents", ("book_case",), ()) in [f[:3] for f in house.observe("Alice").facts]
    house.restore(kept)
    assert house.observe("Alice").facts == facts and set(names) <= set(house.things)


def test_a_thing_is_seen_before_its_robot_says_that_it_let_go(house, bowl, spot):
    house.sense("Alice", Sight(pose=(1.0, 1.0), holds="bowl"))
    assert house.truth["holding", "Alice"] == bowl
    house.sense("Lucy", Sight(things=(Detection("bowl", spot),)))
    house.sense("Alice", Sight(holds=""))
    house.sense("Lucy", Sight(things=(Detection("bowl", spot),)))
    assert house.truth["where", bowl] == "book_case", "it is one bowl, with the name that the goal has"


def test_of_two_robots_that_hold_a_bowl_each_has_its_own_and_the_late_word_of_one_loses_nothing(house, bowl):
    house.sense("Alice", Sight(pose=(1.0, 1.0), holds="bowl"))
    house.sense("Lucy", Sight(pose=(1.0, 1.5), holds="bowl"))
    assert bowl == house.truth["holding", "Alice"] != house.truth["holding", "Lucy"]
    house.sense("Lucy", Sight(pose=(1.0, 1.5), holds=bowl))
    house.sense("Alice", Sight(holds=""))
    assert house.truth["where", bowl] == "Lucy" and house.truth["holding", "Alice"] is None


def test_a_thing_at_the_edge_of_the_tray_stays_on_it_although_it_is_seen_a_little_off(house, bowl):
    x, y = house.fluents.platforms["tray"].centre
    for off, place in ((0.3, "table_0"), (0.15, "tray"), (0.26, "tray"), (0.15, "tray"), (0.4, "table_0")):
        house.sense("Bob", Sight(things=(Detection("bowl", (x + off, y, 0.75)),)))
        assert house.truth["where", bowl] == place


def test_what_a_driver_claims_and_its_robot_does_not_report_is_told(house, bowl):
    house.sense("Alice", Sight(pose=(1.0, 1.0), holds=""))
    claim = Outcome("Alice", Action("pick", (bowl,)), "done", "Got it.", 0.0)
    told = house.accept(claim)
    assert told.ok and told.reason == f"Got it. But Alice holds nothing, as is reported, and not {bowl}."
    assert house.truth["holding", "Alice"] is None


@pytest.mark.parametrize(
    "sight",
    [
        Sight(pose=(1.0, float("nan"))),
        Sight(pose=("a", "b")),
        Sight(things=(Detection("", (0.0, 0.0, 0.0)),)),
        Sight(things=(Detection("bowl", (0.0, 0.0)),)),
        Sight(things=tuple(Detection("bowl", (0.0, 0.0, 0.0)) for _ in range(501))),
        Sight(open=(("fridge", "yes"),)),
        Sight(places=("a\x1b[2J",)),
        Sight(battery=2.0),
        Sight(holds="x" * 10_000),
        Sight(people=(("Eve", (1e300, 0.0)),)),
    ],
)
def test_a_report_that_cannot_be_is_a_sentence(sight):
    with pytest.raises(CoterieError):
        sight.check()


def test_where_an_action_leads_is_told_in_a_simulated_house_too():
    """So that a robot that is driven there need not know the map."""
    told = []

    class Does(Near):
        def start(self, robot, action, now):
            told.append(action)
            return super().start(robot, action, now)

        def poll(self, now):
            return Outcome("Alice", self.doing, "done", "ok", self.began, now - self.began)

    play(Config(task="pack-objects", seed=1, synchronous=False), drivers={"Alice": Does(None)})
    goes = [a for a in told if a.skill == "navigate"]
    assert goes and all(("stand_pose", (a.args[0],)) in [(f.pred, f.args) for f in a.facts] for a in goes)
    assert {a.skill for a in told}.isdisjoint({"wait", "communicate"}), "and of what moves nothing it never hears"
