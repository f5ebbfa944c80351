"""The endpoint around a function."""

import contextlib
import socket
import time
import urllib.parse
import urllib.request

import pytest

from coterie.core.errors import CoterieError
from coterie.models import make_model
from coterie.models.openai import OpenAI
from coterie.models.server import serve
from coterie.models.wire import Endpoint
from tests.models.conftest import ask, echo, talk
from tests.models.faulty import Faulty


def test_a_mind_behind_a_url():
    def mind(messages, options):
        return f"{options['model']} heard {len(messages)} messages, last from {messages[-1]['role']}"

    with serve(mind, name="oracle") as url:
        model = make_model("openai:oracle", base_url=url)
        assert model.answer([ask()])[0].text == "oracle heard 2 messages, last from user"
        listed = {"object": "list", "data": [{"id": "oracle", "object": "model"}]}
        assert talk(url, None, "/models") == talk(url, None, "/models/") == (200, listed)
        status, data = talk(url, None, "/other")
        assert status == 404 and data["error"]["message"] == "There is nothing at /v1/other."
        parts = urllib.parse.urlsplit(url)
        assert parts.hostname == "127.0.0.1" and parts.port > 1024 and parts.path == "/v1"
    with pytest.raises(ConnectionRefusedError):
        talk(url, None, "/models")


def test_a_mind_that_fails(server):
    def mind(messages, options):
        if messages[0]["content"] == "sentence":
            raise CoterieError("I do not understand.")
        raise RuntimeError("secret path")

    body = b'{"messages": [{"role": "user", "content": "%s"}]}'
    s = server(mind)
    assert talk(s.url, body % b"sentence") == (
        400,
        {"error": {"message": "I do not understand.", "type": "invalid_request_error"}},
    )
    status, data = talk(s.url, body % b"other")
    assert status == 500 and "secret" not in str(data)


def test_a_port_that_is_taken(server):
    port = int(server().url.split(":")[2].split("/")[0])
    with pytest.raises(CoterieError, match=f"Cannot serve at port {port}"):
        Faulty(echo, port=port)


# -- clients that are slow, many or long-winded ---------------------------------------------------------------------
GOOD = b'{"messages": [{"role": "user", "content": "x"}]}'


def connect(s: Faulty) -> socket.socket:
    return socket.create_connection(("127.0.0.1", urllib.parse.urlsplit(s.url).port), timeout=60)


def answer_to(sock: socket.socket, sent: bytes) -> bytes:
    if sent:
        sock.sendall(sent)
    found = b""
    while got := sock.recv(65536):
        found += got
    return found


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"POST /v1/chat/comp",
        b"POST /v1/chat/completions HTTP/1.1\r\nContent-Le",
        b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 500\r\n\r\n{",
    ],
    ids=["nothing", "half a line", "half a header", "half a body"],
)
def test_a_request_that_does_not_arrive(sent):
    s = Faulty(echo, request_s=0.1)
    with connect(s) as sock:
        sock.sendall(sent)  # before anybody listens: nothing can come too late
        s.start()
        assert answer_to(sock, b"").startswith(b"HTTP/1.1 408 ")
    s.stop()


def test_a_request_that_arrives_byte_by_byte(server):
    s, begun = server(request_s=0.1), time.perf_counter()
    with connect(s) as sock, contextlib.suppress(OSError):
        for byte in b"GET /v1/models HTTP/1.1\r\n" + b"X-More: to come\r\n" * 999:
            sock.sendall(bytes([byte]))
            time.sleep(0.01)
    assert time.perf_counter() - begun < 60.0, "all of it would take three times as long"


def test_requests_that_are_too_long(server):
    s = server(request_s=30.0)
    head = b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: %s\r\n\r\n"
    with connect(s) as sock:
        assert answer_to(sock, head % b"9000000" + b" " * 9_000_000).startswith(b"HTTP/1.1 413 ")
    with connect(s) as sock:
        sock.sendall(head % (b"9" * 5000))
        sock.shutdown(socket.SHUT_WR)
        assert answer_to(sock, b"").startswith(b"HTTP/1.1 413 ")
    with connect(s) as sock:
        assert answer_to(sock, head % b"-5").startswith(b"HTTP/1.1 411 ")
    with connect(s) as sock:
        assert b" 431 " in answer_to(sock, b"GET /v1/models HTTP/1.1\r\n" + b"X-More: to come\r\n" * 101 + b"\r\n")
    assert talk(s.url, GOOD)[0] == 200


def test_no_more_connections_than_it_can_hold(server, monkeypatch):
    monkeypatch.setattr("coterie.models.server._LINGERING", 1)
    s = server(connections=3, request_s=60.0)
    held = [connect(s) for _ in range(3)]
    for sock in held:
        sock.sendall(b"POST /v1")
    for _ in range(3):  # connections are taken in the order in which they came
        status, data = talk(s.url, GOOD)
        assert (status, data["error"]["message"]) == (503, "Too many connections.")
    for sock in held:
        sock.close()
    assert OpenAI("m", Endpoint(s.url, backoff_s=0.2, retries=9, patience_s=2.0)).answer([ask("x")])[0].text == "re: x"


def test_a_client_that_does_not_take_its_answer(server):
    s = server(lambda messages, options: "x" * 30_000_000, request_s=0.2, connections=1)
    with connect(s) as sock:
        sock.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s" % (len(GOOD), GOOD))
        for _ in range(600):
            time.sleep(0.1)
            if talk(s.url, b"{}")[0] == 400:  # the only place is free again
                break
        else:
            pytest.fail("the connection is still held")


def test_an_idle_connection_is_let_go(server):
    s = server(idle_s=0.1)
    with connect(s) as sock:
        assert answer_to(sock, b"GET /v1/models HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 200 ")
    model = OpenAI("m", Endpoint(s.url, retries=0))
    for text in ("one", "two"):
        assert model.answer([ask(text)])[0].text == f"re: {text}"
        time.sleep(0.3)
