"""The paper's tables on strangers (IRoT, Tables I to IV), from one command that says what it will take and goes on
where it was stopped.

    python benchmarks/strangers.py --jobs 16                      main rows on all 1350 tasks, the others on a sample
    python benchmarks/strangers.py --episodes 54 --sample 54      a balanced part of everything
    python benchmarks/strangers.py --model openai:NAME --base-url http://localhost:8000/v1 --episodes 54 --sample 54
    python benchmarks/strangers.py --teams heuristic,learning,negotiate --strangers random,plastic,naive,gpl,cot

Main rows: the heuristic team alone, with a heuristic stranger and with IRoT, who come at steps 0 and 50. The others:
step 100, ablations, further teams and further strangers, as far as they are installed. Rows and tables lie in --out.

    python benchmarks/strangers.py --figures        Figures 8, 9, 11, 12 and A1 to A5 as well

Figure 8 is made from the rows. The others are examples: episodes that are played once, whose logs lie in --out/logs,
and from which pictures (SVG) and texts are made anew every time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from coterie.bench.methods import Method, method_sets, parse_method
from coterie.bench.playing import drawn, score
from coterie.bench.runner import make_jobs, run_bench
from coterie.bench.spec import EpisodeSpec
from coterie.bench.studies.irot import examples, figures, tables
from coterie.bench.studies.irot.suites import JOINING, TEAM, with_strangers
from coterie.bench.suites import make_suite, sample
from coterie.core.config import Config
from coterie.core.event import Event
from coterie.core.files import replace_text
from coterie.episode.play import play
from coterie.episode.setup import resolve, task_of
from coterie.log.file import read_log
from coterie.protocols import protocols
from coterie.worlds.household.pictures import HouseholdPictures

TRIED = 3  # episodes of the estimate
SHOWN = 124  # the seed of an episode in which a stranger is contradicted, changes its mind and carries something home
PLANS = (1, 2, 3, 4, 5, 6, 7, 8, 10)  # rooms of the houses of Figure A3


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--episodes", type=int, help="of the main rows (default all 1350)")
    p.add_argument("--sample", type=int, default=270, help="episodes of the other rows")
    p.add_argument("--main-only", action="store_true")
    p.add_argument("--teams", default=TEAM)
    p.add_argument("--strangers", default="", help="further ones, like random,plastic")
    p.add_argument("--model", default="oracle")
    p.add_argument("--base-url")
    p.add_argument("--figures", action="store_true", help="also the paper's figures")
    p.add_argument("--figures-only", action="store_true", help="the figures that are examples, and nothing else")
    p.add_argument("--out", type=Path, default=Path("results/strangers"))
    args = p.parse_args()
    if args.figures_only:
        _examples(args)
        return

    specs = sample(make_suite("irot"), args.episodes)
    few = sample(specs, min(args.sample, len(specs)))
    first = [parse_method(m) for m in method_sets["irot-main"]]
    more: dict[str, Method] = {}
    if not args.main_only:
        named = [s for s in args.strangers.split(",") if s]
        missing = [n for n in (*named, *args.teams.split(",")) if n not in protocols]
        if missing:
            print(f"left out, as they are not here: {', '.join(missing)}")
        for team in (t for t in args.teams.split(",") if t in protocols):
            methods = ("heuristic", "irot", *(n for n in named if n in protocols))
            for name in with_strangers(team, methods, JOINING):
                more[name] = parse_method(name)
        for name in (*method_sets["irot-ablations"], f"{TEAM}+irot@0:eye", f"{TEAM}+heuristic@0:eye"):
            more[name] = parse_method(name)
        for method in first:
            more.pop(method.name, None)
    _estimate(specs, few, first, list(more.values()), args)

    def progress(done: int, of: int) -> None:
        print(f"\r{done} of {of}", end="", flush=True)

    rows = []
    for some, methods in ((specs, first), (few, list(more.values()))):
        if methods:
            played = run_bench(
                some, methods, args.out, "irot", args.model, args.jobs, progress=progress, base_url=args.base_url
            )
            rows += played.rows
            print()
    names = [m.name for m in (*first, *more.values())]
    lines: list[str] = []
    for title, made in (
        ("Strangers", tables.by_team(rows, names)), ("IRoT against other strangers", tables.against(rows, names)),
        ("Where strangers help", tables.where(rows, names)), ("What went wrong", tables.failures(rows, names)),
        ("What is misplaced", tables.judging(rows, names)),
    ):  # fmt: skip
        lines += [f"## {title}", "", *made, ""]
    replace_text(args.out / "strangers.md", "\n".join(lines) + "\n")
    print("\n".join(lines))
    if args.figures:
        for name, drawn_figure in (("8a", figures.joining(rows, names)), ("8bc", figures.parts(rows, names))):
            if drawn_figure is not None:
                drawn_figure.savefig(args.out / f"figure-{name}.svg")
        _examples(args)


def _examples(args: argparse.Namespace) -> None:
    """The paper's figures that are examples."""
    print(
        f"{len(EXAMPLES) + len(PLANS)} episodes of examples, some 3 s each; what lies in {args.out / 'logs'} is kept."
    )
    pictures = HouseholdPictures()
    for name, config, drawn_as in EXAMPLES:
        events = _played(args, name, replace(config, model=args.model))
        if drawn_as is None:
            pictures.overview(events, args.out / f"figure-{name}.svg")
            rows = [*examples.story(events)]
        else:
            rows = [*drawn_as(events)]
        replace_text(args.out / f"figure-{name}.txt", "\n".join(rows or ["nothing of the kind in this episode"]) + "\n")
        print(f"figure {name}: {len(rows)} lines")
    for rooms in PLANS:
        config = Config(task="tidy", scene=f"rooms:{rooms}", level="1", team="drawn:3", protocol="heuristic", seed=1)
        events = _played(args, f"A3-{rooms}", config, limit=1)
        pictures.picture(events, args.out / f"figure-A3-{rooms}.svg", 0)
    print(f"figures 9, 11, 12, A1 to A5: {args.out}/figure-*")


