"""The embedded model around a library that is played: what is loaded, what is asked, what is written down."""

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

from coterie.core.errors import CoterieError
from coterie.core.protocol import Reply
from coterie.models import adapter as adapters
from coterie.models import embedded, make_model
from coterie.models.embedded import CONTEXT, Embedded, chatml
from coterie.models.ledger import Call
from tests.models.conftest import ask


class Params:
    def __init__(self):
        self.model, self.cpuparams, self.cpuparams_batch = SimpleNamespace(), SimpleNamespace(), SimpleNamespace()


class Library:
    """Stands for xllamacpp: its servers are on this machine and answer as `say` has it."""

    CommonParams = Params

    def __init__(self):
        self.loaded, self.requests, self.running, self.broken = [], [], [], False
        self.say = lambda body: (200, completion("yes"))

    features = "CPU : NEON = 1 | ARM_FMA = 1 | DOTPROD = 1 | "

    def get_system_info(self):
        return self.features

    def Server(self, params):
        if self.broken:
            raise RuntimeError("no model")
        library = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args):
                pass

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                assert self.headers["Authorization"] == f"Bearer {params.api_keys[0]}"
                library.requests.append((self.path, body))
                status, data = library.say(body)
                raw = json.dumps(data).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

        http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        http.daemon_threads = True
        http.handle_error = lambda *args: None  # a client that has left
        threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True).start()
        self.loaded.append(params)
        self.running.append(http)
        return SimpleNamespace(listening_address=f"http://127.0.0.1:{http.server_address[1]}")


def completion(text, tokens_in=40, tokens_out=3, **usage):
    usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, **usage}
    timings = {"prompt_ms": 250.0, "predicted_ms": 50.0, "prompt_per_second": 480.0, "predicted_per_second": 60.0}
    return {"choices": [{"text": text}], "usage": usage, "timings": timings}


@pytest.fixture
def library(monkeypatch, tmp_path):
    played = Library()
    ended = []
    monkeypatch.setattr(embedded, "_library", lambda: played)
    monkeypatch.setattr(embedded, "fetched", lambda progress=None: tmp_path / "base.gguf")
    monkeypatch.setattr(embedded.adapters, "PACKAGED", tmp_path / "none.gguf")
    monkeypatch.setattr(embedded, "threads_to_use", lambda: 3)
    monkeypatch.setattr(embedded.atexit, "register", ended.append)
    for name, empty in (("_engines", {}), ("_servers", []), ("_abandoned", [])):
        monkeypatch.setattr(embedded, name, empty)
    played.ended = ended
    yield played
    for engine in embedded._engines.values():
        engine.endpoint.close()
    for http in played.running:
        http.shutdown()
        http.server_close()


def test_it_is_loaded_once_and_only_when_it_is_asked(library, tmp_path):
    model, other = Embedded(), Embedded()
    assert model.name == "embedded" and model.answer([]) == [] and library.loaded == []
    model.answer([ask("one")])
    other.answer([ask("two")])
    (params,) = library.loaded
    assert model.load() is other.load()
    assert params.model.path == str(tmp_path / "base.gguf")
    assert (params.n_ctx, params.n_parallel, params.n_threads_http) == (4 * CONTEXT, 4, 6)
    assert params.cpuparams.n_threads == params.cpuparams_batch.n_threads == 3
    assert (params.cache_ram_mib, params.port, params.warmup) == (512, 0, False)
    assert params.timeout_read == params.timeout_write == embedded.PATIENCE_S
    assert len(params.api_keys) == 1 and len(params.api_keys[0]) >= 32
    Embedded(slots=2, threads=1).answer([ask("three")])
    assert (library.loaded[1].n_ctx, library.loaded[1].n_parallel) == (2 * CONTEXT, 2)
    assert library.loaded[1].cpuparams.n_threads == 1
    assert library.ended == [embedded._end]  # registered once, however many are loaded


def test_exact_uses_one_slot_and_no_cache(library):
    model = make_model("embedded:exact")
    assert (model.name, model.slots) == ("embedded:exact", 1)
    assert Embedded(slots=0).slots == 1
    model.answer([ask()])
    (params,) = library.loaded
    assert (params.n_parallel, params.cache_ram_mib) == (1, 0)
    assert library.requests[0][1]["cache_prompt"] is False


def test_what_is_asked_when_nothing_is_said(library):
    make_model("embedded").answer([ask("Where to?", seed=2**31 + 5)])
    ((path, body),) = library.requests
    assert path == "/v1/completions"
    assert body == {
        "prompt": chatml((("system", "Be brief."), ("user", "Where to?"))),
        "max_tokens": 512,
        "temperature": 0.0,
        "seed": 5,
        "cache_prompt": True,
    }


