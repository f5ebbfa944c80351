"""`coterie run`: one episode, watched live, with its score at the end."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.cli.asking import ASKING, asking_options, unlearnt
from coterie.cli.drawing import check_pictures
from coterie.cli.live_page import has_page, linger, live_page, show_links
from coterie.cli.numbers import number
from coterie.cli.options import add_command, words_of
from coterie.cli.out import DONE, INTERRUPTED, NOT_ACHIEVED, WRONG_USE, complain, say, say_json
from coterie.core.bounds import open_plain, read_json
from coterie.core.errors import CoterieError, ReplayMismatch
from coterie.core.event import Event, from_line, to_line
from coterie.core.files import CannotWrite, Lock, in_use, replace_text, whole_lines
from coterie.core.looking import VISION, VISION_JUDGED
from coterie.core.visible import json_text, visible
from coterie.log.file import hold, read_log

if TYPE_CHECKING:
    from coterie.cli.follow import Follower
    from coterie.core.config import Config
    from coterie.episode.loop import Episode
    from coterie.episode.play import Played
    from coterie.export.foxglove import FoxgloveServer
    from coterie.live.process import Live
    from coterie.models.chat import Model

MOST_NAME = 120  # characters of the name of a log
LIVE_PACE_S = 0.5  # for which a page shows each step, unless told otherwise
MOST_TOLD = 5  # sentences about a scene
#: Options that make up the configuration; a resumed run takes all of them from its log.
_CONFIG = (
    "team", "protocol", "model", "seed", "scene", "level", "change", "guard", "noise", "radio", "heartbeat",
    "arms", "camera", "steps", "async", "card", "load", "memo", "party", "stranger", "real", "physics",
)  # fmt: skip


def add(commands: Any) -> None:
    add_command(commands, "run", run, pace=_pace)


def real_of(args: argparse.Namespace) -> str:
    """`Config.real`, from --real and --drive."""
    if args.real and args.drive is None:
        raise CoterieError("--real needs robots that are not simulated: name them, like --drive Alice,Bob.")
    return "robots" if args.real else ""


def _pace(text: str) -> float:
    return number(text, lambda n: 0 <= n <= 3600, "a time from 0 to 3600 seconds")


def run(args: argparse.Namespace) -> int:
    if args.standby is not None:
        return _stand_by(args)
    config, log = _settle(args)
    with hold(log) as lock:  # so that what was checked is what is written
        _check_files(args, config, log)
        return _run(args, config, log, lock)


def _stand_by(args: argparse.Namespace) -> int:
    from coterie.cli.standby import nothing_to_do, stand_by

    if args.resume is not None:
        raise CoterieError("--standby goes on with its log by itself; leave --resume out.")
    with stand_by(args.standby, silent=args.json) as lock:
        words = nothing_to_do(args.standby)
        if words:
            complain(words)
            return DONE
        args.resume = args.standby
        config, log = _settle(args)
        _check_files(args, config, log)
        return _run(args, config, log, lock)


def _run(args: argparse.Namespace, config: Config, log: Path, lock: Lock) -> int:
    with _page(args, config) as live, _foxglove(args, config, log) as fox:
        code = _watched(args, config, log, lock, live, fox)
        if live is not None:
            linger(live, args.json)
        return code


@contextlib.contextmanager
def _foxglove(args: argparse.Namespace, config: Config, log: Path) -> Iterator[FoxgloveServer | None]:
    """The server of --foxglove, and the layout beside the log."""
    if args.foxglove is None:
        yield None
        return
    from coterie.export.foxglove import FoxgloveServer, save_layout
    from coterie.worlds import entry_of

    with FoxgloveServer(args.foxglove) as fox:
        tell = complain if args.json else say
        tell(f"for Foxglove: ws://127.0.0.1:{fox.port}, layout {save_layout(log, entry_of(config.task).pictures())}")
        yield fox


def _page(args: argparse.Namespace, config: Config) -> AbstractContextManager[Live | None]:
    """The page of --live: the user who began the run may do everything, others only watch."""
    if not has_page(args):
        return contextlib.nullcontext()
    from coterie.link.fire import me
    from coterie.live.doors import OPERATOR, WATCHER, Guest

    guests = [(Guest(me(), OPERATOR), ""), (Guest(WATCHER), "")]
    return live_page(args, "run", guests, load=config.load, paces=args.drive is None)


def _watched(
    args: argparse.Namespace, config: Config, log: Path, lock: Lock, live: Live | None, fox: FoxgloveServer | None
) -> int:
    from coterie.core.protocol import asks_model
    from coterie.episode.setup import deciding_in

    kept = _kept(default_log(config), log) if args.resume is None and args.log is None else ""
    foreword = ". ".join(words for words in (getattr(args, "example", ""), kept) if words)
    foreword = "\n".join([*([foreword] if foreword else ()), *(_mended(config) if args.resume is None else ())])
    if strange := unlearnt(config.model, list(dict.fromkeys(deciding_in(config)))):
        foreword = "\n".join(filter(None, (foreword, strange)))
    foreword = "\n".join(filter(None, (foreword, _unshown(args, config, log))))
    watcher = _watcher(args, foreword, config.protocol)
    try:
        if live is not None:
            show_links(live.links, args.json, live.cert)
        with watcher:
            played = _play(config, log, lock, args, watcher, live, fox)
    except KeyboardInterrupt:
        if _found(log)[0] == "unfinished":
            _note(log, "by the user")
        complain(_stopped(log, args))
        return INTERRUPTED
    except ReplayMismatch:
        raise
    except CoterieError as err:
        # Going on would end in the same words, unless there is room again for the log.
        same = config.model in ("none", "oracle") and not isinstance(err, CannotWrite)
        if same or _found(log)[0] != "unfinished":
            raise
        _note(log, str(err))  # a model that went away, say
        if args.json:
            say_json({"status": "stopped", "error": str(err), "log": str(log)})
        raise CoterieError(f"{err} {_stopped(log, args)}") from err
    from coterie.cli.score import score, show_score

    events = read_log(log) if played.logged else [from_line(to_line(e)) for e in played.log.events]
    wall_s = max(0.0, played.wall_s - watcher.rested_s)
    result = score(played, events, log, wall_s)
    out = watcher.out
    if out is not None:  # nothing is shown beside JSON
        from coterie.cli.show import line

        show_score(out, result)
        deciding = list(dict.fromkeys(deciding_in(config)))
        asked = any(e.kind == "ask" for e in events) or any(asks_model(name) for name in deciding)
        if config.model != "none" and not asked:
            words = f"{' and '.join(deciding)} ask{'' if len(deciding) > 1 else 's'} no model"
            words += " and no robot sent a picture" if config.camera in (VISION, VISION_JUDGED) else ""
            words += f": {config.model} was not used"
            out.print(line((words, "yellow")), soft_wrap=True)
    unwritten = [*played.unwritten, *pictures(args, events, result)]
    if out is None:
        say_json({**result, **({"unwritten": unwritten} if unwritten else {})})
    else:
        for kind in ("picture", "gif", "html"):
            if kind in result:
                out.print(line(f"{kind}  {result[kind]}"), soft_wrap=True)
    for words in unwritten:
        complain(words)
    return WRONG_USE if not played.logged else DONE if result["success"] else NOT_ACHIEVED


def _watcher(args: argparse.Namespace, foreword: str, protocol: str) -> Follower:
    """Return the follower of the run; with --json nothing that draws is loaded."""
    if args.json:
        from coterie.cli.follow import Follower

        return Follower(protocol)
    from coterie.cli.live import Watcher

    return Watcher(args.pace, foreword, protocol)


def _settle(args: argparse.Namespace) -> tuple[Config, Path]:
    """The configuration and the log: from the options, or all of it from an interrupted log."""
    from coterie.core.config import Config, task_and_level
    from coterie.episode.setup import resolve

    given = {name: getattr(args, name) for name in _CONFIG if getattr(args, name) is not None}
    if args.resume is not None:
        return _resumed(args, given), args.resume
    if args.task is None:
        raise CoterieError("Name a task, like pack-objects (see: coterie list tasks), or a log to --resume.")
    _take_lists(given)
    _take_short(args, given)
    if given.get("scene", "").endswith(".toml") or ".json" in given.get("scene", ""):
        file, mark, line = given["scene"].partition("#")
        given["scene"] = from_anywhere(file) + mark + line
    if "arms" in given:
        given["arms"] = ",".join(from_anywhere(name.strip()) for name in given["arms"].split(","))
    task, level = task_and_level(args.task)
    if args.team_size is not None and "load" not in given:
        _draws_team(task)
    if level:
        Config(**{"task": args.task, "level": given.setdefault("level", level)})  # complains of two levels
    task = from_anywhere(task) if task.endswith(".toml") else task
    if args.interval is not None:
        from coterie.protocols import with_interval

        given["protocol"] = with_interval(given.get("protocol", ""), args.interval)
    if "guard" in given:
        given["guard"] = given["guard"] == "on"
    if given.pop("async", False) or "real" in given:
        given["synchronous"] = False  # real robots do not wait for each other
    if "real" in given:
        given["real"] = real_of(args)
    args.example = _with_example(task, given)
    config = resolve(Config(task=task, **given))
    if config.camera in (VISION, VISION_JUDGED) and config.model == "none":
        raise CoterieError(f"--camera {config.camera} shows pictures to a model: name it, like --model openai:NAME.")
    return config, args.log or free_log(default_log(config), config)


def _resumed(args: argparse.Namespace, given: dict[str, Any]) -> Config:
    """The configuration of the log to resume; every option that would say otherwise is refused."""
    from coterie.episode.play import resume_config
    from coterie.log.fold import beginning

    beginning(read_log(args.resume)[0])  # complains about a first line that is not one of ours
    config = resume_config(args.resume, given.pop("load", []))
    given |= {n: True for n in ("rooms", "team_size", "teammates") if getattr(args, n) is not None}
    if given or args.log is not None or args.task not in (None, config.task):
        option = next(iter(given), "log").replace("_", "-")
        what = "the task" if args.task not in (None, config.task) else f"--{option}"
        raise CoterieError(f"--resume takes everything from the log; leave {what} out.")
    if args.drive is not None:
        raise CoterieError("--resume takes everything from the log, also who is driven; leave --drive out.")
    return config


def _take_lists(given: dict[str, Any]) -> None:
    """Options that may be given several times, as the fields of a configuration; files by their whole names."""
    for option, field in (("change", "changes"), ("card", "cards"), ("load", "load"), ("party", "parties")):
        if option in given:
            given[field] = tuple(given.pop(option))
    if "stranger" in given:
        given["stranger"] = ",".join(given["stranger"])
    for field in ("cards", "load"):
        if field in given:
            given[field] = tuple(from_anywhere(name) for name in given[field])


def _take_short(args: argparse.Namespace, given: dict[str, Any]) -> None:
    """Options that are short for a value of another one, which must not be given as well."""
    for short, option, value, what in (
        ("rooms", "scene", f"rooms:{args.rooms}", "draws a house and --scene names one"),
        ("team_size", "team", f"drawn:{args.team_size}", "draws robots and --team names them"),
        ("teammates", "protocol", args.teammates, "and --protocol say the same"),
    ):
        if getattr(args, short) is not None:
            if option in given:
                raise CoterieError(f"--{short.replace('_', '-')} {what}; leave one of them out.")
            given[option] = value


def _draws_team(task: str) -> None:
    """Complain of a number of robots where none are drawn."""
    from coterie.worlds import entry_of

    usual = entry_of(task).usual.get("team", "")
    if not usual.startswith("drawn:"):
        name = f": --team {usual}" if usual else ""
        raise CoterieError(f"--team-size draws robots in houses alone; name those of {task}{name}.")


def _with_example(task: str, given: dict[str, Any]) -> str:
    """Show an example to a user who names a task, perhaps a scene and a stranger, and nothing else, where its world
    has one; words that say which."""
    from coterie.worlds import entry_of

    if task.endswith(".toml") or not set(given) <= {"scene", "stranger", "protocol"}:
        return ""  # what is loaded for this run may not be known yet
    entry = entry_of(task)
    usual = "stranger" in given and given.get("protocol", entry.protocol) == entry.protocol  # the team that it joins
    if not set(given) <= {"scene", *(("stranger", "protocol") if usual else ())}:
        return ""
    example = entry.example(task, given.get("scene", entry.usual.get("scene", "")), given.get("stranger", ""))
    given.update(example)
    said = " ".join(f"--{name} {value}" for name, value in example.items())
    return f"An example: {said}. Other seeds draw other tasks" if said else ""


def _mended(config: Config) -> list[str]:
    """Return the warnings about a scene that was read from a file, at most the first few."""
    from coterie.worlds import entry_of

    told = [visible(words) for words in entry_of(config.task).mended(config)]
    left = len(told) - MOST_TOLD
    return told if left <= 1 else [*told[:MOST_TOLD], f"And {left} more like these."]


def _unshown(args: argparse.Namespace, config: Config, log: Path) -> str:
    """Return a warning where --camera is given and nothing is drawn."""
    from coterie.worlds import entry_of

    drawn = args.gif or args.picture or args.html
    if not args.camera or drawn or not getattr(entry_of(config.task).pictures(), "cameras", False):
        return ""
    return f"--camera {args.camera} does nothing now; it is for films of this log: coterie replay {log} --gif FILE"


def log_named(of: str, scene: str | None, seed: int | None, *more: str) -> Path:
    """A name for the log that no other run has."""
    stem = re.sub(r"[^\w.+@-]", "_", "-".join(filter(None, [of, Path(scene or "").stem, str(seed or 0), *more])))[:100]
    number, path = 1, Path("runs") / f"{stem}.jsonl"
    while path.exists():
        number += 1
        path = path.with_name(f"{stem}-{number}.jsonl")
    return path


def from_anywhere(name: str) -> str:
    """The whole path of a file, so that the log can be resumed from another folder; names of no file stay as they are,
    to be complained about in the user's words."""
    path = Path(name)
    return str(path.absolute()) if path.is_file() else name


