"""Eyes that are a model's, behind a real server over loopback HTTP."""

import base64
import json
from dataclasses import replace

import numpy as np
import pytest

from coterie.bench.studies.household import HOUSEHOLD
from coterie.core.config import Config
from coterie.core.looking import said
from coterie.episode.play import play
from coterie.episode.setup import resolve
from coterie.models.openai import OpenAI
from coterie.models.wire import Endpoint
from coterie.worlds import make_task
from coterie.worlds.household.perception import Camera, Eye, Scene
from coterie.worlds.household.perception.image import FIRST
from coterie.worlds.household.perception.vision import Vision, read
from tests.models.faulty import Faulty
from tests.worlds.household.made import two_rooms

TIDY = Config("tidy", scene="rooms:1", level="1", team="SmallArm-TallEye", protocol="heuristic", model="openai:m",
              camera="vision", seed=4)  # fmt: skip


@pytest.fixture
def shown(monkeypatch):
    """Every picture that was sent, by its letters, so that a mind on the other side can know what is in it."""
    found = {}
    made = Vision._png

    def keep(self, image):
        data = made(self, image)
        found[data] = (self.house, image)
        return data

    monkeypatch.setattr(Vision, "_png", keep)
    return found


def task(limit, config=TIDY):
    """The beginning of an episode."""
    return replace(make_task(resolve(replace(config, model="none"))), step_limit=limit)


def played(mind, path=None, limit=8, resume=False, config=TIDY):
    server = Faulty(mind, keep=10).start()
    endpoint = Endpoint(server.url, backoff_s=0.002, timeout_s=60.0)
    try:
        return play(config, path, resume, model=OpenAI("m", endpoint), task=task(limit, config))
    finally:
        endpoint.close()
        server.stop()


def all_of(shown):
    """A mind that names everything in a picture."""

    def mind(messages, options):
        parts = messages[-1]["content"]
        url = next(p["image_url"]["url"] for p in parts if p["type"] == "image_url")
        data = url.partition(",")[2]
        assert base64.b64decode(data).startswith(b"\x89PNG")
        house, image = shown[data]
        rows = []
        for name in house.thing:
            if name in image.names:
                ys, xs = np.nonzero(image.owner == image.names.index(name) + FIRST)
                if len(ys):
                    box = [int(v) for v in (xs.min(), ys.min(), xs.max() + 1, ys.max() + 1)]
                    rows.append({"kind": house.thing[name].kind, "box": box})
        return f"Here: {json.dumps(rows)}"

    return mind


def found(events):
    """The things that robots saw."""
    seen = [e.data if e.kind == "see" else e.data.get("see") or {} for e in events if e.kind in ("see", "did")]
    return {name for s in seen for name in (s.get("saw") or {}).get("spot", {})}


