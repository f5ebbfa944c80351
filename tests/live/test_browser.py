"""Real commands, watched and touched in a real browser."""

import asyncio
import contextlib
import re
import socket
import threading
import time
from pathlib import Path

import pytest

from coterie.core.event import to_line
from coterie.log.file import read_log
from tests.live.conftest import NARROW
from tests.page.test_browser import EVIL, TALK, with_evil

SLOW = "--pace", "3"  # the machine may be busy


def events(folder: Path):
    (log,) = folder.glob("runs/*.jsonl")
    return read_log(log)


def until(ready, seconds=30.0):
    """Wait for something that is so sooner or later."""
    deadline = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture
def expect(browser):
    from playwright.sync_api import expect

    expect.set_options(timeout=40_000)
    return expect


def test_an_episode_is_watched_to_its_end_and_looked_back_at(begin, visit, expect, tmp_path):
    """The one who began it pauses, steps and reads prompts; the other one watches, and reads none."""
    run = begin("run", "pack-objects", "--protocol", "dynahmrc", "--model", "oracle", "--seed", "2", "--live", *SLOW)
    (mine,) = (link for name, link in run.links.items() if name != "watcher")
    page, other = visit(mine), visit(run.links["watcher"], NARROW)
    expect(page.locator("#picture svg")).to_be_visible()
    assert "key" not in page.url and page.context.cookies()[0]["httpOnly"], "the token has left the address"
    page.click("#pause")
    expect(page.locator("#pause")).to_have_text("Go on")
    page.wait_for_timeout(400)
    before = page.locator("#when").inner_text()
    page.wait_for_timeout(600)
    assert page.locator("#when").inner_text() == before, "nothing goes on while it is paused"
    page.click("#one")
    expect(page.locator("#when")).not_to_have_text(before)
    page.select_option("#tempo", "20")
    page.click("#pause")
    expect(page.locator("#verdict")).to_have_text(re.compile("Done in"))
    expect(other.locator("#verdict")).to_have_text(re.compile("Done in"))
    page.locator("#scrub").focus()
    page.keyboard.press("Home")
    expect(page.locator("#when")).to_have_text(re.compile("before the first step"))
    page.locator("body").press("ArrowRight")
    expect(page.locator("#when")).to_have_text(re.compile("^step 0 "))
    prompt = next(e for e in events(tmp_path) if e.kind == "ask" and e.step == 0)
    page.locator(f"[data-robot={prompt.who}] summary", has_text="Asked").first.click()
    said = prompt.data["prompt"][0][1].splitlines()[0]
    expect(page.locator(f"[data-robot={prompt.who}]")).to_contain_text(said)
    page.select_option("#follow", prompt.who)
    whole, near = (page.locator("#picture svg").get_attribute("viewBox") for _ in range(2))
    page.select_option("#follow", "")
    assert page.locator("#picture svg").get_attribute("viewBox") != near == whole
    page.click("#now")
    expect(page.locator("#now")).to_be_hidden()
    other.locator("body").press("Home")
    other.locator("body").press("ArrowRight")
    other.locator(f"[data-robot={prompt.who}] summary", has_text="Asked").first.click()
    expect(other.locator(f"[data-robot={prompt.who}]")).to_contain_text("Only those with the right to see prompts")
    assert said not in other.content() and other.locator("#stop").count() == 0
    assert other.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), "it fits a phone"


