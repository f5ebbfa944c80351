"""`coterie talk`: people talk with a team in the terminal, alone, from a script, or from several terminals at once."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.cli.line_editor import line_editor
from coterie.cli.live_page import has_page, live_page, show_links
from coterie.cli.options import add_command
from coterie.cli.out import complain, say, say_json
from coterie.cli.run import from_anywhere, log_named, place_named, real_of
from coterie.cli.talk_terminal import QUIT, Keyboard, Printer, Speaking, names_once_begun, newcomer, vocabulary_of
from coterie.core.bounds import load_json, read_bounded
from coterie.core.errors import CoterieError, UnknownName, unknown_name
from coterie.episode.mission import talked_in
from coterie.episode.talk import HEARD, Told
from coterie.mission.dialogue.listening import NO_READER, Listener
from coterie.talk import meanings as m
from coterie.talk.reader import READER, STAGE, Reader
from coterie.talk.wording import Wording

if TYPE_CHECKING:
    from coterie.live.process import Live


SPEED = 20.0
ON_THE_CLOCK = 1000.0  # robots with drivers keep to the clock themselves


def add(commands: Any) -> None:
    add_command(commands, "talk", run, speed=f"{SPEED:g}")


def run(args: argparse.Namespace) -> int:
    if args.join is not None:
        return join(args)
    from coterie.mission.language.understand import needs_lark

    needs_lark()
    if args.read is not None:
        return _read(args)
    if args.script is not None:
        return _script(args)
    return _live(args)


def _read(args: argparse.Namespace) -> int:
    from coterie.cli.out import DONE
    from coterie.episode.talk import Talk
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
    """True if the scene is a house, in which robots decide for themselves."""
    from coterie.episode.mission import place_of
    from coterie.episode.plugins import load_plugins
    from coterie.episode.talk import PROTOCOL

    if args.resume is not None and not args.scene:
        from coterie.episode.play import resume_config

        return resume_config(args.resume, args.load or ()).protocol != PROTOCOL
    load_plugins(args.load or ())
    return bool(args.task or args.protocol) or place_of(args.scene or "") is None


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
            own = args.protocol or "", args.model or "", real_of(args)
            return talk_team.config_of(scene, args.task or "", args.seed or 0, *own)
        except UnknownName as err:
            if err.what != "scene" or args.task or args.protocol:
                raise
            raise unknown_name("scene", scene, [*err.known, *talked_in()]) from None

    if args.resume is not None:
        given = [n for n in ("scene", "seed", "level", "fault", "noise", "card", "real", "log") if getattr(args, n)]
        if given:
            raise CoterieError(f"--resume takes everything from the log; leave --{given[0]} out.")
        return talk.resumed(args.resume, args.load or ())
    faults = [f.strip() for text in args.fault or () for f in text.split(",") if f.strip()]
    scene, cards = place_named(args.scene or ""), [from_anywhere(file) for file in args.card or ()]
    how = faults, args.noise or "none", cards, args.load or (), real_of(args)
    return talk.config_of(scene, args.seed or 0, args.level or "", *how)


def _log(args: argparse.Namespace) -> Path:
    return Path(args.resume or args.log or log_named("talk", args.scene, args.seed))


def _hall(args: argparse.Namespace, inputs: Any, printer: Any, speed: float | None = None) -> tuple[Any, Any]:
    """Where people and the team meet, and what holds the talk there."""
    from coterie.cli.standby import driven, stopped_directly
    from coterie.episode import talk, talk_team
    from coterie.log.words import driven_words

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
        team = [name for name, _ in task.robots]
        with driven(at, log, resume, team) as outside:
            if "drivers" in outside and not args.json:
                say(driven_words(list(outside["drivers"]), team, bool(config.real)))
            if printer.page is not None:
                printer.page.stops[:] = stopped_directly(outside)
                printer.page.live.tell({"stops": printer.page.stops})
            hold(hall, config, task, log, resume, **outside, **more)

    return hall, run


# -- from a script ----------------------------------------------------------------------------------------------------
def _script(args: argparse.Namespace) -> int:
    from coterie.cli.out import DONE, NOT_ACHIEVED
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
    from coterie.cli.out import DONE, INTERRUPTED
    from coterie.episode import talk, talk_team
    from coterie.episode.inputs import Inputs
    from coterie.episode.talk_room import Room
    from coterie.worlds import entry_of

    config, task = _made(args)
    team = _is_team(args)
    people = dict.fromkeys(talk_team.PEOPLE, "") if team else talk.people_of(config, task)
    teachers = [name for name, role in people.items() if role == "teacher"]
    who, log = args.who or ("instructor" if team else [*teachers, *people][0]), _log(args)
    inputs = Inputs()
    printer = Printer(people={who}, quiet=args.quiet)
    hall, run = _hall(args, inputs, printer, args.speed or SPEED)
    room = Room(hall.speak, people, args.folder)
    printer.room, hall.hear = room, printer.told
    known = entry_of(config.task).lessons(config)
    keyboard = Keyboard(hall, who, printer, args.taught or (Path(known) if known else None), people)
    others = [p for p in ("nurse", *people) if p in people and p != who]
    join = f" Others join with: coterie talk --join {others[0]}" if others else ""
    say(f"You are {who}. Say help for what can be said, quit to end.{join}")
    hall.free = _listening(hall, None if team else args.model)  # which is loaded while that is read
    editor = line_editor(f"{who}: ", keyboard.names)
    keyboard.lines, printer.coloured = editor, editor is not None
    try:
        with room, _page(args, room, who) as live, editor or contextlib.nullcontext():
            threading.Thread(target=_warm, args=(hall,), name="grammar", daemon=True).start()
            keyboard.joins = partial(newcomer, partial(entry_of(config.task).joining, config), inputs, live)
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
    if not has_page(args):
        return contextlib.nullcontext()
    from coterie.live.doors import OPERATOR, PERSON, WATCHER, Guest

    guests = [(Guest(p, PERSON | OPERATOR if p == who else PERSON), token) for p, token in room.tokens.items()]
    guests.sort(key=lambda g: g[0].name != who)
    return live_page(args, "talk", [*guests, (Guest(WATCHER), "")], paces=args.drive is None, folder=None)


def _warm(hall: Any) -> None:
    """The grammar is loaded, and what stops are known by, while everything else is, rather than when something is said.
    It stays to the end, so nobody looks through it again for what could be thrown away, which takes a tenth of a
    second."""
    import gc

    from coterie.mission.language.understand import understand
    from coterie.talk.stop import stops
    from coterie.talk.vocabulary import Vocabulary

    understand("hello", Vocabulary())
    vocabulary = names_once_begun(hall)
    if vocabulary is not None:
        stops("hello", vocabulary)
    gc.freeze()


def _listening(hall: Any, model: str | None) -> Any:
    """Return a function that reads what people say before the dialogue hears it; the reader is loaded meanwhile."""
    listener = Listener()
    listener.load(lambda: make_reader(model), lambda: names_once_begun(hall))

    def free(person: str, text: str) -> str:
        names_once_begun(hall)  # what is said during the greeting is read like all else
        dialogue = getattr(hall.mission if hall.mission is not None else hall, "dialogue", None)
        return text if dialogue is None else listener.to(dialogue, person, text)

    return free


class TalkPage:
    """Between a talk and its page."""

    def __init__(self, live: Live, hall: Any, printer: Printer, keyboard: Keyboard):
        self.live, self.hall, self._speaking = live, hall, Speaking(hall)
        self._names, self._joins = keyboard.names, keyboard.joins
        self.stops: list[str] = []  # drivers and bell, which are stopped past the coordinator
        self._asked: dict[str, str] = {}
        printer.page, keyboard.stays, live.act = self, True, self.act
        hall.paced = lambda seconds: live.rest(seconds, hall.inputs)
        threading.Thread(target=self._begin, name="names", daemon=True).start()

    def _begin(self) -> None:
        names_once_begun(self.hall)
        self.live.tell({"names": self._names(), "stops": self.stops})  # a stop of before is heard now

    def act(self, wish: Mapping[str, Any]) -> None:
        """A click is the sentence that means the same."""
        if wish["do"] == "say":
            if not self.live.announced(wish, self._joins):
                self._speaking.put(wish["person"], wish["text"])
        elif wish["do"] in ("stop", "release", "answer"):
            self._speaking.put(wish["person"], self._sentence(wish))

    def _sentence(self, wish: Mapping[str, Any]) -> str:
        number, meant = wish.get("number"), wish.get("answer", wish["do"])
        meanings: dict[str, m.Meaning] = {
            "stop": m.Stop(),
            "release": m.Steer("resume"),
            "yes": m.Approve(str(number) if number and number > 1 else ""),
            "no": m.Refuse(),
            "ask": m.Ask("plan"),
        }
        return Wording(vocabulary_of(self.hall)).sentence(meanings[meant])

    def told(self, told: Told) -> None:
        """Words to one person, as they come; and whether they are asked for a yes, where a log does not say it."""
        more = {"more": True} if told.number == HEARD else {}
        self.live.tell({"told": {"to": told.person, "text": told.text, "t": told.time, **more}})
        if self.hall.mission is None and vocabulary_of(self.hall) is not None:
            try:
                asked = self.hall.partner.proposed(told.person)
            except CoterieError:
                asked = ""
            if asked != self._asked.get(told.person, ""):
                self._asked[told.person] = asked
                self.live.tell({"asked": {"to": told.person, "text": asked}})


ANSWER_S = 20.0  # by the clock


def join(args: argparse.Namespace) -> int:
    given = [
        n for n in ("scene", "script", "seed", "level", "fault", "noise", "log", "resume", "taught") if getattr(args, n)
    ]
    if given:
        raise CoterieError(f"--join takes everything from the talk; leave --{given[0]} out.")
    return converse(args.join, args.folder, "Ask for example: What is going on?")


def converse(person: str, folder: Path | None, hint: str) -> int:
    """Say what is typed at a person's door, and print what that person is told."""
    from coterie.cli.out import DONE
    from coterie.episode.talk_room import joined
    from coterie.link.lines import Gone, Line

    line = joined(person, folder)
    say(f"You are {person}. {hint}")
    over = threading.Event()
    asked = threading.Event()  # something was said that has not been answered
    editor, printer = line_editor(f"{person}: "), Printer(people={person})
    printer.coloured = editor is not None

    def listen(line: Line) -> None:
        try:
            while True:
                message = line.read()
                if message is not None and isinstance(message.get("tell"), str):
                    if not message.get("more"):  # else they were heard, and the answer is to come
                        asked.clear()
                    printer.tell(person, message["tell"])
        except Gone:
            if not over.is_set():
                complain("The talk is over.")
            over.set()

    threading.Thread(target=listen, args=(line,), daemon=True).start()
    try:
        with editor or contextlib.nullcontext():
            for row in editor or sys.stdin:
                text = row.strip()
                if over.is_set() or text.lower() in QUIT:
                    break
                if text:
                    asked.set()
                    line.send({"say": text})
            else:  # the end of a pipe: its last answer, and what comes with it
                until = time.monotonic() + ANSWER_S
                while asked.is_set() and time.monotonic() < until and not over.wait(0.05):
                    pass
                over.wait(1.0)
    except Gone:
        complain("The talk is over.")
    over.set()
    line.close()
    return DONE


