"""A whole episode over HTTP: an endpoint that goes away, and one that comes back."""

import pytest

from coterie.core.action import WAIT, Action
from coterie.core.errors import CoterieError
from coterie.core.event import read_log
from coterie.core.protocol import Ask, TeamProtocol
from coterie.episodes import Config, play
from coterie.llm.openai import OpenAI
from coterie.llm.recorded import Recorded, Recording
from coterie.llm.server import Fault
from coterie.protocols import protocols

CONFIG = Config(task="pack-objects", team="Ma-MoMa-UAV", protocol="asks-where", level="easy", seed=2)


class AsksWhere(TeamProtocol):
    """Asks where to go, and goes there."""

    sees = "own"

    def decide(self, team, idle):
        me = team.me
        if "navigate" not in me.card.skills:
            return {me.name: Action(WAIT)}
        places = tuple(me.look("all_furniture"))
        (reply,) = yield [Ask(me.name, "where", me.step, 0, (("user", f"Step {me.step}. Where to?"),), places)]
        return {me.name: Action("navigate", (reply.text, "stand_pose_0"))}


@pytest.fixture(autouse=True)
def protocol():
    protocols.put("asks-where", AsksWhere)
    yield
    protocols._items.pop("asks-where")


def choose(messages, options):
    return options["guided_choice"][len(messages[-1]["content"]) % len(options["guided_choice"])]


@pytest.mark.parametrize("fault", [Fault(drop=True), Fault(status=429), Fault(status=503)], ids=["dead", "429", "503"])
def test_a_run_goes_on_when_its_endpoint_is_back(server, endpoint, tmp_path, fault):
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    good = server(choose)
    play(CONFIG, whole, model=OpenAI("m", endpoint(good)))
    asked = len(good.requests)
    bad = server(choose, faults=lambda number, body: fault if number >= asked // 2 else None)
    with pytest.raises(CoterieError, match="The model endpoint http"):
        play(CONFIG, cut, model=OpenAI("m", endpoint(bad, retries=1)))
    lines = cut.read_text()
    assert lines.endswith("\n") and whole.read_text().startswith(lines)
    assert read_log(cut)[-1].kind == "ask"  # all that was known when the endpoint went away
    again = server(choose)
    play(CONFIG, cut, resume=True, model=OpenAI("m", endpoint(again)))
    assert cut.read_bytes() == whole.read_bytes()
    assert 0 < len(again.requests) < asked  # what was answered before is not asked again


def test_a_recorded_run_replays_to_the_same_log(server, endpoint, tmp_path):
    first, second, talk = tmp_path / "1.jsonl", tmp_path / "2.jsonl", tmp_path / "talk.jsonl"
    model = Recording(OpenAI("m", endpoint(server(choose))), talk)
    played = play(CONFIG, first, model=model)
    replay = Recorded(talk)
    replay.name = model.name
    play(CONFIG, second, model=replay)
    assert first.read_bytes() == second.read_bytes()
    assert model.ledger.total()["calls"] == sum(e.kind == "ask" for e in played.log.events)


def test_a_spent_limit_leaves_a_whole_log(server, endpoint, tmp_path):
    log = tmp_path / "log.jsonl"
    with pytest.raises(CoterieError, match="Raise --token-limit"):
        play(CONFIG, log, model=OpenAI("m", endpoint(server(choose)), token_limit=60))
    assert read_log(log)[-1].kind == "ask"
    play(CONFIG, log, resume=True, model=OpenAI("m", endpoint(server(choose))))
    assert read_log(log)[-1].kind == "end"
