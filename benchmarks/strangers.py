"""The paper's tables on strangers (IRoT, Tables I to IV), from one command that says what it will take and goes on
where it was stopped.

    python benchmarks/strangers.py --jobs 16 --figures            all tables and figures with rule minds
    python benchmarks/strangers.py --jobs 16 --main-only          only the rows that are played in full
    python benchmarks/strangers.py --episodes 54 --sample 54      a balanced part of everything
    python benchmarks/strangers.py --model openai:NAME --base-url http://localhost:8000/v1 --episodes 54 --sample 54
    python benchmarks/strangers.py --estimate                     how long it would take, and nothing else

Main rows, on all 1350 tasks: the heuristic team alone, with a heuristic stranger and with IRoT, who come at steps 0 and
50. The others, on a balanced sample with intervals: all three teams with every stranger at steps 0, 50 and 100 (Tables
I to III), and IRoT without its parts and with a weaker model in the negotiating team (Table IV). --teams, --strangers
and --steps choose among them. What is asked over a network is asked at the paper's temperature, 0.3. Rows lie in --out,
and tables in a file there that names what they were made of, so that a smaller run does not write over a larger one.

    python benchmarks/strangers.py --figures-only   Figures 9, 11, 12 and A1 to A5 and nothing else

Figure 8 is made from the rows. The others are examples: episodes that are played once for each model, whose logs lie in
--out/logs, and from which pictures (SVG) and texts are made anew every time.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from coterie.bench.methods import Method, method_sets, parse_method
from coterie.bench.playing import drawn
from coterie.bench.results import Row
from coterie.bench.runner import make_jobs, run_bench
from coterie.bench.score import score
from coterie.bench.spec import EpisodeSpec
from coterie.bench.studies.irot import examples, figures, orderings, overall, tables, typed
from coterie.bench.studies.irot.labels import AT_IT, BEYOND
from coterie.bench.studies.irot.suites import (
    ABLATIONS,
    JOINING,
    LLM_TEAM,
    RIVALS,
    TEAM,
    TEAMS,
    WEAKER,
    with_strangers,
)
from coterie.bench.suites import make_suite, sample
from coterie.core.config import Config
from coterie.core.errors import CoterieError, unknown_name
from coterie.core.event import Event
from coterie.core.files import replace_text
from coterie.episode.play import play
from coterie.episode.setup import resolve, task_of
from coterie.log.file import read_log
from coterie.models import make_model
from coterie.protocols import protocols
from coterie.worlds.household.pictures import HouseholdPictures

RULES = "oracle"
TRIED = 2  # episodes of the estimate for each team
CALL_S = 2.0  # a call of a model is taken to last, as in the paper
TEMPERATURE = 0.3
MISTAKES = range(13, 25)  # seeds of episodes in which sub-tasks that were none are looked for (Figure A5)
PLANS = (1, 2, 3, 4, 5, 6, 7, 8, 10)  # rooms of the houses of Figure A3


def options() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--episodes", type=int, help="of the main rows (default all 1350)")
    p.add_argument("--sample", type=int, default=270, help="episodes of the other rows")
    p.add_argument("--main-only", action="store_true", help="only the rows that are played in full")
    p.add_argument("--teams", default=",".join(TEAMS))
    p.add_argument("--strangers", default=",".join((*RIVALS, *ABLATIONS[:-1])), help="those of the tables by name")
    p.add_argument("--steps", default=",".join(map(str, JOINING)), help="at which strangers come")
    p.add_argument("--model", default=RULES)
    p.add_argument("--weaker", help=f"a weaker model for Table IV (with rule minds {WEAKER}, else none)")
    p.add_argument("--base-url")
    p.add_argument("--temperature", type=float, default=TEMPERATURE, help=f"of a model (default {TEMPERATURE})")
    p.add_argument("--batch", type=int, default=1, help="episodes that ask a model together in each process")
    p.add_argument("--estimate", action="store_true", help="say how long it would take, and no more")
    p.add_argument("--figures", action="store_true", help="also the paper's figures")
    p.add_argument("--figures-only", action="store_true", help="the figures that are examples, and nothing else")
    p.add_argument("--out", type=Path, default=Path("results/strangers"))
    return p


def main(given: Sequence[str] | None = None) -> int:
    args = options().parse_args(given)
    try:
        return made(args)
    except CoterieError as err:
        print(err, file=sys.stderr)
        return 1


def made(args: argparse.Namespace) -> int:
    _check(args)
    if args.figures_only:
        _examples(args)
        return 0
    specs = sample(make_suite("irot"), args.episodes)
    few = sample(specs, min(args.sample, len(specs)))
    first, more = planned(args)
    _estimate(specs, few, first, more, args)
    if args.estimate:
        return 0
    rows: list[Row] = []
    asked = {} if args.model == RULES else {"temperature": args.temperature}
    for some, methods in ((specs, first), (few, more)):
        if methods:
            played = run_bench(
                some, methods, args.out, "irot", args.model, args.jobs, progress=_progress, base_url=args.base_url,
                batch=args.batch, asked=asked,
            )  # fmt: skip
            rows += played.rows
            print()
    names = [m.name for m in (*first, *more)]
    lines = list(written(rows, names))
    path = args.out / f"{_file_name(args, len(specs), len(few))}.md"
    replace_text(path, "\n".join(lines) + "\n")
    print("\n".join([*lines, f"These tables: {path}"]))
    if args.figures:
        for name, drawn_figure in (("8a", figures.joining(rows, names)), ("8bc", figures.parts(rows, names))):
            if drawn_figure is not None:
                drawn_figure.savefig(args.out / f"figure-{name}.svg")
        _examples(args)
    return 1 if list(tables.crashes(rows, names)) else 0


def _check(args: argparse.Namespace) -> None:
    """Complain before anything is played."""
    for name, value in (("--episodes", args.episodes), ("--sample", args.sample), ("--jobs", args.jobs)):
        if value is not None and value < 1:
            raise CoterieError(f"{name} {value}: take at least one.")
    for team in _listed(args.teams):
        if team not in TEAMS:
            raise unknown_name("team", team, TEAMS)
    for stranger in _listed(args.strangers):
        if stranger not in protocols:
            raise unknown_name("stranger", stranger, (*RIVALS, *ABLATIONS))
    for step in _listed(args.steps):
        if not step.isdigit():
            raise CoterieError(f"--steps {step}: name the steps at which strangers come, like 0,50,100.")
    if not 0.0 <= args.temperature <= 2.0:
        raise CoterieError(f"--temperature {args.temperature:g}: it lies between 0 and 2.")
    for model in filter(None, (args.model, args.weaker)):
        make_model(model, **({"base_url": args.base_url} if args.base_url else {}))


def planned(args: argparse.Namespace) -> tuple[list[Method], list[Method]]:
    """The methods that are played in full, and those that are played on a sample."""
    teams, strangers = _listed(args.teams), _listed(args.strangers)
    steps = tuple(map(int, _listed(args.steps)))
    first = [parse_method(m) for m in method_sets["irot-main"] if _chosen(m, teams, strangers, steps)]
    names: list[str] = []
    plain = tuple(s for s in strangers if not s.startswith("irot:"))
    parts = tuple(s for s in strangers if s.startswith("irot:") and (args.model != RULES or s not in tables.SAME))
    for team in teams:
        names += with_strangers(team, plain, steps)
    names += [f"{TEAM}+{who}@0:eye" for who in ("heuristic", "irot") if TEAM in teams and who in plain and 0 in steps]
    weaker = args.weaker or (WEAKER if args.model == RULES else "")
    if LLM_TEAM in teams:
        names += [f"{LLM_TEAM}+{who}@{step}" for step in steps for who in parts]
        if weaker and "irot" in plain:
            names += [f"{LLM_TEAM}@{weaker}"] * ("@" not in weaker)
            names += [f"{LLM_TEAM}@{weaker}+irot@{step}" for step in steps]
    played = {m.name for m in first}
    more = [parse_method(name) for name in dict.fromkeys(names) if name not in played]
    return first, [] if args.main_only else more


def _chosen(method: str, teams: Sequence[str], strangers: Sequence[str], steps: Sequence[int]) -> bool:
    team, plus, rest = method.partition("+")
    who, _, step = rest.partition("@")
    return team in teams and (not plus or (who in strangers and int(step) in steps))


def written(rows: Sequence[Row], names: Sequence[str]) -> Iterator[str]:
    """The tables, each under its heading."""
    for title, made_of in (
        ("Strangers", tables.by_team(rows, names)), ("What parts of IRoT are worth", tables.ablations(rows, names)),
        ("The same", tables.same(rows, names)), ("Over all teams and steps", overall.table(rows, names)),
        ("IRoT against other strangers", tables.against(rows, names)),
        ("Orderings of the paper", orderings.orderings(rows, names)),
        ("Where strangers help", tables.where(rows, names)), ("What went wrong", tables.failures(rows, names)),
        ("What is misplaced", tables.judging(rows, names)), ("Types of teams", typed.table(rows, names)),
        ("Crashed", tables.crashes(rows, names)),
    ):  # fmt: skip
        lines = list(made_of)
        if lines:
            yield from (f"## {title}", "", *lines, "")


def _file_name(args: argparse.Namespace, episodes: int, few: int) -> str:
    """Says what tables were made of."""
    usual = vars(options().parse_args([]))
    parts = ["strangers", str(episodes), *([] if args.main_only else [str(few)])]
    parts += [args.model] if args.model != RULES else []
    parts += [str(vars(args)[name]) for name in ("teams", "strangers", "steps") if vars(args)[name] != usual[name]]
    return _plain("-".join(parts))[:120]


def _plain(words: str) -> str:
    return re.sub(r"[^\w.-]+", "_", words)


def _listed(words: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (w.strip() for w in words.split(",")))))


def _progress(done: int, of: int) -> None:
    print(f"\r{done} of {of}", end="", flush=True)


# -- how long it takes ------------------------------------------------------------------------------------------------
def _estimate(
    specs: list[EpisodeSpec], few: list[EpisodeSpec], first: list[Method], more: list[Method], args: argparse.Namespace
) -> None:
    """Play a few episodes of each team with rule minds, which are asked all that a model would be, and say how long all
    of them would take, or how often that model would be asked."""
    count = len(specs) * len(first) + len(few) * len(more)
    seconds = calls = tokens = 0.0
    for team in dict.fromkeys(m.protocol for m in (*first, *more)):
        of_team = [len(some) * sum(m.protocol == team for m in ms) for some, ms in ((specs, first), (few, more))]
        asking = [m for m in (*first, *more) if m.protocol == team and m.needs_model]
        tried = next((m for m in asking if m.stranger.startswith("irot@")), None) or parse_method(team)
        jobs = make_jobs(sample(few, min(TRIED, len(few))), [replace(tried, model="")], args.model)
        begun, rows = time.perf_counter(), []
        for job in jobs:
            rows.append(score(play(job.config, task=drawn(job), model=make_model(RULES)).log.events))
        each = sum(of_team) / len(jobs)
        seconds += each * (time.perf_counter() - begun)
        asks = sum(len(some) * sum(m in asking for m in ms) for some, ms in ((specs, first), (few, more))) / len(jobs)
        calls += asks * sum(r["calls"] for r in rows)
        tokens += asks * sum(r["tokens"] for r in rows)
    words = f"{len(specs)} tasks for {len(first)} main methods, {len(few)} for {len(more)} others: {count} episodes; "
    if args.model == RULES:
        words += f"about {seconds / max(1, count):.1f} s each, so {_long(seconds / args.jobs)} with {args.jobs} jobs"
    else:
        at_once = args.jobs * args.batch
        words += (
            f"as often as rule minds ask, {args.model} would be asked {calls:,.0f} times with {tokens:,.0f} tokens in "
            f"all: {_long(calls * CALL_S / at_once)} with {at_once} at once and {CALL_S:g} s a call"
        )
    print(f"{words}. What is finished in {args.out} is not played again.", flush=True)


def _long(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds < 7200 else f"{seconds / 3600:.1f} hours"


# -- figures that are examples ----------------------------------------------------------------------------------------
def _examples(args: argparse.Namespace) -> None:
    """The paper's figures that are examples."""
    count = f"{len(EXAMPLES) + len(PLANS)} episodes of examples and up to {len(MISTAKES)} of mistakes"
    print(f"{count}, some 5 s each by rule; what lies in {args.out / 'logs'} is kept.")
    pictures = HouseholdPictures()
    for name, config, drawn_as in EXAMPLES:
        events = _played(args, name, config)
        rows = [*(drawn_as or examples.story)(events)] or ["nothing of the kind in this episode"]
        if drawn_as is None:
            pictures.overview(events, args.out / f"figure-{name}.svg")
        else:
            replace_text(args.out / f"figure-{name}.svg", examples.picture(f"Figure {name}", rows))
        for who, step in examples.carries(events) if name == "A4" else ():  # with its own eyes, and from above
            pictures.beside(events, args.out / f"figure-A4-step{step}.svg", who, step)
        replace_text(args.out / f"figure-{name}.txt", "\n".join(rows) + "\n")
        print(f"figure {name}: {len(rows)} lines")
    rows = list(_mistakes(args)) or ["nothing of the kind in these episodes"]
    replace_text(args.out / "figure-A5.txt", "\n".join(rows) + "\n")
    replace_text(args.out / "figure-A5.svg", examples.picture("Figure A5", rows))
    for rooms in PLANS:
        config = Config(task="tidy", scene=f"rooms:{rooms}", level="1", team="drawn:3", protocol="heuristic", seed=1)
        events = _played(args, f"A3-{rooms}", config, limit=1)
        pictures.picture(events, args.out / f"figure-A3-{rooms}.svg", 0)
    print(f"figures 9, 11, 12, A1 to A5: {args.out}/figure-*")


