"""What is usual where nothing is said, and the edges of servers, wires, caches and budgets."""

import json
import sys
import threading
import urllib.parse

import pytest

from coterie.core.errors import CoterieError
from coterie.models import Kind, Options, bounded, make_model, models, store, threads, wire
from coterie.models.budget import Budget
from coterie.models.choices import Held, read_choices, snap, unwrapped, wrapped_schema
from coterie.models.ledger import Call, Ledger, estimate_tokens
from coterie.models.openai import (
    MAX_TOKENS,
    THINKING,
    OpenAI,
    Said,
    _cached,
    _named_parameter,
    _settle,
    _timing,
    _usage,
    _ways,
)
from coterie.models.together import gather
from coterie.models.wire import RETRIED, Endpoint, Refused
from tests.models.conftest import ask, talk
from tests.models.faulty import Fault


# -- what is usual ----------------------------------------------------------------------------------------------------
@pytest.mark.declarations
def test_what_a_model_is_made_of_where_nothing_is_said(own_names):
    made = []
    models.put("listening", Kind("listening", "", lambda rest, options: made.append((rest, options))))
    make_model("listening")
    make_model("listening:a:b", "http://x", 0.5, 9, print, {"act": 3}, 2, 1.5, None, Budget(5))
    assert made[0] == ("", Options())
    assert made[0][1] == Options(None, 0.0, None, None, 16, None, None, None)
    rest, options = made[1]
    assert rest == "a:b" and options.budget.limit == 5
    assert (options.base_url, options.temperature, options.token_limit) == ("http://x", 0.5, 9)
    assert (options.max_tokens, options.concurrency, options.deadline_s) == ({"act": 3}, 2, 1.5)
    assert options.progress is print


@pytest.mark.declarations
def test_an_endpoint_where_nothing_is_said():
    model = make_model("openai:gpt", base_url="http://localhost:1", deadline_s=7.0, concurrency=3, token_limit=50)
    assert (model.temperature, model.concurrency, model.max_tokens, model.budget.limit) == (0.0, 3, None, 50)
    assert (model.endpoint.deadline_s, model.endpoint.timeout_s) == (7.0, 3.5)
    plain = OpenAI("gpt", Endpoint("http://localhost:1"))
    assert (plain.temperature, plain.concurrency, plain.budget.limit) == (0.0, 16, None)
    assert OpenAI("gpt", plain.endpoint, concurrency=0).concurrency == 1
    end = plain.endpoint
    assert (end.deadline_s, end.timeout_s, end.retries, end.backoff_s, end.patience_s) == (600.0, 300.0, 4, 0.5, 60.0)
    assert Endpoint("http://localhost:1", timeout_s=5.0).timeout_s == 5.0
    assert Endpoint("http://localhost:1", timeout_s=5.0, deadline_s=2.0).timeout_s == 2.0
    assert end.address == "http://localhost:1/v1" and not end.has_key
    assert Endpoint("http://localhost:1", root="").address == "http://localhost:1"
    assert Endpoint("http://localhost:1", retries=-3).retries == 0
    assert repr(end) == "Endpoint('http://localhost:1/v1')"


# -- trying again -----------------------------------------------------------------------------------------------------
@pytest.fixture
def waits(monkeypatch):
    """How long an endpoint waits between tries; `failures` are what its tries come to."""

    def play(failures, **options):
        asleep = []

        class Stop(threading.Event):
            def wait(self, timeout=None):
                asleep.append(timeout)
                return False

        end = Endpoint("http://localhost:1", **options)
        left = iter(failures)
        monkeypatch.setattr(end, "_try", lambda *args: next(left))
        monkeypatch.setattr(wire.random, "random", lambda: 0.5)
        try:
            return end.call("GET", "/x", stop=Stop()), asleep
        except CoterieError as err:
            return str(err), asleep

    return play


