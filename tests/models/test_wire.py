"""The small print of talking to an endpoint: when to try again, what went wrong in words, proxies."""

import email.utils
import http.client
import time
import urllib.parse

import pytest

from coterie.core.errors import CoterieError
from coterie.models.wire import _good_key, _good_url, _proxy_login, _reason, _retry_after


class Answer:
    def __init__(self, value):
        self.value = value

    def getheader(self, name):
        assert name == "Retry-After"
        return self.value


def test_how_long_to_wait():
    assert _retry_after(Answer(None)) is None
    assert _retry_after(Answer("2.5")) == 2.5
    assert _retry_after(Answer("-3")) == 0.0
    assert _retry_after(Answer("soon")) is None
    assert _retry_after(Answer(email.utils.formatdate(time.time() + 60))) == pytest.approx(60, abs=5)
    assert _retry_after(Answer(email.utils.formatdate(time.time() - 60))) == 0.0


def test_what_went_wrong():
    assert _reason(http.client.RemoteDisconnected("x")) == "it closed the connection"
    assert _reason(http.client.IncompleteRead(b"x")) == "it broke off in the middle"
    assert _reason(ConnectionRefusedError(111, "Connection refused")) == "connection refused"
    assert _reason(OSError("Odd.")) == "odd"
    assert _reason(http.client.CannotSendRequest()) == "cannotsendrequest"


def test_who_logs_in_at_a_proxy():
    assert _proxy_login(urllib.parse.urlsplit("http://proxy:3128")) == {}
    told = _proxy_login(urllib.parse.urlsplit("http://me:pass%40word@proxy:3128"))
    assert told == {"Proxy-Authorization": "Basic bWU6cGFzc0B3b3Jk"}
    assert _proxy_login(urllib.parse.urlsplit("http://me@proxy")) == {"Proxy-Authorization": "Basic bWU6"}


@pytest.mark.parametrize("base", ["http://localhost:8000/v1", "https://host/v1", "  http://[::1]:80/v1 "])
def test_good_addresses(base):
    assert _good_url(base).hostname


@pytest.mark.parametrize(
    "base",
    [
        "",
        "localhost:8000",
        "ftp://host/v1",
        "http://",
        "http://host:0/v1",
        "http://host:99999",
        "http://hö/v1",
        "http://a b/",
    ],
)
def test_bad_addresses(base):
    with pytest.raises(CoterieError, match="--base-url must look like"):
        _good_url(base)


def test_keys():
    assert _good_key(" sk-1 ") == "sk-1"
    for key in ("sk 1", "sk-é", "sk\x001"):
        with pytest.raises(CoterieError, match="characters that no key has"):
            _good_key(key)
