"""The script follows hints: it is a control, so it has to play well where prompts do the thinking."""

import pytest

from coterie.api import play
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.models import make_model
from coterie.protocols.script_model import reply_to


@pytest.mark.parametrize(
    "protocol", ["dynahmrc", "dynahmrc:full", "dynahmrc:paper", "coela", "coela:full", "coherent", "coherent:full"]
)
@pytest.mark.parametrize("task", ["pack-objects", "make-sandwich"])
def test_it_wins_where_a_prompt_has_hints(protocol, task):
    config = Config(task, "Ma-MoMa-UAV", seed=501, scene="flat", level="easy", protocol=protocol, model="script")
    played = play(config)
    assert played.result.success and not any(e.kind == "reply" and e.data.get("error") for e in played.log.events)


@pytest.mark.parametrize(
    "config",
    [
        Config("sandwich", protocol="roco", model="script", seed=3),
        Config("sandwich", protocol="hmas2", model="script", seed=3),
        Config("sandwich", protocol="react", model="script", seed=3),
    ],
    ids=lambda c: c.protocol,
)
def test_arms_at_a_table_wait_since_nothing_hints_at_a_plan(config):
    acts = [e for e in play(config).log.events if e.kind == "act"]
    assert acts and {e.data["skill"] for e in acts} == {"wait"}


@pytest.mark.parametrize(
    "system, user, said",
    [
        ("Answer with one of: walk 1,1, left, wait.", "", "walk 1,1"),
        ("Something new.", "", ""),
    ],
)
def test_other_worlds(system, user, said):
    text = reply_to(system, f"{system}\n{user}")
    assert text.endswith(said) and bool(text) == bool(said)


def test_a_prompt_without_hints_is_an_empty_reply_with_the_reason():
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