def test_every_wait_is_twice_as_long(waits):
    down = wire.Failure("is down")
    words, asleep = waits([down] * 5)
    assert asleep == [0.5, 1.0, 2.0, 4.0]
    assert words == "The model endpoint http://localhost:1/v1 is down (5 tries)."
    assert waits([down], retries=0) == ("The model endpoint http://localhost:1/v1 is down.", [])
    assert waits([down] * 3, retries=2, backoff_s=8.0, patience_s=9.0)[1] == [8.0, 9.0]


def test_a_wait_that_was_asked_for(waits):
    answer, asleep = waits([wire.Failure("is down", 3.0), wire.Failure("is down", 60.0), ("yes", b"raw", None)])
    assert asleep == [3.0, 60.0] and answer.seconds < 5
    assert (answer.data, answer.raw, answer.tries) == ("yes", b"raw", 3)
    words, asleep = waits([wire.Failure("is down", 61.0)])
    assert asleep == [] and words.endswith("is down. It asks to wait 61 s.")


def test_no_wait_goes_beyond_the_deadline(waits):
    down = wire.Failure("is down")
    words, asleep = waits([down] * 5, deadline_s=1.5, backoff_s=1.0)
    assert asleep == [1.0] and words.endswith("is down (2 tries).")  # two seconds more would be too late
    words, _ = waits([wire.Failure("did not answer", late=True)], retries=0, deadline_s=3.0)
    assert "A request has 3 s in all; for a slower model, raise --deadline" in words


@pytest.mark.declarations
def test_which_answers_are_worth_another_try():
    assert {s for s in range(100, 700) if s in RETRIED} == {408, 409, 425, 429, *range(500, 600)}


@pytest.mark.parametrize(
    ("status", "words", "too_long"),
    [
        (400, "This model's Maximum Context length is 4096", True),
        (413, "too many tokens", True),
        (422, "exceeds the context window", True),
        (500, "context length", False),
        (400, "bad", False),
    ],
)
def test_prompts_that_are_too_long(status, words, too_long):
    no = Refused(status, words)
    assert no.too_long is too_long and str(no) == f"{status}: {words}"


def test_what_servers_say_in_one_line():
    end = Endpoint("http://me:hidden@localhost:1", key="sk-1")
    said = {
        b"": "no reason given",
        b"plain\n words.": "plain words",
        b'{"error": {"message": "too  much."}}': "too much",
        b'{"error": "short"}': "short",
        b'{"message": "at the top"}': "at the top",
        b"[1, 2]": "[1, 2]",
        b"sk-1 and hidden\x07": "*** and ***",
        b"x" * 400: "x" * 300,
    }
    assert {raw: end.words(raw).strip() for raw in said} == said


def test_an_answer_that_is_too_long(server, endpoint, monkeypatch):
    monkeypatch.setattr(wire, "BODY_BYTES", 1000)
    s = server(faults=lambda n, body: Fault(body=json.dumps("x" * (998 + 200_000 * n)).encode()))
    end = endpoint(s, retries=0)
    assert end.call("POST", "/chat/completions", {}).data == "x" * 998  # a thousand with its quotes
    with pytest.raises(CoterieError, match="sent an answer of more than"):
        end.call("POST", "/chat/completions", {})


def test_connections_are_kept_and_given_back(server, endpoint):
    s = server()
    end = endpoint(s)
    assert end.call("GET", "/models").tries == 1
    (kept,) = end._idle
    end.call("GET", "/models")
    assert end._idle == [kept] and end._busy == {}
    end.close()
    assert end._idle == [] and kept.sock is None
    stop = threading.Event()
    stop.set()
    with pytest.raises(CoterieError, match="Stopped, since another request failed"):
        end.call("GET", "/models", stop=stop)
    assert end._busy == {} and not end.abandon(stop)


