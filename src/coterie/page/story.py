"""Entries for each step, in the order of the log: decisions, prompts, replies, talk, changes, what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from coterie.core import records as log
from coterie.core.event import Event
from coterie.core.protocol import stage_words
from coterie.core.visible import visible, visible_lines
from coterie.log.fold import reading
from coterie.log.words import SAID, action_words, change_words, gone_words, in_confidence
from coterie.mission.story import PLAIN
from coterie.page.scenery import Pool

Entry = dict[str, Any]


class Story:
    """Turns events into entries. `k` is the kind of an entry, `w` whose it is; the rest depends on the kind."""

    def __init__(self, lines: Pool, protocol: str = ""):
        self.lines, self.protocol = lines, protocol
        self._acts: dict[int, Entry] = {}  # by the number of the event
        self._asks: dict[int, Entry] = {}
        self._talk: dict[int, Entry] = {}

    def entries(self, event: Event, frame: int) -> list[Entry]:
        """The entries of an event; some only complete an entry that is there already."""
        kind = log.KINDS.get(event.kind)
        tell = getattr(self, f"_{event.kind}", None)
        if kind is None or tell is None:
            return []
        with reading(event):
            found = tell(event, kind.from_event(event), frame)
        return [] if found is None else [found]

    def _text(self, text: str) -> list[int]:
        return [self.lines.id(row) for row in visible_lines(str(text)).split("\n")]

    # -- decisions ----------------------------------------------------------------------------------------------------
    def _ask(self, event: Event, told: log.AskEvent, frame: int) -> Entry:
        prompt = [[visible(str(role)), *self._text(text)] for role, text in told.prompt]
        entry = _entry("ask", event.who, stage=told.stage, p=prompt)
        meant = stage_words(self.protocol, told.stage)
        if meant:
            entry["meant"] = visible(meant)
        if told.attempt:
            entry["again"] = told.attempt
        self._asks[event.seq] = entry
        return entry

    def _reply(self, event: Event, told: log.ReplyEvent, frame: int) -> None:
        entry = self._asks.get(event.causes[0]) if event.causes else None
        if entry is not None:
            entry |= {"r": self._text(told.text), "n": [told.tokens_in, told.tokens_out]}
            if told.error:
                entry["error"] = visible(str(told.error))

    def _act(self, event: Event, told: log.ActEvent, frame: int) -> Entry:
        entry = _act(event.who, told.skill, told.args, told.why)
        if told.origin:
            entry["origin"] = visible(told.origin)
        self._acts[event.seq] = entry
        return entry

    def _outcome(self, event: Event, told: log.OutcomeEvent, frame: int) -> None:
        """It completes the action; `e` is the frame in which that ended."""
        entry = self._acts.get(event.causes[0]) if event.causes else None
        if entry is not None:
            entry |= {"o": visible(told.status), "x": visible(told.reason), "e": frame}

    def _did(self, event: Event, told: log.DidEvent, frame: int) -> Entry:
        return _act(event.who, told.skill, told.args, told.why) | {"o": "done", "e": frame}

    def _refused(self, event: Event, told: log.RefusedEvent, frame: int) -> Entry:
        return _entry("refused", event.who, a=action_words(told.skill, told.args), x=told.reason)

    def _option(self, event: Event, told: log.OptionEvent, frame: int) -> Entry:
        why = f": {told.why}" if told.why else ""
        return _entry("note", event.who, x=f"option {told.name} {told.state}{why}")

    # -- talk ---------------------------------------------------------------------------------------------------------
    def _message(self, event: Event, told: log.MessageEvent, frame: int) -> Entry:
        return self._spoken(event, told)

    def _say(self, event: Event, told: log.SayEvent, frame: int) -> Entry:
        return self._spoken(event, told) | {"in": 1}

    def _spoken(self, event: Event, told: log.MessageEvent) -> Entry:
        self._talk[event.seq] = entry = _entry("say", event.who) | {"x": visible_lines(str(told.text))}
        entry["to"] = [visible(str(name)) for name in told.to]
        return entry

    def _radio(self, event: Event, told: log.RadioEvent, frame: int) -> Entry | None:
        if told.heard:
            return _entry("note", event.who, x=f"heard {told.heard} at last, after {told.tries} tries")
        entry = self._talk.get(event.causes[0]) if event.causes else None
        if entry is not None and told.missed:
            entry["missed"] = {visible(str(n)): visible(str(why)) for why, names in told.missed.items() for n in names}
        return None

    # -- what concerns everybody --------------------------------------------------------------------------------------
    def _change(self, event: Event, told: log.ChangeEvent, frame: int) -> Entry:
        return _entry("news", "", x=change_words(told))

    def _join(self, event: Event, told: log.JoinEvent, frame: int) -> Entry | None:
        return _entry("note", event.who, x="is here") if frame else None

    def _leave(self, event: Event, told: log.LeaveEvent, frame: int) -> Entry:
        return _entry("news", "", x=gone_words(event.who, told.dropped)) | {"bad": 1}

    def _rewind(self, event: Event, told: log.RewindEvent, frame: int) -> Entry:
        return _entry("news", "", x="Everything is as it was at first" + (f": {told.why}" if told.why else "."))

    def _status(self, event: Event, told: log.StatusEvent, frame: int) -> Entry:
        return _entry("status", "", x=told.text) | {"ps": told.partial}

    def _memo(self, event: Event, told: log.MemoEvent, frame: int) -> Entry:
        words = told.words or told.reason or told.why or ("A solved task is found." if told.found else "None found.")
        return _entry("note", "memo", x=words)

    def _mission(self, event: Event, told: log.MissionEvent, frame: int) -> Entry | None:
        what, data = told.what, event.data
        if what in SAID:
            who, to = (
                ("mission", str(data.get("to", ""))) if what == "tell" else (str(data.get("person", "")), "mission")
            )
            return _entry("say", who) | {"x": visible_lines(str(data.get("text", ""))), "to": [visible(to)]}
        if what in ("failure", "failed"):
            return _entry("news", "", x=f"{what}: {data.get('words') or data.get('why', '')}") | {"bad": 1}
        if what in PLAIN and not in_confidence(event):
            with suppress(LookupError):  # of another version, perhaps, which tells less
                return _entry("note", "mission", x=PLAIN[what].format(**data))
        return None

    def _input(self, event: Event, told: log.InputEvent, frame: int) -> Entry | None:
        if told.kind == "stop":
            whom = "everybody" if "all" in told.names else ", ".join(told.names)
            return _entry("news", "", x=f"{told.by} {'stops' if told.on else 'releases'} {whom}")
        if told.kind == "standing":
            words = f"stopped by {told.stopped}" if told.stopped else "can be reached and may move"
            entry = _entry("news", "", x=f"{told.robot}: {words if told.there else f'out of contact: {told.why}'}")
            return entry if told.there else entry | {"bad": 1}
        return None


def _entry(kind: str, who: str, **more: Any) -> Entry:
    return {"k": kind, "w": visible(who), **{k: visible(v) if isinstance(v, str) else v for k, v in more.items()}}


def _act(who: str, skill: str, args: Sequence[Any], why: str) -> Entry:
    entry = _entry("act", who, s=skill, a=action_words(skill, args))
    return entry | {"y": visible(why)} if why else entry
