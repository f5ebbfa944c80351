"""Priors: what a finished episode teaches, and that nothing hidden gets into it."""

import copy

import pytest

from coterie.core.config import Config
from coterie.core.event import from_line, to_line
from coterie.episode.play import play
from coterie.memo import Lesson, PriorCase, Store, prior, recall, teach
from coterie.worlds.indoor.memory import learn

TEAM = ("Ma", "MoMa", "UAV")


@pytest.fixture(scope="module")
def events():
    return play(Config(task="pack-objects", seed=4, scene="flat")).log.events


@pytest.fixture(scope="module")
def furniture(events):
    return {f["name"]: f["kind"] for f in events[0].data["scene"]["furniture"]}


def test_a_lesson_says_where_things_were_found_and_who_did_what(events):
    lesson = learn(events)
    assert lesson.case == PriorCase("flat", TEAM, "pack", ("lemon", "spoon", "wallet"))
    assert lesson.success
    assert {(f.kind, f.furniture) for f in lesson.found} >= {("wallet", "cabinet_top"), ("lemon", "book_case")}
    assert {(j.kind, j.placed) for j in lesson.jobs} == {("wallet", "Ma"), ("lemon", "Ma"), ("spoon", "Ma")}
    assert {j.fetched for j in lesson.jobs} <= {"MoMa", "UAV"}
    assert Lesson.from_json(lesson.to_json()) == lesson


def test_a_log_from_a_file_teaches_the_same(events):
    assert learn([from_line(to_line(e)) for e in events]) == learn(events)


def test_hidden_facts_do_not_get_into_it(events):
    """The truth of the first line and of the step lines tells another story: only what robots saw counts."""
    lied = [copy.copy(e) for e in (from_line(to_line(e)) for e in events)]
    lied[0].data["things"] = [
        [name, kind, more, "fridge", [0, 0, 0]] for name, kind, more, *_ in lied[0].data["things"]
    ]
    lied = [e._replace(data={"facts": []}) if e.kind == "truth" else e for e in lied]
    assert learn(lied) == learn(events)
    seen = {a[0] for e in events if e.kind == "see" for p, a, v, *_ in e.data["facts"] if p == "where"}
    kinds = {name.rsplit("_", 1)[0] for name in seen}
    assert {f.kind for f in learn(events).found} <= kinds


def test_an_episode_that_was_cut_teaches_nothing(events):
    assert learn(events[:-1]) is None
    assert learn([]) is None


def test_the_search_order(events, furniture):
    case = PriorCase("flat", TEAM, "pack", ("lemon", "wallet"))
    hint = prior(case, [learn(events)], furniture)
    assert sum(hint.order.values()) == pytest.approx(1.0)
    assert set(list(hint.order)[:2]) == {"book_case", "cabinet_top"}
    assert "Earlier, lemon was found at book_case (once)." in hint.words
    assert "only hints" in hint.words
    assert "put in place by Ma (3 times)" in hint.words


def test_only_furniture_that_the_team_knows_of_is_named(events, furniture):
    case = PriorCase("flat", TEAM, "pack", ("lemon", "wallet"))
    hint = prior(case, [learn(events)], {"book_case": "book_case"})
    assert set(hint.order) == {"book_case"}
    assert "cabinet_top" not in hint.words


def test_another_house_has_furniture_of_the_same_kind(events):
    case = PriorCase("loft", TEAM, "pack", ("lemon",))
    hint = prior(case, [learn(events)], {"shelf_1": "book_case", "shelf_2": "book_case", "stove": "stove"})
    assert hint.order["shelf_1"] == hint.order["shelf_2"] == pytest.approx(0.5)
    assert "a book_case of another house" in hint.words


def test_another_team_divides_work_in_other_ways(events, furniture):
    case = PriorCase("flat", ("Ma", "MoMa"), "pack", ("lemon",))
    assert "How teams like this one" not in prior(case, [learn(events)], furniture).words


def test_no_lessons_no_words(furniture):
    hint = prior(PriorCase("flat", TEAM, "pack", ("lemon",)), [], furniture)
    assert (dict(hint.order), hint.words, hint.episodes) == ({}, "", 0)


def test_lessons_in_the_store(events, furniture, tmp_path):
    with Store(tmp_path / "memo.sqlite") as store:
        teach(store, learn(events), "one")
        teach(store, learn(events), "one")
        assert store.lesson_count() == 1
        store.teach("odd", "flat", "pack", {"case": 3})
        case = PriorCase("flat", TEAM, "pack", ("lemon",))
        assert recall(store, case, furniture).episodes == 1
        assert recall(store, case, furniture, but="one").episodes == 0, "who plays it again does not hear itself"
        assert store.skipped == 2
        store.take_back("one")
        assert recall(store, case, furniture).episodes == 0


def test_a_leader_is_remembered(furniture):
    from coterie.protocols.dynahmrc.oracle import Oracle

    played = play(Config(protocol="dynahmrc", seed=3, level="easy"), model=Oracle())
    lesson = learn(played.log.events)
    assert lesson.led in TEAM
    assert f"led by {lesson.led} (once)" in prior(lesson.case, [lesson], furniture).words or not lesson.success


def test_the_latest_two_hundred_lessons_count():
    asked = []

    class Shelf:
        def lessons(self, *what):
            asked.append(what)
            return []

    recall(Shelf(), PriorCase("flat", (), "pack", ()), {})
    recall(Shelf(), PriorCase("flat", (), "pack", ()), {}, 5, "me")
    assert asked == [("flat", "pack", 200, ""), ("flat", "pack", 5, "me")]
