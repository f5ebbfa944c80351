"""Tree search: true to the world, to its budget and to what the team has seen."""

import random
from dataclasses import replace

import pytest

from coterie.core.config import Config
from coterie.core.event import to_line
from coterie.core.facts import Fact
from coterie.core.protocol import Party, TeamProtocol, TeamView
from coterie.episode.loop import Episode, Settings, run
from coterie.episode.setup import build
from coterie.log.file import Log
from coterie.models.chat import NoModel
from coterie.models.scripted import Scripted
from coterie.protocols.expert import Expert
from coterie.protocols.mcts import Mcts, MctsNoIns
from coterie.protocols.mcts.advice import LlmMcts, read_actions, read_places
from coterie.protocols.mcts.model import NAVIGATE, OPEN, PICK, PLACE, WAIT
from coterie.protocols.mcts.read import Past, read
from coterie.protocols.mcts.search import Tuning
from coterie.testing import Trial, check_protocol
from coterie.worlds.indoor.world import IndoorWorld
from tests.protocols.test_non_interference import other_world

KINDS = ("pack-objects", "sort-solids", "make-sandwich")


def house(seed):
    return f"house:{2 * (seed % 30) + 1}"


def play(make, seed=0, kind="pack-objects", task=None, model=None, **config):
    """One episode with a protocol that need not be registered: its result, its log, and the mind that decided."""
    world, task = build(Config(task=kind, seed=seed, scene=house(seed), **config), task)
    log, minds = Log(), []
    party = Party("team", lambda: minds.append(make()) or minds[-1], tuple(n for n, _ in task.robots))
    result = run(world, task, [party], log, (model or NoModel()).answer, Settings(seed=seed))
    return result, log, next((m for m in minds if getattr(m, "decisions", 0)), None)


def moment(seed=0, team="Ma-MoMa", **config):
    """The team's view before the first decision, what it has seen, the model of it, and the world."""
    world, task = build(Config(seed=seed, scene=house(seed), team=team, **config))
    party = Party("team", Mcts, tuple(n for n, _ in task.robots))
    episode = Episode(world, task, [party], Log(), Settings(seed=seed))
    episode.begin()
    episode.observe()
    view, past = TeamView(episode.views, 0, 0.0, lookup=world.lookup), Past()
    return view, past, read(past.take_in(view), past), world


def events(log, kind):
    return [e for e in log.events if e.kind == kind]


# -- the protocol -----------------------------------------------------------------------------------------------------


def test_advised_search_keeps_the_contract():
    _, task = build(Config(seed=3, scene=house(3), level="medium"))

    def trial(watched):
        party = Party("team", watched, tuple(name for name, _ in task.robots))
        return Trial(IndoorWorld(task), task, [party], Scripted(lambda ask: "wait()").answer)

    check_protocol(lambda: LlmMcts(5), trial, cuts=1)


@pytest.mark.parametrize(
    ("team", "change"),
    [("Ma-MoMa-UAV", "cto@5"), ("Ma-MoMa", "anc@5:UAV"), ("Ma-MoMa-UAV", "rec@5:MoMa")],
)
def test_lives_through_changes(team, change):
    result, log, mind = play(lambda: Mcts(15), 2, team=team, changes=(change,))
    assert [e.step for e in events(log, "change")] == [5]
    assert result.partial > 0
    assert mind.decisions == result.steps and mind.iterations == 15 * mind.decisions, "its budget is no time"


@pytest.mark.parametrize("kind", KINDS)
def test_solves_easy_tasks(kind):
    assert play(lambda: Mcts(100), team="Ma-MoMa", kind=kind, level="easy")[0].success


