"""No endpoint, however it behaves, keeps a run waiting, fills its memory, learns more than it should or crashes it."""

import json
import re
import time

import pytest

from coterie.core.errors import CoterieError
from coterie.core.protocol import Reply
from coterie.models.openai import OpenAI
from coterie.models.wire import Endpoint
from tests.models.conftest import ask
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
