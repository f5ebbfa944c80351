"""The page in a real browser: what it shows are the numbers and words of the log, and nothing in a log runs."""

import re

import pytest

from coterie.bench.metrics import episode_metrics
from coterie.core.record import read
from coterie.core.records import ActEvent, AskEvent
from coterie.log.words import action_words
from coterie.page import _digest, content, page

EVIL = "</script><img src=x onerror=alert(1)><script>document.title='taken'</script>"
TALK = {"protocol": "dynahmrc", "model": "oracle", "task": "pack-objects", "seed": 2}


def with_evil(events):
    """The same log with markup wherever a stranger may write words."""
    found = [events[0]._replace(data={**events[0].data, "task": EVIL, "goal_text": EVIL})]
    for e in events[1:]:
        keys = {"say": "text", "message": "text", "reply": "text", "outcome": "reason"}.get(e.kind)
        found.append(e._replace(data={**e.data, keys: e.data[keys] + EVIL}) if keys else e)
    return found


def test_a_browser_shows_the_numbers_of_the_log(log, browse):
    events = log(**TALK)
    html = page(content(events))
    seen, numbers = browse(html, "#step=6+all"), episode_metrics(events)
    assert seen.ready, "the script ran to its end"
    assert seen.figures["success"] == ("yes" if numbers["success"] else "no")
    assert {k: int(seen.figures[k]) for k in ("steps", "calls", "tokens", "failed")} == {
        k: numbers[k] for k in ("steps", "calls", "tokens", "failed")
    }
    assert int(seen.figures["messages"]) == sum(e.kind == "message" for e in events)
    assert seen.text["when"].startswith("step 6 ")
    done = [(e.who, read(ActEvent, e)) for e in events if e.kind == "act" and e.step == 6]
    assert {who for who, _ in done} == set(seen.cards)
    for who, act in done:
        assert action_words(act.skill, act.args) in seen.cards[who]
    for event in events:
        if event.kind == "ask" and event.step == 6:
            for _, text in read(AskEvent, event).prompt:
                assert text in seen.cards[event.who]
    assert "svg" in seen.tags and "Knows" in seen.cards["Alice"]


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(
            {"task": "tidy", "scene": "rooms:3", "level": "1", "seed": 3, "protocol": "heuristic"},
            marks=pytest.mark.long,
        ),
        {"task": "medkit", "protocol": "mission", "synchronous": False, "seed": 7},
    ],
)
def test_so_it_does_of_houses_and_hospitals(quick, log, browse, options):
    events = log(**options)
    html, numbers = page(content(events)), episode_metrics(events)
    assert len(html.encode()) < 1_000_000
    seen = browse(html, "#step=3")
    assert seen.ready, "the script ran to its end"
    told = {k: seen.figures[k] for k in ("steps", "failed", "messages", "as", "ps")}
    wanted = {k: str(numbers[k]) for k in ("steps", "failed", "messages")}
    assert told == {**wanted, "as": f"{numbers['as']:.2f}", "ps": f"{round(100 * numbers['ps'])} %"}
    assert seen.figures.get("talk", "0") == str(numbers["said"])
    assert seen.text["when"].startswith("step 3 ") and set(seen.cards) == set(numbers["robots"])


def test_what_stands_in_a_log_is_text_and_nothing_else(log, browse):
    html = page(content(with_evil(log(**TALK))))
    assert html.count("<script") == 2 and "<img" not in html
    seen = browse(html, "#step=0+all")
    assert seen.ready and "img" not in seen.tags and seen.tags.count("script") == 2
    assert EVIL in seen.text["title"] and EVIL in seen.text["goal"] and EVIL in seen.text["hits"]
    assert any(EVIL in words for words in seen.cards.values())


def test_keys_and_search(log, browse):
    """Keys are pressed by a line at the end of the page's own script, whose digest the policy then has to name."""
    told = content(log(**TALK))
    html, last = page(told), told["steps"][-1]["n"]
    script = re.findall(r"<script>(.*?)</script>", html, re.S)[0]
    keys = """
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
press("End"); press("ArrowLeft"); press("ArrowLeft");
document.getElementById("search").value = "VOTE FOR";
document.getElementById("search").dispatchEvent(new Event("input"));
"""
    seen = browse(html.replace(script, script + keys).replace(_digest(script), _digest(script + keys)))
    assert seen.text["when"].startswith(f"step {last - 2} ")
    assert seen.text["hits"].count("I vote for") == 3 and "Plan:" not in seen.text["hits"]
    moved = keys.replace('press("ArrowLeft")', 'press("ArrowRight")').replace('press("End");', 'press(" ");')
    seen = browse(html.replace(script, script + moved).replace(_digest(script), _digest(script + moved)))
    assert seen.text["when"].startswith("step 1 "), "arrows stop the play that space began"
    unknown = browse(html.replace(script, script + keys))
    assert not unknown.ready, "a script that the page does not name does not run"