def place_named(name: str) -> str:
    """A place as it is named, or the whole path of its file."""
    file, mark, line = name.partition("#")  # of houses, one a line
    return from_anywhere(file) + mark + line if name.endswith(".toml") or ".json" in name else name


def default_log(config: Config) -> Path:
    """A name that tells what is played, and all that is not as usual."""
    from coterie.episode.setup import resolve

    usual = resolve(replace(config, team="", model="", scene="", level="", changes=()))
    parts = [_stem(config.task), _short_team(config.team), config.protocol, str(config.seed)]
    parts += [_stem(config.model)] if config.model != usual.model else []
    parts += [_scene_stem(config.scene)] if config.scene != usual.scene else []
    parts += [config.level] if config.level != usual.level else []
    parts += [config.noise] if config.noise != "none" else []
    parts += [config.radio] if config.radio != "none" else []
    parts += [f"heartbeat-{config.heartbeat}"] if config.heartbeat not in ("", "full") else []
    parts += ["guard"] if config.guard else []
    parts += [",".join(map(_stem, config.arms.split(",")))] if config.arms != "geometric" else []
    parts += [
        config.camera,
        config.steps,
        "physics" if config.physics else "",
        "" if config.synchronous else "async",
        config.memo,
    ]
    parts += [*config.changes, *(text.partition(":")[0] for text in config.parties), config.stranger]
    name = re.sub(r"[^\w.+@-]", "_", "-".join(filter(None, parts)))
    if len(name) > MOST_NAME:  # file systems have their limits
        name = f"{name[:MOST_NAME]}-{hashlib.blake2b(name.encode(), digest_size=4).hexdigest()}"
    return Path("runs") / f"{name}.jsonl"


