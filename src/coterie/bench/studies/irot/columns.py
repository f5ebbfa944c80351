"""Columns that only a stranger's log has: its body, how it judged what is misplaced, what became of its plans, and what
became of every misplaced thing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from coterie.bench.studies.irot.typed import column
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.event import Event
from coterie.houses.model import ROOM_KINDS
from coterie.houses.placement import belongs

_TASK = re.compile(r"^task: ", re.M)
_NAME = re.compile(r"^(\w+) \(\w+\) on ", re.M)
_PLAN = re.compile(r"^Task: Re-place <([^<>]+)> <([^<>]+)> <([^<>]+)>", re.M)  # of who negotiates
_REPLACE = re.compile(r"^task: Re-place <([^<>]+)>", re.M)
_HOME = re.compile(r"^(?:intention|task): Re-place <([^<>]+)> <([^<>]+)> <([^<>]+)>", re.M)
CLAUSES = ("no_arm", "too_heavy", "arm", "lacks_skill")  # for which nobody can take a thing with this body


def columns(events: Sequence[Event]) -> dict[str, Any]:
    config = events[0].data["config"]
    if config.get("task") != "tidy":
        return {}
    astray = _astray(config)
    found: dict[str, Any] = {}
    strangers = {e.who: e.data["card"] for e in events if e.kind == "join" and e.data.get("party", "") != ""}
    if strangers:
        card = next(iter(strangers.values()))
        found["stranger"] = {
            "arm": _has_arm(card), "battery": _of(card, "battery_steps"), "kg": _of(card, "payload_kg"),
        }  # fmt: skip
        typed = column(events)
        found |= {"typed": typed} if typed is not None else {}
        found["plans"] = _plans(events, strangers)
        if astray is not None:
            found["judged"] = _judged(events, set(strangers), set(astray))
    judges = {e.who for e in events if e.kind == "ask" and e.data["stage"] == "SEE"} - set(strangers)
    if astray is not None and judges:
        found["judged_by_team"] = _judged(events, judges, set(astray))
    if astray is not None:
        found["fates"] = dict(Counter(_fates(events, astray).values()))
    return found


def _of(card: Any, name: str) -> Any:
    """A field of a card, or of a cause, which is a table in a log that was read."""
    return card.get(name) if isinstance(card, dict) else getattr(card, name)


def _has_arm(card: Any) -> bool:
    return "PickUp" in (_of(card, "skills") or ())


def _astray(config: dict[str, Any]) -> tuple[str, ...] | None:
    names = ("scene", "level", "team", "seed")
    return _drawn(*(config[n] for n in names)) if all(n in config for n in names) else None


@lru_cache(maxsize=4096)
def _drawn(scene: str, level: str, team: str, seed: int) -> tuple[str, ...] | None:
    """The misplaced things; None where the task cannot be drawn again."""
    from coterie.worlds.household.tasks.tidy import draw_tidy

    try:
        task = draw_tidy(Config(task="tidy", scene=scene, level=level, team=team, seed=seed))
    except CoterieError:
        return None
    return tuple(task.setting.misplaced)


def _plans(events: Sequence[Event], strangers: dict[str, Any]) -> dict[str, int]:
    """Sub-tasks that strangers took on, and those of them that were none for this robot: beyond its ability, or another
    robot was at it. Also how often something intended was turned down. `strangers`: each with its card."""
    from coterie.protocols.heuristic.adapter import REPLACE, read  # not for every run: it brings much with it

    found = Counter(sub_tasks=0, beyond_ability=0, others_at_it=0, turned_down=0)
    at: dict[str, str] = {}  # teammate -> the thing that it re-places or holds
    for e in events:
        if e.kind == "say" and e.who in strangers:
            found["sub_tasks"] += bool(_TASK.search(e.data["text"]))
            if (named := _REPLACE.search(e.data["text"])) and not _has_arm(strangers[e.who]):
                found["beyond_ability"] += 1
            elif named and named[1] in at.values():
                found["others_at_it"] += 1
        elif e.kind == "say":
            told = read(e.data["text"], e.who)
            if told.subtask is not None:
                at[e.who] = told.subtask.args[0] if told.subtask.name == REPLACE and told.subtask.args else ""
            if told.holding:
                at[e.who] = told.holding
        elif e.kind == "reply" and e.who in strangers:
            found["turned_down"] += bool(re.search(r"\[judgement\]\s*no\b", e.data["text"]))
        elif e.kind == "outcome" and e.who in strangers:
            clause = _of(e.data.get("cause") or {}, "clause")
            found["beyond_ability"] += str(e.data["action"]).startswith("PickUp") and clause in CLAUSES
    return dict(found)


def _judged(events: Sequence[Event], judges: set[str], astray: set[str]) -> dict[str, int]:
    """Of the things that some robots were asked about: rightly and wrongly called misplaced, and missed. The last word
    counts that was said while a thing lay where it lay at first. Of the homes that they named for things which they
    intended to re-place: those where such a thing belongs by the table, and the others."""
    moved: set[str] = set()
    asked: dict[int, list[str]] = {}
    verdict: dict[str, bool] = {}
    homes: dict[tuple[str, str, str], bool] = {}
    for e in events:
        if e.kind == "did" and e.data.get("skill") == "PickUp" and e.data.get("args"):
            moved.add(e.data["args"][0])
        elif e.kind == "ask" and e.who in judges and e.data["stage"] == "SEE":
            asked[e.seq] = [name for name in _NAME.findall(e.data["prompt"][1][1]) if name not in moved]
        elif e.kind == "reply" and e.causes and e.causes[0] in asked:
            said = set(re.findall(r"[a-z]\w*_\d+", e.data["text"].rpartition("[misplaced]")[2]))
            verdict.update({name: name in said for name in asked[e.causes[0]]})
        elif e.kind == "reply" and e.who in judges:
            homes.update({home: _fits(*home) for home in _PLAN.findall(e.data["text"])})
        elif e.kind == "say" and e.who in judges:
            homes.update({home: _fits(*home) for home in _HOME.findall(e.data["text"])})
    found = Counter(right=0, wrong=0, missed=0, home_right=0, home_wrong=0)
    for name, wrong_place in verdict.items():
        truly = name in astray
        found["right"] += wrong_place and truly
        found["wrong"] += wrong_place and not truly
        found["missed"] += truly and not wrong_place
    found["home_right"], found["home_wrong"] = sum(homes.values()), sum(not fits for fits in homes.values())
    return dict(found)


def _fits(thing: str, receptacle: str, room: str) -> bool:
    """True if a thing belongs on such a receptacle in such a room; a room that is no kind of rooms may be any."""
    from coterie.worlds.household.knowledge.graph import kind_by_name  # which needs numpy

    kind = kind_by_name(thing)
    return any(belongs(kind, receptacle, r) for r in ([room] if room in ROOM_KINDS else ROOM_KINDS))


def _fates(events: Sequence[Event], astray: Sequence[str]) -> dict[str, str]:
    """The fate of each misplaced thing: never seen, seen and never taken, in a hand at the end, put down (and
    if that was right, the episode's score says)."""
    seen: set[str] = set()
    taken: dict[str, str] = {}
    for e in events:
        if e.kind == "see":
            seen.update(name for name in e.data.get("saw", {}).get("spot", {}))
            seen.update(f[1][0] for f in e.data.get("facts", ()) if f[0] == "spot")
        elif e.kind == "did" and e.data.get("skill") in ("PickUp", "PutDown", "Drop"):
            if e.data["skill"] == "PickUp":
                taken[str(e.data["args"][0])] = e.who
            else:
                for name in [n for n, who in taken.items() if who == e.who]:
                    taken[name] = ""
    words = {}
    for name in astray:
        if name in taken:
            words[name] = "in a hand" if taken[name] else "put down"
        else:
            words[name] = "seen, not taken" if name in seen else "never seen"
    return words