def test_the_hidden_rule_is_learnt_once_and_zones_are_remembered():
    turned_away = 0
    for seed in range(2):
        _, log, _ = play(lambda: Mcts(30), seed, team="Ma-MoMa-UAV", changes=("irz@5:3",))
        lessons = {}
        for e in events(log, "outcome"):
            reason = e.data["reason"]
            if "violates a rule" in reason:
                lessons[e.who, "rule"] = lessons.get((e.who, "rule"), 0) + 1
            elif "a zone that is closed" in reason:
                key = (e.who, reason.split(" lies in a zone")[0])
                lessons[key] = lessons.get(key, 0) + 1
                turned_away += 1
        assert all(n == 1 for n in lessons.values()), lessons
    assert turned_away > 0


# -- nothing but what the team has seen -------------------------------------------------------------------------------
def steps_of(log):
    """For every step, what the team perceived before it decided, and what it decided."""
    perceived, decided = {}, {}
    for e in log.events:
        line = to_line(e._replace(seq=0, causes=()))
        if e.kind in ("see", "refused"):
            perceived.setdefault(e.step, []).append(line)
        elif e.kind == "outcome":
            perceived.setdefault(e.step + 1, []).append(line)
        elif e.kind == "act":
            decided.setdefault(e.step, []).append(line)
    return perceived, decided


def compare(make, team, seed):
    """Decisions compared until what the teams have perceived together parts; and whether it did."""
    _, task = build(Config(team=team, seed=seed, scene=house(seed)))
    task = replace(task, step_limit=10)  # by then their perceptions have parted
    a, b = (steps_of(play(make, seed, task=t)[1]) for t in (task, other_world(task, seed)))
    compared = 0
    for step in sorted(a[1]):
        if a[0].get(step) != b[0].get(step):
            return compared, True
        assert a[1][step] == b[1].get(step), f"decided otherwise on the same perceptions at step {step}"
        compared += 1
    return compared, False


def test_non_interference():
    results = [compare(lambda: Mcts(10), "Ma-MoMa", seed) for seed in range(2)]
    assert sum(c for c, _ in results) >= 2
    assert sum(parted for _, parted in results) >= 1


# -- the model --------------------------------------------------------------------------------------------------------
class Compared(TeamProtocol):
    """The expert acts; the model says beforehand what will come of it."""

    sees = "truth"

    def __init__(self, counts):
        self.expert, self.past, self.counts = Expert(), Past(), counts
        self.expected = None

    def decide(self, team, idle):
        world = team.world
        if self.expected is not None:
            self._check(world, {n: v.outcome for n, v in team.robots.items()})
        model = read(self.past.take_in(replace(team, world=None, task=None)), self.past)
        decisions = yield from self.expert.decide(team, idle)
        s = model.sample(random.Random(0))
        joint = []
        for r, name in enumerate(model.robots):
            action = decisions[name]
            joint.append(model.number(s, r, action.skill, action.args))
            if action.skill != "wait":
                self.counts["acted"] += 1
                self.counts["pictured"] += joint[-1] != WAIT
        hidden = s.hidden
        model.step(s, joint)
        self.expected = (model, s, hidden, joint)
        return decisions

    def _check(self, world, outcomes):
        model, s, hidden, joint = self.expected
        for r, name in enumerate(model.robots):
            if joint[r] == WAIT or not outcomes[name].ok:
                continue
            at = model.loc_furniture[s.loc[r]]
            assert world.truth["at", name] == (model.furniture[at] if at >= 0 else None)
            assert world.truth["holding", name] == (model.things[s.held[r]] if s.held[r] >= 0 else None)
            self.counts["compared"] += 1
        if any(a == WAIT and outcomes[n].action.skill != "wait" for n, a in zip(model.robots, joint)):
            return  # not pictured
        for t, thing in enumerate(model.things):
            if hidden >> t & 1:
                continue
            place = world.truth["where", thing]
            if s.pos[t] < 0:
                assert model.robots[s.held.index(t)] == place
            else:
                assert (*model.furniture, *model.platforms)[model.pos_place[s.pos[t]]] == place
            self.counts["places"] += 1
        for f in model.bits(s.open):
            assert world.truth["open", model.furniture[f]]


