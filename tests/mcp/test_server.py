"""The server for agents: by the real client over stdio and HTTP, and what agents may name."""

import asyncio
import json
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from coterie.cli import main
from coterie.core.errors import CoterieError
from coterie.core.files import in_use
from coterie.log.file import read_log
from coterie.mcp.consent import Consent
from coterie.mcp.server import TOOLS, Tools, server
from tests.link.conftest import until


class Agent:
    """A client whose calls give data back, or raise what the server complains of."""

    def __init__(self, client):
        self.client = client

    async def __call__(self, tool, **given):
        answer = await self.client.call_tool(tool, given)
        text = answer.content[0].text
        if answer.is_error:
            raise CoterieError(text)
        return json.loads(text)


@asynccontextmanager
async def over_stdio(folder):
    words = ["-m", "coterie", "mcp", "--folder", str(folder)]
    async with Client(StdioServerParameters(command=sys.executable, args=words)) as client:
        yield Agent(client), client


async def play_on(agent, told, choose):
    """Decide until the episode is over; how often that was."""
    count = 0
    while not told["over"]:
        assert (await agent("seat_act", robot=told["robot"], action=choose(told)))["done"]
        told, count = await agent("seat_look"), count + 1
    return told, count


def test_an_agent_over_stdio(tmp_path):
    async def talk():
        async with over_stdio(tmp_path) as (agent, client):
            assert {t.name for t in (await client.list_tools()).tools} == set(TOOLS)
            assert "pack-objects" in {row["task"] for row in (await agent("list", what="tasks"))["tasks"]}
            run = await agent("run", task="pack-objects", seed=4, change="cto@5")
            assert run["success"] and run["log"] in (await agent("list", what="logs"))["logs"]
            assert (await agent("replay", log=run["log"], step=2))["told"]
            failed = await agent("run", task="pack-objects", seed=2, protocol="random")
            why = await agent("explain", log=failed["log"])
            assert not why["success"] and why["failures"][0]["cause"]["clause"] and why["missed"]
            with pytest.raises(CoterieError, match="Did you mean 'pack-objects'"):
                await agent("run", task="pack-objcts")
            told = await agent("seat_begin", task="pack-objects", robots="Alice", seed=4)
            assert told["robot"] == "Alice" and "navigate(sofa, 0)" in told["legal"] and told["card"]["body"] == "MoMa"
            with pytest.raises(CoterieError, match="no action"):
                await agent("seat_act", robot="Alice", action="please tidy up")
            told, count = await play_on(agent, told, lambda told: told["legal"][told["step"] % 5])
            assert told["status"] == "done" and count > 5
            return told["log"]

    log = asyncio.run(talk())
    events = read_log(tmp_path / f"{log}.jsonl")
    asked = [e.who for e in events if e.kind == "ask"]
    assert set(asked) == {"Alice"} and len(asked) == len([e for e in events if e.kind == "reply"])


def test_an_agent_over_http(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "coterie", "mcp", "--http", str(port), "--folder", str(tmp_path)]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        address = process.stderr.readline().strip()
        until(lambda: not socket.socket().connect_ex(("127.0.0.1", port)))

        async def ask(url):
            async with Client(url) as client:
                return await Agent(client)("rights")

        assert asyncio.run(ask(address))["you"] == "agent"
        with pytest.raises(urllib.error.HTTPError, match="404"):  # whoever does not know the path is nobody
            urllib.request.urlopen(address.rpartition("/")[0] + "/mcp", b"{}")
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture
def tools(tmp_path):
    tools = Tools(tmp_path / "mcp", Consent())
    yield tools
    tools.close()


def test_a_run_in_the_background_says_how_far_it_is(tools):
    begun = tools.run("tidy", seed=3, level="1", wait_s=0)
    assert begun["running"] and begun["job"] in tools.list("jobs")["jobs"]
    seen = [begun]
    while seen[-1].get("running"):
        seen.append(tools.job(begun["job"], 0.02))
    steps = [told["step"] for told in seen[1:-1] if "step" in told]
    assert steps == sorted(steps) and (not steps or seen[-2]["robots"]), "a quick machine may have none"
    assert seen[-1]["success"] in (True, False) and begun["job"] not in tools.list("jobs")["jobs"]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("run", {"task": "--load=evil.py"}),
        ("run", {"task": "../task.toml"}),
        ("run", {"task": "pack-objects --drive Alice"}),
        ("run", {"task": "pack-objects", "protocol": "rules --drive Alice"}),
        ("run", {"task": "pack-objects", "change": "cto@5 --load=evil.py"}),
        ("bench", {"suite": "smoke", "methods": "rules@openai:gpt"}),
        ("replay", {"log": "../../etc/passwd"}),
        ("replay", {"log": "/etc/passwd"}),
        ("memo", {"what": "clear"}),
        ("list", {"what": "--load=evil.py"}),
        ("job", {"name": "nobody"}),
        ("seat_act", {"robot": "Alice", "action": "wait()"}),
        ("seat_begin", {"robots": "Nobody"}),
        ("seat_begin", {"task": "house.toml"}),
    ],
)
def test_what_agents_cannot_name(tools, tool, given, tmp_path):
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'done')!r}, 'w')")
    with pytest.raises(CoterieError) as complaint:
        getattr(tools, tool)(**given)
    assert "Traceback" not in str(complaint.value) and not (tmp_path / "done").exists()


def test_long_commands_go_on_in_the_background(tools):
    begun = tools.bench("smoke", "rules", 2, wait_s=0)
    assert begun["running"]
    assert "rules" in tools.job(begun["job"], 300)["methods"]
    assert tools.list("jobs") == {"jobs": []}