MOST_BYTES = 10_000_000
NOT_FETCHED = "Only plain sentences are understood: --model embedded fetches the reader's model (93 MB), once."
NEEDED = ("xllamacpp", "gguf", "lark")


def make_reader(name: str | None) -> Reader | None:
    """The embedded reader where nothing else is named; `none`: no reader; else any model.

    Where nothing is named, the model is fetched only for a person at the keyboard.
    """
    if name == "none":
        return None
    if name not in (None, "embedded"):
        from coterie.models import make_model

        return Reader(make_model(str(name), max_tokens={STAGE: 80}), str(name).startswith("embedded"))
    if not all(map(importlib.util.find_spec, NEEDED)):
        complain(NO_READER)
        return None
    from coterie.models.embedded import Embedded
    from coterie.models.store import cached

    if name is None and cached() is None and not sys.stdin.isatty():
        complain(NOT_FETCHED)
        return None
    model = Embedded(READER, slots=1, progress=_tell, apart=True)
    model.load()
    return Reader(model)


def _tell(words: str, done: int, total: int) -> None:
    """A download or a merge is told once, when it begins."""
    if done == 0:
        complain(f"{words} ...")


def read_file(path: Path, listen: Listener, vocabulary: Any) -> None:
    """Print what each sentence of a file means: `{"say", "speaker", "asked", "before"}` in, one JSON object out."""
    for row in _rows(path):
        found = listen.understood(row["say"], vocabulary, row["asked"], row["before"])
        answer = {"say": row["say"], "means": found.means, "brief": found.brief, "how": found.how}
        more = {"p": round(found.p, 3), "missing": list(found.missing), "ms": round(found.ms, 1)}
        say(json.dumps({**answer, **more}, ensure_ascii=False))


def _rows(path: Path) -> Iterator[dict[str, str]]:
    for number, line in enumerate(read_bounded(path, "file of sentences", MOST_BYTES).decode("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = load_json(line)
        except ValueError as err:
            raise CoterieError(f"Line {number} of '{path}' is no JSON: {err}.") from err
        if not isinstance(row, dict) or not isinstance(row.get("say"), str) or not row["say"].strip():
            raise CoterieError(f'Line {number} of \'{path}\' has nothing to read; write {{"say": "Stop!"}}.')
        yield {key: row[key] if isinstance(row.get(key), str) else "" for key in ("say", "speaker", "asked", "before")}
