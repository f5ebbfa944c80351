"""`coterie bench`: play a suite with several methods, score it, and write tables and plots."""

from __future__ import annotations

import argparse
import contextlib
import math
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

from coterie.bench import drawing
from coterie.bench.cluster.shards import Plan
from coterie.bench.estimate import estimate_costs
from coterie.bench.experiment import Experiment, find_experiment
from coterie.bench.methods import Method, parse_methods
from coterie.bench.report import CSV, LATEX, crashes, report, save_tables
from coterie.bench.results import RESULTS, TABLE, WALL, Bench, remove_plots
from coterie.bench.runner import Progress, run_bench
from coterie.bench.sections import levels
from coterie.bench.streams import given_by
from coterie.bench.study import Column, every
from coterie.bench.suites import FIRST_SEED, EpisodeSpec, make_suite, sample, suites
from coterie.bench.summary import METRICS, distinct, overview, select
from coterie.bench.table import interval, number
from coterie.bench.validate import Tally, validate_suite
from coterie.cli import bench_cluster as many
from coterie.cli.asking import asking_options, unlearnt
from coterie.cli.options import add_command, words_of
from coterie.cli.out import DONE, UNFORESEEN, WRONG_USE, complain, say_json, say_result
from coterie.cli.show import line
from coterie.cli.speed import EMBEDDED, timed
from coterie.core.config import Config
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.record import DAMAGE
from coterie.core.visible import visible
from coterie.episode.setup import load_plugins, redrawn
from coterie.models import models
from coterie.models.budget import Budget
from coterie.models.wire import Endpoint
from coterie.worlds import entry_of


def add(commands: Any) -> None:
    add_command(commands, "bench", bench, {"model": Config().model, "seed": FIRST_SEED}, suites=", ".join(suites))


def bench(args: argparse.Namespace) -> int:
    """Run the command; 0 when it went through, whatever the scores."""
    load_plugins(args.load)
    args.suite, *folders = args.suite
    if args.suite == many.MERGE:
        many.check_merge(args)
        return _merge(args, [Path(f) for f in folders])
    if folders:
        raise CoterieError(f"bench {args.suite} {folders[0]}: join several suites with commas, without spaces.")
    many.check(args)
    experiment = _experiment(args)
    specs = _episodes(args, experiment)
    if args.validate:
        return _validate(args, specs)
    methods = _methods(args, specs)
    folder = Path(args.out) if args.out else Path("results") / args.suite.translate(str.maketrans(",/:", "+__"))
    if experiment is not None:
        args.file = str(folder / experiment.path.name if args.dry_run else experiment.keep(folder))
    under_slurm = (args.cluster or "").startswith("slurm")
    if args.dry_run:
        return _dry_run(args, specs, methods, folder)
    _check_model(args, methods)
    settings = {
        "seed": args.seed, "noise": args.noise, "radio": args.radio, "sample": args.episodes, "load": args.load,
        "heartbeat": args.heartbeat, "memo_from": args.memo_from, "command": _command(args),
    }  # fmt: skip
    plan = Plan(specs, methods, folder, args.suite, args.model, settings, args.load, args.logs)
    try:
        if args.shard:
            return many.shards(args, plan, progress(f"{args.suite} {args.shard}"))
        if under_slurm:
            many.under_slurm(args, _again(args), plan, progress(args.suite))
            return _merge(args, [folder], args.nodes)
        done = _play(args, plan)
    except KeyboardInterrupt:
        complain(f"Stopped. {_kept(folder)}")
        return 130
    except (CoterieError, OSError) as err:
        words = str(err) if isinstance(err, CoterieError) else f"Cannot write to '{folder}': {err.strerror or err}."
        if (folder / WALL).is_file() and (folder / WALL).stat().st_size:  # an endpoint went away, a limit was reached
            words = f"{words} {_kept(folder)}"
        raise CoterieError(words) from err
    return _write(args, done, [*_once(args, specs), *_redrawn(args, specs), *done.alike, *_reused(done)])


#: Options that an experiment has as keys: it says what was played, and is not contradicted.
_IN_FILE = (
    "methods", "model", "base_url", "team", "scene", "card", "change", "async", "same_tasks", "episodes", "seed",
    "noise", "radio", "heartbeat", "memo_from",
)  # fmt: skip