def test_a_request_says_what_it_takes_and_who_asks(server, endpoint):
    heads = []

    class Listening(bounded.Plain):
        def request(self, method, url, body=None, headers={}, **more):  # noqa: B006
            heads.append((method, url, body, dict(headers)))
            super().request(method, url, body, headers, **more)

    s = server()
    end = endpoint(s, key="sk-2")
    parts = urllib.parse.urlsplit(s.url)
    end._connection = lambda: (Listening(parts.hostname, parts.port, timeout=30), False)
    end.call("GET", "/models")
    with pytest.raises(Refused):
        end.call("POST", "/nowhere", {"a": 1})
    (method, url, body, headers), (_, _, sent, more) = heads
    assert (method, url, body) == ("GET", "/v1/models", None)
    assert headers == {"Accept": "application/json", "User-Agent": "coterie", "Authorization": "Bearer sk-2"}
    assert json.loads(sent) == {"a": 1} and more == {**headers, "Content-Type": "application/json"}


# -- endpoints --------------------------------------------------------------------------------------------------------


CHAT = {"messages": [{"role": "system", "content": "x" * 8}, {"role": "user", "content": "hello"}], "model": "m"}


def test_a_completion_is_one_of_openai(server):
    s = server(lambda messages, options: f"{len(messages)} {sorted(options)}")
    status, data = talk(s.url, json.dumps(CHAT).encode())
    created = data.pop("created")
    assert status == 200 and created > 1_700_000_000
    assert data == {
        "id": "chatcmpl-coterie",
        "object": "chat.completion",
        "model": "mind",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "2 ['model']"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 4, "completion_tokens": 3, "total_tokens": 7},
    }
    assert list(s.requests) == [CHAT] and s.most_at_once == 1


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"{", "The request is not JSON."),
        (b"[]", "The request is not an object."),
        (b"{}", "'messages' must be a list that is not empty."),
        (b'{"messages": []}', "'messages' must be a list that is not empty."),
        (b'{"messages": {}}', "'messages' must be a list that is not empty."),
        (b'{"messages": [1]}', "Every message needs a 'role' and a 'content' in words."),
        (b'{"messages": [{"role": 1, "content": "x"}]}', "Every message needs a 'role' and a 'content' in words."),
        (b'{"messages": [{"role": "user", "content": 1}]}', "Every message needs a 'role' and a 'content' in words."),
    ],
)
def test_requests_that_are_none(server, body, words):
    status, data = talk(server().url, body)
    assert (status, data) == (400, {"error": {"message": words, "type": "invalid_request_error"}})


def test_a_key_is_wanted_where_there_is_one(server):
    s = server(key="sk-3")
    raw = json.dumps(CHAT).encode()
    assert talk(s.url, raw)[0] == 401
    assert talk(s.url, raw, Authorization="Bearer sk-4")[0] == 401
    assert talk(s.url, raw, "/chat/completions/", Authorization="Bearer sk-3")[0] == 200
    assert len(s.requests) == 1


# -- reading answers --------------------------------------------------------------------------------------------------
def test_figures_of_an_answer():
    usage = {"prompt_tokens": 5, "completion_tokens": 0, "prompt_tokens_details": {"cached_tokens": 4}}
    assert _usage({"usage": usage}) == (5, 0) and _cached({"usage": usage}) == 4
    for odd in (-1, True, 2.0, "3", None):
        assert _usage({"usage": {**usage, "prompt_tokens": odd}}) is None
        assert _usage({"usage": {**usage, "completion_tokens": odd}}) is None
        assert _cached({"usage": {"prompt_tokens_details": {"cached_tokens": odd}}}) == 0
    for nothing in ({}, {"usage": None}, []):
        assert _usage(nothing) is None and _cached(nothing) == 0 and _timing(nothing, "prompt_ms") is None
    assert _timing({"timings": {"prompt_ms": 1500}}, "prompt_ms") == 1.5
    assert _timing({"timings": {"prompt_ms": True}}, "prompt_ms") is None


