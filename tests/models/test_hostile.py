"""No endpoint, however it behaves, keeps a run waiting, fills its memory, learns more than it should or crashes it."""

import json
import re
import time

import pytest

from coterie.cli import main
from coterie.core.errors import CoterieError
from coterie.core.protocol import Reply
from coterie.log.file import read_log
from coterie.models.openai import OpenAI
from coterie.models.server import serve
from coterie.models.wire import Endpoint
from tests.models.conftest import ask
from tests.models.fickle import text_for
from tests.models.hostile import BEHAVIOURS, GOOD, Hostile

KEY = "sk-very-secret-0123456789"
SHORT_S = 0.25


@pytest.fixture
def server(request):
    running = Hostile(BEHAVIOURS[request.param]).start()
    yield running
    running.stop()


@pytest.mark.parametrize("server", BEHAVIOURS, indirect=True)
def test_the_client_ends_with_a_reply_or_a_sentence(server):
    behaviour = server.behaviour
    limits = {"deadline_s": SHORT_S} if behaviour.late else {"deadline_s": 60.0}
    endpoint = Endpoint(server.url, KEY, retries=1, backoff_s=0.001, **limits)
    model = OpenAI("m", endpoint)
    begun = time.perf_counter()
    try:
        replies = [model.answer([ask("Hello.", choices=held)])[0] for held in (None, {"gbnf": "root ::= x"})]
        words = replies[0].error
    except CoterieError as err:
        replies, words = [], str(err)
        assert KEY not in repr(err.__cause__)
        assert words.endswith(".") and words.isprintable() and len(words) < 800
    took = time.perf_counter() - begun
    endpoint.close()
    assert took < 30.0  # cores may be busy
    if behaviour.says:
        assert re.search(behaviour.says, words), words
    else:
        assert replies and not words
    for reply in replies:
        check(reply)
        assert reply.error or GOOD in reply.text or len(reply.text) > 10**6
        assert "I was not asked" not in reply.text
    kept = (
        words + repr(model) + repr(endpoint) + json.dumps([replies, model.ledger.to_json()], allow_nan=False)
    )  # a side file is JSON, too
    assert KEY not in kept and KEY[:10] not in kept
    assert not server.leaked


def check(reply: Reply) -> None:
    assert isinstance(reply.text, str) and isinstance(reply.error, str) and reply.error.isprintable()
    reply.text.encode("utf-8")
    assert all(type(n) is int and 0 <= n < 10**7 for n in (reply.tokens_in, reply.tokens_out))


@pytest.mark.long
@pytest.mark.parametrize("server", ["says-the-key", "control-characters", "400-with-the-key"], indirect=True)
def test_a_run_shows_nothing_of_it_and_goes_on_elsewhere(server, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    log, fails = tmp_path / "log.jsonl", bool(server.behaviour.says)
    words = ["run", "pack-objects", "--team", "Ma-MoMa", "--level", "easy", "--protocol", "dynahmrc", "--model"]
    code = main([*words, "openai:m", "--base-url", server.url, "--log", str(log)])
    with serve(lambda messages, options: text_for(messages)) as url:
        again = main(["run", "--resume", str(log), "--base-url", url])
    assert (code, again) == ((2, 0) if fails else (1, 1))
    assert read_log(log)[-1].kind == "end" and main(["replay", str(log), "--prompt"]) == 0
    shown = capsys.readouterr()
    assert not [c for c in shown.out + shown.err if not c.isprintable() and c not in "\n\t"]
    assert ("\\x1b[2J" in shown.out) == (server.behaviour.name == "control-characters")
    assert fails == bool(re.search(server.behaviour.says or "(?!)", shown.err)) and "Traceback" not in shown.err
    assert KEY not in shown.out + shown.err + "".join(path.read_text() for path in tmp_path.iterdir())