def _short_team(team: str) -> str:
    """Large teams by number: Ma-31xMoMa."""
    bodies = team.split("-")
    if len(bodies) <= 6:
        return team
    counts = {body: bodies.count(body) for body in bodies}
    return "-".join(body if n == 1 else f"{n}x{body}" for body, n in counts.items())


def _stem(name: str) -> str:
    return Path(name).stem if name.endswith((".toml", ".json")) else name


def _scene_stem(scene: str) -> str:
    """Houses may be one of many in a file: FILE.jsonl.gz#3."""
    file, mark, line = scene.partition("#")
    return _stem(re.sub(r"\.jsonl(\.gz)?$", ".json", file)) + mark + line


def free_log(path: Path, config: Config) -> Path:
    """The path, or the same with -2, -3 and so on where it holds an unfinished run or another one."""
    numbered = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(p for p in chain([path], numbered) if not in_use(p) and (not p.exists() or _same_again(p, config)))


def _kept(usual: Path, log: Path) -> str:
    """Words for why a run does not go to the usual file."""
    if log == usual:
        return ""
    what = "another run" if _found(usual)[0] == "ended" else "a run that was not finished"
    return f"{usual} keeps {what}; this one goes to {log}"


def _same_again(path: Path, config: Config) -> bool:
    """True if a file holds nothing that a run with this configuration would not write again."""
    state, first = _found(path)
    return state == "empty" or (state == "ended" and first.data.get("config") == config.to_json())