class Wire:
    """A line between a browser and a page, which can be cut: `port` leads to that of the page."""

    def __init__(self, to: int):
        self.to, self.open, self.whole = to, list[socket.socket](), True
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                near = self.door.accept()[0]
                if not self.whole:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self.to))
                self.open += [near, far]
                for one, two in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, two), daemon=True).start()

    def _carry(self, one, two):
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                two.sendall(data)
        for end in (one, two):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self):
        self.whole = False
        for end in self.open:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def test_who_loses_the_connection_sees_the_rest(begin, visit, expect, tmp_path):
    run = begin("run", "pack-objects", "--seed", "4", "--live", "--pace", "1")
    link = run.links["watcher"]
    wire = Wire(int(re.search(r":(\d+)/", link)[1]))
    page = visit(re.sub(r":\d+/", f":{wire.port}/", link))
    stays = visit(link)  # so that the page does not end with the run
    expect(page.locator("#picture svg")).to_be_visible()
    wire.cut()
    expect(page.locator("#line")).to_have_text(re.compile("no connection"))
    expect(stays.locator("#verdict")).to_have_text(re.compile("Done in"))
    assert not page.locator("#verdict").inner_text().startswith("Done")
    wire.whole = True
    expect(page.locator("#verdict")).to_have_text(re.compile("Done in"))
    last = max(e.step for e in events(tmp_path) if e.kind == "act")
    assert page.evaluate("coterie.page.data.steps.map((s) => s.n).join()") == ",".join(map(str, range(-1, last + 1)))
    assert page.locator("html").get_attribute("data-rows") == stays.locator("html").get_attribute("data-rows")
    wire.door.close()


def test_a_stop_by_keyboard_takes_effect_and_is_released(begin, visit, expect, tmp_path):
    run = begin("run", "pack-objects", "--seed", "4", "--live", "--pace", "1")
    page = visit(next(iter(run.links.values())))
    expect(page.locator("#picture svg")).to_be_visible()
    page.keyboard.press("Control+.")
    expect(page.locator("#halt")).to_have_text(re.compile(r"Stopped after \d+ ms by .*everybody"))
    until(lambda: any(e.kind == "input" and e.data["kind"] == "stop" for e in events(tmp_path)))
    stop = next(e for e in events(tmp_path) if e.kind == "input" and e.data["kind"] == "stop")
    assert stop.data["via"] == "bell" and stop.data["on"], "the way of `coterie stop`"
    page.click("#release")
    expect(page.locator("#verdict")).to_have_text(re.compile("Done in"))


def test_a_click_is_the_sentence_with_the_rights_of_its_person(begin, visit, expect, tmp_path):
    """The pharmacist may see a proposal and not approve it; the instructor may."""
    words = "mission", "hospital", "--goal", "medkit at alpha", "--seed", "7", "--fault", "missing", "--live"
    run = begin(*words)
    page, other = visit(run.links["instructor"]), visit(run.links["pharmacist"], NARROW)
    watcher = visit(run.links["watcher"])
    other.locator("[data-answer=yes]").first.click()
    expect(other.locator("#words")).to_contain_text("may not approve plans")
    expect(watcher.locator(".offer")).to_contain_text("Spot asks the pharmacist")
    assert watcher.locator(".offer button, #words").count() == 0, "who may only watch sees what is proposed"
    page.locator("[data-answer=ask]").click()
    expect(page.locator("#words")).to_contain_text("plan 2: I could see to it that there is a bandage box at table E")
    expect(watcher.locator("#goals li")).to_contain_text("16 of 25 steps done; next: Fetch looks for the bandage box")
    expect(watcher.locator("#wrongs li").first).to_contain_text("the bandage box is not at table E")
    watcher.locator("body").press("Home")
    expect(watcher.locator("#wanted")).to_be_hidden()
    watcher.locator("body").press("ArrowRight")
    expect(watcher.locator("#goals li")).to_contain_text("1 of 25 steps done")
    expect(watcher.locator("#faults")).to_be_hidden()
    page.locator(".offer summary").first.click()
    expect(page.locator(".offer .plan").first).to_contain_text("Temi delivers the medical caddy to alpha")
    page.locator("[data-answer=yes]").first.click()
    expect(other.locator("#words")).to_contain_text("Could I please have a bandage box?")
    other.locator("#say").fill("Here you are.")
    other.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text(re.compile("Done in"))
    expect(page.locator("#goals")).to_contain_text("done")
    said = [(e.data["person"], e.data["text"]) for e in events(tmp_path) if e.data.get("kind") == "utterance"]
    assert said[1:] == [
        ("pharmacist", "yes 1"),
        ("instructor", "what is the plan?"),
        ("instructor", "yes 1"),
        ("pharmacist", "Here you are."),
    ]
    assert "may not approve plans" not in other.locator("#all").inner_text()


