"""The small print of talking to an endpoint: when to try again, what went wrong in words, proxies."""

import email.utils
import http.client
import time
import urllib.parse

import pytest

from coterie.core.errors import CoterieError
from coterie.models.wire import Endpoint, _good_url, _proxy_login, _reason, _retry_after


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
    assert _retry_after(Answer(email.utils.formatdate(time.time() + 60))) == pytest.approx(60, abs=30)
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


def test_addresses():
    for base in ("http://localhost:8000/v1", "https://host/v1", "  http://[::1]:80/v1 "):
        assert _good_url(base).hostname
    bad = "localhost:8000 ftp://host/v1 http:// http://host:0/v1 http://host:99999 http://hö/v1"
    for base in ("", "http://a b/", *bad.split()):
        with pytest.raises(CoterieError, match="--base-url must look like"):
            _good_url(base)


@pytest.fixture
def proxies(monkeypatch):
    """What the environment says of proxies."""
    named = {}
    monkeypatch.setattr("urllib.request.getproxies", lambda: named)
    monkeypatch.setattr("urllib.request.proxy_bypass", lambda host: host == "inside")
    return named


def test_without_a_proxy_requests_go_straight(proxies):
    endpoint = Endpoint("http://host:8000/api/")
    connection, used = endpoint._connection()
    assert (connection.host, connection.port, connection.timeout, used) == ("host", 8000, 300.0, False)
    assert endpoint._target("/models") == ("/api/models", {})
    assert endpoint.address == "http://host:8000/api"
    assert isinstance(Endpoint("https://host")._connection()[0], http.client.HTTPSConnection)


def test_through_a_proxy_the_whole_address_is_asked_for(proxies):
    proxies["http"] = "http://me:word@proxy:3128"
    endpoint = Endpoint("http://host:8000/v1")
    connection, _ = endpoint._connection()
    assert (connection.host, connection.port) == ("proxy", 3128)
    target, login = endpoint._target("/models")
    assert target == "http://host:8000/v1/models"
    assert login == {"Proxy-Authorization": "Basic bWU6d29yZA=="}
    proxies["http"] = "proxy"
    assert (endpoint._connection()[0].host, endpoint._connection()[0].port) == ("proxy", 80)


def test_secure_requests_tunnel_through_a_proxy(proxies):
    proxies["https"] = "http://proxy:3128"
    endpoint = Endpoint("https://host:8443/v1")
    connection, _ = endpoint._connection()
    assert (connection.host, connection._tunnel_host, connection._tunnel_port) == ("proxy", "host", 8443)
    assert endpoint._target("/models") == ("/v1/models", {})


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "inside"])
def test_near_hosts_need_no_proxy(proxies, host):
    proxies["http"] = "http://proxy:3128"
    assert Endpoint(f"http://{host}:8000/v1")._proxy() is None
    assert Endpoint("http://far:8000/v1")._proxy() is not None
