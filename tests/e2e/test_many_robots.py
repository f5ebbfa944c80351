"""Sixty-four robots in one hall: drawn, played, confirmed and pictured in seconds."""

import random
import time
from itertools import product

import pytest

from coterie.bench.validate import validate
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.event import from_line, to_line
from coterie.episode.play import play
from coterie.worlds import pictures_of
from coterie.worlds.indoor.plans.joint import fewest

MANY = "-".join(["Ma", *("MoMa", "UAV", "Mo") * 21])


@pytest.mark.long
def test_64_robots_play_an_episode(tmp_path):
    """Rule minds with time to spare, too: who has nothing to do stands in nobody's way."""
    begun = time.process_time()
    played = play(Config(team=MANY, scene="hall", protocol="rules", seed=3))
    assert played.result.steps <= 15
    events = [from_line(to_line(e)) for e in played.log.events]
    assert validate(events).reason == "" and len(events[0].data["robots"]) == 64
    path = pictures_of(events[0].data).overview(events, tmp_path / "hall.svg")
    assert path.read_text().count("Lucy21") >= 1
    assert time.process_time() - begun < 60  # a few seconds on a machine of its own


def test_64_robots_bring_things_in_a_hall(tmp_path):
    """Without an arm, and each thing to another place."""
    things = "".join(
        f'[[thing]]\nname = "cup_{i}"\nplace = "bench_{i}"\n'
        f'[[goal.item]]\nthing = "cup_{i}"\nto = "bench_{(i + 7) % 18}"\n'
        for i in range(12)
    )
    head = f'scene = "hall"\nteam = "{"-".join(["MoMa", "UAV"] * 32)}"\n[goal]\nkind = "bring"\n'
    (tmp_path / "t.toml").write_text(head + things)
    played = play(Config(task=str(tmp_path / "t.toml"), protocol="expert"))
    assert validate(played.log.events).reason == "" and played.result.steps <= 8  # twelve at once


def test_a_flat_has_no_room_for_64_and_says_what_to_do():
    with pytest.raises(CoterieError, match=r"no free place .* larger scene, like hall"):
        play(Config(team=MANY, scene="real"))


def test_the_fewest_helpers_are_counted_like_by_trying_all():
    rng = random.Random(4)
    for _ in range(300):
        sizes = [rng.randint(1, 4) for _ in range(rng.randint(0, 4))]
        sets = [[frozenset(rng.sample("abcdef", rng.randint(1, 2))) for _ in range(size)] for size in sizes]
        assert fewest(sets) == min((len(frozenset().union(*c)) for c in product(*sets)), default=0)
