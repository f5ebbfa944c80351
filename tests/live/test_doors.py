"""Requests of strangers get an answer and change nothing; watchers see what they may, and hold nobody up."""

import hashlib
import http.client
import json
import re
import socket
import ssl
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from coterie.cli import main
from coterie.core.errors import CoterieError
from coterie.core.event import Event, to_line
from coterie.live import child, tls
from coterie.live import server as serving
from coterie.live.board import Board
from coterie.live.book import Book
from coterie.live.child import Episode
from coterie.live.doors import (
    ALL_WORDS,
    MOST_WRONG,
    OPERATOR,
    PERSON,
    PROMPTS,
    Doors,
    Guest,
    allowed,
    check_bind,
    code_of,
)
from coterie.live.recorded import Shelf, _fold
from coterie.live.server import HEADERS, MOST_BODY, Server
from coterie.page.scenery import Moving

OPEN, NURSE, WATCH = "o" * 48, "n" * 48, "w" * 48


@contextmanager
def served(site, context=None):
    site.doors.admit(Guest("teacher", OPERATOR | PERSON), OPEN)
    site.doors.admit(Guest("nurse", PERSON), NURSE)
    site.doors.admit(Guest("watcher"), WATCH)
    with Server(site, "127.0.0.1", 0, context) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join(5)


@pytest.fixture
def site():
    said = []
    found = Episode(Doors(), {"mode": "talk"}, said.append)
    found.said = said
    return found


@pytest.fixture
def server(site):
    with served(site) as found:
        yield found


def ask(server, method="GET", path="/", token="", body=None, **headers):
    """A request as a browser of this page would send it, but for what is said otherwise; None leaves a header out."""
    port = server.server_port
    usual = {"Host": f"127.0.0.1:{port}"}
    if token:
        usual["Cookie"] = f"coterie_{port}={token}"
    if body is not None:
        body = body if isinstance(body, (str, bytes)) else json.dumps(body)
        usual |= {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
        usual["Content-Length"] = str(len(body))
    usual |= {name.replace("_", "-"): value for name, value in headers.items()}
    raw = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in usual.items() if v is not None) + "\r\n"
    return talk(port, raw.encode("latin-1") + (body.encode() if isinstance(body, str) else body or b""))


def talk(port, raw):
    """What a server says to these bytes: its status, headers and body."""
    with socket.create_connection(("127.0.0.1", port), 10) as line:
        line.sendall(raw)
        answer = http.client.HTTPResponse(line, method="HEAD" if raw.startswith(b"HEAD") else "GET")
        answer.begin()
        told = answer.read() if "event-stream" not in answer.headers["Content-Type"] else b""
        return answer.status, answer.headers, told