def _experiment(args: argparse.Namespace) -> Experiment | None:
    """The experiment of a file, put into the options; None where a suite or a task is named."""
    args.file, path = None, find_experiment(args.suite)
    if path is None:
        return None
    usual = {"model": Config().model, "seed": FIRST_SEED, "async": False, "same_tasks": False}
    if odd := [name for name in _IN_FILE if getattr(args, name) != usual.get(name)]:
        option = f"--{odd[0].replace('_', '-')}"
        raise CoterieError(f"{option}: the experiment '{path}' says what is played; write it there instead.")
    found = Experiment(path)
    args.base_url, args.load = found.base_url, [*found.load, *args.load]
    load_plugins(found.load)
    args.methods, args.model = ",".join(found.compared()), (*found.models, args.model)[0]
    args.token_limit = args.token_limit or found.budget["tokens"]
    args.rate_limit = args.rate_limit or found.budget["requests_per_minute"]
    args.suite, args.seed, args.episodes = found.name, found.seed, found.budget["episodes"]
    args.team, args.same_tasks = ",".join(found.teams), bool(found.of_tasks["teams"])
    args.out = args.out or (str(path.parent) if found.kept else None)
    return found


def _episodes(args: argparse.Namespace, experiment: Experiment | None) -> list[EpisodeSpec]:
    """The episodes that were asked for; complains about what a world cannot play."""
    if experiment is not None:
        return experiment.specs()
    own = {"scene": args.scene, "cards": tuple(args.card or ()), "changes": tuple(args.change or ())}
    own["synchronous"] = not getattr(args, "async")
    specs = []
    teams = ",".join(team.strip() for team in (args.team or "").split(","))
    if args.same_tasks and "," not in teams:
        raise CoterieError("--same-tasks compares teams: name several, like --team Ma-MoMa-UAV,Ma-UAV.")
    own["teams"] = teams if args.same_tasks else ""
    for team in teams.split(","):
        of_team = {"team": team, **own}
        found = make_suite(args.suite, args.seed, args.noise, args.episodes, args.radio, args.heartbeat, **of_team)
        specs += sample(found, args.episodes)
    for spec in {s.config.task: s for s in specs}.values():
        entry_of(spec.config.task).settle(spec.config)
    return specs


def _methods(args: argparse.Namespace, specs: list[EpisodeSpec]) -> list[Method]:
    """The methods that were named, or those that the worlds have; complains about a memo that none of them uses."""
    if args.methods is None:
        args.methods = ",".join(dict.fromkeys(entry_of(s.config.task).protocol for s in specs))
    methods = parse_methods(args.methods)
    if args.memo_from:
        given_by(Path(args.memo_from))  # complains now, before anything is played
        if not any(method.memo for method in methods):
            raise CoterieError(
                f"--memo-from {args.memo_from}: none of these methods uses it; write {methods[0].name}+memo."
            )
    return methods


def _play(args: argparse.Namespace, plan: Plan) -> Bench:
    """Play on this machine, or on a Ray cluster."""
    with progress(args.suite) as tell:
        return run_bench(
            plan.specs, plan.methods, plan.folder, plan.suite, plan.model, args.jobs, plan.logs, plan.settings, tell,
            load=plan.load,
            batch=args.batch,
            base_url=args.base_url,
            token_limit=args.token_limit,
            fresh=args.fresh,
            asked=asking_options(args),
            cluster=args.cluster or "",
            rate_limit=args.rate_limit,
            memo_from=Path(args.memo_from) if args.memo_from else None,
        )  # fmt: skip


def _merge(args: argparse.Namespace, folders: list[Path], of: int | None = None) -> int:
    found = many.merged(args, folders, of)
    if args.dry_run:
        return many.would_merge(args, found)
    args.suite = found.bench.suite
    return _write(args, found.bench, [*found.bench.alike, *found.notes])


def _write(args: argparse.Namespace, done: Bench, notes: list[str]) -> int:
    """Table and plots, in the folder and on the screen."""
    folder = done.folder
    with _rows_of(folder, done):
        text = report(done)  # complains before anything is shown
        drawn, more = _plots(args, done)
        _show(args, done, drawn, [*notes, *more])
    try:
        save_tables(done, text)
    except OSError as err:  # the results are kept, and the table is made of them
        complain(f"Cannot write '{folder / TABLE}': {err.strerror or err}. The same command makes it again.")
    return _crashes(done)


