"""Rivals on the same footing: each says what it sees, has its budgets as methods, and understands the text oracle."""

import re

import pytest

from coterie.bench.methods import parse_method
from coterie.cli.app import main
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import play
from coterie.models.scripted import Scripted
from coterie.protocols import protocols
from coterie.protocols.dynahmrc.oracle import answer
from coterie.protocols.mcts import BUDGETS
from coterie.protocols.shared.templates import render

SIGHT = {
    "dynahmrc": "own",
    "coela": "own",
    "coherent": "pooled",
    "mcts": "pooled",
    "mcts-noins": "pooled",
    "llm-mcts": "pooled",
    "expert": "truth",
    "rules": "own",
}


# -- what they say of themselves --------------------------------------------------------------------------------------
def test_each_declares_what_it_sees(capsys):
    assert main(["list", "protocols"]) == 0
    rows = [re.split(r"\s{2,}", line.strip()) for line in capsys.readouterr().out.splitlines() if line.strip()]
    listed = {row[0]: row[1].removeprefix("sees: ") for row in rows if len(row) > 2}
    for name, sees in SIGHT.items():
        assert listed[name] == sees == parse_method(name).sees
        variants = [n for n in protocols if n.startswith(f"{name}:")]
        assert {parse_method(n).sees for n in variants} <= {sees}
        assert parse_method(name).about


@pytest.mark.parametrize("name", ["mcts", "mcts-noins", "llm-mcts"])
def test_budgets_are_methods(name):
    assert BUDGETS == (100, 1000, 10_000)
    for budget in BUDGETS:
        method = parse_method(f"{name}:{budget}")
        mind = protocols.get(method.protocol)()
        assert mind.tuning.iterations == budget
        assert type(mind) is type(protocols.get(name)())
        assert method.needs_model == (name == "llm-mcts")
    assert protocols.get(name)().tuning.iterations == 1000
    with pytest.raises(CoterieError, match="No method"):
        parse_method(f"{name}:500")


# -- prompts ----------------------------------------------------------------------------------------------------------
def asked_by(protocol, seed=1, **config):
    model = Scripted(lambda ask: answer(ask.prompt))
    played = play(Config(protocol=protocol, seed=seed, scene=f"house:{2 * seed + 1}", **config), model=model)
    return played, model.asked


@pytest.mark.parametrize("protocol", ["llm-mcts:100", "llm-mcts:full"])
def test_advice_is_asked_for_in_the_words_of_the_templates_and_the_oracle_names_what_may_be_chosen(protocol):
    played, asked = asked_by(protocol, team="Ma-MoMa", level="medium")
    assert played.result.success and played.log.events[0].data["sees"] == SIGHT["llm-mcts"]
    good = 0
    for ask in asked:
        system, user = (text for _, text in ask.prompt)
        if ask.stage == "policy":
            assert ("Scene graph" in system) == protocol.endswith("full")
            assert system.startswith(f"You are {ask.robot}, ")
            assert re.search(r"^Actions: .*wait\(\)|^Actions: (pick|place|open)", user, re.M)
            for action in answer(ask.prompt).splitlines():
                skill, _, inner = action.rstrip(")").partition("(")
                assert f"{skill}({inner.split(', ')[0]}" in user.split("\nActions: ")[1]
                good += skill != "wait"
    assert good > 5


def test_a_central_planner_is_told_of_the_arm_by_name():
    _, asked = asked_by("coherent", team="Ma-MoMa-Mo")
    for ask in asked:
        common = "\n".join(text for _, text in ask.prompt).split("\n[")[0]
        assert "Bob works there" in common
        assert "you reach it" not in common


def test_coela_understands_its_teammates_where_only_words_travel():
    where = {"level": "medium", "team": "Ma-MoMa-UAV", "scene": "loft", "seed": 777777, "radio": "text=1"}
    played = play(Config(protocol="coela", model="oracle", **where))
    assert played.result.success
    said = [e.data["text"] for e in played.log.events if e.kind == "say" and e.who == "Bob"]
    assert "My body: Ma. My foot is at " in said[0]


# -- the text oracle --------------------------------------------------------------------------------------------------
HOUSE = "- sofa (living_room)\n- fridge (kitchen, a container)\n- bed (bedroom)\n- desk (study)"


def test_the_oracle_names_places_and_spreads_things_over_them():
    prompt = render("mcts/places", "compact", {"homes": HOUSE, "missing": "cup_0, hat_0"})
    assert answer(prompt).splitlines() == ["cup_0: sofa, bed, desk", "hat_0: fridge, sofa, bed"]


@pytest.mark.long
@pytest.mark.parametrize("protocol", ["coherent", "coela", "llm-mcts:100"])
def test_rivals_play_well_with_the_oracle(protocol):
    done = steps = 0
    for seed in range(3):
        team, scene = ("Ma-MoMa-Mo", "Ma-MoMa-UAV")[seed % 2], f"house:{2 * seed + 1}"
        result = play(Config(protocol=protocol, model="oracle", seed=seed, team=team, scene=scene)).result
        done += result.success
        steps += result.steps
    assert done == 3
    assert steps <= 50


def test_a_central_planner_sends_nobody_away_from_what_is_at_hand():
    """Two carriers, each beside what the other was about to fetch, must not change places for ever."""
    config = Config(protocol="coherent", model="oracle", seed=8, scene="house:17", changes=("cto@5",))
    assert play(config).result.success
