"""What events say, by name: every line of a log survives it unchanged, and a damaged one is named."""

from dataclasses import fields
from pathlib import Path

import pytest

from coterie.core.action import Cause
from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.core.event import Event, from_line, to_line
from coterie.core.record import read
from coterie.core.records import (
    KINDS,
    ActEvent,
    AskEvent,
    ChangeEvent,
    EndEvent,
    MessageEvent,
    OptionEvent,
    OutcomeEvent,
    RefusedEvent,
    ReplyEvent,
    SeeEvent,
    StartEvent,
    StatusEvent,
    TruthEvent,
    typed,
)  # fmt: skip
from coterie.episode.play import play
from examples import yard
from tests import yard as tiny

PLAYED = [
    {"protocol": "rules", "changes": ("cto@3",), "guard": True, "noise": "slip=0.3"},
    {"protocol": "dynahmrc", "model": "oracle", "team": "Ma-MoMa", "changes": ("anc@3:UAV",)},
    {"protocol": "dynahmrc", "model": "oracle", "team": "Ma-Mo-UAV", "seed": 3},
    {"protocol": "expert", "changes": ("irz@3",), "synchronous": False},
]


def logs():
    yield tiny.play(yard.Tidier, yard.yard_task(changes=(yard.stranger_joins(2),))).log
    yield tiny.play(yard.Foreman).log
    yield play(Config(seed=5, level="easy", radio="loss=0.5")).log
    for config in PLAYED:
        yield play(Config(**config)).log
    yield play(Config(task="tidy", scene="rooms:1:2", seed=2)).log


def test_every_line_of_a_log_survives_in_memory_and_from_a_file():
    met = set()
    for log in logs():
        for event in log.events:
            line = to_line(event)
            for e in (event, from_line(line)):
                told = typed(e)
                assert to_line(e._replace(data=told.data())) == line
            if event.kind in ("act", "outcome", "end", "status"):
                assert typed(event) == typed(from_line(line))
            met.add(event.kind)
    assert set(KINDS) - met <= {"memo", "leave", "refused", "input", "rewind", "mission", "did"}, (
        "all kinds that these worlds write without a memo"
    )


@pytest.mark.parametrize(
    "told, data",
    [
        (ActEvent("pick", ("cup",)), {"skill": "pick", "args": ("cup",)}),
        (ActEvent("pick", ("cup",), "why not"), {"skill": "pick", "args": ("cup",), "why": "why not"}),
        (AskEvent("HMRC", 0, (), 7), {"stage": "HMRC", "attempt": 0, "prompt": (), "seed": 7}),
        (ReplyEvent("yes", 3, 1), {"text": "yes", "tokens_in": 3, "tokens_out": 1, "error": ""}),
        (OptionEvent("walk", "begun"), {"name": "walk", "state": "begun"}),
        (OptionEvent("walk", "ended", None), {"name": "walk", "state": "ended", "why": None}),
        (MessageEvent(("all",), "hello"), {"to": ("all",), "text": "hello", "facts": ()}),
        (ChangeEvent("leave", robot="Bob", bites=True), {"kind": "leave", "bites": True, "robot": "Bob"}),
        (
            OutcomeEvent("pick(cup)", "failed", "too far", 1.5, Cause("reach", ("gap", ("Bob", "cup"), 1.2), "during")),
            {
                "action": "pick(cup)",
                "status": "failed",
                "reason": "too far",
                "took": 1.5,
                "cause": {"clause": "reach", "fact": ["gap", ["Bob", "cup"], 1.2], "moment": "during"},
            },
        ),
    ],
    ids=lambda v: type(v).__name__,
)
def test_who_writes_through_the_classes_writes_the_same_line(told, data):
    assert told.data() == data and list(told.data()) == list(data)


@pytest.mark.parametrize("cause", [{"clause": "reach", "fact": ["gap", ["Bob", "cup"], 1.2], "moment": "during"}, None])
@pytest.mark.parametrize("kind", ["outcome", "refused"])
def test_a_cause_is_read_as_data(kind, cause):
    data = {"action": {"skill": "pick", "args": ["cup"]}, "status": "failed", "reason": "too far", "cause": cause}
    told = typed(Event(3, 0, 0.0, kind, "Bob", data))
    assert told.cause == (cause and Cause("reach", ("gap", ("Bob", "cup"), 1.2), "during"))
    assert to_line(Event(3, 0, 0.0, kind, "Bob", told.data())) == to_line(Event(3, 0, 0.0, kind, "Bob", data))


def test_keys_and_kinds_yet_to_come_are_kept_and_do_no_harm():
    event = Event(3, 0, 0.0, "act", "Bob", {"mood": "good", "skill": "wait", "args": [], "zeal": 3})
    assert read(ActEvent, event).raw["zeal"] == 3
    assert list(read(ActEvent, event).data()) == ["mood", "skill", "args", "zeal"]
    applause = Event(4, 0, 0.0, "applause", "all", {"loud": True})
    assert typed(applause) is applause


@pytest.mark.parametrize(
    "cls, data",
    [
        (ActEvent, {"skill": "wait"}),
        (ActEvent, {"skill": "wait", "args": None}),
        (OutcomeEvent, {"status": "done", "reason": ""}),
        (OutcomeEvent, {"action": "", "status": "failed", "reason": "", "cause": ["reach"]}),
        (StatusEvent, {"done": True, "partial": "half", "text": ""}),
        (ChangeEvent, {"kind": "goal"}),
        (ChangeEvent, {}),
        (EndEvent, {"success": True}),
        (SeeEvent, {}),
        (TruthEvent, {}),
        (RefusedEvent, {"reason": ""}),
        (StartEvent, {"robots": {"Bob": {}}}),
        (MessageEvent, {"to": []}),
    ],
)
def test_a_damaged_event_is_named_by_its_line(cls, data):
    kind = next(k for k, c in KINDS.items() if c is cls)
    with pytest.raises(CoterieError, match=rf"Line 8 of the log \('{kind}'\) is damaged"):
        read(cls, Event(7, 0, 0.0, kind, "Bob", data))


def rows():
    """The table of docs/logs.md, from the classes."""
    for kind, cls in KINDS.items():
        mine = [f.name for f in fields(cls) if f.name != "raw"]
        keys = [f"*{n}*" if n in cls.SPARSE else n for n in mine]
        yield f"| `{kind}` | {cls.WHO} | {', '.join(keys)} | {cls.__doc__.strip().splitlines()[0]} |".replace(
            "|  |", "| |"
        )


def test_the_table_in_the_documents_is_what_the_classes_say():
    text = (Path(__file__).parents[2] / "docs" / "logs.md").read_text(encoding="utf-8")
    table = [line for line in text.splitlines() if line.startswith("| `")]
    assert table == list(rows())