def test_limits_of_replies_that_are_held_to_something(library):
    model = make_model("embedded", temperature=0.5, max_tokens={"act": 7})
    schema = {"type": "object"}
    grammar = 'root ::= "x"'
    for choices in (("go", "über"), {"gbnf": grammar}, {"schema": schema}, None):
        model.answer([ask(choices=choices)])
    words, held, shaped, free = (body for _, body in library.requests)
    assert words["grammar"] == 'root ::= "go" | "über"' and words["max_tokens"] == 6  # bytes, and the end
    assert held["grammar"] == grammar and held["max_tokens"] == 192  # ends by itself, and must not be cut
    assert shaped["json_schema"] == schema and shaped["max_tokens"] == 7 and "grammar" not in shaped
    assert free["max_tokens"] == 7 and free["temperature"] == 0.5 and not {"grammar", "json_schema"} & set(free)
    model.max_tokens = 300
    model.answer([ask(choices={"gbnf": grammar})])
    assert library.requests[-1][1]["max_tokens"] == 300


def test_what_a_call_took_is_written_down(library):
    library.say = lambda body: (200, completion("half \ud800", prompt_tokens_details={"cached_tokens": 30}))
    model = make_model("embedded", token_limit=80)
    assert model.answer([ask()]) == [Reply("half ?", 40, 3)]
    (call,) = model.ledger.calls
    assert call._replace(seconds=0.0) == Call("Alice", "act", 40, 3, 30, 0.0, 0.25, 0.05)
    assert 0 < call.seconds < 60
    assert model.budget.spent == 43
    library.say = lambda body: (200, completion("more"))
    model.answer([ask()])
    assert model.ledger.calls[-1].tokens_cached == 0 and model.budget.spent == 86
    with pytest.raises(CoterieError, match="limit of 80 tokens"):
        model.answer([ask()])


def test_as_many_at_once_as_there_are_slots_and_in_order(library):
    both = threading.Barrier(2)

    def say(body):
        both.wait(30)  # nobody is answered before two have asked
        return 200, completion(body["prompt"].split("say ")[1][0])

    library.say = say
    replies = Embedded(slots=2).answer([ask(f"say {n}") for n in range(4)])
    assert [r.text for r in replies] == ["0", "1", "2", "3"]


def test_a_prompt_that_does_not_fit_costs_one_reply_and_a_failure_the_run(library):
    words = "the request exceeds the available context size"
    library.say = lambda body: (
        (400, {"error": {"message": words}}) if "long" in body["prompt"] else (200, completion("ok"))
    )
    model = Embedded()
    long, short = model.answer([ask("long"), ask("short")])
    assert (long.text, short.text) == ("", "ok")
    assert long.error == f"The prompt is too long for the embedded model: {words}."
    assert sorted(c.error for c in model.ledger.calls) == ["", long.error]
    assert sum(c.tokens_in for c in model.ledger.calls) == 40
    library.say = lambda body: (400, {"error": {"message": "bad grammar"}})
    with pytest.raises(CoterieError, match="could not answer Bob at stage 'vote': bad grammar"):
        model.answer([ask(robot="Bob", stage="vote")])
    library.say = lambda body: (500, {"error": {"message": "boom"}})
    asked = len(library.requests)
    with pytest.raises(CoterieError, match=r"fails \(500: boom\)\."):
        model.answer([ask()])
    assert len(library.requests) == asked + 1, "it is not asked again"


def test_a_file_that_cannot_be_loaded(library):
    library.broken = True
    with pytest.raises(CoterieError, match=r"base\.gguf' cannot be loaded; delete it and it is made anew"):
        Embedded().answer([ask()])
    assert library.ended == []
    library.broken = False
    assert Embedded().answer([ask()])[0].text == "yes"  # and is tried again


def test_adapters_are_merged_into_it(library, monkeypatch, tmp_path):
    widths = []

    def merged(base, adapter, progress, wide):
        widths.append(wide)
        return Path(f"{base}+{adapter.name}")

    monkeypatch.setattr(adapters, "merged", merged)
    assert Embedded().file == tmp_path / "base.gguf"
    model = make_model("embedded:mine.gguf")
    assert (model.name, model.file.name) == ("embedded:mine.gguf", "base.gguf+mine.gguf")
    (tmp_path / "none.gguf").write_bytes(b"")  # one comes with the package
    assert Embedded().file.name == "base.gguf+none.gguf" and Embedded().name == "embedded"
    assert make_model("embedded:mine.gguf").file.name == "base.gguf+mine.gguf"
    library.features = "CPU : NEON = 1 | ARM_FMA = 1 | "  # where eight bits are slow
    make_model("embedded:mine.gguf")
    assert widths[-1] and not any(widths[:-1])