def _mistakes(args: argparse.Namespace) -> Iterator[str]:
    """Sub-tasks that were none for a stranger, from one episode after the other until there are both cases."""
    seen: set[str] = set()
    for seed in MISTAKES:
        found = list(examples.mistakes(_played(args, f"A5-{seed}", _tidy(seed, "naive@50", team=TEAM))))
        if found:
            yield f"Seed {seed}:"
            yield from (f"    {line}" for line in found)
        seen |= {line[:6] for line in found}
        if len(seen) == len(CASES):
            return
    for case, label in CASES.items():
        if case not in seen:
            yield f"{case} ({label}): not in these episodes."


CASES = {"Case 1": BEYOND, "Case 2": AT_IT}


def _played(args: argparse.Namespace, name: str, config: Config, limit: int | None = None) -> Sequence[Event]:
    """The log of an example; it is played if it is not there in whole, of this very episode and model."""
    config = resolve(replace(config, model=args.model))
    path = args.out / "logs" / f"{name}-{_plain(args.model)}.jsonl"
    kept = _kept(path)
    if kept and kept[-1].kind == "end" and _same(kept[0].data["config"], config):
        return kept
    path.parent.mkdir(parents=True, exist_ok=True)
    task = task_of(config)
    told: dict[str, Any] = {"temperature": args.temperature} if args.model != RULES else {}
    model = make_model(args.model, **told, **({"base_url": args.base_url} if args.base_url else {}))
    play(config, path, model=model, task=task if limit is None else replace(task, step_limit=limit))
    return read_log(path)


