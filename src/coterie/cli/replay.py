"""`coterie replay`: an episode told again from its log, step by step, down to the exact prompts."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.cli.options import add_command
from coterie.cli.out import DONE, console, say_json, say_result
from coterie.cli.show import Lines, line, title
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.event import Event
from coterie.core.record import DAMAGE, read
from coterie.core.records import AskEvent, ChangeEvent, EndEvent, ReplyEvent, StartEvent
from coterie.core.visible import visible_lines
from coterie.log.file import read_log
from coterie.log.words import action_words

if TYPE_CHECKING:
    from rich.text import Text

    from coterie.cli.terminal import Terminal


def add(commands: Any) -> None:
    add_command(commands, "replay", replay)


def replay(args: argparse.Namespace) -> int:
    from coterie.cli.drawing import check_folder, check_pictures
    from coterie.episode.setup import load_plugins

    load_plugins(args.load)
    args.log = args.logs[0]
    if args.lerobot is not None:
        return _dataset(args)
    if len(args.logs) > 1:
        raise CoterieError("One log is told at a time; several make a dataset (--lerobot FOLDER).")
    check_pictures(args.picture, args.gif, args.html)
    check_folder(args.mcap)
    if args.gif is not None and args.step is not None:
        raise CoterieError("--gif shows the whole episode; leave --step out, or take --picture for one step.")
    if args.html is not None and (args.step is not None or args.robot is not None):
        raise CoterieError("--html shows the whole episode and all robots; leave --step and --robot out.")
    if args.json and (args.prompt or args.picture or args.gif or args.html or args.mcap):
        raise CoterieError("--json tells the episode; leave --prompt and files out.")
    if args.mcap is not None:
        from coterie.export.foxglove import check_mcap_path

        check_mcap_path(args.mcap)
    if args.camera is not None and not (args.picture or args.gif or args.html):
        raise CoterieError("--camera says from where arms are shown: give --gif, --picture or --html, too.")
    events = read_log(args.log)
    with of_this_log(args.log):
        if args.camera is not None:
            events = _from(args.camera, events)
        return _replay(args, events)


def _dataset(args: argparse.Namespace) -> int:
    from coterie.export.lerobot import save_lerobot

    given = ("step", "robot", "prompt", "picture", "gif", "html", "mcap", "camera")
    if odd := [name for name in given if getattr(args, name) not in (None, False)]:
        raise CoterieError(f"--lerobot makes a dataset of whole logs; leave --{odd[0]} out.")
    with of_this_log(args.log):
        made = save_lerobot(args.logs, args.lerobot)
    words = f"lerobot  {args.lerobot}  ({made['episodes']} episodes, {made['frames']} frames)"
    say_result(args.json, words, lerobot=str(args.lerobot), **made)
    return DONE


def _from(camera: str, events: Sequence[Event]) -> list[Event]:
    """The same episode, shown from elsewhere."""
    from coterie.worlds import pictures_of

    first = events[0]
    if not getattr(pictures_of(first.data), "cameras", False):
        raise CoterieError("--camera says from where arms at a table are shown; this log is of another world.")
    config = {**first.data.get("config", {}), "camera": camera}
    return [first._replace(data={**first.data, "config": config}), *events[1:]]


@contextmanager
def of_this_log(path: Path) -> Iterator[None]:
    """A log may come from anybody: what its lines do not hold is said of them, and not blamed on the reader."""
    try:
        yield
    except DAMAGE as err:
        raise CoterieError(f"'{path}' is damaged, or was made by something else: {type(err).__name__}, {err}.") from err


def _replay(args: argparse.Namespace, events: Sequence[Event]) -> int:
    from coterie.cli.drawing import drawing
    from coterie.worlds import pictures_of

    _check(args, events)
    out = console()
    if args.json:
        return _json(events, args)
    if args.prompt:
        _prompts(out, events, args)
    elif args.robot is not None or not any(
        (args.picture, args.gif, args.html, args.mcap, args.trajectories, args.viewer)
    ):
        _tell(out, events, args)
    if args.picture is not None:
        draws = pictures_of(events[0].data)
        if args.robot is not None:
            made = draws.beside(events, args.picture, args.robot, args.step)
        elif args.step is None:
            made = draws.overview(events, args.picture)
        else:
            made = draws.picture(events, args.picture, args.step)
        out.print(line(f"picture  {made}"), soft_wrap=True)
    if args.gif is not None:
        with drawing(args.gif):
            film = pictures_of(events[0].data).gif(events, args.gif)
        out.print(line(f"gif  {film}"), soft_wrap=True)
    if args.html is not None:
        _page(out, events, args.html)
    if args.mcap is not None:
        from coterie.export.foxglove import save_mcap

        save_mcap(events, args.mcap)
        size = args.mcap.stat().st_size / 1e6
        out.print(line(f"mcap  {args.mcap}  ({size:.2f} MB), and {args.mcap.stem}.layout.json"), soft_wrap=True)
    if args.trajectories is not None:
        save = getattr(pictures_of(events[0].data), "trajectories", None)
        if save is None:
            raise CoterieError("--trajectories are those of arms at a table; this log is of another world.")
        for made in save(events, args.trajectories):
            out.print(line(f"trajectory  {made}"), soft_wrap=True)
    if args.viewer:
        view = getattr(pictures_of(events[0].data), "view", None)
        if view is None:
            raise CoterieError("--viewer shows arms at a table; this log is of another world.")
        view(events)
    return DONE


def _page(out: Terminal, events: Sequence[Event], path: Path) -> None:
    from coterie.cli.drawing import drawing
    from coterie.page import save_page

    with drawing(path):
        page = save_page(events, path)
    out.print(line(f"page  {page.path}  ({page.size_bytes / 1e6:.2f} MB)"), soft_wrap=True)
    if page.without:
        out.print(line((f"It has no pictures: {page.without}", "yellow")), soft_wrap=True)


def _check(args: argparse.Namespace, events: Sequence[Event]) -> None:
    from coterie.log.fold import no_such_step, state_at

    last = state_at(events)  # also finds out whether the log can be read to its end
    if args.step is not None and not 0 <= args.step <= last.step:
        raise no_such_step(args.step, last.step)
    if args.robot is not None and args.robot not in last.robots:
        raise unknown_name("robot", args.robot, last.robots, "This log has no others.")


def _tell(out: Terminal, events: Sequence[Event], args: argparse.Namespace) -> None:
    start = read(StartEvent, events[0])
    out.print(title(start, f"Coterie {start.version or None}"))
    out.print(_goal(events, args.step))
    for text in Lines(start, args.robot, args.step).of(events[1:]):
        out.print(text)
    if args.step is None and args.robot is None:
        _ending(out, events, args.log)


def _json(events: Sequence[Event], args: argparse.Namespace) -> int:
    """The episode and the causes of failures, as one object."""
    from coterie.cli.score import missed_words
    from coterie.log.fold import moments, opened

    start = read(StartEvent, events[0])
    end = read(EndEvent, events[-1]) if events[-1].kind == "end" else None
    acts = [a for moment in moments(opened(events), events) for a in (*moment.acts, *moment.refused)]
    failed = [a for a in acts if a.status not in ("", "done") and args.robot in (None, a.robot)]
    found = {
        "task": start.task,
        "goal": str(_goal(events, args.step)).partition("  ")[2],
        "success": end is not None and end.success,
        "status": end.status if end is not None else "the log ends before the episode does",
        "steps": end.steps if end is not None else events[-1].step,
        "missed": missed_words(events) if end is not None else [],
        "failures": [
            {"step": a.step, "robot": a.robot, "action": action_words(a.skill, a.args), "status": a.status}
            | {"reason": a.reason, "cause": a.cause.to_json() if a.cause is not None else None}
            for a in failed
            if args.step in (None, a.step)
        ],
        "told": [text.plain for text in Lines(start, args.robot, args.step).of(events[1:])],
    }
    say_json(found)
    return DONE


def _goal(events: Sequence[Event], step: int | None) -> Text:
    """The goal at the beginning, or the one that was in force in a step."""
    from coterie.log.fold import state_at

    if step is None:
        return line(("goal  ", "dim"), read(StartEvent, events[0]).goal_text)
    changes = [e for e in events if e.kind == "change" and e.step <= step]
    changed = [e.step for e in changes if read(ChangeEvent, e).kind == "goal"]
    since = f"goal since step {changed[-1]}  " if changed else "goal  "
    return line((since, "dim"), state_at(events, step).goal_text)


def _ending(out: Terminal, events: Sequence[Event], log: Path) -> None:
    from coterie.cli.score import missed_words, unfired_words

    last = events[-1]
    if last.kind != "end":
        words = f"The log ends in step {last.step}, before the episode does. Go on with: coterie run --resume {log}"
        if read(StartEvent, events[0]).config.get("load"):
            words += " and the files it was made with (--load). They are code: do so only if you trust them."
        out.print(line((words, "yellow")), soft_wrap=True)
        return
    end = read(EndEvent, last)
    words = "Done" if end.success else f"Not achieved ({end.status})"
    out.print(line((f"{words} after {end.steps} steps, {round(100 * end.partial)} % of the goal.", "bold")))
    for words in missed_words(events):
        out.print(line((words, "yellow")), soft_wrap=True)
    for words in unfired_words(end.unfired):
        out.print(line((words, "yellow")))


def _prompts(out: Terminal, events: Sequence[Event], args: argparse.Namespace) -> None:
    """Asks and replies, as they went over the wire."""
    from coterie.core.protocol import stage_words

    replies = {e.causes[0]: e for e in events if e.kind == "reply" and e.causes}
    protocol = str(read(StartEvent, events[0]).config.get("protocol", ""))
    shown = 0
    for event in events:
        if event.kind != "ask" or args.robot not in (None, event.who) or args.step not in (None, event.step):
            continue
        shown += 1
        ask = read(AskEvent, event)
        meant = stage_words(protocol, ask.stage)
        stage = f"{ask.stage} ({meant})" if meant else ask.stage
        again = f", attempt {ask.attempt}" if ask.attempt else ""
        out.rule(line(f"step {event.step}: {event.who}, stage {stage}{again}, seed {ask.seed}"), align="left")
        for role, text in ask.prompt:
            _verbatim(out, role, text)
        if event.seq not in replies:
            out.print(line(("The log ends before the reply.", "yellow")))
            continue
        reply = read(ReplyEvent, replies[event.seq])
        _verbatim(out, f"reply ({reply.tokens_in} tokens in, {reply.tokens_out} out)", reply.text)
        if reply.error:
            out.print(line((f"error: {reply.error}", "red")))
    if not shown:
        raise CoterieError(_nobody(events, args))


def _verbatim(out: Terminal, heading: str, text: str) -> None:
    """Line by line as it stands in the log; what would steer a terminal is shown, not done."""
    out.print(line((f"[{heading}]", "bold")))
    out.print(visible_lines(text), soft_wrap=True)
    out.print()


def _nobody(events: Sequence[Event], args: argparse.Namespace) -> str:
    asked = sorted({e.step for e in events if e.kind == "ask" and args.robot in (None, e.who)})
    who = args.robot or "Nobody"
    if not asked:
        subject = f"{who} never asked a model" if args.robot else "Nobody asked a model"
        return f"{subject} in this log; its protocol is '{read(StartEvent, events[0]).config['protocol']}'."
    steps = ", ".join(str(s) for s in asked[:20]) + (" …" if len(asked) > 20 else "")
    subject = f"{who} did not ask a model" if args.robot else "Nobody asked a model"
    return f"{subject} in step {args.step}; there are prompts in steps {steps}."