def test_which_parameter_a_refusal_names():
    body = {"max_tokens": 5, "temperature": 0}
    assert _named_parameter(Refused(400, "'temperature' is odd"), body) == "temperature"
    assert _named_parameter(Refused(422, "'max_tokens' is odd"), body) == "max_tokens"
    assert _named_parameter(Refused(400, "'seed' is odd"), body) == ""  # it was not sent
    assert _named_parameter(Refused(404, "'temperature' is odd"), body) == ""


def test_ways_to_hold_a_reply():
    assert _ways(Held("free", None)) == [{}]
    first, second, last = _ways(Held("strings", ("go", "stay", "go")))
    assert first["guided_choice"] == ["go", "stay"] and first["structured_outputs"] == {"choice": ["go", "stay"]}
    assert first["grammar"] == 'root ::= "go" | "stay"' and last == {}
    strict = second["response_format"]["json_schema"]
    assert second["response_format"]["type"] == "json_schema" and (strict["name"], strict["strict"]) == ("reply", True)
    tight, loose, shaped, tool, free = _ways(Held("schema", {"type": "object"}))
    assert tool["tools"][0]["function"]["parameters"] == {"type": "object"}
    assert tight["response_format"]["json_schema"] == {"name": "reply", "schema": {"type": "object"}, "strict": True}
    assert loose["response_format"]["json_schema"]["strict"] is False
    assert shaped == {"response_format": {"type": "json_object"}} and free == {}


@pytest.mark.parametrize(
    ("kind", "text", "reason", "last", "settled"),
    [
        ("strings", "go", "stop", False, "go"),
        ("strings", "I go.", "stop", False, None),
        ("strings", "I go.", "stop", True, "go"),
        ("strings", "I go.", "length", False, "go"),
        ("strings", "dance", "stop", True, "dance"),
        ("schema", "{}", "stop", False, "{}"),
        ("schema", "{", "stop", False, None),
        ("schema", "{", "stop", True, "{"),
        ("schema", "{", "length", False, "{"),
        ("gbnf", "anything", "stop", False, "anything"),
    ],
)
def test_what_a_reply_comes_to(kind, text, reason, last, settled):
    assert _settle(Said(text, reason, Call("A", "act")), Held(kind, ("go", "stay")), last) == settled


def test_room_for_thinking_is_given_once(server, endpoint):
    empty = {"choices": [{"message": {"content": " "}, "finish_reason": "length"}]}
    s = server(faults=lambda n, body: Fault(body=json.dumps(empty).encode()))
    (reply,) = OpenAI("m", endpoint(s)).answer([ask()])
    assert [b["max_tokens"] for b in s.requests] == [MAX_TOKENS, THINKING]
    assert reply.error == "The model gave no text (it ended with 'length')." and reply.text == " "
    assert reply.tokens_in == 5, "of the prompt, however often it is sent"
    s.requests.clear()
    OpenAI("m", endpoint(s), max_tokens={"act": 35}).answer([ask()])
    assert [b["max_tokens"] for b in s.requests] == [35, THINKING]


@pytest.mark.parametrize("status", [401, 403])
def test_an_endpoint_that_wants_a_key(server, endpoint, status):
    s = server(faults=lambda n, body: Fault(status=status, words="no"))
    with pytest.raises(CoterieError, match=rf"wants a key: set OPENAI_API_KEY \({status}: no\)"):
        OpenAI("m", endpoint(s)).answer([ask()])


# -- the cache --------------------------------------------------------------------------------------------------------
def test_who_fetches(monkeypatch):
    there = {"pip": True}
    found = {}
    monkeypatch.setattr(store.importlib.util, "find_spec", lambda name: object() if there.get(name) else None)
    monkeypatch.setattr(store.shutil, "which", found.get)
    assert store._pip() == (sys.executable, "-m", "pip")
    there.clear()
    assert store._pip() is None
    found["uvx"] = "/bin/uvx"
    assert store._pip() == ("/bin/uvx", "pip")
    found["pip"] = "/bin/pip"
    assert store._pip() == ("/bin/pip",)
    found["pip3"] = "/bin/pip3"
    assert store._pip() == ("/bin/pip3",)