def test_how_fast_it_is(library):
    model = Embedded()
    assert embedded.speed(model) == embedded.Speed(480.0, 60.0, 3)
    assert embedded.speed(model) == (480.0, 60.0, 3)
    (_, first), (_, second) = library.requests
    assert first["max_tokens"] == 24 and first["ignore_eos"] is True and first["cache_prompt"] is False
    assert first["temperature"] == 0
    assert first["prompt"].count("robot table door cup ") == 30  # four words each: 120
    assert first["prompt"] != second["prompt"]  # no slot has seen it
    embedded.speed(model, tokens=8, replies=2)
    assert library.requests[-1][1]["max_tokens"] == 2
    assert library.requests[-1][1]["prompt"].count("robot") == 2


def test_text_as_tokens(library):
    library.say = lambda body: (200, {"tokens": [1, len(body["content"])]})
    assert Embedded().load().tokens("<|im_start|>") == [1, 12]
    assert library.requests == [("/tokenize", {"content": "<|im_start|>", "parse_special": True})]


def test_calls_that_were_broken_off_are_waited_for_at_the_end(library, monkeypatch):
    asleep = []
    monkeypatch.setattr(embedded, "time", SimpleNamespace(monotonic=time.monotonic, sleep=asleep.append))
    model = Embedded()
    model.answer([ask()])
    model.load().abandon(threading.Event())  # nothing is under way
    assert embedded._abandoned == []
    embedded._end()
    assert asleep == [] and embedded._engines == {} and embedded._servers == []
    begun, go_on = threading.Event(), threading.Event()

    def say(body):
        if "slow" in body["prompt"]:
            begun.set()
            go_on.wait(30)
            return 200, completion("late")
        begun.wait(30)
        return 400, {"error": {"message": "bad grammar"}}

    library.say = say
    with pytest.raises(CoterieError, match="bad grammar"):
        Embedded(slots=2).answer([ask("slow"), ask("wrong")])
    go_on.set()
    assert len(embedded._abandoned) == 1
    embedded._end()
    assert len(asleep) == 1 and 0.5 < asleep[0] <= 1.5
    embedded._abandoned[:] = [time.monotonic() - 60]
    embedded._end()
    assert asleep[1] == 0.0  # long over


def test_threads_that_wait_go_to_sleep(monkeypatch):
    seen = {}

    class Finder:
        def find_spec(self, name, path=None, target=None):
            if name == "xllamacpp":
                seen.update({key: embedded.os.environ.get(key) for key in embedded.WAITING})
                raise ImportError(name)

    monkeypatch.delitem(sys.modules, "xllamacpp", raising=False)
    monkeypatch.setattr("sys.meta_path", [Finder()])
    monkeypatch.setenv("GOMP_SPINCOUNT", "7")
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    with pytest.raises(CoterieError, match="needs xllamacpp"):
        embedded._library()
    assert seen == {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "7"}  # what somebody has said stays
    assert embedded.os.environ["GOMP_SPINCOUNT"] == "7" and "OMP_WAIT_POLICY" not in embedded.os.environ


def test_a_model_apart_that_cannot_be_loaded_is_said(monkeypatch, tmp_path):
    pytest.importorskip("xllamacpp")
    monkeypatch.setenv("COTERIE_CACHE", str(tmp_path))
    (tmp_path / "base.gguf").write_bytes(b"no model")
    monkeypatch.setattr(embedded, "fetched", lambda progress=None: tmp_path / "base.gguf")
    model = Embedded(embedded.adapters.UNTRAINED, slots=1, apart=True)
    with pytest.raises(CoterieError, match="cannot be loaded"):
        model.load()


def test_a_prompt_that_was_read_apart_is_kept_on_disk(library, monkeypatch, tmp_path):
    """Nobody waits for a scene that was read in an earlier talk."""
    monkeypatch.setenv("COTERIE_CACHE", str(tmp_path))
    monkeypatch.setattr(embedded, "Apart", lambda wanted: embedded.server_of(library, wanted))
    done = []

    def slot(engine, action, name):
        done.append(action)
        return action == "save" or "save" in done

    monkeypatch.setattr(embedded._Engine, "slot", slot)
    model = Embedded(slots=1, apart=True)
    model.remember(ask("scene"))
    model.remember(ask("scene"))
    assert done == ["restore", "save", "restore"] and len(model.ledger.calls) == 1
    assert library.loaded[0].slot_save_path.startswith(str(tmp_path))