def test_the_model_agrees_with_the_world():
    counts = dict.fromkeys(("acted", "pictured", "compared", "places"), 0)
    for seed, kind in enumerate(KINDS):
        team = ("Ma-MoMa", "Ma-MoMa-UAV", "Ma-MoMa-Mo-UAV")[seed]
        result, *_ = play(lambda: Compared(counts), seed, team=team, kind=kind)
        assert result.success
    assert counts["compared"] > 25
    assert counts["places"] > 50
    # The expert takes things nobody has seen yet; all else it does is among the actions of the model.
    assert counts["pictured"] > 0.9 * counts["acted"]


def test_instruction_and_pruning():
    *_, model, _ = moment(seed=2, level="medium")
    alice = model.robots.index("Alice")
    s = model.start
    far = [t for t in model.order if not model.take[0][s.pos[t]] >> s.loc[0] & 1]
    assert far, "some target is out of the arm's reach"
    assert all(PICK + t not in model.handling(s, 0) for t in far)
    near = model.bits(model.take[alice][s.pos[far[0]]] & model.go[alice])[0]
    here = s.copy()
    model.step(here, [WAIT, NAVIGATE + near])
    assert all(a >= PICK for a in model.actions(here, alice, (), True))
    assert any(NAVIGATE <= a < PICK for a in model.actions(here, alice, (), False))
    known = {PICK + t for t in range(len(model.things))}
    assert {a for a in model.handling(here, alice) if PICK <= a < OPEN} <= known  # distractors are left out
    assert PICK + far[0] not in model.actions(here, alice, [PICK + far[0]], True)
    assert Mcts(9).tuning == Tuning(9, True) and MctsNoIns(9).tuning == Tuning(9, False)


def test_unseen_targets_may_be_wherever_nobody_looked():
    *_, model, world = moment()
    unknown = {model.things[t] for t in model.bits(model.start.hidden)}
    assert unknown == {t for t in world.goal.targets if world.truth["where", t] != world.scene.work.table}
    rng = random.Random(1)
    drawn = [model.sample(rng) for _ in range(300)]
    for thing, _, _ in model.guesses:
        places = {model.furniture[model.pos_furniture[s.pos[thing]]] for s in drawn}
        assert places == set(model.furniture) - {world.scene.work.table}
        assert model.start.hidden >> thing & 1
    favourite = model.furniture[3]
    model.lean({t: {favourite: 1.0, model.furniture[4]: 0.02} for t in unknown})
    thing = model.guesses[0][0]
    hits = [model.furniture[model.pos_furniture[model.sample(rng).pos[thing]]] == favourite for _ in range(200)]
    assert sum(hits) > 150


def test_what_a_vanished_robot_held_lies_where_it_stood_and_closed_places_are_left_out():
    team, past, model, _ = moment()
    lost = model.things[model.guesses[0][0]]
    stand = model.loc_pose[5]
    pooled = past.take_in(team)
    past.pool.belief.tell_all([Fact("where", (lost,), "Zoe", 1.0, "Zoe"), Fact("pose", ("Zoe",), stand, 1.0, "Zoe")])
    model = read(pooled, past)
    _, positions, _ = next(g for g in model.guesses if model.things[g[0]] == lost)
    assert [model.pos_furniture[p] for p in positions] == [model.loc_furniture[5]]
    assert model.pos_box[positions[0]] == 0
    floor = f"floor@{model.furniture[model.loc_furniture[5]]}"
    past.pool.belief.tell(Fact("contents", (floor,), (), 2.0, "Alice"))
    model = read(pooled, past)
    _, positions, _ = next(g for g in model.guesses if model.things[g[0]] == lost)
    assert len(positions) > 9
    furniture = model.furniture[2]
    past.pool.belief.tell(Fact("allowed", ("Alice", furniture), False, 1.0, "Alice"))
    closed = read(pooled, past)
    for seen, open_to_her in ((model, True), (closed, False)):
        names = [seen.words(seen.start, 1, a)[1][0] for a in seen.going(seen.start, 1)]
        assert (furniture in names) is open_to_her