@pytest.mark.declarations
def test_the_packaged_model_is_named():
    model = store.SMOLLM2
    assert model.file == "SmolLM2-135M-Instruct.Q4_1.gguf"
    assert (model.size, model.wheel_size, len(model.sha256)) == (98_362_432, 92_871_040, 64)


def test_sizes_and_last_words(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "a").write_bytes(b"123")
    (tmp_path / "in" / "b").write_bytes(b"4567")
    assert store._size_of(tmp_path) - (tmp_path / "in").stat().st_size == 7
    assert store._why("all is well\n") == ""
    assert store._why("ERROR: first\nERROR: second.\n") == ": second"
    assert store._why("ERROR: " + "x" * 300) == ": " + "x" * 200
    address = "ERROR: Could not fetch https://user:pw@host/simple (from versions: none)\nWARNING: x"
    assert store._why(address) == ": Could not fetch", "which may hold a password"
    assert store.sha256_of(tmp_path / "a").startswith("a665a45920422f9d")


def test_a_fetch_that_is_broken_off_ends_pip(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "_pip", lambda: (sys.executable, "-c", "import time; time.sleep(60)"))
    started = []
    popen = store.subprocess.Popen
    monkeypatch.setattr(store.subprocess, "Popen", lambda *a, **k: started.append(popen(*a, **k)) or started[-1])

    def tell(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store._download(store.Packaged("tiny", "1", "t/t", "", 4, 0), tmp_path, tell)
    assert started[0].returncode is not None and started[0].returncode != 0


# -- together ---------------------------------------------------------------------------------------------------------
def test_a_failure_abandons_the_others():
    abandoned, stops = [], []

    def fails(item, stop):
        stops.append(stop)
        raise CoterieError(f"no {item}")

    for items in ([1], [1, 2]):
        with pytest.raises(CoterieError, match="no "):
            gather(fails, items, 2, abandoned.append)
        assert abandoned[-1] is stops[-1] and stops[-1].is_set()
    assert len(abandoned) == 2
    with pytest.raises(CoterieError, match="no 1"):
        gather(fails, [1, 2], 1)
    assert len(abandoned) == 2


def test_one_at_a_time_stays_in_its_thread():
    def where(item, stop):
        return threading.current_thread() is threading.main_thread()

    assert gather(where, [1, 2], 1) == [True, True]
    assert gather(where, [1], 5) == [True]
    assert gather(where, [1, 2], 2) == [False, False]
    assert gather(where, [], 5) == []


def test_all_are_waited_for_unless_they_can_be_abandoned():
    begun, let_go, done, most_s = threading.Event(), threading.Event(), [], 0.05

    def work(item, stop):
        if item == 0:
            begun.wait(30)
            raise CoterieError("zero")
        begun.set()
        let_go.wait(most_s)
        done.append(item)

    with pytest.raises(CoterieError, match="zero"):
        gather(work, [0, 1], 2)
    assert done == [1]
    begun.clear()
    most_s = 60.0
    with pytest.raises(CoterieError, match="zero"):
        gather(work, [0, 1], 2, lambda stop: None)
    assert done == [1]
    let_go.set()


def test_budgets_count_and_let_in():
    budget = Budget()
    with budget.hold(10**9):
        budget.spend(5)
    assert (budget.spent, budget._held, budget.flag) == (5, 0, "--token-limit")
    for wrong in (0, -1):
        with pytest.raises(CoterieError, match=f"--token-limit must be a number of tokens above zero, not {wrong}"):
            Budget(wrong)
    one = Budget(1, "--limit")
    with one.hold(50):  # nobody else is under way: it may pass the limit once
        one.spend(1)
    with pytest.raises(CoterieError, match=r"The limit of 1 tokens is reached \(1 spent\)\. Raise --limit to go on"):
        one.hold(1).__enter__()


# -- choices ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("choices", "held"),
    [
        (None, ("free", None)),
        (["a", "b"], ("strings", ("a", "b"))),
        ({"gbnf": "root"}, ("gbnf", "root")),
        ({"schema": {}}, ("schema", {})),
        ({"gbnf": "root", "schema": {}}, ("gbnf", "root")),
        ({"gbnf": "root", "schema": {}, "more": 1}, None),
        ({"schema": {}, "more": 1}, None),
        ({"gbnf": 1}, None),
        ({"schema": []}, None),
        ("words", None),
        ([], None),
        (["a", 1], None),
        (7, None),
    ],
)
def test_what_a_request_may_be_held_to(choices, held):
    if held is not None:
        assert read_choices(choices)[:2] == held
    else:
        with pytest.raises(CoterieError, match="The choices of a request must be strings"):
            read_choices(choices)


