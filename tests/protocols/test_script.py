"""The script follows hints: it is a control, so it has to play well where prompts do the thinking."""

import pytest

from coterie.api import play
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.models import make_model
from coterie.protocols.script_model import reply_to


@pytest.mark.parametrize(
    ("protocol", "task"),
    [
        ("dynahmrc", "pack-objects"),
        ("dynahmrc:full", "make-sandwich"),
        ("dynahmrc:paper", "pack-objects"),
        ("coela", "make-sandwich"),
        ("coela:full", "pack-objects"),
        ("coherent", "make-sandwich"),
        ("coherent:full", "pack-objects"),
    ],
)
def test_it_wins_where_a_prompt_has_hints(protocol, task):
    config = Config(task, "Ma-MoMa-UAV", seed=501, scene="flat", level="easy", protocol=protocol, model="script")
    played = play(config)
    assert played.result.success and not any(e.kind == "reply" and e.data.get("error") for e in played.log.events)


@pytest.mark.parametrize("protocol", ["roco", "hmas2", "react"])
def test_arms_at_a_table_wait_since_nothing_hints_at_a_plan(protocol):
    events = play(Config("sandwich", protocol=protocol, model="script", seed=3)).log.events
    assert {e.data["skill"] for e in events if e.kind == "act"} == {"wait"}


def test_options_that_a_prompt_lists_are_taken_and_nothing_to_follow_is_an_empty_reply_with_the_reason():
    listed = "Answer with one of: walk 1,1, left, wait."
    assert reply_to(listed, f"{listed}\n").endswith("walk 1,1") and not reply_to("Something new.", "Something new.\n")
    model = make_model("script")
    (reply,) = model.answer([Ask("Ann", "act", 0, 0, (("system", "Sing."), ("user", "Now.")))])
    assert not reply.text and "nothing to follow" in reply.error
    with pytest.raises(CoterieError, match="takes nothing after it"):
        make_model("script:fast")


class Babbling:
    """Nothing it says can be read."""

    name = "babbling"

    def __init__(self):
        self.asked = []

    def answer(self, asks):
        self.asked += asks
        if len(self.asked) > 12:
            raise CoterieError("enough")
        return [Reply("Well, well, well.") for _ in asks]


@pytest.mark.parametrize(
    "more, stage", [({"stranger": "irot@0:arm"}, "GEN"), ({"protocol": "negotiate"}, "NEG")], ids=["irot", "negotiate"]
)
def test_what_cannot_be_read_is_not_asked_for_again_in_the_same_words(more, stage):
    model = Babbling()
    with pytest.raises(CoterieError, match="enough"):
        play(Config("tidy", seed=4, scene="rooms:4", model="oracle", **more), model=model)
    asked = [(a.robot, a.step, a.prompt) for a in model.asked if a.stage == stage]
    assert asked and len(set(asked)) == len(asked)
