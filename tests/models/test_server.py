"""The endpoint around a function."""

import http.client
import json
import urllib.parse
import urllib.request

import pytest

from coterie.core.errors import CoterieError
from coterie.models import make_model
from coterie.models.server import Server, serve
from tests.models.conftest import ask, echo


def post(url: str, raw: bytes, path: str = "/chat/completions") -> tuple[int, dict]:
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=60)
    connection.request("POST", parts.path + path, raw)
    response = connection.getresponse()
    data = json.loads(response.read())
    connection.close()
    return response.status, data


def test_a_mind_behind_a_url():
    def mind(messages, options):
        return f"{options['model']} heard {len(messages)} messages, last from {messages[-1]['role']}"

    with serve(mind, name="oracle") as url:
        model = make_model("openai:oracle", base_url=url)
        assert model.answer([ask()])[0].text == "oracle heard 2 messages, last from user"
        with urllib.request.urlopen(url + "/models", timeout=60) as answer:
            assert json.load(answer)["data"][0]["id"] == "oracle"


def test_bad_requests_are_answered(server):
    s = server(echo)
    assert post(s.url, b"not json")[0] == 400
    assert post(s.url, b"[]")[0] == 400
    assert post(s.url, b"{}")[0] == 400
    assert post(s.url, b'{"messages": [{"role": "user"}]}')[0] == 400
    assert post(s.url, b'{"messages": [{"role": "user", "content": "x"}], "stream": true}')[0] == 400
    assert post(s.url, b"{}", path="/embeddings")[0] == 404
    good = post(s.url, b'{"messages": [{"role": "user", "content": "x"}]}')
    assert good[0] == 200 and good[1]["usage"]["total_tokens"] == 3


def test_a_mind_that_fails(server):
    def mind(messages, options):
        if messages[0]["content"] == "sentence":
            raise CoterieError("I do not understand.")
        raise RuntimeError("secret path")

    body = b'{"messages": [{"role": "user", "content": "%s"}]}'
    s = server(mind)
    assert post(s.url, body % b"sentence") == (
        400,
        {"error": {"message": "I do not understand.", "type": "invalid_request_error"}},
    )
    status, data = post(s.url, body % b"other")
    assert status == 500 and "secret" not in str(data)


def test_a_port_that_is_taken(server):
    port = int(server().url.split(":")[2].split("/")[0])
    with pytest.raises(CoterieError, match=f"Cannot serve at port {port}"):
        Server(echo, port=port)
