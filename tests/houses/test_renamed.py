"""The same houses with other names."""

import re

import pytest

from coterie import play
from coterie.core.errors import CoterieError
from coterie.houses import generate
from coterie.houses.names import NAMES, scene
from coterie.learn.rename import words
from coterie.worlds.indoor.tasks.vocabulary import COLOURS, PACK, SANDWICH, SHAPES

HOUSES = ("flat", "loft", "bungalow")


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("names", NAMES)
def test_only_names_differ(house, names):
    old, new = scene(house), scene(f"{house}:{names}")
    assert [(f.rect, f.room, f.stands, f.opens) for f in old.furniture] == [
        (f.rect, f.room, f.stands, f.opens) for f in new.furniture
    ]
    assert old.rooms == new.rooms and new.work.table in new.piece
    assert not {f.name for f in old.furniture} & {f.name for f in new.furniture} or names == "seen"


def test_no_training_draws_what_is_unseen():
    """Renaming joins words with others and with endings, so no part of a name may begin with one that ends it."""
    unseen = {*NAMES["unseen"]["names"].split(), *SHAPES["unseen"], *COLOURS["unseen"]}
    unseen |= {w.kind for w in (*PACK["unseen"], *SANDWICH["unseen"])}
    known = set(words())
    assert not {name for name in unseen if name in known}
    for other in ("train", "dev", "test"):
        taken = {w.kind for w in (*PACK[other], *SANDWICH[other])} | {*SHAPES[other], *COLOURS[other]}
        assert not unseen & taken
    for table in (PACK, SHAPES, COLOURS, SANDWICH):
        assert len(table["unseen"]) == len(table["test"]), "so that the same is drawn"


def test_what_is_seen_is_in_training_houses():
    made = {f.name for seed in range(0, 120, 2) for f in generate.generate_scene(seed).furniture}
    kinds = {re.sub(r"_\d+$", "", name) for name in made}
    assert set(NAMES["seen"]["names"].split()) <= kinds


def test_an_episode_is_played_with_them(tmp_path):
    log = tmp_path / "e.jsonl"
    play(log=log, task="pack-objects", team="Ma-MoMa", seed=3, scene="loft:unseen", level="medium-search")
    text = log.read_text()
    named = set(re.findall(r"[a-z_]+", text))
    assert '"success":true' in text and named & set(NAMES["unseen"]["names"].split()) and "sofa" not in named


def test_unknown_names_are_told():
    with pytest.raises(CoterieError, match="flat:seen or flat:unseen"):
        scene("flat:other")
