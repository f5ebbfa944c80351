"""The script that asks whether the suite notices: it makes every kind of change, and tells caught from not caught."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

import mutants
from mutation.places import KINDS, makes_sense, places
from mutation.sight import Sight
from mutation.trial import copy_tree, try_place

pytestmark = pytest.mark.long

SOURCE = '''"""Words, 1 + 1."""
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    LIMIT = 5

__all__ = ["add"]
Status = Literal["done", 3]


def add(a: Literal[7], b=2, *, deep=True):
    """Not 3 < 4."""
    total = a + b
    for i in range(10):
        if not deep or i <= total:
            continue
        raise ValueError(f"{i + 1} is too much, not 7 < 8")
    flag = False  # pragma: no mutant
    return total if a < 3 and b == 2 else (
        total  # <
        > b
    )
'''


TINY = """def sign(n):
    if n < 0:
        return -1
    return 1


def endless(n):
    while n > 0:
        n -= 1
    return n
"""


def test_every_kind_of_change_is_made_and_can_be_read():
    found = [p for p in places("thing.py", SOURCE) if makes_sense(p, SOURCE)]
    assert {p.kind for p in found} == set(KINDS) - {"flag"}  # the only flag in the body is marked
    changed = {p.apply(SOURCE) for p in found}
    assert len(changed) == len(found)
    assert SOURCE not in changed
    texts = {(p.line, p.kind, p.old, p.new) for p in found}
    assert {
        (13, "statement", "total = a + b", "pass"),
        (13, "arithmetic", "+", "-"),
        (11, "default", "2", "3"),
        (11, "default", "2", "0"),
        (11, "default", "True", "False"),
        (15, "not", "not ", ""),
        (15, "comparison", "<=", "<"),
        (15, "boolean", "or", "and"),
        (16, "jump", "continue", "break"),
        (21, "comparison", ">", ">="),
    } <= texts


@pytest.fixture
def tree(tmp_path):
    """A package of one function, with a test that sees half of it."""
    root = tmp_path / "project"
    (root / "src" / "tiny").mkdir(parents=True)
    (root / "tests").mkdir()
    (root / "src" / "tiny" / "__init__.py").write_text("")
    (root / "src" / "tiny" / "thing.py").write_text(TINY)
    (root / "tests" / "test_thing.py").write_text(
        "from tiny.thing import sign\n\ndef test_sign():\n    assert sign(-3) == -1\n    assert sign(3) == 1\n"
    )
    return root


def sight_of(tree, tmp_path):
    sight = Sight(tmp_path / "seen.json")
    name = "tests/test_thing.py::test_sign"
    about = {name: {"seconds": 0.1, "spawns": False, "passed": True}}
    sight.take({"tests": about, "names": [name], "files": {"src/tiny/thing.py": {"2": [0], "3": [0], "4": [0]}}}, tree)
    return sight


def test_a_planted_change_is_caught_and_the_copy_is_as_before(tree, tmp_path):
    sight = sight_of(tree, tmp_path)
    copy = copy_tree(tree, tmp_path / "copy")
    source = (tree / "src/tiny/thing.py").read_text()
    found = {(p.line, p.new): p for p in places("src/tiny/thing.py", source)}
    wrong = try_place(found[3, "None"], copy, sight, 60)
    assert (wrong.caught, wrong.by) == (True, "tests/test_thing.py::test_sign")
    border = try_place(found[2, "<="], copy, sight, 60)  # nobody asks for the sign of nothing
    assert (border.caught, border.tests) == (False, 1)
    unseen = try_place(found[10, "None"], copy, sight, 60)
    assert (unseen.caught, unseen.by) == (False, "no test runs this line")
    assert (copy / "src/tiny/thing.py").read_text() == source
    assert (tree / "src/tiny/thing.py").read_text() == source


@pytest.mark.long
def test_tests_that_cannot_be_collected_catch_nothing_unless_it_is_the_changes_doing(tree, tmp_path):
    sight = sight_of(tree, tmp_path)
    test, source = tree / "tests" / "test_thing.py", tree / "src" / "tiny" / "thing.py"
    source.write_text(source.read_text() + "\nLIMIT = 4 // sign(1)\n")
    copy = copy_tree(tree, tmp_path / "copy")
    found = {(p.line, p.new): p for p in places("src/tiny/thing.py", source.read_text())}
    caught = try_place(found[4, "0"], copy, sight, 60)  # nothing can be divided by it, and nothing imported
    assert (caught.caught, caught.by) == (True, "tests/test_thing.py")
    (copy / "tests" / "test_thing.py").write_text("import nothing_of_that_name\n" + test.read_text())
    assert not try_place(found[4, "0"], copy, sight, 60).caught


def test_lines_that_moved_are_found_again(tree, tmp_path):
    sight = sight_of(tree, tmp_path)
    path = tree / "src" / "tiny" / "thing.py"
    path.write_text("A = 1\nB = 2\n" + path.read_text())
    place = next(p for p in places("src/tiny/thing.py", path.read_text()) if (p.line, p.new) == (4, "<="))
    assert sight.seeing(place, tree) == ["tests/test_thing.py::test_sign"]


@pytest.mark.long
def test_who_sees_what_is_collected_and_kept(tree, tmp_path):
    pytest.importorskip("coverage")
    sight = Sight(tmp_path / "map" / "seen.json")
    assert sight.update(tree) == 1
    again = Sight(tmp_path / "map" / "seen.json")
    assert again.update(tree) == 0
    assert again.at("src/tiny/thing.py", [3], tree) == {"tests/test_thing.py::test_sign"}
    assert again.at("src/tiny/thing.py", [8, 9], tree) == set()


def test_draws_are_the_seeds_and_even_over_areas():
    drawn = mutants.draw(mutants.ROOT, ["rules", "models"], 20, 5)
    assert [p.id for _, p in drawn] == [p.id for _, p in mutants.draw(mutants.ROOT, ["rules", "models"], 20, 5)]
    assert [a for a, _ in drawn].count("rules") == 10
    assert len({p.id for _, p in drawn}) == 20
    other = mutants.draw(mutants.ROOT, ["rules", "models"], 20, 6)
    assert [p.id for _, p in drawn] != [p.id for _, p in other]


def test_the_list_of_what_nobody_can_notice_names_lines_that_are_there():
    known = json.loads(mutants.EQUIVALENT.read_text())
    for entry in known:
        lines = [line.strip() for line in (mutants.ROOT / entry["path"]).read_text().split("\n")]
        assert entry["line"] in lines, f"{entry['path']} has no line {entry['line']!r} any more"
        assert entry["reason"]