SAY = {"do": "say", "text": "Stop."}
DO = {"method": "POST", "path": "/do", "token": OPEN}
HUGE = "x" * (MOST_BODY + 1)
#: What is sent besides what a browser of the page would send, and the status that it gets.
HOSTILE = {
    "a name of somebody else that leads here": (421, {"path": "/me", "token": OPEN, "Host": "evil.example"}),
    "the same with our port": (421, {"path": "/me", "token": OPEN, "Host": "evil.example:80"}),
    "no host": (421, {"path": "/me", "token": OPEN, "Host": None}),
    "an empty host": (421, {"path": "/me", "token": OPEN, "Host": ""}),
    "a host with more behind it": (421, {"path": "/me", "token": OPEN, "Host": "127.0.0.1:80@evil.example"}),
    "a host like ours": (421, {"path": "/me", "token": OPEN, "Host": "127.0.0.1.evil.example"}),
    "a port that is none": (421, {"path": "/me", "token": OPEN, "Host": "127.0.0.1:80x"}),
    "another page reads": (403, {"path": "/me", "token": OPEN, "Origin": "http://evil.example"}),
    "a page of a file": (403, {"path": "/me", "token": OPEN, "Origin": "null"}),
    "another page of this machine": (403, {"path": "/me", "token": OPEN, "Origin": "http://127.0.0.1:1"}),
    "another page embeds": (403, {"path": "/rows", "token": OPEN, "Sec_Fetch_Site": "cross-site"}),
    "a neighbour embeds": (403, {"path": "/me", "token": OPEN, "Sec_Fetch_Site": "same-site"}),
    "another page acts": (403, {**DO, "body": SAY, "Origin": "http://a.b"}),
    "nobody's page acts": (403, {**DO, "body": SAY, "Origin": None}),
    "no token": (401, {"path": "/me"}),
    "a wrong token": (401, {"path": "/me", "token": "o" * 47}),
    "an empty token": (401, {"path": "/me", "Cookie": "coterie_1="}),
    "a cookie that is none": (401, {"path": "/me", "Cookie": "\xff=;;;===\x01"}),
    "rows without a token": (401, {"path": "/rows"}),
    "an act without a token": (401, {"method": "POST", "path": "/do", "body": SAY}),
    "a token in the address": (401, {"path": f"/me?token={OPEN}"}),
    "a wrong token enters": (401, {"method": "POST", "path": "/enter", "body": {"token": "x"}}),
    "a token that is no text": (401, {"method": "POST", "path": "/enter", "body": {"token": [OPEN]}}),
    "a watcher speaks": (403, {"method": "POST", "path": "/do", "token": WATCH, "body": SAY}),
    "a watcher stops": (403, {"method": "POST", "path": "/do", "token": WATCH, "body": {"do": "stop"}}),
    "a person pauses": (403, {"method": "POST", "path": "/do", "token": NURSE, "body": {"do": "pause", "value": True}}),
    "an unknown act": (400, {**DO, "body": {"do": "__class__"}}),
    "an act that is a list": (400, {**DO, "body": [SAY]}),
    "no JSON": (400, {**DO, "body": "{"}),
    "JSON without an end": (400, {**DO, "body": "[" * 50_000}),
    "nothing said": (400, {**DO, "body": {"do": "say", "text": " "}}),
    "too much said": (400, {**DO, "body": {"do": "say", "text": "x" * 3000}}),
    "a yes to nothing": (409, {**DO, "body": {"do": "answer", "goal": "g1", "seq": 1, "answer": "yes"}}),
    "a huge body": (413, {**DO, "body": HUGE}),
    "a length beyond all bounds": (413, {**DO, "body": SAY, "Content_Length": "9" * 30}),
    "a negative length": (411, {**DO, "body": SAY, "Content_Length": "-1"}),
    "no length": (411, {**DO, "body": SAY, "Content_Length": None}),
    "a body in pieces": (400, {**DO, "body": SAY, "Transfer_Encoding": "chunked"}),
    "a form of another page": (415, {**DO, "body": SAY, "Content_Type": "text/plain"}),
    "an upgrade": (400, {"path": "/rows", "token": OPEN, "Upgrade": "websocket", "Connection": "Upgrade"}),
    "a body that is waited for": (417, {**DO, "body": SAY, "Expect": "100-continue"}),
    "a method of others": (501, {"method": "DELETE", "path": "/do", "token": OPEN}),
    "no method at all": (501, {"method": "BREW", "path": "/", "token": OPEN}),
    "an act by reading": (404, {"path": "/do?do=stop", "token": OPEN}),
    "a path upwards": (404, {"path": "/../../etc/passwd", "token": OPEN}),
    "a path upwards in disguise": (404, {"path": "/%2e%2e/%2e%2e/etc/passwd", "token": OPEN}),
    "a file of the package": (404, {"path": "/doors.py", "token": OPEN}),
    "an address as a path": (400, {"path": "http://evil.example/", "token": OPEN}),
    "an endless path": (400, {"path": "/" + "x" * 5000, "token": OPEN}),
    "a path beyond all bounds": (414, {"path": "/" + "x" * 70_000, "token": OPEN}),
    "too many headers": (431, {"path": "/me", "token": OPEN, **{f"X_{i}": "1" for i in range(120)}}),
    "an endless header": (431, {"path": "/me", "token": OPEN, "X_Long": "x" * 70_000}),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_request_gets_its_answer_and_changes_nothing(server, site, name):
    status, more = HOSTILE[name]
    found, headers, _ = ask(server, **more)
    assert found == status and not site.said
    assert all(headers[key] == value for key, value in HEADERS.items()), "also a refusal has its policy"
    assert ask(server, path="/me", token=OPEN)[0] == 200, "and the next one is answered"


@pytest.mark.parametrize("twice", ["Host: evil.example", "Origin: http://evil.example", "Content-Length: 0"])
def test_two_of_a_header_are_no_way_around(server, site, twice):
    here, body = f"127.0.0.1:{server.server_port}", json.dumps(SAY)
    rows = [f"Host: {here}", f"Origin: http://{here}", f"Content-Length: {len(body)}", "Content-Type: application/json"]
    rows += [f"Cookie: coterie_{server.server_port}={OPEN}", twice, "", body]
    status, *_ = talk(server.server_port, "\r\n".join(["POST /do HTTP/1.1", *rows]).encode())
    assert status in (403, 411, 421) and not site.said


@pytest.mark.parametrize("raw", [b"\r\n\r\n", b"\x16\x03\x01\x02\x00\x01", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"])
def test_what_is_no_request_is_dropped(server, site, raw):
    with socket.create_connection(("127.0.0.1", server.server_port), 10) as line:
        line.sendall(raw)
        line.shutdown(socket.SHUT_WR)
        while line.recv(65536):
            pass
    assert ask(server, path="/me", token=OPEN)[0] == 200 and not site.said


def test_slow_requests_are_let_go_and_make_way(server, site, monkeypatch):
    monkeypatch.setattr(serving, "HEADERS_S", 0.3)
    monkeypatch.setattr(serving, "MOST_OPEN", 20)
    slow = [socket.create_connection(("127.0.0.1", server.server_port), 10) for _ in range(40)]
    for line in slow:
        line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1")
    assert ask(server, "POST", "/do", OPEN, {"do": "stop"})[0] == 200, "a stop gets through at once"
    assert site.said == [{"do": "stop", "person": "teacher"}]
    for line in slow:
        line.settimeout(10)
        assert line.recv(10) == b""
        line.close()


def test_a_link_becomes_a_cookie_that_no_script_reads(server):
    status, headers, _ = ask(server, "POST", "/enter", body={"token": NURSE})
    cookie = headers["Set-Cookie"]
    assert status == 200 and f"coterie_{server.server_port}={NURSE}" in cookie
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    status, _, body = ask(server, path="/me", token=NURSE)
    assert (status, json.loads(body)["name"], json.loads(body)["rights"]) == (200, "nurse", ["stop", "talk"])


def test_a_tunnel_may_have_another_port(server):
    assert ask(server, path="/me", token=OPEN, Host="localhost:9999")[0] == 200
    assert ask(server, path="/me", token=OPEN, Host="[::1]:9999", Origin="http://[::1]:9999")[0] == 200


def test_beyond_this_machine_it_wants_tls(tmp_path):
    with pytest.raises(CoterieError, match="needs TLS"):
        check_bind("0.0.0.0", None, None)
    with pytest.raises(CoterieError, match="go together"):
        check_bind("127.0.0.1", tmp_path / "a", None)
    with pytest.raises(CoterieError, match="no certificate"):
        check_bind("0.0.0.0", tmp_path / "a", tmp_path / "b")
    assert check_bind("127.0.0.1", None, None) is None and check_bind("::1", None, None) is None


def test_a_certificate_is_made_once_and_known_by_its_fingerprint(tmp_path, monkeypatch):
    monkeypatch.setenv("COTERIE_CACHE", str(tmp_path))
    cert, key = tls.made(["127.0.0.1", "robots.example"])
    assert tls.made(["127.0.0.1", "robots.example"]) == (cert, key) and key.stat().st_mode & 0o077 == 0
    assert tls.made(["127.0.0.2"])[0] != cert, "other names, another one"
    first = cert.read_text()
    cert.write_text("damaged")
    assert tls.made(["127.0.0.1", "robots.example"])[0].read_text() not in (first, "damaged")
    site = Episode(Doors(secure=True), {"mode": "talk"}, list)
    with served(site, check_bind("0.0.0.0", cert, key)) as server:
        context = ssl.create_default_context(cafile=cert)  # the name is checked, too
        with context.wrap_socket(
            socket.create_connection(("127.0.0.1", server.server_port)), server_hostname="127.0.0.1"
        ) as line:
            shown = hashlib.sha256(line.getpeercert(binary_form=True)).hexdigest()
            assert tls.fingerprint(cert).replace(":", "").lower() == shown
            port, body = server.server_port, json.dumps({"name": "Nurse", "code": code_of(NURSE).upper()})
            line.sendall(
                f"POST /enter HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: https://127.0.0.1:{port}\r\nContent-Type: "
                f"application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
            )
            answer = http.client.HTTPResponse(line)
            answer.begin()
            assert answer.status == 200 and NURSE in answer.headers["Set-Cookie"]
            assert "; Secure" in answer.headers["Set-Cookie"]


def test_codes_are_not_guessed_and_open_nothing_without_tls(server, site):
    assert ask(server, "POST", "/enter", body={"name": "nurse", "code": code_of(NURSE)})[0] == 401, "no TLS, no codes"
    doors = Doors(secure=True)
    doors.admit(Guest("nurse", PERSON), NURSE)
    for name, code in (("nurse", ""), ("nurse", code_of(OPEN)), ("teacher", code_of(NURSE)), ("", code_of(NURSE))):
        assert not doors.sign_in(name, code)
    assert doors.sign_in(" NURSE ", code_of(NURSE).replace("-", "")) == NURSE
    for n in range(MOST_WRONG):
        doors.sign_in("nurse", f"aaaa-aaa{n}")
    assert not doors.sign_in("nurse", code_of(NURSE)), "whoever guesses shuts this door for a minute"
    assert doors.guest(NURSE) is not None, "links go on"


def test_what_is_said_is_said_by_whom_the_token_names(server, site):
    status, _, _ = ask(server, "POST", "/do", NURSE, {"do": "say", "text": "Stop.", "person": "teacher"})
    assert status == 200 and site.said == [{"do": "say", "person": "nurse", "text": "Stop."}]


# -- rows -----------------------------------------------------------------------------------------------------------
class Watching:
    """A watcher, and the rows that have come."""

    def __init__(self, server, token, last="", most=10**9):
        port = server.server_port
        self.line = socket.create_connection(("127.0.0.1", port), 10)
        more = f"Last-Event-ID: {last}\r\n" if last != "" else ""
        head = f"GET /rows HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: coterie_{port}={token}\r\n{more}\r\n"
        self.line.sendall(head.encode())
        self.text = b""

    def until(self, count):
        """The rows, once there are so many, and the number of the last."""
        while True:
            found = [row for part in re.findall(rb"data: (.*)\n", self.text) for row in json.loads(part)]
            if len(found) >= count:
                return found, int(re.findall(rb"id: (\d+)\n", self.text)[-1])
            more = self.line.recv(1 << 20)
            assert more, "let go"
            self.text += more


def test_who_comes_back_gets_exactly_what_was_missed(server, site):
    for n in range(1000):
        site.rows.add({"x": n})
    rows, last = (one := Watching(server, WATCH)).until(1000)
    one.line.close()
    assert [r["x"] for r in rows] == list(range(1000)) and last == 999
    site.rows.add({"x": 1000})
    site.rows.add({"x": 1001})
    again = Watching(server, WATCH, last)
    assert [r["x"] for r in again.until(2)[0]] == [1000, 1001]
    again.line.close()


def test_another_episode_is_seen_from_its_beginning(server, site):
    for n in range(5):
        site.rows.add({"x": n})
    _, last = (one := Watching(server, WATCH)).until(5)
    site.rows.anew()
    site.rows.add({"x": 5})
    assert one.until(7)[0][5:] == [{"anew": True}, {"x": 5}], "who watches is told"
    gone, late = Watching(server, WATCH, last - 2), Watching(server, WATCH)
    assert gone.until(2)[0] == [{"anew": True}, {"x": 5}] and late.until(1)[0] == [{"x": 5}]
    for watching in (one, gone, late):
        watching.line.close()


def test_a_stop_is_kept_and_what_still_waits_for_a_yes_is_seen_in_the_next_episode(site, log):
    offer = {"goal": "1", "seq": 1, "to": "nurse", "ways": [{"words": "Alice: wait()"}], "over": ""}
    site.do(Guest("nurse", PERSON), {"do": "stop"})
    site.take({"stops": []})
    assert site.said == [{"do": "stop", "person": "nurse"}] * 2, "a stop before anything is known is kept"
    site.line(to_line(log(seed=3)[0]))
    site.take({"offer": offer})
    site.line(to_line(log(seed=3)[0]))
    assert {"offer": offer} in [json.loads(line.text) for line in site.rows.lines[site.rows.first :]]


def test_what_is_begun_says_that_a_stop_is_over():
    board = Board("hospital", tells=True)
    list(board.rows(Event(1, 0, 0.0, "mission", "", {"what": "stop", "person": "nurse"})))
    rows = [row for e in ("wait", "goto") for row, _ in board.rows(Event(2, 0, 1.0, "act", "Temi", {"skill": e}))]
    assert rows == [{"stopped": {}, "t": 1.0}]


def test_a_map_that_fails_on_the_way_leaves_the_account_whole(site, log, monkeypatch):
    def broken(self, frame):
        if len(self.frames) > 1:
            raise ZeroDivisionError("no width")
        return whole(self, frame)

    whole = Moving.add
    monkeypatch.setattr(Moving, "add", broken)
    for event in log(seed=3):
        site.line(to_line(event))
    rows = [json.loads(line.text) for line in site.rows.lines]
    assert "no width" in next(row["none"] for row in rows if "none" in row)
    assert any("end" in row for row in rows), "all that happened is told"


def test_a_world_that_cannot_be_drawn_leaves_the_page_there(site, monkeypatch):
    def broken():
        raise ZeroDivisionError("no width")

    for _ in range(3):
        child._shown(site, broken)
    rows = [line.text for line in site.rows.lines if "no width" in line.text]
    assert len(rows) == 1 and "ZeroDivisionError" in site.known["error"]


def test_what_an_answer_took_is_told_to_who_comes_late(site, log):
    for event in log(protocol="dynahmrc", model="oracle", seed=2)[:60]:
        site.line(to_line(event))
    took = [json.loads(line.text)["took"] for line in site.rows.lines if '"took"' in line.text]
    assert took and all(0 <= seconds < 60 for seconds in took)


def test_a_watcher_that_does_not_read_holds_nobody_up(server, site, monkeypatch):
    monkeypatch.setattr(serving, "SEND_S", 0.5)
    stuck, good = Watching(server, WATCH), Watching(server, WATCH)
    begun = time.monotonic()
    for n in range(300):
        site.rows.add({"x": n, "pad": "x" * 50_000})
    assert time.monotonic() - begun < 3, "adding a row waits for nobody"
    assert len(good.until(300)[0]) == 300
    deadline = time.monotonic() + 20
    while server.watchers > 1 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert server.watchers == 1, "who does not read is let go"
    stuck.line.close()
    good.line.close()


def test_rows_are_for_those_whom_they_concern(server, site):
    asked = {"k": "ask", "w": "Bob", "p": [["user", 0]], "r": [0], "n": [3, 1]}
    ask_row = {"i": 1, "k": 0, "lines": [0, ["secret"]], "e": asked}
    site.rows.add(ask_row)
    site.take({"told": {"to": "nurse", "text": "For the nurse.", "t": 1.0}})
    site.rows.add({"x": 1})
    all_of_it, hers, little = (Watching(server, t).until(n)[0] for t, n in ((OPEN, 3), (NURSE, 3), (WATCH, 2)))
    assert all_of_it[0] == ask_row and all_of_it[1]["talk"]["x"] == hers[1]["talk"]["x"] == "For the nurse."
    for rows in (hers, little):
        assert rows[0] == {"i": 1, "k": 0, "e": {"k": "ask", "w": "Bob", "n": [3, 1]}}, "prompts are a right"
    assert little[1] == {"x": 1}


def test_the_right_to_prompts_is_given_like_others():
    nurse, watcher = allowed([Guest("nurse", PERSON), Guest("watcher")], ["watcher=prompts", "watcher=words"])
    assert nurse.rights == PERSON and watcher.rights == {PROMPTS, ALL_WORDS}
    with pytest.raises(CoterieError, match=r"No person of the page 'nurs'\. Did you mean 'nurse'"):
        allowed([nurse, watcher], ["nurs=prompts"])
    with pytest.raises(CoterieError, match="'nurse=stop' gives no right: write PERSON=prompts"):
        allowed([nurse, watcher], ["nurse=stop"])


def test_nobody_else_is_called_as_those_who_only_watch(capsys):
    assert main(["mission", "hospital", "--by", "watcher", "--live", "--goal", "medkit at alpha"]) == 2
    assert "Nobody but those who only watch is 'watcher' on a page" in capsys.readouterr().err


def test_a_command_that_fails_leaves_no_process_of_a_page(capsys, monkeypatch):
    begun, begin = [], subprocess.Popen
    monkeypatch.setattr("subprocess.Popen", lambda *given, **more: begun.append(begin(*given, **more)) or begun[-1])
    assert main(["run", "nonsense", "--live"]) == 2 and "nonsense" in capsys.readouterr().err
    assert begun and all(child.poll() is not None for child in begun)


def test_a_click_counts_for_the_proposal_that_was_seen(server, site):
    board = site.board = Board("hospital", tells=True)
    way = {"words": "go", "chance": 0.9, "seconds": 5, "low_s": 4, "high_s": 6, "first": []}
    way["then"] = [["Spot", "goto", "atE", "atG"]]
    note = {"what": "proposal", "goal": "g1", "to": "nurse", "alternatives": [way, way]}
    (row, _), *_ = board.rows(Event(7, 0, 0.0, "mission", "", note))
    assert row["offer"]["ways"][0]["steps"] == ["Spot goes to table G"]
    answer = {"do": "answer", "goal": "g1", "seq": 7, "answer": "yes", "number": 2}
    assert ask(server, "POST", "/do", NURSE, {**answer, "seq": 6})[0] == 409
    assert ask(server, "POST", "/do", NURSE, {**answer, "number": 3})[0] == 400
    assert ask(server, "POST", "/do", NURSE, {**answer, "number": True})[0] == 400
    assert ask(server, "POST", "/do", NURSE, answer)[0] == 200
    assert site.said == [{"do": "answer", "person": "nurse", "goal": "g1", "answer": "yes", "number": 2}]
    list(board.rows(Event(8, 0, 0.0, "mission", "", {"what": "approved", "goal": "g1", "by": "nurse", "plan": 2})))
    assert ask(server, "POST", "/do", NURSE, answer)[0] == 409


# -- what was recorded ------------------------------------------------------------------------------------------------
@pytest.fixture
def shelf(tmp_path, log):
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "a.jsonl").write_text("".join(to_line(e) + "\n" for e in log(seed=3)))
    (folder / "half.jsonl").write_text("".join(to_line(e) + "\n" for e in log(seed=3)[:40]))
    (folder / "not.jsonl").write_text("nothing\n")
    (tmp_path / "secret.jsonl").write_text((folder / "a.jsonl").read_text())
    (folder / "out.jsonl").symlink_to(tmp_path / "secret.jsonl")
    (folder / "bench").mkdir()
    (folder / "bench" / "results.jsonl").write_text("")
    (folder / "bench" / "table.md").symlink_to(tmp_path / "secret.jsonl")
    site = Shelf(Doors(), folder)
    with served(site) as server:
        site.doors.admit(Guest("me", frozenset({PROMPTS})), "m" * 48)
        yield server


def test_a_folder_is_listed_from_first_and_last_lines(shelf):
    rows = {r["f"]: r for r in json.loads(ask(shelf, path="/logs", token=WATCH)[2])}
    assert rows.keys() >= {"a.jsonl", "half.jsonl"} and not rows.keys() & {"not.jsonl", "out.jsonl"}
    assert rows["a.jsonl"]["success"] is True and rows["half.jsonl"]["success"] is None
    status, headers, body = ask(shelf, path="/picture?f=a.jsonl", token=WATCH)
    assert status == 200 and headers["Content-Type"] == "image/svg+xml" and b"<svg" in body
    (bench,) = json.loads(ask(shelf, path="/results", token=WATCH)[2])
    assert bench["name"] == "bench" and bench["table"] == "", "a table that leads out of the folder is not shown"


def test_a_damaged_log_is_a_sentence(tmp_path, log):
    path, book = tmp_path / "odd.jsonl", Book()
    first, *rest = log(seed=3)
    odd = first._replace(data={**first.data, "goal_text": 7, "scene": {**first.data["scene"], "rooms": 7}})
    path.write_text("".join(to_line(e) + "\n" for e in (odd, *rest)))
    _fold(path, book)
    assert "odd.jsonl' cannot be shown" in book.lines[-2].text and book.closed
    with served(Shelf(Doors(), tmp_path)) as server:
        status, _, body = ask(server, path="/picture?f=odd.jsonl", token=WATCH)
        assert status == 409 and "cannot be shown" in json.loads(body)["error"]


@pytest.mark.parametrize(
    "name", ["../secret.jsonl", "/etc/passwd", "out.jsonl", "not.txt", "", "%00", "a.jsonl/../../secret.jsonl"]
)
def test_what_lies_outside_is_not_reached(shelf, name):
    for route in ("/picture", "/rows", "/plot"):
        assert ask(shelf, path=f"{route}?f={name}", token=WATCH)[0] == 404


def test_a_recorded_log_gives_the_rows_of_its_page(shelf, log):
    from coterie.page import content

    told = content(log(seed=3))
    port = shelf.server_port
    with socket.create_connection(("127.0.0.1", port), 10) as line:
        line.sendall(
            f"GET /rows?f=a.jsonl HTTP/1.1\r\nHost: localhost\r\nCookie: coterie_{port}={OPEN}\r\n\r\n".encode()
        )
        text = b"".join(iter(lambda: line.recv(1 << 20), b""))
    rows = [row for part in re.findall(rb"data: (.*)\n", text) for row in json.loads(part)]
    steps: dict = {}
    for row in rows:
        if "n" in row:
            steps[row["i"]] = {"n": row["n"], "t": row["t"], "e": []}
        if "e" in row:
            entries = steps[row["i"]]["e"]
            entries[row["k"] :] = [row["e"], *entries[row["k"] + 1 :]]
        if "s" in row:
            steps[row["i"]] |= row["s"]
    assert list(steps.values()) == json.loads(json.dumps(told["steps"])), "step by step, the same as all at once"
    frames = [row["f"] for row in rows if "f" in row]
    assert frames == json.loads(json.dumps(told["scenery"]["map"]["frames"]))


def test_words_between_a_person_and_a_mission_stay_theirs_in_a_folder(quick, tmp_path):
    path, book = tmp_path / "mission.jsonl", Book()
    goal = "--goal", "medkit at alpha", "--seed", "7"
    assert main(["mission", "hospital", *goal, "--log", str(path), "--json"]) == 0
    _fold(path, book)
    asked = '"k":"say","w":"mission"'
    seen = {
        name: "".join(book.read(0, Guest(name, rights), 0.0)[1])
        for name, rights in (("me", frozenset({ALL_WORDS})), ("instructor", frozenset()), ("watcher", frozenset()))
    }
    assert asked in seen["me"] and asked in seen["instructor"] and asked not in seen["watcher"]


def test_the_process_of_a_page_that_nobody_needs_ends():
    done = subprocess.run(
        [sys.executable, "-m", "coterie.live.child"], input="", capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