@pytest.mark.long
def test_a_model_that_sees_well_is_as_good_as_segmentation_and_the_log_goes_on_without_it(shown, tmp_path):
    path = tmp_path / "log.jsonl"
    result = played(all_of(shown), path, limit=16)
    events = result.log.events
    rendered = play(replace(TIDY, camera="rendered", model="none"), task=task(16))
    assert len(found(events)) > 2 and found(events) == found(rendered.log.events)
    asks = [e for e in events if e.kind == "ask"]
    assert {e.data["stage"] for e in asks} == {"see"} and sum(e.kind == "reply" for e in events) == len(asks)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[: len(lines) // 2]))

    def silent(messages, options):
        later.append(1)
        return all_of(shown)(messages, options)

    later = []
    again = played(silent, path, limit=16, resume=True)
    assert 0 < len(later) < len(asks), "what is in the log is not asked again"
    assert path.read_text() == "".join(lines) and len(again.log.events) == len(events)


def test_who_sees_the_same_as_before_is_not_asked_again_and_who_has_moved_is():
    house, camera = two_rooms(), Camera(1.6, 90.0, 5.0)
    vision, scene = Vision(house), Scene(house, {}, {})
    asked = []
    for x in (5.0, 6.0):
        eyes = {"Ann": (Eye(2.0, 2.0, 0.0, 0.0), camera), "Bob": (Eye(x, 2.0, 0.0, 0.0), camera)}
        asked.append([ask.robot for ask in vision.asks(scene, eyes, 0)])
        for robot in asked[-1]:
            vision.take(robot, "[]", 0)
    assert asked == [["Ann", "Bob"], ["Bob"]]


def test_what_a_model_does_not_name_is_not_seen_and_what_cannot_be_read_is_counted():
    blind = played(lambda messages, options: "[]", limit=3)
    assert not found(blind.log.events) and not blind.result.success
    odd = played(lambda messages, options: "I see a mug.", limit=4)
    made_up = played(lambda m, o: '[{"kind": "mug", "box": [140, 180, 160, 200]}]', limit=2)
    assert any("_ghost_" in name for name in found(made_up.log.events))
    asks = sum(e.kind == "ask" for e in odd.log.events)
    assert not found(odd.log.events) and HOUSEHOLD.columns(odd.log.events)["unread_looks"] == asks > 5


JUDGED = replace(TIDY, camera="vision+success", seed=185)  # in which something is taken and put at once


def judge(shown, answer):
    """A mind that names everything, and answers what has worked with the same word each time."""

    def mind(messages, options):
        parts = messages[-1]["content"]
        pictures = [p["image_url"]["url"] for p in parts if p["type"] == "image_url"]
        if len(pictures) == 1:
            return all_of(shown)(messages, options)
        asked.append(pictures)
        return answer

    asked = []
    mind.asked = asked
    return mind


def deeds(events):
    return [e.data["skill"] for e in events if e.kind == "did" and e.data["skill"] in ("PickUp", "PutDown")]


def test_a_model_says_what_has_worked_and_the_result_tells_how_often_it_was_right(shown, tmp_path):
    path, yes = tmp_path / "log.jsonl", judge(shown, "Yes.")
    events = played(yes, path, 4, config=JUDGED).log.events
    assert deeds(events) == ["PickUp", "PutDown"] and len(yes.asked) == 2
    assert all(before != after for before, after in yes.asked)
    told = HOUSEHOLD.columns(events)
    assert (told["judgements"], told["judgements_right"], told["unread_judgements"]) == (2, 2, 0)
    whole = path.read_text()
    path.write_text(whole[: whole.index('"judge"') + 5])
    played(judge(shown, "Yes."), path, 4, resume=True, config=JUDGED)
    assert path.read_text() == whole


def test_a_robot_that_is_told_otherwise_than_it_is_acts_on_it_and_the_log_keeps_what_is_true(shown):
    no = played(judge(shown, "no"), limit=6, config=JUDGED).log.events
    told = HOUSEHOLD.columns(no)
    assert told["judgements"] >= 2 and told["judgements_right"] == 0
    ended = [e.data["name"] for e in no if e.kind == "option" and e.data["state"] == "ended"]
    said = [e.data["text"] for e in no if e.kind == "say"]
    assert ended[0].startswith("PickupObject") and deeds(no)[0] == "PickUp"
    assert any("failed" in text and "does not look" in text for text in said), said
    odd = HOUSEHOLD.columns(played(judge(shown, "perhaps"), limit=4, config=JUDGED).log.events)
    assert odd["unread_judgements"] == odd["judgements"] == 2 and odd["judgements_right"] == 0


@pytest.mark.parametrize(
    ("text", "worked"),
    [("yes", True), ("No, the mug is still there.", False), ("**Yes**", True), ("", None), ("nothing", None)],
)
def test_judgements_are_read(text, worked):
    assert said(text) is worked


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", None),
        ("no list", None),
        ("[1, 2", None),
        ("[[[" * 9000, None),
        ("x" * 30_000 + "[]", None),
        ("[]", 0),
        ('```json\n[{"kind": "Salt Shaker", "box": [1, 2, 3, 4]}]\n```', 1),
        ('[{"kind": "Mug", "box": [1, 2, 3]}, {"kind": "Sofa", "box": [1, 2, 3, 4]}, {"kind": "Mug"}, 7]', 0),
        ('[{"kind": "Mug", "box": [1, 2, 3, NaN]}]', None),
        ('[{"kind": "Mug", "box": [1, 2, 3, true]}, {"kind": "Mug", "box": [9, 9, 1, 1]}]', 1),
        (json.dumps([{"kind": "Mug", "box": [0, 0, 9, 9]}] * 500), 60),
    ],
)  # fmt: skip
def test_replies_of_all_kinds_are_borne(text, count):
    rows = read(text)
    assert rows is None if count is None else rows is not None and len(rows) == count