@pytest.mark.long
def test_a_person_of_the_team_plays_a_mission_at_the_page_and_newcomers_join(begin, visit, expect, tmp_path):
    """Ann, who speaks for herself, asks, cannot do a step and does others; nothing goes on while she is waited for."""
    words = "mission", "ward", "--goal", "medkit at alpha", "--fault", "robot:Temi", "--card", "person:Ann"
    run = begin(*words, "--approve", "--live")
    page, ann = visit(run.links["instructor"]), visit(run.links["Ann"], NARROW)

    def say(who, text, answer):
        who.locator("#say").fill(text)
        who.keyboard.press("Enter")
        expect(who.locator("#words li").last).to_contain_text(answer)

    def when():
        return events(tmp_path)[-1].t

    say(ann, "Hello.", "Hello, Ann.")
    asked = ann.locator("#words li.theirs", has_text="Ann, please")
    expect(asked.last).to_contain_text("Ann, please pick up the medical caddy from table G.")
    before = when()
    ann.wait_for_timeout(1500)
    assert when() == before, "it waits for her"
    say(ann, "Where is the medical caddy?", "at table G")
    ann.locator("#say").fill("I cannot.")
    ann.keyboard.press("Enter")
    expect(ann.locator("#words")).to_contain_text("I look for another way")
    expect(page.locator("#words")).to_contain_text("Ann did not manage")
    page.locator("#say").fill("A new person is here: Bob.")
    page.keyboard.press("Enter")
    expect(page.locator("#words")).to_contain_text("Bob joins, and can goto")
    expect(page.locator("#words")).not_to_contain_text("(sending)")
    until(lambda: any(line.startswith("page for Bob: ") for line in run.said))
    bob = visit(next(line for line in run.said if line.startswith("page for Bob: ")).split()[-1], NARROW)
    say(bob, "Where is Ann?", "Ann")
    for words in ("second medical caddy from table G", "pharmacy door", "door of alpha", "deliver"):
        expect(asked.last).to_contain_text(words)
        expect(page.locator("#verdict")).to_have_text("under way")
        ann.locator("#say").fill("Done.")
        ann.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_have_text(re.compile("Done in"))


@pytest.mark.long
def test_people_talk_on_the_page(begin, visit, expect, tmp_path):
    run = begin("talk", "--scene", "hospital", "--folder", str(tmp_path / "room"), "--live")
    assert {"teacher", "nurse", "visitor", "watcher"} <= run.links.keys()
    page, nurse, watcher = (visit(run.links[name]) for name in ("teacher", "nurse", "watcher"))
    expect(page.locator("#picture svg")).to_be_visible()
    until(lambda: page.evaluate("(coterie.me.names || []).length") > 3)
    page.locator("#say").press_sequentially("Where is Tem")
    expect(page.locator("#names-list [role=option]").first).to_have_text("Temi")
    page.keyboard.press("Tab")
    assert page.locator("#say").input_value() == "Where is Temi"
    page.keyboard.press("Enter")
    expect(page.locator("#words li.theirs").first).to_contain_text("Temi")
    nurse.locator("#say").fill("I need a feverkit at beta.")
    nurse.keyboard.press("Enter")
    expect(nurse.locator("#words")).to_contain_text("may not give commands")
    expect(page.locator("#words")).to_contain_text("nurse"), "who began the talk sees all of it"
    assert "Where is Temi" not in nurse.content() and watcher.locator("#say").count() == 0
    page.click("#pause")
    expect(page.locator("#pause")).to_have_text("Go on")
    assert nurse.locator("#pause").count() == 0, "who began it says how fast it goes"
    page.locator("#say").fill("I need a feverkit at beta.")
    page.keyboard.press("Enter")
    expect(page.locator("#goals")).to_contain_text("feverkit")
    page.wait_for_timeout(500)
    before = page.locator("#when").inner_text()
    page.wait_for_timeout(1000)
    assert page.locator("#when").inner_text() == before, "words are heard, and nobody moves"
    page.click("#one")
    expect(page.locator("#when")).not_to_have_text(before)
    page.click("#pause")
    nurse.locator("#stop").focus()
    nurse.keyboard.press("Enter")
    expect(nurse.locator("#halt")).to_have_text(re.compile("Stopped .*by nurse"))
    assert ("nurse", "Stop.") in [
        (e.data["person"], e.data["text"]) for e in events(tmp_path) if e.data.get("kind") == "utterance"
    ]


