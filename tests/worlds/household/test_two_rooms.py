"""Two rooms with a corridor: drawn from data, played without anybody waiting."""

import copy

import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.parties import with_strangers
from coterie.episode.play import play
from coterie.episode.setup import resolve
from coterie.houses.model import FLOOR
from coterie.houses.placement import belongs
from coterie.worlds import entry_of, make_task
from coterie.worlds.household.tasks.two_rooms import NAME, cases, draw_two_rooms, written


def config(level="arm", seed=1, **more):
    return entry_of(NAME).settle(Config(task=NAME, level=level, seed=seed, **more))


@pytest.mark.parametrize("seed", range(3))
def test_every_variant_has_its_bottles_astray_and_a_home_for_each(seed):
    house = make_task(config("help", seed)).setting.house
    for thing in house.things:
        piece = house.piece.get(thing.on)
        room = house.room[piece.room if piece else "second"].kind
        assert not belongs(thing.kind, piece.kind if piece else FLOOR, room)
        assert any(p.receptacle and belongs(thing.kind, p.kind, house.room[p.room].kind) for p in house.furniture)


def test_variants_differ_and_a_seed_fixes_one():
    spots = {seed: make_task(config(seed=seed)).setting.house.things[1].spot for seed in range(4)}
    assert len(set(spots.values())) > 1
    assert make_task(config(seed=2)) == make_task(config(seed=2))


def test_nobody_waits_and_thinking_takes_time():
    found = config()
    assert not found.synchronous and found.stranger == written()["stranger"]
    assert entry_of(NAME).thinking_s(make_task(found)) == written()["think_s"] > 0
    assert entry_of("tidy").thinking_s(make_task(entry_of("tidy").settle(Config(task="tidy", scene="rooms:1:7")))) == 0
    assert config(stranger="none").stranger == "none"


def test_the_stranger_has_the_body_of_its_case():
    task = make_task(config("arm"))
    came = entry_of(NAME).newcomer(task, config("arm"), 0, "")
    assert came["card"].manipulates and not any(card.manipulates for _, card in task.robots)
    task = make_task(config("help"))
    assert not entry_of(NAME).newcomer(task, config("help"), 0, "")["card"].manipulates
    assert any(card.manipulates for _, card in task.robots)


def test_data_may_be_changed():
    data = copy.deepcopy(dict(written()))
    data["things"] = [{"kind": "WineBottle", "on": "Sofa"}]
    (thing,) = draw_two_rooms(config(), data).setting.house.things
    assert thing.on == "sofa_0"
    data["things"] = [{"kind": "WineBottle", "on": "CounterTop"}]
    with pytest.raises(CoterieError, match="lay it elsewhere"):
        draw_two_rooms(config(), data)


def test_the_bottle_may_lie_elsewhere_and_is_brought_home_all_the_same():
    """One bottle in the second room, which only the stranger can carry: nothing of this is a script."""
    data = copy.deepcopy(dict(written()))
    data["things"] = [{"kind": "WineBottle", "on": "floor", "room": "second"}]
    found = resolve(config("arm", 5, model="oracle", protocol="heuristic"))
    task = with_strangers(draw_two_rooms(found, data), found, entry_of(NAME))
    played = play(found, task=task)
    assert played.result.success
    put = [e for e in played.log.events if e.kind == "outcome" and str(e.data["action"]).startswith("PickUp")]
    assert {e.who for e in put} == {"Zoe"}


@pytest.mark.parametrize(
    ("given", "words"), [({"team": "drawn:3"}, "--team"), ({"scene": "rooms:2"}, "--scene"), ({"level": "legs"}, "arm")]
)
def test_what_stands_in_the_data_is_not_asked_for(given, words):
    with pytest.raises(CoterieError, match=words):
        make_task(config(**given))
    assert set(cases()) == {"help", "arm"}
