from __future__ import annotations

from collections import Counter

import pytest

from coterie.bench.methods import method_sets, parse_methods
from coterie.bench.studies.dynahmrc.suites import SCENES, TASKS, team_size
from coterie.bench.suites import FIRST_SEED, EpisodeSpec, make_suite, sample, suites
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.play import episode_key
from coterie.episode.setup import resolve
from coterie.houses.names import scene
from coterie.worlds import make_task
from coterie.worlds.indoor.tasks.changes import parse_change

SIZES = {
    "smoke": 24,
    "dynahmrc-static": 3 * 4 * 6 * 9,
    "dynahmrc-cto": 3 * 6 * 9,
    "dynahmrc-irz": 3 * 4 * 9,
    "dynahmrc-anc": 3 * 4 * 9,
    "dynahmrc-rec": 3 * 4 * 9,
    "dynahmrc": 1_134,
    "dynahmrc-names": 2 * 3 * 6 * 9,
    "dynahmrc-sweeps": (3 * 6 + 3 * 4 + 3 * 4 + 3 * 4) * 9,
    "dynahmrc-real": 24,
    "dynahmrc-hard": 5 * 3 * 5 * 2,
    "injection": 4 * 3 * 3,
    "meco-s1": 6 * 30,
    "meco-s2": 6 * 30,
    "meco-s3": 6 * 30,
    "meco-posts": 6 * 20,
    "meco-cache": 4 * 60,
    "rocobench": 6 * 20,
    "meco-smoke": 3 + 3 + 4,
}
INDOOR = [n for n in suites if not {"tabletop", "household", "hospital"} & suites.tags(n)]
MEMO = [n for n in suites if n in INDOOR or "tabletop" in suites.tags(n)]


@pytest.mark.parametrize("name", list(suites))
def test_suites_are_whole_and_use_reserved_scenes_and_seeds(name):
    specs = make_suite(name)
    assert len(specs) == SIZES.get(name, len(specs)) > 0
    assert len({s.key for s in specs}) == len({s.config for s in specs}) == len(specs)
    assert min(s.config.seed for s in specs) >= FIRST_SEED
    assert {s.config.protocol for s in specs} == {""}  # methods are chosen later


@pytest.mark.parametrize("name", list(method_sets))
def test_a_set_of_methods_has_its_members_each_of_which_can_be_played(name):
    assert [m.name for m in parse_methods(name)] == list(method_sets[name])


@pytest.mark.parametrize("name", MEMO)
def test_no_two_episodes_have_one_name_in_a_memo(name):
    """Else one would overwrite what the other has taught."""
    for method in parse_methods("task-expert+memo" if name not in INDOOR else "rules+memo,rules+guard+memo"):
        configs = [resolve(method.config(s.config, "none")) for s in make_suite(name)]
        assert len({episode_key(c) for c in configs}) == len(configs)


@pytest.mark.parametrize("name", INDOOR)
def test_indoor_suites_use_reserved_scenes(name):
    houses = {s.config.scene for s in make_suite(name)}
    # flat:unseen is the reserved house flat, with names for which other words are drawn
    assert all(scene(h if h.startswith("house:") else h.partition(":")[0]).split == "test" for h in houses)


def test_settings_of_the_paper():
    static = make_suite("dynahmrc-static")
    cells = Counter(tuple(s.labels[k] for k in ("task", "level", "team")) for s in static)
    assert set(cells.values()) == {9} and len(cells) == 72, "three target sets and three scenes each"
    assert {s.config.scene for s in static} == set(SCENES)
    assert {team_size(s.config.team) for s in make_suite("dynahmrc-irz")} == {3, 4}
    anc, rec = ({s.labels["transition"] for s in make_suite(f"dynahmrc-{name}")} for name in ("anc", "rec"))
    assert "Ma-UAV → Ma-MoMa-UAV" in anc and len(anc) == 4
    assert {" → ".join(reversed(t.split(" → "))) for t in anc} == rec
    sweeps = make_suite("dynahmrc-sweeps")
    seen = {s.config.changes[0].split(":")[0] for s in sweeps}
    assert seen == {"cto@3", "cto@5", "cto@10", "irz@5", "anc@3", "anc@5", "anc@13", "rec@3", "rec@5", "rec@13"}
    zones = {parse_change(s.config.changes[0])[2] for s in sweeps if s.labels["change"] == "irz"}
    assert zones == {"1", "2", "3"}


def test_the_smoke_suite_has_every_task_level_change_and_team_and_can_be_drawn():
    specs = make_suite("smoke")
    assert {s.labels["task"] for s in specs} == set(TASKS)
    assert {s.labels["level"] for s in specs} == {"easy", "medium", "hard", "medium-search"}
    assert {s.labels["change"] for s in specs} == {"", "cto", "irz", "anc", "rec"}
    assert {team_size(s.config.team) for s in specs} == {2, 3, 4}
    for s in specs:
        task = make_task(s.config)
        assert len(task.changes) == len(s.config.changes)


def test_suites_join_without_doubles_and_take_seed_and_noise():
    assert len(make_suite("dynahmrc-cto, dynahmrc-sweeps")) < SIZES["dynahmrc-cto"] + SIZES["dynahmrc-sweeps"]
    shaken = make_suite("smoke", seed=10_500, noise="real")
    assert {s.config.seed for s in shaken} == {10_500}
    assert {s.config.noise for s in shaken} == {"real"}
    assert not {s.key for s in shaken} & {s.key for s in make_suite("smoke", seed=10_500)}


def test_a_sample_is_spread_over_everything():
    specs = make_suite("dynahmrc-static")
    some = sample(specs, 36)
    assert len({s.key for s in some}) == 36
    for name in ("task", "level", "team", "scene", "seed"):
        assert {s.labels[name] for s in some} == {s.labels[name] for s in specs}, name
    assert sample(specs, 10_000) == specs
    with pytest.raises(CoterieError, match="at least one"):
        sample(specs, 0)


def test_a_wrong_name_is_a_sentence():
    with pytest.raises(CoterieError, match="Did you mean 'smoke'"):
        make_suite("smokey")
    with pytest.raises(CoterieError, match="Name a suite"):
        make_suite(",")


def test_two_episodes_with_one_key_are_refused_and_the_same_one_twice_is_played_once(own_names):
    def mine(seed):
        return [EpisodeSpec("mine/x", Config(task="pack-objects", seed=seed + n)) for n in range(2)]

    suites.put("mine-doubled", mine)
    with pytest.raises(CoterieError, match="'mine/x'"):
        make_suite("mine-doubled")
    assert len(make_suite("smoke,smoke")) == len(make_suite("smoke"))