def test_a_stop_on_the_page_of_a_talk_reaches_drivers_directly(
    begin, visit, expect, tmp_path, serve, folder, monkeypatch
):
    serve("Fetch", "Temi", "Spot")
    monkeypatch.setenv("COTERIE_ROBOTS", str(folder.path))
    words = "talk", "--scene", "hospital", "--folder", str(tmp_path / "room"), "--live", "--drive", "Fetch,Temi,Spot"
    page = visit(begin(*words).links["teacher"])
    expect(page.locator("#picture svg")).to_be_visible()
    with page.expect_response("**/do") as answer:
        page.click("#stop")
    assert {"Fetch", "Temi", "Spot"} <= answer.value.json()["stopped"].keys(), "from the page itself"
    assert {folder.stopped(name) for name in ("Fetch", "Temi", "Spot")} == {"teacher"}
    until(lambda: any(e.data.get("text") == "Stop." for e in events(tmp_path)))
    page.click("#release")
    until(lambda: not any(folder.stopped(name) for name in ("Fetch", "Temi", "Spot")))


@pytest.mark.long
def test_a_person_allows_at_the_page_what_an_agent_proposes(begin, visit, expect, tmp_path, serve, folder):
    """A click on Yes moves the driven robot once; a stop holds it; the page goes on with the agent's next episode."""
    pytest.importorskip("mcp", reason="no agents here: pip install 'coterie[mcp]'")
    from tests.mcp.test_server import Agent, Client

    motors = serve("Alice").stations["Alice"].robot
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    run = begin(
        "mcp", "--http", port, "--live", "--drive", "Alice", "--robots", str(folder.path), "--folder", str(tmp_path)
    )
    page, other = visit(run.links["approver"]), visit(run.links["watcher"], NARROW)
    until(lambda: any(line.startswith(f"http://127.0.0.1:{port}/") for line in run.said))
    address = next(line.strip() for line in run.said if line.startswith(f"http://127.0.0.1:{port}/"))

    def ask(tool, **given):  # the browser's loop of events runs in this thread
        found = []

        async def talk():
            async with Client(address) as client:
                found.append(await Agent(client)(tool, **given))

        thread = threading.Thread(target=lambda: asyncio.run(talk()))
        thread.start()
        thread.join(60)
        return found[0]

    ask("seat_begin", task="pack-objects", robots="Alice", seed=4)
    expect(page.locator("#picture svg")).to_be_visible()
    assert ask("seat_act", robot="Alice", action="navigate(sofa, 0)")["proposed"] == 1
    expect(page.locator(".offer")).to_contain_text("Alice: navigate(sofa")
    assert not motors.did and other.locator("[data-answer]").count() == 0
    page.locator("[data-answer=yes]").click()
    expect(page.locator("#offers")).to_contain_text("allowed")
    until(lambda: motors.did)
    assert ask("seat_look", robot="Alice")["robot"] == "Alice" and len(motors.did) == 1
    ask("seat_act", robot="Alice", action="navigate(sofa, 1)")
    page.locator("[data-answer=no]").click()
    expect(page.locator("#words")).to_contain_text("Refused: 2")
    page.click("#stop")
    until(lambda: folder.stopped("Alice"))
    assert folder.stopped("Alice") == "approver" and len(motors.did) == 1
    page.click("#release")
    until(lambda: not folder.stopped("Alice"))
    ask("seat_end")
    ask("seat_begin", task="pack-objects", robots="Alice", seed=5)
    expect(page.locator("#settings, #all").first).to_contain_text("seed 5")
    expect(other.locator("#verdict")).to_have_text("under way")