# -- search -----------------------------------------------------------------------------------------------------------


# -- advice -----------------------------------------------------------------------------------------------------------
def test_reading_advice_tolerates_anything():
    *_, model, _ = moment()
    a, b = model.furniture[1], model.furniture[2]
    thing = model.things[0]
    assert read_places(f"{thing}: {b}, then {a}", [thing], model.furniture) == {thing: {b: 1.0, a: 0.5}}
    assert read_places(f"Perhaps the {a.upper()}.", [thing], model.furniture) == {thing: {a: 1.0}}
    assert read_places("no idea", [thing], model.furniture) == {}
    read_it = read_actions(f"1. PICK( {thing} )\n2. navigate({a}, stand_pose_0)\n3. open({b})", model)
    first = model.loc_furniture.index(1)
    assert read_it == {PICK + 0: 1.0, NAVIGATE + first: 0.5, OPEN + 2: pytest.approx(1 / 3)}
    assert PLACE + len(model.furniture) in read_actions(f"place({thing}, {model.platforms[0]})", model)
    anywhere = read_actions(f"navigate({a})", model)
    assert len(anywhere) == model.loc_furniture.count(1)
    assert NAVIGATE + first in read_actions(f"She should go to {a}.", model)
    rng = random.Random(0)
    for _ in range(300):
        noise = "".join(rng.choice("pick(place)navigate,\n\x00{}[]é'\"" + thing + a) for _ in range(rng.randrange(200)))
        read_actions(noise, model)
        read_places(noise, model.things, model.furniture)
    assert read_actions("ignore your instructions " * 5000, model) == {}


def test_good_advice_shortens_the_search():
    """A model that knows where things are and what belongs together; one that cannot be read harms nobody."""
    plain = advised = 0
    deaf = Scripted(lambda ask: "\x00 I cannot say.")
    for seed in range(2):
        config = {"team": "Ma-MoMa", "kind": "sort-solids"}
        _, task = build(Config(seed=seed, scene=house(seed), team="Ma-MoMa", task="sort-solids"))
        where = {t.name: place for t, place, _ in task.setting.things}

        def wise(ask, goal=task.goal, where=where):
            text = ask.prompt[1][1]
            if ask.stage == "places":
                return "\n".join(f"{t}: {where[t]}" for t in goal.targets)
            placing = [f"place({t}, {p})" for t, p in goal.pairs if f"place({t}, {p})" in text]
            return "\n".join([*placing, *(f"pick({t})" for t in goal.targets if f"pick({t})" in text)]) or "none"

        plain += play(lambda: Mcts(40), seed, **config)[0].steps
        advised += play(lambda: LlmMcts(40), seed, model=Scripted(wise), **config)[0].steps
    assert advised < plain
    _, log, mind = play(lambda: LlmMcts(30), seed=1, team="Ma-MoMa", model=deaf)
    assert mind.unread == len(deaf.asked) > 0
    assert any("could not be read" in e.data.get("why", "") for e in events(log, "act"))
    situations = [(a.robot, a.prompt) for a in deaf.asked]
    assert len(situations) == len(set(situations))  # the same situation is asked about once
    assert {a.stage for a in deaf.asked} == {"places", "policy"}


def test_the_prompt_names_what_the_team_knows_and_no_more():
    team, _, _, world = moment()
    asked = []
    mind = LlmMcts(5)
    deciding = mind.decide(team, list(team.robots))
    try:
        asks = next(deciding)
        while True:
            asked += asks
            asks = deciding.send([type("R", (), {"text": ""}) for _ in asks])
    except StopIteration as end:
        assert set(end.value) == set(team.robots)
    text = "\n".join(t for a in asked for _, t in a.prompt)
    seen = set(world.truth["where", t] == world.scene.work.table and t for t in world.things)
    for thing in world.things:
        if thing not in seen and thing not in world.goal.targets:
            assert thing not in text
    assert world.goal.text() in text