def _crashes(done: Bench) -> int:
    """Report crashes at the end, for the author of what crashed; the table holds all else."""
    for text in crashes(done):
        if text:
            complain(f"Crashed: {text.removeprefix('- ')}")
    rows = [r for r in done.rows if "crash" in r]
    return DONE if not rows else WRONG_USE if all(r["crash_own"] for r in rows) else UNFORESEEN


@contextmanager
def _rows_of(folder: Path, done: Bench) -> Iterator[None]:
    """Rows that were there already may have been touched by anybody."""
    try:
        yield
    except DAMAGE as err:
        if not done.reused:
            raise
        raise CoterieError(
            f"A line of '{folder / RESULTS}' or '{folder / WALL}' is damaged ({type(err).__name__}: {err}). "
            "Play the episodes again with --fresh."
        ) from err


def _kept(folder: Path) -> str:
    return f"What was finished is in {folder}; the same command goes on from there."


def _check_model(args: argparse.Namespace, methods: list[Method]) -> None:
    """Complain before anything is played."""
    asking = [m.name for m in methods if m.needs_model and not m.model]
    for own in dict.fromkeys(m.model.partition(":")[0] for m in methods if m.model):
        if own not in models:
            raise unknown_name("model", own, models)
    if asking and args.model == "none":
        raise CoterieError(
            f"{', '.join(asking)}: these methods ask a language model. Choose one with --model; `--model oracle` plays "
            "them without one."
        )
    for name in dict.fromkeys(m.model or args.model for m in methods if m.needs_model):
        protocols = [m.protocol for m in methods if m.needs_model and (m.model or args.model) == name]
        if strange := unlearnt(name, protocols):
            complain(strange)
    Budget(args.token_limit)
    if any(m.startswith("openai:") for m in [*([args.model] if asking else []), *(m.model for m in methods)]):
        Endpoint(args.base_url, deadline_s=args.deadline)


def _once(args: argparse.Namespace, specs: list[EpisodeSpec]) -> list[str]:
    """Say why there are no more episodes."""
    if args.episodes is not None or {args.noise, args.radio} - {None, "none"}:
        return []
    names = dict.fromkeys(Path(s.config.task).name for s in specs if s.config.task.endswith(".toml"))
    return [f"{n} is the same with every seed: one episode. --episodes N plays N where chance decides." for n in names]


def _redrawn(args: argparse.Namespace, specs: list[EpisodeSpec]) -> list[str]:
    """Say where --change plays other tasks than there are without it: the two benches are then no pair."""
    if not args.change:
        return []
    other = 0
    for spec in specs:
        config = entry_of(spec.config.task).settle(spec.config)
        with contextlib.suppress(CoterieError):  # those that cannot be drawn are told of elsewhere
            other += redrawn(config, entry_of(config.task).task(config))
    words = f"--change {' '.join(args.change)}: {other} of {len(specs)} seeds are other tasks than without it, drawn so"
    return [f"{words} that the change matters; do not pair them."] if other else []


def _reused(done: Bench) -> list[str]:
    """Say where results do not come from this run."""
    notes = []
    total = len(done.specs) * len(done.methods)
    if done.reused:
        notes.append(f"{done.reused} of {total} episodes were there already; --fresh plays them again.")
    if done.unused:
        notes.append(
            f"{RESULTS} also keeps {done.unused} results of these episodes and methods from another model, version or, "
            "with a memo, selection of episodes; they are not in the table."
        )
    return notes


def _command(args: argparse.Namespace) -> str:
    """The command that makes the table again; folder and number of processes make no difference to it."""
    if args.file is not None:
        return shlex.join(["coterie", "bench", args.file])
    words = ["coterie", "bench", args.suite, "--methods", args.methods]
    first = ("model", "team", "scene", "episodes", "seed", "noise", "radio", "heartbeat")
    words += words_of(args, first, {"model": Config().model, "seed": FIRST_SEED})
    if args.base_url and any("openai:" in m for m in (args.model, args.methods or "")):
        words += ["--base-url", Endpoint(args.base_url).address]  # without a password that may stand in it
    rest = ("temperature", "max-tokens", "async", "same-tasks", "card", "change", "load", "memo-from")
    return shlex.join([*words, *words_of(args, rest)])