def _found(path: Path) -> tuple[str, Any]:
    """The kind of a file: nothing ("none"), no log of ours ("other"), not even a whole first line ("empty"), or a run
    that is "unfinished" or "ended"; and its first event, where there is one."""
    if not path.is_file():
        return "none", None
    with open_plain(path, "log") as file:
        head = file.read(64)
    if head and not head.startswith(b'[0,0,0.0,"start"'):
        return "other", None
    lines = whole_lines(path, "log")
    first, last = (_event(some[0]) if some else None for some in (lines[:1], lines[-1:]))
    if first is None:
        return "empty", None
    return "ended" if last is not None and last.kind == "end" else "unfinished", first


def _event(line: str) -> Event | None:
    with contextlib.suppress(ValueError, TypeError):
        return from_line(line)
    return None


def _check_files(args: argparse.Namespace, config: Config, log: Path) -> None:
    """Complain before a long run rather than after it."""
    args.html = log.with_suffix(".html") if args.html == Path() else args.html
    check_pictures(args.picture, args.gif, args.html)
    state = _found(log)[0] if args.resume is None else "none"
    if state == "other":
        raise CoterieError(f"'{log}' exists and is not a Coterie log; it is not overwritten. Choose another --log.")
    if state == "unfinished":
        raise CoterieError(
            f"'{log}' is the log of a run that was not finished; it is not overwritten. "
            f"Go on with: coterie run --resume {log}, or choose another --log."
        )
    if state == "ended" and not _same_again(log, config):
        raise CoterieError(
            f"'{log}' is the log of another run; it is not overwritten. Remove it, or choose another --log."
        )


