"""Endpoints as they are: words that come one by one, filters, errors inside a good answer, and which model it was."""

import itertools
import json
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coterie.models.openai import OpenAI
from coterie.models.streamed import first_word, whole
from tests.models.conftest import ask, echo
from tests.models.faulty import Fault


def test_words_that_come_one_by_one_are_one_reply_and_the_first_is_timed(server, endpoint):
    running = server(echo)
    model = OpenAI("mind", endpoint(running), stream=True)
    (reply,) = model.answer([ask("one two  three")])
    assert (reply.text, reply.error) == ("re: one two  three", "")
    (call,) = model.ledger.calls
    assert call.first_s is not None and 0 < call.first_s <= call.seconds
    assert not call.estimated and model.ledger.total()["first_s"] == round(call.first_s, 6)
    assert running.requests[0]["stream"] is True


def test_an_endpoint_that_cannot_stream_is_asked_as_always(server, endpoint):
    def faults(number, body):
        return Fault(status=400, words="Unsupported parameter: 'stream'.") if "stream" in body else None

    running = server(echo, faults=faults)
    model = OpenAI("mind", endpoint(running), stream=True)
    assert [r.text for r in model.answer([ask("a"), ask("b")])] == ["re: a", "re: b"]
    assert model.ledger.calls[-1].first_s is None and "stream_options" not in running.requests[-1]


def answer(**data):
    return Fault(body=json.dumps(data).encode())


def filtered(content):
    return answer(choices=[{"message": {"content": content}, "finish_reason": "content_filter"}])


STOPPED = "A content filter of the endpoint stopped the reply"
TRIGGERED = "The response was filtered due to the prompt triggering our content management policy"


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (answer(error={"message": "the engine stumbled"}), "answered with an error: the engine stumbled"),
        (filtered(None), STOPPED),
        (filtered("half a"), STOPPED),
        (Fault(status=400, words=TRIGGERED), "filter"),
    ],
)
def test_a_filter_or_an_error_inside_a_good_answer_costs_one_reply(server, endpoint, fault, says):
    model = OpenAI("mind", endpoint(server(echo, faults=lambda n, _: fault if n == 0 else None)))
    (first,), (second,) = model.answer([ask("a")]), model.answer([ask("b")])
    assert says in first.error and (second.text, second.error) == ("re: b", "")


def test_which_model_it_was_is_in_the_reply_where_it_is_not_the_name_asked_for(server, endpoint):
    running = server(echo, name="mind-2026-03-01")
    assert OpenAI("mind", endpoint(running)).answer([ask()])[0].served == "mind-2026-03-01"
    assert OpenAI("mind-2026-03-01", endpoint(running)).answer([ask()])[0].served == ""


def test_one_call_has_its_time_as_a_whole_also_where_words_trickle(server, endpoint):
    stop = threading.Event()

    def slow(messages, options):
        stop.wait(60)
        return "late"

    begun = time.monotonic()
    with pytest.raises(Exception, match="in all"):
        OpenAI("mind", endpoint(server(slow), deadline_s=0.3), stream=True).answer([ask()])
    stop.set()
    assert time.monotonic() - begun < 30


def event(text, **more):
    return b"data: " + json.dumps({"choices": [{"index": 0, "delta": {"content": text}, **more}]}).encode() + b"\n\n"


@pytest.mark.long
@given(st.lists(st.text(max_size=8), min_size=1, max_size=6), st.data())
def test_however_a_stream_is_cut_into_pieces_it_is_the_same_reply(words, data):
    raw = b": ping\n\n" + b"".join(event(w) for w in words) + event("", finish_reason="stop") + b"data: [DONE]\n\n"
    found = whole(raw)["choices"][0]
    assert found["message"]["content"] == "".join(words) and found["finish_reason"] == "stop"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=5)))
    edges = [0, *cuts, len(raw)]
    pieces = [(float(i), raw[a:b]) for i, (a, b) in enumerate(itertools.pairwise(edges))]
    at = first_word(pieces)
    assert (at is not None) == any(words)
    if at is not None:
        before = b"".join(p for t, p in pieces if t < at)
        lines = before[: before.rfind(b"\n") + 1]
        assert not any(w and event(w).rstrip(b"\n") + b"\n" in lines for w in words)


def test_an_error_in_the_middle_of_a_stream_is_an_error():
    raw = event("half") + b'data: {"error": {"message": "overloaded"}}\n\n'
    assert "error" in whole(raw) and "choices" not in whole(raw)
    for bad in (b"", b"data: 1\n\n", b"data: {\n\n", b'data: {"choices": []}\n\n'):
        with pytest.raises(ValueError):
            whole(bad)


def test_a_call_of_a_tool_comes_in_pieces():
    first = {"index": 0, "function": {"name": "reply", "arguments": '{"act'}}
    deltas = [{"tool_calls": [first]}, {"tool_calls": [{"index": 0, "function": {"arguments": 'ion": 1}'}}]}, {}]
    raw = "".join(f"data: {json.dumps({'choices': [{'delta': d}]})}\n\n" for d in deltas).encode()
    (choice,) = whole(raw)["choices"]
    assert choice["message"]["tool_calls"] == [{"function": {"name": "reply", "arguments": '{"action": 1}'}}]
