"""`coterie talk`: people talk with a team in the terminal, alone, from a script, or from several terminals at once."""

from __future__ import annotations

import argparse
import contextlib
import re
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

from coterie.cli.live_page import add_live, live_page, show_links
from coterie.cli.out import complain, say, say_json
from coterie.core.errors import CoterieError, UnknownName, unknown_name

SPEED = 20.0
ON_THE_CLOCK = 1000.0  # robots with drivers keep to the clock themselves
_EXAMPLES = """\
first steps:
  coterie talk --scene hospital                   type: Define a new kit 'firstaid'.  (help says more)
  coterie talk --scene hospital --fault missing:bandagebox --script demo
  coterie talk --scene flat --task pack-objects   talk with a team of a house, whatever decides for it
  coterie talk --scene hospital --drive Fetch     Fetch is not simulated (see: coterie robot)
  coterie talk --join nurse                       in another terminal: talk with the same team as somebody else
  coterie talk --scene hospital --live            on a page in your browser, with a link for each person
"""


def add(commands: argparse._SubParsersAction[Any]) -> None:
    p = commands.add_parser(
        "talk",
        description="Talk with a team in plain English. What is not understood moves nobody; the nearest thing that "
        "can be said is shown.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("--scene", metavar="SCENE", help="where (default hospital)")
    p.add_argument("--as", dest="who", default="", metavar="PERSON", help="who you are (default teacher)")
    p.add_argument("--join", metavar="PERSON", help="join the talk that runs on this machine, as this person")
    p.add_argument(
        "--script", metavar="FILE", help="say what a file says, and check what is told; `demo` comes with it"
    )
    p.add_argument("--task", metavar="TASK", help="with a house: what its team begins with (default pack-objects)")
    p.add_argument("--protocol", help="with a house: what decides for the team (default rules)")
    p.add_argument(
        "--model",
        help="what reads free phrasing (default the embedded reader; none: plain sentences alone); with a "
        "house, what the team thinks with",
    )
    p.add_argument(
        "--read",
        type=Path,
        metavar="FILE",
        help='print what each line {"say", "speaker", "asked", "before"} of a file means, one JSON object a line',
    )
    p.add_argument("--seed", type=int, help="fixes everything that is drawn (default 0)")
    p.add_argument("--level", help="how the scene is drawn")
    p.add_argument("--fault", action="append", metavar="FAULT", help="what is wrong (see: coterie mission)")
    p.add_argument("--noise", help="none, or real: actions fail by themselves")
    p.add_argument("--speed", type=float, metavar="X", help=f"simulated seconds in a second (default {SPEED:g})")
    p.add_argument("--log", type=Path, metavar="FILE", help="where the log goes (default runs/...)")
    p.add_argument("--resume", type=Path, metavar="LOG", help="go on with a talk that was interrupted")
    p.add_argument("--taught", type=Path, metavar="FILE", help="keep what is taught in this file, and begin with it")
    p.add_argument(
        "--drive", metavar="ROBOTS", help="robots that are not simulated, like Fetch,Temi (see: coterie robot)"
    )
    p.add_argument("--folder", type=Path, metavar="DIR", help="where joining terminals find the talk")
    add_live(p, "talk, approve and stop")
    p.add_argument("--quiet", action="store_true", help="say nothing of what robots do")
    p.add_argument("--json", action="store_true", help="with --script: print one object and nothing else")
    p.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    if args.join is not None:
        from coterie.cli.talk_join import join

        return join(args)
    from coterie.mission.language.understand import needs_lark

    needs_lark()
    if args.read is not None:
        return _read(args)
    if args.script is not None:
        return _script(args)
    return _live(args)


def _read(args: argparse.Namespace) -> int:
    from coterie.cli.codes import DONE
    from coterie.cli.talk_reader import make_reader, read_file
    from coterie.episode.talk import Talk
    from coterie.mission.dialogue.listening import Listener
    from coterie.talk.scene import scene_of

    if _is_team(args):
        raise CoterieError(
            "--read reads sentences in a scene where people give goals; leave --task and --protocol out."
        )
    with Talk(args.scene or "", args.seed or 0) as talk:
        talk.say(args.who or "teacher", "Hello.")
        reader, vocabulary = make_reader(args.model), talk.mission.partner.vocabulary
        if reader is not None:
            reader.warm(scene_of(vocabulary))
        read_file(args.read, Listener(reader), vocabulary)
    return DONE


def _is_team(args: argparse.Namespace) -> bool:
    """Whether the scene is a house, in which robots decide for themselves."""
    from coterie.episode.talk import PROTOCOL, talked_in

    if args.resume is not None and not args.scene:
        from coterie.episode.play import resume_config

        return resume_config(args.resume).protocol != PROTOCOL

    return bool(args.task or args.protocol) or (args.scene or talked_in()[0]) not in talked_in()


def _made(args: argparse.Namespace) -> tuple[Any, Any]:
    from coterie.episode import talk, talk_team
    from coterie.log.file import read_log

    if args.resume is not None and read_log(args.resume)[-1].kind == "end":
        raise CoterieError(f"The talk of '{args.resume}' has ended, and nothing of it goes on. Begin another one.")
    if _is_team(args):
        if args.resume is not None:
            return talk_team.resumed(args.resume)
        scene = args.scene or ("" if args.task else "flat")
        try:
            return talk_team.config_of(scene, args.task or "", args.seed or 0, args.protocol or "", args.model or "")
        except UnknownName as err:
            if err.what != "scene" or args.task or args.protocol:
                raise
            raise unknown_name("scene", scene, [*err.known, *talk.talked_in()]) from None

    if args.resume is not None:
        given = [n for n in ("scene", "seed", "level", "fault", "noise", "log") if getattr(args, n)]
        if given:
            raise CoterieError(f"--resume takes everything from the log; leave --{given[0]} out.")
        return talk.resumed(args.resume)
    faults = [f.strip() for text in args.fault or () for f in text.split(",") if f.strip()]
    return talk.config_of(args.scene or "", args.seed or 0, args.level or "", faults, args.noise or "none")


def _log(args: argparse.Namespace) -> Path:
    if args.resume or args.log:
        return Path(args.resume or args.log)
    stem = re.sub(r"[^\w.+@-]", "_", "-".join(filter(None, ["talk", args.scene, str(args.seed or 0)])))[:100]
    number, path = 1, Path("runs") / f"{stem}.jsonl"
    while path.exists():
        number += 1
        path = path.with_name(f"{stem}-{number}.jsonl")
    return path


def _hall(args: argparse.Namespace, inputs: Any, printer: Any, speed: float | None = None) -> tuple[Any, Any]:
    """Where people and the team meet, and what holds the talk there."""
    from coterie.cli.standby import driven
    from coterie.episode import talk, talk_team

    resume, live = args.resume is not None, speed is not None
    if resume and args.drive is not None:
        raise CoterieError("--resume takes everything from the log, also who is driven; leave --drive out.")
    if live and args.drive is not None:
        speed = ON_THE_CLOCK
    if _is_team(args):
        hall: Any = talk_team.TeamHall(inputs, args.who or "instructor", watch=printer, hear=printer.told, speed=speed)
        hold: Any = talk_team.run
    else:
        hall = talk.Hall(inputs, args.seed or 0, watch=printer, speed=speed)
        hold = partial(talk.run, apart=live)

    def run(config: Any, task: Any, log: Path, **more: Any) -> None:
        at = argparse.Namespace(drive=args.drive, folder=None)  # --folder is that of talks
        with driven(at, log, resume, [name for name, _ in task.robots]) as outside:
            hold(hall, config, task, log, resume, **outside, **more)

    return hall, run


# -- from a script ----------------------------------------------------------------------------------------------------
def _script(args: argparse.Namespace) -> int:
    from coterie.cli.codes import DONE, NOT_ACHIEVED
    from coterie.cli.talk_terminal import Printer
    from coterie.episode.inputs import Inputs
    from coterie.episode.talk_script import Runner, script

    lines, log = script(args.script), _log(args)
    printer = Printer(everybody=True, quiet=args.quiet, silent=args.json)
    hall, run = _hall(args, Inputs(), printer)
    runner = Runner(hall, lines)
    run(*_made(args), log)
    failed = runner.unmet()
    if args.json:
        told = [t._asdict() for t in hall.told]
        say_json({"success": failed is None, "line": failed.line.number if failed else None,
                  "why": str(failed) if failed else "", "told": told, "time_s": round(hall.now, 3),
                  "log": str(log)})  # fmt: skip
    elif failed is None:
        spoken = sum(x.kind in ("expect", "never") for x in lines)
        say(f"as expected: {spoken} expectations\nlog  {log}")
    if failed is not None:
        if not args.json:
            complain(failed)
        return NOT_ACHIEVED
    return DONE


# -- in the terminal --------------------------------------------------------------------------------------------------
def _live(args: argparse.Namespace) -> int:
    from coterie.cli.codes import DONE, INTERRUPTED
    from coterie.cli.line_editor import line_editor
    from coterie.cli.talk_page import TalkPage
    from coterie.cli.talk_terminal import Keyboard, Printer
    from coterie.episode import talk, talk_team
    from coterie.episode.inputs import Inputs
    from coterie.episode.talk_room import Room

    config, task = _made(args)
    team = _is_team(args)
    who, log = args.who or ("instructor" if team else "teacher"), _log(args)
    inputs = Inputs()
    printer = Printer(people={who}, quiet=args.quiet)
    hall, run = _hall(args, inputs, printer, args.speed or SPEED)
    people = list(talk_team.PEOPLE) if team else talk.people_of(config, task)
    room = Room(hall.speak, people, args.folder)
    printer.room, hall.hear = room, printer.told
    hall.free = _listening(hall, None if team else args.model)
    keyboard = Keyboard(hall, who, printer, args.taught, people)
    others = [p for p in ("nurse", *people) if p in people and p != who]
    join = f" Others join with: coterie talk --join {others[0]}" if others else ""
    say(f"You are {who}. Say help for what can be said, quit to end.{join}")
    editor = line_editor(f"{who}: ", keyboard.names)
    keyboard.lines, printer.coloured = editor, editor is not None
    try:
        with room, _page(args, room, who) as live, editor or contextlib.nullcontext():
            threading.Thread(target=_warm, args=(hall,), name="grammar", daemon=True).start()
            if live is not None:
                show_links(live.links, cert=live.cert)
                TalkPage(live, hall, printer, keyboard)
            threading.Thread(target=keyboard.read, name="keyboard", daemon=True).start()
            run(config, task, log, **({} if live is None else {"follow": live.follow}))
    except KeyboardInterrupt:
        complain(f"Stopped. Go on with: coterie talk --resume {log}")
        return INTERRUPTED
    finally:
        hall.ended = True
        if args.taught is not None and hall.mission is not None and len(hall.mission.lessons):
            from coterie.core.files import replace_text

            replace_text(args.taught, hall.mission.lessons.export())
    say(f"log  {log}")
    return DONE


def _page(args: argparse.Namespace, room: Any, who: str) -> Any:
    """The page of --live: each person enters with the token of the room, as at a terminal that joins."""
    if args.live is None:
        return contextlib.nullcontext()
    from coterie.live.doors import OPERATOR, PERSON, WATCHER, Guest

    guests = [(Guest(p, PERSON | OPERATOR if p == who else PERSON), token) for p, token in room.tokens.items()]
    guests.sort(key=lambda g: g[0].name != who)
    return live_page(args, "talk", [*guests, (Guest(WATCHER), "")], paces=args.drive is None)


def _warm(hall: Any) -> None:
    """The grammar takes a second to load, and what stops are known by half of one: while everything else does, rather
    than when something is said. It stays to the end, so nobody looks through it again for what could be thrown away,
    which takes a tenth of a second."""
    import gc

    from coterie.mission.language.understand import understand
    from coterie.talk.stop import stops
    from coterie.talk.vocabulary import Vocabulary

    understand("hello", Vocabulary())
    vocabulary = _vocabulary(hall)
    if vocabulary is not None:
        stops("hello", vocabulary)
    gc.freeze()


def _vocabulary(hall: Any) -> Any:
    """The names of a talk, once it has begun; None where it ends before that."""
    from coterie.cli.talk_terminal import vocabulary_of

    while vocabulary_of(hall) is None and not hall.ended:
        time.sleep(0.05)
    return vocabulary_of(hall)


def _listening(hall: Any, model: str | None) -> Any:
    """What people say is read before the dialogue hears it; the reader is loaded meanwhile."""
    from coterie.cli.talk_reader import make_reader
    from coterie.mission.dialogue.listening import Listener

    listener = Listener()
    listener.load(lambda: make_reader(model), lambda: _vocabulary(hall))

    def free(person: str, text: str) -> str:
        dialogue = getattr(hall.mission if hall.mission is not None else hall, "dialogue", None)
        return text if dialogue is None else listener.to(dialogue, person, text)

    return free