def _play(config: Config, log: Path, lock: Lock, args: argparse.Namespace, watcher: Follower, *shown: Any) -> Played:
    from coterie.cli.follow import Watched
    from coterie.cli.standby import driven, stopped_directly
    from coterie.episode.play import play
    from coterie.episode.setup import deciding_in, model_for, resolve, task_of

    task = task_of(resolve(config))  # complains before a model is fetched
    options = {"base_url": args.base_url, "token_limit": args.token_limit, **asking_options(args)}
    model: Model = Watched(model_for(config, progress=watcher.progress, record=args.record, **options), watcher)
    if any("keyboard" in name for name in deciding_in(config)):
        from coterie.cli.typed import Typed

        model = Typed(model, watcher)
    resume = args.resume is not None
    live, fox = shown
    names = [name for name, _ in task.robots] if not task.changes else None
    with driven(args, log, resume, names, stoppable=live is not None) as robots:
        watch: Callable[[Episode], None] = watcher.step
        if live is not None:
            live.tell({"stops": stopped_directly(robots)})
            watch = _paced(watcher, live, args)
        elif fox is not None and args.pace is None and args.drive is None:
            watcher.pace = LIVE_PACE_S  # for the eyes
        if any(shown):
            robots["follow"] = lambda log: [page.follow(log) for page in shown if page is not None]
        played = play(config, log, resume=resume, model=model, watch=watch, task=task, lock=lock, **robots)
    watcher.catch_up()
    return played


def _paced(watcher: Follower, live: Live, args: argparse.Namespace) -> Callable[[Episode], None]:
    """People at the page say how fast it goes, and when it pauses; driven robots take their own time."""
    pace = 0.0 if args.drive is not None else LIVE_PACE_S if args.pace is None else args.pace
    watcher.pace = 0.0

    def watch(episode: Episode) -> None:
        watcher.step(episode)
        if not episode.log.replaying:
            watcher.rested_s += live.rest(pace)

    return watch


def _note(log: Path, why: str) -> None:
    """Say beside the log how the run ended. The log itself stays as it is, so that going on repeats it byte for byte;
    an episode that ends puts its own figures there."""
    beside = log.with_suffix(log.suffix + ".wall")
    found: dict[str, Any] = {}
    with contextlib.suppress(CoterieError, ValueError, TypeError):  # what its calls took so far
        found = dict(read_json(beside, "file"))
    with contextlib.suppress(OSError):  # a full disk must not hide why the run stopped
        found = {"status": f"stopped: {why}", **{k: v for k, v in found.items() if k != "status"}}
        replace_text(beside, json_text(found) + "\n")


def _stopped(log: Path, args: argparse.Namespace) -> str:
    """Where the run stopped and how to go on; the log names the model, but not where it is asked."""
    try:
        step = read_log(log)[-1].step
    except CoterieError:
        return "Stopped before the first step; nothing was kept."
    words = ["coterie", "run", "--resume", str(log), *words_of(args, ("load",))]
    if args.base_url:
        from coterie.models.wire import Endpoint

        words += ["--base-url", Endpoint(args.base_url).address]  # without a password that may stand in it
    return f"Stopped at step {step}. Go on with: {shlex.join([*words, *words_of(args, ASKING)])}"


def pictures(args: argparse.Namespace, events: Sequence[Event], result: dict[str, Any]) -> Iterator[str]:
    """Draw what was asked for; sentences about what could not be. The run counts all the same."""
    from coterie.cli.drawing import drawing
    from coterie.page import save_page
    from coterie.worlds import pictures_of

    for kind, path in (("picture", args.picture), ("gif", args.gif), ("html", getattr(args, "html", None))):
        if path is not None:
            try:
                with drawing(path):
                    if kind == "html":
                        result[kind] = str(save_page(events, path).path)
                        continue
                    draws = pictures_of(events[0].data)
                    result[kind] = str((draws.gif if kind == "gif" else draws.overview)(events, path))
            except CoterieError as err:
                yield str(err)