def test_a_folder_is_browsed_and_two_runs_compared(begin, visit, expect, tmp_path, log):
    runs = tmp_path / "runs"
    runs.mkdir()
    evil = with_evil(log(**TALK))
    evil[0] = evil[0]._replace(data={**evil[0].data, "config": {**evil[0].data["config"], "protocol": EVIL}})
    for name, some in {"a": log(seed=3), "b": log(seed=5), "<img src=x onerror=alert(1)>": evil}.items():
        (runs / f"{name}.jsonl").write_text("".join(to_line(e) + "\n" for e in some))
    bench = runs / "bench"
    bench.mkdir()
    (bench / "results.jsonl").write_text(
        '{"key": "k", "method": "<b>rules</b>", "success": 1, "ps": 1.0, "steps": 9}\n'
    )
    (bench / "table.md").write_text("# smoke\n\n| method | n |\n| --- | --- |\n| <script>alert(1)</script> | 4 |\n")
    page = visit(begin("serve", "runs").links["watcher"])
    expect(page.locator("#cards li")).to_have_count(3)
    expect(page.locator("section.panel table")).to_contain_text("<b>rules</b>")
    expect(page.locator("details.panel table")).to_contain_text("<script>alert(1)</script>")
    page.locator("#cards a", has_text=EVIL[:20]).click()
    expect(page.locator("html[data-over]")).to_be_attached()
    expect(page.locator("#title")).to_contain_text(EVIL)
    assert page.locator("#picture img, main script, .robot img").count() == 0 and "taken" not in page.title()
    page.go_back()
    page.locator("#filter").fill("expert")
    expect(page.locator("#cards li")).to_have_count(2)
    for box in page.locator("#cards input").all():
        box.check()
    page.click("#both")
    expect(page.locator("#apart")).to_contain_text("They first do something else in step")
    expect(page.locator("#beside tr.other")).not_to_have_count(0)
    page.locator("#both-scrub").fill("3")
    for frame in page.frames[1:]:
        expect(frame.locator("#when")).to_have_text(re.compile("^step 2 "))


def test_a_phone_signs_in_at_a_page_with_a_certificate_that_was_made(begin, visit, expect, tmp_path, monkeypatch):
    """By name and code, where nobody can follow a link."""
    monkeypatch.setenv("COTERIE_CACHE", str(tmp_path / "cache"))
    run = begin("run", "pack-objects", "--seed", "4", "--tls", "--live", *SLOW)
    until(lambda: any("fingerprint" in line for line in run.said))
    who, code = next(m.groups() for line in run.said if (m := re.search(r"sign in at .* as (\S+) with (\S+)", line)))
    page = visit(run.links[who].partition("#")[0], NARROW, ignore_https_errors=True)
    expect(page.locator("main")).to_contain_text("Open the link")
    page.fill("#name", who)
    page.fill("#code", "aaaa-aaaa")
    page.keyboard.press("Enter")
    expect(page.locator("[role=alert]").first).to_contain_text("not valid")
    page.fill("#code", code)
    page.keyboard.press("Enter")
    expect(page.locator("#picture svg")).to_be_visible()
    (cookie,) = page.context.cookies()
    assert cookie["secure"] and cookie["httpOnly"]


@pytest.mark.long
def test_arms_are_shown_in_pictures_while_they_move(begin, visit, expect):
    pytest.importorskip("mujoco", reason="no arms here: pip install 'coterie[arms]'")
    page = visit(begin("run", "sort-cubes", "--seed", "3", "--live", "--pace", "1").links["watcher"])
    film = page.locator("#picture img")
    expect(film).to_be_visible()
    first = film.get_attribute("src")
    assert (
        first.startswith("data:image/jpeg")
        and page.evaluate("document.querySelector('#picture img').naturalWidth") > 200
    )
    until(lambda: film.get_attribute("src") != first, 60)