def test_a_job_that_is_stopped_ends_with_all_that_it_began(tools):
    begun = tools.run("sandwich", seed=3, wait_s=0)  # whose rounds take long
    process = tools.jobs[begun["job"]].process
    until(lambda: tools.job(begun["job"], 0).get("step", -1) >= 0)
    assert tools.replay(begun["log"], step=0)["told"], "it is told while it goes on"
    told = tools.job_stop(begun["job"])
    assert told["stopped"] and told["step"] >= 0 and process.returncode < 0 and tools.list("jobs") == {"jobs": []}
    assert begun["log"] in tools.list("logs")["logs"] and not tools.replay(begun["log"])["success"]
    with pytest.raises(CoterieError, match="job"):
        tools.job_stop(begun["job"])


def test_a_job_that_has_ended_is_not_stopped_and_nobody_is_killed_in_its_place(tools, monkeypatch):
    begun = tools.run("pack-objects", seed=4, wait_s=0)
    process = tools.jobs[begun["job"]].process
    until(lambda: process.poll() is not None)
    monkeypatch.setattr("os.killpg", lambda *_: pytest.fail("its number may be that of others"))
    tools.jobs[begun["job"]].stop()
    told = tools.job_stop(begun["job"])
    assert told["success"] and "stopped" not in told and tools.list("jobs") == {"jobs": []}


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long)])
def test_a_server_that_is_told_to_end_ends_its_jobs(tmp_path, number):
    words = [sys.executable, "-m", "coterie", "mcp", "--folder", str(tmp_path)]
    heeds = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # also where the tests run in the background
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=heeds) as served:

        def ask(**asked):
            served.stdin.write(json.dumps({"jsonrpc": "2.0", **asked}) + "\n")
            served.stdin.flush()
            return json.loads(served.stdout.readline()) if "id" in asked else None

        about = {"capabilities": {}, "clientInfo": {"name": "test", "version": "0"}, "protocolVersion": "2025-03-26"}
        ask(id=0, method="initialize", params=about)
        ask(method="notifications/initialized")
        given = {"task": "tidy", "seed": 3, "level": "1", "wait_s": 0}
        ask(id=1, method="tools/call", params={"name": "run", "arguments": given})
        log = tmp_path / "run-tidy-3-1.jsonl"
        until(lambda: log.is_file() and in_use(log))
        served.send_signal(number)
        assert served.wait(60) == 130
    assert not in_use(log), "a job of it goes on"


@pytest.mark.long
def test_mission_memo_and_talk(kept_grammars, tools):
    assert tools.mission("medkit at alpha", seed=7)["success"]
    assert "note" in tools.memo()
    asked = tools.talk("What is going on?")
    assert asked["told"] and "coterie talk --join teacher" in asked["join"]
    order = tools.talk("Deliver a medkit to alpha.")["told"]
    assert "may not give commands" in " ".join(order), "it is a visitor"
    assert not [e for e in tools.talk_with.hall.mission.goals.live()]
    assert not [name for name in tools.list("logs")["logs"] if "talk" in name], "others speak there, too"


def test_a_seat_can_be_left_and_taken_again(tools):
    tools.seat_begin("yard-tidy", seed=1)
    with pytest.raises(CoterieError, match="goes on"):
        tools.seat_begin("yard-tidy", seed=1)
    (log,) = tools.list("logs")["logs"]
    for look in (tools.replay, tools.explain):
        with pytest.raises(CoterieError, match="goes on at your seat"):
            look(log)  # it holds what no robot knows
    assert tools.seat_end()["status"] == "left"
    again = tools.seat_begin("yard-tidy", seed=1)
    assert again["over"] is False and again["played_before"] == [log], "its answers may come of what it has read"
    tools.seat_end()
    assert not tools.seat_begin("yard-tidy", seed=2)["played_before"]


def test_what_is_decided_and_not_begun_can_be_called_off(tools):
    tools.seat_begin("yard-tidy", seed=1)
    first = tools.session.seats[0]
    tools.seat_act(first, "wait()")
    assert tools.seat_cancel(first)["decided"] == "wait()"
    assert tools.seat_look(first, 0)["robot"] == first, "it decides anew"
    with pytest.raises(CoterieError, match="Nobody"):
        tools.seat_cancel("Nobody")


def test_without_the_package_a_sentence_names_the_extra(tools, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    with pytest.raises(CoterieError, match=r"pip install 'coterie\[mcp\]'"):
        server(tools)


def test_bad_rights_end_in_a_sentence(capsys, tmp_path):
    for grant in ("Alice", "Alice=soon", "Alice=0", "=5"):
        assert main(["mcp", "--folder", str(tmp_path), "--grant", grant]) == 2
        assert "ight" in capsys.readouterr().err
    assert main(["mcp", "--join", "--folder", str(tmp_path / "none")]) == 2
    assert Path(tmp_path, "consent.jsonl").exists()


def test_a_mind_behind_mcp(tmp_path, own_names):
    """The other way: a model that is an agent behind MCP, for the protocol `seat`."""
    examples = Path(__file__).parents[2] / "examples"
    log = tmp_path / "log.jsonl"
    words = [
        "run",
        "yard-tidy",
        "--load",
        str(examples / "mcp_mind.py"),
        "--protocol",
        "seat",
        "--log",
        str(log),
        "--json",
    ]
    assert main([*words, "--model", f"mcp:{sys.executable} {examples / 'mcp_agent.py'}"]) in (0, 1)
    events = read_log(log)
    replies = [e.data["text"] for e in events if e.kind == "reply"]
    assert replies and {e.who for e in events if e.kind == "ask"} == {"Ada", "Bo"}
    assert main([*words, "--model", "mcp:nobody-here"]) == 2