def _played(args: argparse.Namespace, name: str, config: Config, limit: int | None = None) -> Sequence[Event]:
    """The log of an example, played if it is not there."""
    path = args.out / "logs" / f"{name}.jsonl"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        config = resolve(config)
        task = task_of(config)
        play(config, path, task=task if limit is None else replace(task, step_limit=limit))
    return read_log(path)


def _tidy(seed: int, method: str = "irot@50") -> Config:
    return Config(task="tidy", scene="rooms:6", protocol=TEAM, stranger=method, seed=seed)


def _rooms(level: str, stranger: str) -> Config:
    return Config(task="two-rooms", level=level, seed=102, protocol=TEAM, stranger=stranger)


#: Name, episode, and what is told of it; None: its picture and its story.
EXAMPLES: tuple[tuple[str, Config, Callable[[Sequence[Event]], Iterable[str]] | None], ...] = (
    ("9-alone", _tidy(SHOWN, "none"), None), ("9-naive", _tidy(SHOWN, "naive@50"), None), ("9", _tidy(SHOWN), None),
    ("A4", _tidy(17), None), ("A1", _tidy(SHOWN), examples.planning),
    ("A2", _tidy(SHOWN), examples.sub_skill), ("A5", _tidy(13, "naive@50"), examples.mistakes),
    ("11-alone", _rooms("help", "none"), None), ("11", _rooms("help", "irot@10"), None),
    ("12-alone", _rooms("arm", "none"), None), ("12", _rooms("arm", "irot@10"), None),
)  # fmt: skip


def _estimate(
    specs: list[EpisodeSpec], few: list[EpisodeSpec], first: list[Method], more: list[Method], args: argparse.Namespace
) -> None:
    """Play a few episodes of the longest method, and say how long all of them would take."""
    count = len(specs) * len(first) + len(few) * len(more)
    took = []
    if args.model == "oracle":
        for job in make_jobs(sample(specs, TRIED), first[-1:], args.model):
            begun = time.perf_counter()
            score(play(job.config, task=drawn(job)).log.events)
            took.append(time.perf_counter() - begun)
    each = sum(took) / len(took) if took else float("nan")
    print(
        f"{len(specs)} tasks for {len(first)} main methods, {len(few)} for {len(more)} others: {count} episodes; about "
        f"{each:.1f} s each, so {count * each / max(1, args.jobs) / 60:.0f} minutes with {args.jobs} jobs. "
        f"What is finished in {args.out} is not played again."
    )


if __name__ == "__main__":
    main()
