"""Episodes and benches from Python, in a line each. What is imported here is also what the command line uses."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

from coterie.bench.methods import parse_methods
from coterie.bench.metrics import episode_metrics
from coterie.bench.report import flat, save_tables
from coterie.bench.results import RESULTS, Bench, ordered
from coterie.bench.results import load as read_rows
from coterie.bench.runner import run_bench
from coterie.bench.suites import FIRST_SEED, make_suite, sample
from coterie.bench.summary import METRICS, overview
from coterie.core.config import Config, several
from coterie.core.errors import unknown_name
from coterie.core.event import Event, from_line, to_line
from coterie.core.world import Driver
from coterie.episode import play as playing
from coterie.episode.play import Played
from coterie.episode.setup import load_plugins
from coterie.log.file import read_log
from coterie.models import Model


def load(*files: str | Path) -> None:
    """Run Python files that register worlds, tasks, skills, protocols or suites, as `--load` does."""
    load_plugins([str(f) for f in files])


class Shown(Played):
    """A played episode that a notebook shows as a page."""

    def _repr_html_(self) -> str:
        from coterie.page import content, page  # most programs show none

        inside = escape(page(content([from_line(to_line(e)) for e in self.log.events])))
        title = escape(repr(self))
        return f'<iframe srcdoc="{inside}" title="{title}" width="100%" height="900" style="border:0"></iframe>'


class ShownBench(Bench):
    """A bench that a notebook shows as a table."""

    def _repr_html_(self) -> str:
        """The first figures of each method, for a notebook."""
        head = ("method", "episodes", *METRICS)
        rows = [
            (name, *("–" if (v := entry.get(key)) is None else f"{v:.3g}" for key in head[1:]))
            for name, entry in overview(self.rows, self.names).items()
        ]
        cells = "".join(f"<tr>{''.join(f'<td>{escape(c)}</td>' for c in row)}</tr>" for row in rows)
        titles = "".join(f"<th>{escape(h)}</th>" for h in head)
        return f"<p>{escape(repr(self))}</p><table><thead><tr>{titles}</tr></thead><tbody>{cells}</tbody></table>"


def play(
    config: Config | None = None,
    log: str | Path | None = None,
    *,
    resume: bool = False,
    model: Model | None = None,
    drivers: Mapping[str, Driver] | None = None,
    **settings: Any,
) -> Played:
    """Play one episode.

    `config` or its fields say which: `play(protocol="rules", seed=4)` is `play(Config(protocol="rules", seed=4))`. The
    log goes to the file `log`, if one is named; `resume` goes on with one that was stopped. `model` answers what the
    protocol asks, in place of the one that the configuration names. `drivers` carry out the actions of robots that are
    not simulated (`coterie.link.Fleet`). `rows(played)` gives its score.
    """
    unknown = sorted(set(settings) - set(Config.__dataclass_fields__))
    if unknown:
        raise unknown_name("setting of an episode", unknown[0], Config.__dataclass_fields__)
    chosen = replace(config or Config(), **settings)
    path = Path(log) if log is not None else None
    return Shown(*playing.play(chosen, path, resume=resume, model=model, drivers=drivers))


def play_suite(
    suite: str,
    methods: str | Sequence[str],
    out: str | Path | None = None,
    *,
    model: str = "",
    episodes: int | None = None,
    seed: int = FIRST_SEED,
    noise: str | None = None,
    radio: str | None = None,
    jobs: int = 1,
    batch: int = 1,
    logs: bool = False,
    base_url: str | None = None,
    load: Sequence[str | Path] = (),
    team: str = "",
    scene: str = "",
    cards: Sequence[str | Path] = (),
    changes: Sequence[str] = (),
    synchronous: bool = True,
) -> Bench:
    """Play a suite (or a task) with several methods, as `coterie bench` does.

    Results stay in the folder `out`, with the same tables that the command writes, and the same call goes on from
    there; without one they are in memory alone. `load` names files of your own, also for the processes of `jobs`:
    what was registered in this process is known to no other one. `team`, `scene`, `cards`, `changes` and
    `synchronous` are those of a task; a suite says them itself.
    """
    names = methods if isinstance(methods, str) else ",".join(methods)
    files = [str(f) for f in load]
    load_plugins(files)
    own: dict[str, Any] = {"team": team, "scene": scene, "cards": tuple(map(str, cards)), "changes": several(changes)}
    own["synchronous"] = synchronous
    specs = sample(make_suite(suite, seed, noise, episodes, radio, **own), episodes)
    settings: dict[str, Any] = {"seed": seed, "noise": noise, "radio": radio, "sample": episodes, "load": files}
    chosen = parse_methods(names)
    more: dict[str, Any] = {"load": files, "batch": batch, "base_url": base_url}
    if out is not None:
        done = run_bench(specs, chosen, Path(out), suite, model, jobs, logs, settings, **more)
        save_tables(done)
        return ShownBench(**vars(done))
    with tempfile.TemporaryDirectory(prefix="coterie-") as folder:
        return ShownBench(**vars(run_bench(specs, chosen, Path(folder), suite, model, jobs, False, settings, **more)))


def rows(source: Played | Bench | str | Path | Iterable[Event]) -> list[dict[str, Any]]:
    """Scores as flat rows, one for each episode, which pandas takes: `pandas.DataFrame(rows(...))`.

    Of a played episode, a bench, a log, or a folder with results. Labels of an episode (team, level, setting ...) are
    columns; what is kept of single robots and stages is left out.
    """
    if isinstance(source, Bench):
        return [flat(row) for row in source.rows]
    if isinstance(source, Played):
        return [_of_events(source.log.events)]
    if isinstance(source, (str, Path)):
        path = Path(source)
        if path.is_dir():
            return [flat(row) for row in ordered(read_rows(path / RESULTS))]
        return [_of_events(read_log(path))]
    return [_of_events(list(source))]


def _of_events(events: Sequence[Event]) -> dict[str, Any]:
    config = events[0].data.get("config", {}) if events else {}
    named = {k: config[k] for k in ("task", "team", "protocol", "model", "seed", "scene", "level") if k in config}
    return {**named, **flat(episode_metrics(events)), "version": events[0].data.get("version", "")}


__all__ = ["load", "play", "play_suite", "rows"]
