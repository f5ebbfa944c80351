"""The small parts: names, seeds, triggers, and files that people write."""

import pickle

import pytest

from coterie.core.action import Action
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.reader import Reader, load_toml
from coterie.core.registry import Registry
from coterie.core.seeds import rng_of, seed_of
from coterie.core.task import Trigger


def test_a_wrong_name_gets_what_was_meant_and_what_there_is():
    error = str(unknown_name("robot", "panda2", ["ur5", "panda"]))
    assert error == "No robot 'panda2'. Did you mean 'panda'? There are: panda, ur5."
    assert "There are: none." in str(unknown_name("robot", "panda", []))
    sent = pickle.loads(pickle.dumps(unknown_name("robot", "panda2", ["ur5", "panda"])))  # from another process
    assert (str(sent), sent.what, sent.known) == (error, "robot", ("panda", "ur5"))
    assert str(unknown_name("x", "zzz", [f"r{i:02}" for i in range(40)])).endswith(" r39.")
    assert str(unknown_name("x", "zzz", [f"r{i:02}" for i in range(41)])).endswith(" r39 and 1 more.")


def test_a_registry_finds_by_name_and_by_tag():
    things: Registry[object] = Registry("thing")

    @things.add("red", "round")
    def big_ball():
        pass

    things.put("cube", 2, "red")
    assert things.names("red") == ["big-ball", "cube"] and things.names("round") == ["big-ball"]
    assert things.get("big-ball") is big_ball and "cube" in things and len(things) == 2
    with pytest.raises(CoterieError, match="already a thing named 'cube'"):
        things.put("cube", 3)
    things.put("cube", 3, "blue", replace=True)
    assert things.get("cube") == 3 and things.tags("cube") == {"blue"} and things.names("red") == ["big-ball"]
    assert things.items("blue") == [("cube", 3)] and list(things) == ["big-ball", "cube"] and "ball" not in things
    things.add("red", name="own")(big_ball)
    assert things.names("red") == ["big-ball", "own"] and things.put("bare", 1) == 1 and things.tags("bare") == set()
    with pytest.raises(CoterieError, match="Did you mean 'cube'"):
        things.get("cub")


def test_seeds_depend_on_every_part_and_on_nothing_else():
    assert seed_of(1, "Alice", "plan", 3, 0) == 8379341699750494070, "the same on every machine and in every version"
    seeds = {seed_of(*parts) for parts in [(1, "a", 2), (2, "a", 2), (1, "b", 2), (1, "a", 3), (1, "a2"), ("1a", 2)]}
    assert len(seeds) == 6 and all(0 <= s < 2**63 for s in seeds)
    assert rng_of("x").random() == rng_of("x").random() != rng_of("y").random()


def test_triggers():
    assert [Trigger(step=3).due(s, 99.0) for s in (2, 3, 4)] == [False, True, True]
    assert [Trigger(time=3.0).due(99, t) for t in (2.9, 3.0, 4.0)] == [False, True, True]
    assert not Trigger().due(99, 99.0), "one that only a person pulls"


def test_actions_read_like_calls():
    assert str(Action("place", ("cup", ("a", "b"), 0.123))) == "place(cup, [a, b], 0.12)"


@pytest.mark.parametrize(("call", "words"), [
    (lambda r: r.text("size"), "`size` must be text in quotes, not 3"),
    (lambda r: r.text("name", choices=["tea", "milk"]), "Did you mean 'tea'"),
    (lambda r: r.number("nan"), "`nan` must be a number, not nan"),
    (lambda r: r.number("name"), "must be a number, not 'te'"),
    (lambda r: r.texts("name"), "must be a list of texts"),
    (lambda r: r.tables("name"), r"head each with \[\[name\]\]"),
    (lambda r: r.table("name").done(), "expected a table"),
    (lambda r: (r.text("nam"), r.done()), "No key '.*'"),
])  # fmt: skip
def test_a_wrong_line_in_a_file_is_named_with_its_place(call, words):
    data = {"name": "te", "size": 3, "nan": float("nan")}
    with pytest.raises(CoterieError, match=f"^menu.toml.*{words}"):
        call(Reader(data, "menu.toml"))


def test_files_that_cannot_be_read_end_in_a_sentence(tmp_path):
    with pytest.raises(CoterieError, match="There is no scene file"):
        load_toml(tmp_path / "none.toml", "scene")
    (tmp_path / "bad.toml").write_text("x = = 1")
    with pytest.raises(CoterieError, match="not valid TOML"):
        load_toml(tmp_path / "bad.toml", "scene")
    (tmp_path / "latin.toml").write_bytes(b"x = '\xff'")
    with pytest.raises(CoterieError, match="Cannot read the scene file"):
        load_toml(tmp_path / "latin.toml", "scene")


def test_what_lies_in_a_folder_is_imported_in_a_fixed_order(tmp_path, monkeypatch):
    from coterie.core.registry import import_all

    folder = tmp_path / "shelf_of_things"
    for name in ("b.py", "a.py", "c/__init__.py", "_helper.py", "d/entry.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("from shelf_of_things import seen\nseen.append(__name__)\n")
    (folder / "__init__.py").write_text("seen = []\n")
    monkeypatch.syspath_prepend(tmp_path)
    import shelf_of_things as shelf

    import_all("shelf_of_things", shelf.__path__, first=("b",))
    import_all("shelf_of_things", shelf.__path__, part="entry")
    assert [name.partition(".")[2] for name in shelf.seen] == ["b", "a", "c", "d.entry"]


def test_a_registry_brings_more_once_and_only_when_it_must():
    brought = []

    def more():
        brought.append(1)
        found.put("far", 2)

    found = Registry("thing", more)
    found.put("near", 1)
    assert "near" in found and found.get("near") == 1 and not brought
    assert found.get("far") == 2 and "further" not in found and list(found) == ["near", "far"]
    assert brought == [1]


def test_what_is_not_imported_yet_comes_when_a_name_is_missed_or_all_are_listed():
    things: Registry[int] = Registry("thing")
    brought: list[str] = []

    def bring(name):
        brought.append(name)
        things.put(name, len(brought), "late")

    things.put("here", 0)
    things.later(lambda: bring("first"))
    assert things.get("here") == 0 and "here" in things and things.here() == [("here", 0)] and not brought
    assert things.tags("first") == {"late"} and brought == ["first"]
    things.later(lambda: bring("second"))
    assert things.names() == ["here", "first", "second"] and things.names() == list(things)
    assert brought == ["first", "second"]
