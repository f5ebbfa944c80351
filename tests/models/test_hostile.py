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
def hostile():
    running = []

    def start(name: str, after: int = 0) -> Hostile:
        running.append(Hostile(BEHAVIOURS[name], after).start())
        return running[-1]

    yield start
    for one in running:
        one.stop()


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_the_client_ends_with_a_reply_or_a_sentence(hostile, name):
    server, behaviour = hostile(name), BEHAVIOURS[name]
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
@pytest.mark.parametrize(
    "name",
    ["continue-for-ever-slowly", "body-for-ever", "redirect-307-elsewhere", "control-characters", "says-the-key"],
)
def test_a_run_ends_and_goes_on_elsewhere(hostile, tmp_path, capsys, monkeypatch, name):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr("coterie.models.wire.random.random", lambda: 0.0)
    log = tmp_path / "log.jsonl"
    server = hostile(name, after=4)
    words = ["pack-objects", "--team", "Ma-MoMa", "--level", "easy", "--protocol", "dynahmrc", "--model", "openai:m"]
    begun = time.perf_counter()
    limits = ["--deadline", "0.4" if BEHAVIOURS[name].late else "60"]
    code = main(["run", *words, "--base-url", server.url, *limits, "--log", str(log)])
    assert time.perf_counter() - begun < 50.0  # less than a deadline
    shown = capsys.readouterr()
    assert code in (0, 1, 2) and "Traceback" not in shown.err
    assert (code == 2) == bool(re.search(BEHAVIOURS[name].says or "(?!)", shown.err))
    assert "\x1b" not in shown.out + shown.err and "\x07" not in shown.out + shown.err
    assert KEY not in shown.out + shown.err + log.read_text() and not server.leaked
    with serve(lambda messages, options: text_for(messages)) as url:
        assert main(["run", "--resume", str(log), "--base-url", url]) == (0 if code == 2 else code)
    assert read_log(log)[-1].kind == "end"
    capsys.readouterr()
    assert main(["replay", str(log), "--prompt"]) == 0
    shown = capsys.readouterr().out
    assert not [c for c in shown if not c.isprintable() and c not in "\n\t"]
    assert ("\\x1b[2J" in shown) == (name == "control-characters")