def _kept(path: Path) -> Sequence[Event]:
    try:
        return read_log(path) if path.exists() else ()
    except CoterieError:  # it breaks off in the middle of a line
        return ()


def _same(told: dict[str, Any], config: Config) -> bool:
    return bool(Config.from_json(told) == config)


def _tidy(seed: int, method: str = "irot@50", rooms: int = 6, team: str = LLM_TEAM) -> Config:
    return Config(task="tidy", scene=f"rooms:{rooms}", protocol=team, stranger=method, seed=seed)


def _rooms(level: str, stranger: str) -> Config:
    return Config(task="two-rooms", level=level, seed=ROOMS[level], protocol=LLM_TEAM, stranger=stranger)


ROOMS = {"help": 102, "arm": 103}  # seeds in which the stranger is of use to a negotiating team
SHOWN = 22  # the seed of an episode in which a stranger is contradicted, changes its mind and carries something home
#: Name, episode, and what is told of it; None: its picture and its story.
EXAMPLES: tuple[tuple[str, Config, Callable[[Sequence[Event]], Iterable[str]] | None], ...] = (
    ("9-alone", _tidy(SHOWN, "none"), None), ("9-naive", _tidy(SHOWN, "naive@50"), None), ("9", _tidy(SHOWN), None),
    ("A4", _tidy(17), None), ("A1", _tidy(SHOWN, team=TEAM), examples.planning),
    ("A2", _tidy(SHOWN, team=TEAM), examples.sub_skill),
    ("11-alone", _rooms("help", "none"), None), ("11", _rooms("help", "irot@10"), None),
    ("12-alone", _rooms("arm", "none"), None), ("12", _rooms("arm", "irot@10"), None),
)  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
