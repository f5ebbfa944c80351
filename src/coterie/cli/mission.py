"""`coterie mission`: goals in words, served by all robots of a scene, with people who approve."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
import threading
from collections.abc import Iterable, Mapping
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.cli.drawing import check_pictures
from coterie.cli.live_page import has_page, linger, live_page, show_links
from coterie.cli.numbers import number
from coterie.cli.options import add_command
from coterie.cli.out import DONE, INTERRUPTED, NOT_ACHIEVED, complain, say, say_json
from coterie.cli.run import from_anywhere, log_named, pictures, place_named, real_of
from coterie.cli.stop import unkept_words
from coterie.core.errors import CoterieError, unknown_name
from coterie.episode.inputs import Utterance
from coterie.link.stopping import release, stop

if TYPE_CHECKING:
    from coterie.core.event import Event
    from coterie.core.files import Lock
    from coterie.episode.loop import Episode
    from coterie.episode.mission import Served
    from coterie.live.process import Live


ENGINES = ("own", "enhsp")
MOST_HOURS = 10_000
#: Options of which a mission that goes on has what it began with.
BEGINNING = ("goal", "by", "fault", "seed", "level", "noise", "card", "join", "restock", "hours", "engine",
             "taught", "planning_s", "real", "log")  # fmt: skip
LIVE_SPEED = 20.0  # simulated seconds in a second, on a page


def add(commands: Any) -> None:
    add_command(commands, "mission", run, hours=_hours)


def _hours(text: str) -> float:
    return number(text, lambda n: 0 < n <= MOST_HOURS, f"hours above zero, up to {MOST_HOURS:,}")


def run(args: argparse.Namespace) -> int:
    from coterie.cli.standby import nothing_to_do, stand_by

    if args.standby is None:
        return _run(args, None)
    if args.resume is not None or args.drive is not None:
        raise CoterieError("--standby takes everything from its log; leave --resume and --drive out.")
    with stand_by(args.standby, silent=args.json) as lock:
        words = nothing_to_do(args.standby, "mission")
        if words:
            complain(words)
            return DONE
        args.resume = args.standby
        return _run(args, lock)


def _run(args: argparse.Namespace, lock: Lock | None) -> int:
    from coterie.cli.standby import driven
    from coterie.episode.mission import Typed
    from coterie.log.file import read_log

    log = args.resume or args.log or log_named("mission", args.scene, args.seed, *(args.fault or ()))
    check_pictures(args.picture, args.gif)
    approved = args.approve or (args.resume is not None and Typed.of(read_log(args.resume)[0]).answers is not None)
    teller = _Teller(silent=args.json, asks=not (approved or args.json))
    config, task = _made(args) if has_page(args) else (None, None)
    with _page(args, config, task) as live:
        try:
            with driven(args, log, args.resume is not None, stoppable=True) as outside:
                if live is not None:
                    _to_page(args, config, live, teller, outside)
                served = _serve(args, log, teller, {**outside, "lock": lock})
        except KeyboardInterrupt:
            complain(f"Stopped. Go on with: coterie mission --resume {log}")
            return INTERRUPTED
        code = _told(args, log, served, teller)
        if live is not None:
            linger(live, args.json)
        return code


def _page(args: argparse.Namespace, config: Any, task: Any) -> Any:
    """The page of --live: a link for each person of the scene, and one to watch."""
    if config is None:
        return contextlib.nullcontext()
    from coterie.episode import talk
    from coterie.live.doors import OPERATOR, PERSON, WATCHER, Guest

    people = talk.people_of(config, task)
    by = args.by or next((p for p, role in people.items() if role == "instructor"), next(iter(people)))
    others = [p for p in people if p != by]
    guests = [(Guest(by, PERSON | OPERATOR), ""), *((Guest(p, PERSON), "") for p in others), (Guest(WATCHER), "")]
    return live_page(args, "mission", guests, paces=args.drive is None)


def _made(args: argparse.Namespace) -> tuple[Any, Any]:
    """The configuration and the task, before goals are read."""
    from coterie.episode import mission, talk

    if args.resume is not None:
        return mission.remembered(args.resume, args.load or ())
    cards, load = ([from_anywhere(file) for file in files or ()] for files in (args.card, args.load))
    scene, level = place_named(args.scene or ""), args.level or ""
    return talk.config_of(scene, args.seed or 0, level, _joins(args), "none", cards, load)


def _joins(args: argparse.Namespace) -> list[str]:
    """Who joins later, as changes of the mission."""
    found = []
    for text in args.join or ():
        file, _, at_s = text.rpartition("@")
        if not file or re.fullmatch(r"\d+(\.\d+)?", at_s) is None:
            raise CoterieError(f"--join {text}: write a card and a time [s], like rover.toml@60 or person:Ann@60.")
        found.append(f"join:{from_anywhere(file)}@{at_s}")
    return found


def _to_page(args: argparse.Namespace, config: Any, live: Live, teller: _Teller, outside: dict[str, Any]) -> None:
    """Say what people do at the page in their name; stops go straight to drivers and bell."""
    from coterie.cli.standby import stopped_directly
    from coterie.cli.talk_terminal import newcomer
    from coterie.mission.orders import PLAN
    from coterie.worlds import entry_of

    show_links(live.links, args.json, live.cert)
    joining = partial(entry_of(config.task).joining, config)
    names = stopped_directly(outside)
    live.tell({"stops": names})
    teller.live, teller.asks = live, not (args.approve or args.json)
    outside["follow"] = live.follow

    def act(wish: Mapping[str, Any]) -> None:
        answer = {"yes": f"yes {wish.get('number') or 1}", "no": "no", "ask": PLAN}.get(wish.get("answer", ""))
        text = wish.get("text") if wish["do"] == "say" else "stop" if wish["do"] == "stop" and not names else answer
        inputs = teller.inputs
        if text and inputs is not None and not live.announced(wish, partial(newcomer, joining, inputs, live)):
            inputs.put(Utterance(wish["person"], text))

    live.act = act


def _told(args: argparse.Namespace, log: Path, served: Served, teller: _Teller) -> int:
    events = served.played.log.events
    result = {**summary(served), "log": str(log)}
    for undrawn in pictures(args, events, result):
        complain(undrawn)
    if args.json:
        say_json(result)
    else:
        teller.tell(events)
        say(_closing(result))
    return DONE if served.success else NOT_ACHIEVED


def _serve(args: argparse.Namespace, log: Path, teller: _Teller, outside: Mapping[str, Any]) -> Served:
    from coterie.episode import mission
    from coterie.episode.inputs import Inputs

    inputs = Inputs()
    teller.inputs = inputs
    if "drivers" in outside and not args.json:
        Keyboard(inputs, args.by or "instructor", args.folder)
        teller.waits = False
    common: dict[str, Any] = {"watch": teller, "inputs": inputs, "at_once": True, "apart": True, **outside}
    common["answers"] = "yes" if args.approve else None
    if args.resume is not None:
        given = [n for n in BEGINNING if getattr(args, n)]
        if given or args.scene or args.drive:
            what = given[0] if given else "--drive" if args.drive else "SCENE"
            raise CoterieError(f"--resume takes everything from the log; leave {what} out.")
        return mission.resume(args.resume, script=_said(args.say), load=args.load or (), **common)
    if not args.scene:
        raise CoterieError('Name a scene and a goal: coterie mission hospital --goal "medkit at alpha"')
    if args.engine is not None and args.engine not in ENGINES:
        raise unknown_name("planning engine", args.engine, ENGINES)
    faults = [f.strip() for text in args.fault or () for f in text.split(",") if f.strip()]
    faults += _joins(args)
    return mission.serve(
        place_named(args.scene),
        args.goal or [""],  # which is told what could be one
        by=args.by or "",
        seed=args.seed or 0,
        level=args.level or "",
        faults=faults,
        noise=args.noise or "none",
        script=_said(args.say),
        log_path=log,
        engine=args.engine or "",
        planning_s=args.planning_s or 0.0,
        restock=_said(args.restock, "--restock"),
        hours=args.hours or 0.0,
        real=real_of(args),
        stays=bool(args.hours) and (args.live is not None or args.drive is not None),
        cards=[from_anywhere(file) for file in args.card or ()],
        load=[from_anywhere(file) for file in args.load or ()],
        taught=args.taught,
        talks=args.live is not None and find_spec("lark") is not None,
        **common,
    )


def _said(texts: Iterable[str] | None, option: str = "--say") -> list[Any]:
    from coterie.episode.mission import Said

    found = []
    for text in texts or ():
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s+([\w-]+)\s*:\s*(.+)", text)
        if match is None:
            raise CoterieError(
                f"{option} '{text}': write a time in seconds, who speaks and what, like \"60 instructor: stop\"."
            )
        found.append(Said(float(match[1]), match[2], match[3]))
    return found


class _Teller:
    """Tells the story as it happens, and reads what a person types when something waits for an approval."""

    def __init__(self, silent: bool, asks: bool):
        self.silent, self.asks = silent, asks
        self.inputs: Any = None
        self.waits = True  # for an answer; robots that are driven do not wait for the person who types
        self.live: Live | None = None
        self._now = 0.0
        self._story: Any = None
        self._told = self._seen = 0
        self._open: dict[str, tuple[str, int]] = {}  # goals that wait for an approval, whose, and how many ways out

    def __call__(self, episode: Episode) -> None:
        self._look(episode)
        if self.live is not None and self.waits and not episode.log.replaying:
            while self._rests(episode) and not self.inputs.waiting:
                self.inputs.wait(0.5)
            self.live.rest(max(0.0, episode.world.now - self._now) / LIVE_SPEED, self.inputs)
        self._now = episode.world.now

    def _rests(self, episode: Episode) -> bool:
        """True if nothing goes on before somebody says that a step is done."""
        mission: Any = next((getattr(episode.mind(robot), "coordinator", None) for robot in episode.views), None)
        running = mission.agenda.running() if mission is not None else ()
        return any(self.asks or mission.cards[i.robot].person for i in running) and not mission.at_work()

    def _look(self, episode: Episode) -> None:
        events = episode.log.events
        new = events[self._seen :]
        self._seen = len(events)
        self.tell(events)
        if not self.asks or episode.log.replaying:
            return
        for event in new:
            if event.kind == "mission" and event.data["what"] == "proposal":
                self._open[event.data["goal"]] = str(event.data["to"]), len(event.data["alternatives"])
            elif event.kind == "mission" and event.data["what"] in ("approved", "rejected", "failed", "changed"):
                self._open.pop(event.data["goal"], None)
        heard = any(e.kind == "mission" and e.data["what"] in ("proposal", "heard") for e in new)
        for person, ways in [*self._open.values()][:1] if heard else ():
            self._ask(person, ways)

    def tell(self, events: list[Event]) -> None:
        if self.silent:
            return
        if self._story is None:
            from coterie.mission.story import Story
            from coterie.worlds import worlds

            self._story = Story(worlds.get(events[0].data["world"]).domain({}))
        for line in self._story.lines(events[self._told :]):
            say(line)
        self._told = len(events)

    def _ask(self, person: str, ways: int) -> None:
        say(f"{person}, say yes, {'yes 2, ' if ways > 1 else ''}no, or something else: ")
        sys.stdout.flush()
        if not self.waits:
            return
        if self.live is not None:  # it is answered there
            while not self.inputs.waiting:
                self.inputs.wait(0.5)
            return
        words = sys.stdin.readline().strip()  # at the end of the input nobody answers, and that is no yes
        if words:
            self.inputs.put(Utterance(person, words))


def summary(served: Served) -> dict[str, Any]:
    """Return the result of a mission as one JSON object."""
    from coterie.cli.standby import driven_told
    from coterie.episode.mission import judged

    notes, result, task = served.notes, served.played.result, served.played.task
    of = {what: [n for n in notes if n["what"] == what] for what in {n["what"] for n in notes}}
    plans = [{"goal": n["goal"], "t": n["t"], "steps": len(n["steps"]), "seconds": n["seconds"], "chance": n["chance"]}
             for n in of.get("plan", ())]  # fmt: skip
    failures = [{k: n[k] for k in ("t", "goal", "stage", "why", "words")} for n in of.get("failure", ())]
    return {
        "scene": served.played.log.events[0].data["world"],
        "goals": [n["text"] for n in of.get("goal", ()) if "parent" not in n],
        "seed": served.played.config.seed,
        "faults": [dict(f) for f in task.about.get("faults", ())],
        **driven_told(served.played.config, served.played.log.events),
        "success": served.success,
        "status": result.status,
        "time_s": result.time_s,
        "plans": plans,
        "failures": failures,
        "alternatives": [_brief(o) for n in of.get("proposal", ()) for o in n["alternatives"]],
        "approvals": len(of.get("approved", ())),
        "recoveries": [n["policy"] for n in of.get("recovery", ())],
        "explanations": [{k: n[k] for k in ("goal", "why", "because", "words")} for n in of.get("failed", ())],
        "declined": [{k: n[k] for k in ("by", "text", "words")} for n in of.get("declined", ())],
        "unclear": [a["text"] for a, b in pairwise(notes) if b["what"] == "understood" and b["meaning"] == ["unclear"]],
        "told": len(of.get("tell", ())),
        "schedule": [f.words for f in judged(served.played)] or "valid",
    }


def _brief(offer: Mapping[str, Any]) -> dict[str, Any]:
    kept = {k: offer[k] for k in ("policy", "words", "chance", "seconds", "low_s", "high_s")}
    return {**kept, "steps": len(offer["first"]) + len(offer["then"])}


def _closing(result: Mapping[str, Any]) -> str:
    from coterie.mission.domain import minutes

    end = "done" if result["success"] else "not done"
    files = [f"{kind}  {result[kind]}" for kind in ("log", "picture", "gif") if kind in result]
    return "\n".join([f"{end} after {minutes(result['time_s'])} of simulated time", *files])


STOPS = ("stop", "halt", "stop everything", "stop all robots", "emergency stop")
RELEASES = ("release", "let go")


class Keyboard:
    """Lines that are typed, in a thread of their own. `who` says who speaks, unless the line does (`nurse: ...`)."""

    def __init__(self, inputs: Any, who: str, folder: Path | None):
        self.inputs, self.who, self.folder = inputs, who, folder
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def _read(self) -> None:
        for row in sys.stdin:
            if row.strip():
                self.take(row.strip())

    def take(self, text: str) -> None:
        plain = text.strip(" .!").lower()
        if plain in (*STOPS, *RELEASES):
            self._still(plain in STOPS)
            return
        named = re.fullmatch(r"([a-z][\w-]{0,30})\s*:\s*(.+)", text)
        self.inputs.put(Utterance(named[1], named[2]) if named else Utterance(self.who, text))

    def _still(self, on: bool) -> None:
        done = "stopped" if on else "released"
        try:
            answers = (stop if on else release)(self.who, (), self.folder)
        except (CoterieError, OSError) as err:
            complain(f"Nobody was {done}: {err}")
            return
        hint = "; type release to let them go on" if on else ""
        say(f"{done}: {', '.join(answers.robots) or 'nobody'} ({1000 * answers.took_s:.0f} ms){hint}")
        for robot, words in answers.wrong.items():
            complain(f"{robot} was not {done}: {words.rstrip('.')}.")
        for robot, words in answers.unkept.items():
            complain(unkept_words(robot, words))
        sys.stdout.flush()