def test_choices_in_an_object_and_back():
    schema = wrapped_schema(["a", "b", "a"])
    assert schema["properties"] == {"choice": {"type": "string", "enum": ["a", "b"]}}
    assert (schema["type"], schema["required"], schema["additionalProperties"]) == ("object", ["choice"], False)
    for text, meant in (('{"choice": "a"}', "a"), ('{"choice": 1}', '{"choice": 1}'), ("[1]", "[1]"), ("a", "a")):
        assert unwrapped(text) == meant


def test_what_is_meant_by_a_reply():
    names = ("Ann", "ann", "Bo", "left hand", "hand")
    for text, meant in {
        "Ann": "Ann", " ann ": "ann", "ANN": None, "**Bo**": "Bo", "'bo'.": "Bo", "the left hand": "left hand",
        "hand, left hand": "left hand", "Bo, hand": None, "Bob": None, "": None,
    }.items():  # fmt: skip
        assert snap(text, names) == meant, text


# -- ledgers ----------------------------------------------------------------------------------------------------------
@pytest.mark.declarations
def test_calls_where_nothing_is_known():
    assert Call("A", "act") == ("A", "act", 0, 0, 0, 0.0, None, None, False, 1, "", None)
    ledger = Ledger([Call("A", "act", 3, 2)])
    ledger.add(Call("B", "act", 1, 1))
    assert [c.robot for c in ledger.since(1)] == ["B"] and ledger.since(0, []) == []


def test_idle_cores_are_sampled_for_a_fifth_of_a_second(monkeypatch):
    asked = []
    monkeypatch.setattr(threads, "_busy", lambda seconds: asked.append(seconds) or 0.0)
    monkeypatch.delenv(threads.FLAG, raising=False)
    assert threads.threads_to_use() == min(threads.cores(), 8)
    assert asked == [0.2]


def test_medians_sums_and_estimates():
    ledger = Ledger(Call("A", "act", seconds=s) for s in (4.0, 1.0, 2.0))
    assert ledger.total()["median_s"] == 2.0 and ledger.total()["slowest_s"] == 4.0
    ledger.add(Call("A", "act", seconds=3.0000004, prefill_s=0.1234567))
    assert ledger.total()["median_s"] == 2.5 and ledger.total()["prefill_s"] == 0.123457
    assert ledger.to_json()["calls"][3][5:7] == [3.0, 0.123457]
    assert list(ledger.by(lambda call: str(call.seconds > 2))) == ["False", "True"]
    empty = Ledger().total()
    assert (empty["median_s"], empty["slowest_s"], empty["prefill_s"], empty["seconds"]) == (0.0, 0.0, None, 0)
    assert [estimate_tokens("x" * n) for n in (0, 1, 4, 5)] == [0, 1, 1, 2]