def _again(args: argparse.Namespace) -> list[str]:
    """The words with which a machine plays a part of this bench."""
    more = ("stream", "jobs", "batch", "token-limit", "rate-limit", "deadline", "logs", "fresh")
    return [*shlex.split(_command(args))[2:], *words_of(args, more, {"jobs": 1, "batch": 1})]


def _plots(args: argparse.Namespace, done: Bench) -> tuple[list[Path], list[str]]:
    """The plots that were drawn, and sentences about those that were not."""
    notes: list[str] = []
    if not args.no_plots:
        try:
            return drawing.draw_all(done, notes), notes
        except CoterieError as err:
            notes.append(str(err))
        except OSError as err:
            notes.append(f"The plots could not be written: {err.strerror or err}.")
            return [], notes
    removed = remove_plots(done.folder, drawing.names())
    if removed:
        notes.append(f"{removed} plots of an earlier run did not belong to this table and were removed.")
    return [], notes


# -- what is printed ------------------------------------------------------------------------------------------------
def _show(args: argparse.Namespace, done: Bench, drawn: list[Path], notes: list[str]) -> None:
    names = [m.name for m in done.methods]
    found = overview(done.rows, names)
    more, hidden = _more(done, found)
    teams = distinct(done.rows, "team") if "," in (args.team or "") else []
    more = [] if teams else more  # what studies know is of a method, whatever its team
    errors = sorted({r["error"] for r in done.rows if "error" in r})
    if args.json:
        undrawn = len({r["key"] for r in done.rows if "error" in r})
        data = {"suite": args.suite, "methods": found, "out": str(done.folder), "not_drawn": undrawn}
        say_json({**data, "reused": done.reused, "unused": done.unused})
        return
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from coterie.cli.terminal import terminal

    asks = any(entry["calls"] for entry in found.values())
    means = "one episode" if len(done.specs) == 1 else f"means over {len(done.specs)} episodes, groups weighed equally"
    heading = f"{visible(shorten(args.suite, 28))}: {means}"
    table = Table(title=heading, box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    shown = [m for m in METRICS if m not in ("succ", *hidden) and any(e[m] is not None for e in found.values())]
    brief = asks and teams  # so that it fits; intervals stand in table.md
    heads = ["SUCC" if brief else "SUCC [95%]", *(METRICS[m] for m in shown), *(("calls", "tokens") if asks else ())]
    heads += [column.head for column in more]
    sees = not asks and not teams and "sees" not in hidden  # what a method sees also stands in table.md
    told = levels(done)
    for head in ("method", *(("sees",) if sees else ()), *(("team",) if teams else ())):
        table.add_column(head, overflow="fold")  # a name that is cut off may be that of another
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    by_team = {team: overview(select(done.rows, team=team), names) for team in teams} or {None: found}
    for method, (team, entries) in product(done.methods, by_team.items()):
        entry = entries[method.name]
        if entry["succ"] is None:
            continue
        low, high = entry["succ_ci"] or (math.nan, math.nan)
        cells = [
            f"{entry['succ']:.3f}" + ("" if brief else f" {interval(low, high)}"),
            *(number(entry[m], 2) for m in shown),
        ]
        cells += [f"{entry['calls']:.1f}", f"{entry['tokens']:.0f}"] if asks else []
        cells += [column.write(entry.get(column.key)) for column in more]
        named = told[method.name] in method.name  # also where there is nothing to name
        title = method.name if named else f"{method.name} ({told[method.name]})"
        table.add_row(title, *((method.sees,) if sees else ()), *((visible(team),) if team else ()), *cells)
    out = terminal()
    out.print(table)
    if teams and not args.suite.endswith(".toml"):
        words = (
            "All teams had the same tasks."
            if args.same_tasks
            else "Each team has its own tasks from these seeds, drawn so that it can do them; see --same-tasks."
        )
        out.print(line(words), soft_wrap=True)
    for text in errors:
        out.print(line(f"Not played: {text}"), soft_wrap=True)
    out.print(line(f"Table: {done.folder / TABLE} (also {CSV}, {LATEX})"), soft_wrap=True)
    if drawn:
        out.print(line(f"Plots: {drawn[0].parent} ({', '.join(p.stem for p in drawn)})"), soft_wrap=True)
    for text in notes:
        out.print(line(text), soft_wrap=True)


def _more(done: Bench, found: dict[str, dict[str, Any]]) -> tuple[list[Column], set[str]]:
    """Studies add to what is known of methods; the columns they show of it, and those that leave room for them."""
    columns: list[Column] = []
    hidden: set[str] = set()
    for study in every():
        told = study.overview(done)
        for name, numbers in told.items():
            found[name] |= numbers
        if told:
            columns += study.shown
            hidden |= study.instead_of
    return columns, hidden


def _dry_run(args: argparse.Namespace, specs: list[EpisodeSpec], methods: list[Method], folder: Path) -> int:
    fleet = many.fleet(args)
    asked: dict[str, list[Method]] = {}
    for method in methods:
        asked.setdefault(method.model or args.model or EMBEDDED, []).append(method)
    costs = [
        cost
        for model, some in asked.items()
        for cost in timed(estimate_costs(specs, some, folder, args.load), model, args.base_url)
    ]
    each = [fleet.wall_s(c, args.rate_limit) for c in costs]
    known = [s for s in each if s is not None]
    wall_s = sum(known) if len(known) == len(each) else None
    if args.json:
        data = {"suite": args.suite, "estimate": {c.method: c._asdict() for c in costs}, **fleet._asdict()}
        say_json({**data, "wall_s": wall_s})
        return 0
    from rich.table import Table

    from coterie.cli.terminal import terminal

    table = Table(title=f"{visible(shorten(args.suite, 40))}: what it will cost")
    for head in ("method", "episodes", "decisions", "calls", "tokens", "time"):
        table.add_column(head, justify="left" if head == "method" else "right")
    for c, took in zip(costs, each):
        table.add_row(c.method, str(c.episodes), *map(_about, (c.decisions, c.calls, c.tokens)), _time(took))
    out = terminal()
    out.print(table)
    for c in costs:
        out.print(line(f"{c.method}: {c.basis}."), soft_wrap=True)
    told = f"{_time(wall_s)} {fleet}" if wall_s is not None else f"{fleet}; how long is not known"
    out.print(line(f"All of it: {told}."), soft_wrap=True)
    return 0


def _about(x: float | None) -> str:
    return "?" if x is None else f"{x:,.0f}"


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "?"
    minutes = f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
    return f"{seconds:.0f} s" if seconds < 90 else minutes


def _validate(args: argparse.Namespace, specs: list[EpisodeSpec]) -> int:
    with progress(args.suite) as tell:
        tally: Tally = validate_suite(specs, jobs=args.jobs, progress=tell, load=args.load)
    words = f"{args.suite}: {tally.confirmed} of {tally.total} tasks confirmed by replaying the expert's actions."
    told = "\n".join([words, *(f"- {key}: {reason}" for key, reason in tally.doubts)])
    counts = {"tasks": tally.total, "confirmed": tally.confirmed}
    say_result(args.json, told, suite=args.suite, **counts, doubts=dict(tally.doubts))
    return 0 if tally.confirmed == tally.total else 1


def shorten(name: str, most: int) -> str:
    """Several suites as the first of them and how many more; a long name with its end cut off."""
    first, *more = [n.strip() for n in name.split(",") if n.strip()] or [""]
    rest = f" and {len(more)} more" if more and len(name) > most else ""
    text = first if rest else name
    room = most - len(rest)
    return (text if len(text) <= room else text[: room - 1] + "…") + rest


@contextmanager
def progress(title: str) -> Iterator[Progress]:
    """A bar on stderr, so that stdout stays clean for --json."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    from coterie.cli.terminal import terminal

    columns = (
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TimeRemainingColumn(),
    )  # fmt: skip
    with Bar(*columns, console=terminal(stderr=True)) as bar:
        task = bar.add_task(visible(shorten(title, 28)), total=None)
        update: Callable[[int, int], None] = lambda done, total: bar.update(task, completed=done, total=total)  # noqa: E731
        yield update
