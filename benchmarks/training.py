"""What a training is worth: ranks, targets, shares of the data, rates and batches side by side, and rivals likewise.

    python benchmarks/training.py FOLDER [--samples 40000] [--jobs 4] [--at-once 1] [--only NAME,...] [--suites ...]
                                  [--episodes 108] [--seed 501] [--test-seed 10000] [--ways held,free,test]
                                  [--compile] [--base FILE.gguf] [--dry-run]

Demonstrations are made once for each protocol, the same number for each. Every training goes once over them; what it is
worth is how it plays (tuning seeds unless --seed says others), with its replies held to a grammar and, where targets
differ, also free: grammars ask every reply for a thought. The usual training and the rivals play test seeds as well,
beside their teachers, `rules` and `random-legal`: `rivals.md`. Rates and batches go over 30 % of the samples, and their
loss over the steps stands in `curves.svg`. What has been made in FOLDER is not made again: what was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from coterie.bench.statistics import Estimate, bootstrap
from coterie.bench.table import markdown

ROUND = 600  # episodes of demonstrations at a time
ASKING_NOBODY = ("rules", "random-legal")
SUITES = "dynahmrc-static,dynahmrc-cto,dynahmrc-irz,dynahmrc-anc,dynahmrc-rec"


class Training(NamedTuple):
    name: str
    group: str
    words: tuple[str, ...] = ()
    protocol: str = "dynahmrc"
    ways: tuple[str, ...] = ("held",)  # how it is played; none: its loss is all that is looked at


COLUMNS = (("ts", 1), ("as", 1), ("cc", 2), ("said", 1), ("calls", 0))
COMPARED = "30 % of the data"
USUAL = {"rate": "rate 0.001", "batch": "batch 65536"}  # of that one
PART = ("--share", "0.3")  # rates and batches are told apart by their loss alone, for which a part is enough

TRAININGS = (
    Training("as it is", "", ways=("held", "free", "test")),
    Training("rank 8", "rank", ("--rank", "8")),
    Training("rank 64", "rank", ("--rank", "64")),
    Training("action alone", "targets", ("--targets", "action"), ways=("free",)),
    Training("thought alone", "targets", ("--targets", "thought"), ways=("free",)),
    Training(COMPARED, "share", PART),
    Training("60 % of the data", "share", ("--share", "0.6")),
    *(Training(f"rate {r}", "rate", ("--rate", r, *PART), ways=()) for r in ("0.0001", "0.0003", "0.003")),
    *(Training(f"batch {b}", "batch", ("--batch-tokens", str(b), *PART), ways=()) for b in (16_384, 262_144)),
    Training("coela", "rival", protocol="coela", ways=("test",)),
    Training("coherent", "rival", protocol="coherent", ways=("test",)),
)


class Study:
    """All of it in one folder."""

    def __init__(self, args: argparse.Namespace):
        self.args, self.folder = args, args.folder
        self.plan = [one._replace(ways=tuple(w for w in one.ways if w in args.ways)) for one in chosen(args.only)]
        self._told = threading.Lock()
        self.begun = time.monotonic()

    # -- commands -----------------------------------------------------------------------------------------------------
    def coterie(self, words: Sequence[str], log: Path) -> None:
        """One command, whose output is kept; a failure names it."""
        base = ["--base", str(self.args.base)] if self.args.base and words[1] in ("train", "eval") else []
        with log.open("a", encoding="utf-8") as out:
            done = subprocess.run([sys.executable, "-m", "coterie", *words, *base], stdout=out, stderr=out)
        if done.returncode:
            raise SystemExit(f"coterie {' '.join(words)} failed; see {log}.")

    def tell(self, words: str) -> None:
        with self._told:
            sys.stdout.write(f"{time.monotonic() - self.begun:7.1f} s  {words}\n")
            sys.stdout.flush()

    # -- parts --------------------------------------------------------------------------------------------------------
    def samples(self, protocol: str) -> Path:
        """As many as were asked for, whatever number of episodes that takes."""
        whole, wanted = self.folder / f"{protocol}.jsonl", self.args.samples
        if whole.exists():
            return whole
        part, count, seed = whole.with_suffix(".part"), 0, 0
        part.write_text("", encoding="utf-8")
        while count < wanted:
            some = self.folder / f"{protocol}-{seed}.jsonl"
            words = ["learn", "demos", str(some), "--protocol", protocol, "--seed", str(seed)]
            words += ["--episodes", str(min(ROUND, max(4, wanted // 8))), "--jobs", str(self.args.jobs)]
            self.coterie(words, self.folder / "demos.log")
            with some.open(encoding="utf-8") as lines, part.open("a", encoding="utf-8") as out:
                taken = list(islice(lines, wanted - count))
                out.writelines(taken)
            count, seed = count + len(taken), seed + 1
            some.unlink()
            some.with_suffix(".card.json").unlink(missing_ok=True)
            self.tell(f"demonstrations of {protocol}: {count} of {wanted}")
        card = {"made by": "benchmarks/training.py", "protocol": protocol, "samples": count}
        whole.with_suffix(".card.json").write_text(json.dumps(card) + "\n", encoding="utf-8")
        part.rename(whole)
        return whole

    def train(self, one: Training) -> Path:
        out = self.folder / f"{slug(one.name)}.npz"
        if not out.exists():
            words = ["learn", "train", str(self.folder / f"{one.protocol}.jsonl"), "--out", str(out), *one.words]
            self.coterie([*words, *(["--compile"] if self.args.compile else [])], out.with_suffix(".log"))
        last = final(out)
        self.tell(f"{one.name}: trained; loss {last['loss']}, right {last['right']}, {last['tokens_per_s']:,} tokens/s")
        return out

    def play(self, one: Training, way: str) -> None:
        out = self.folder / f"{slug(one.name)}-{way}"
        if not (out / "done").exists():
            words = ["learn", "eval", str(self.folder / f"{slug(one.name)}.npz"), "--protocol", one.protocol]
            seed = self.args.test_seed if way == "test" else self.args.seed
            words += ["--suite", self.args.suites, "--episodes", str(self.args.episodes), "--seed", str(seed)]
            words += ["--jobs", str(self.args.jobs), "--batch", str(self.args.batch), "--out", str(out)]
            self.coterie([*words, *(["--free"] if way == "free" else [])], self.folder / f"{slug(one.name)}.log")
            (out / "done").touch()
        won, of = played(out)
        self.tell(f"{one.name}, {way}: {won} of {of}")

    def teachers(self) -> None:
        """Those of all that play test seeds, and minds that ask no model, in the same episodes."""
        out, asking = self.folder / "teachers", dict.fromkeys(one.protocol for one in self.plan if "test" in one.ways)
        if asking and not (out / "done").exists():
            words = ["bench", self.args.suites, "--episodes", str(self.args.episodes), "--no-plots"]
            words += ["--methods", ",".join([*(f"{name}@oracle" for name in asking), *ASKING_NOBODY])]
            words += ["--seed", str(self.args.test_seed), "--jobs", str(self.args.jobs), "--out", str(out)]
            self.coterie(words, self.folder / "teachers.log")
            (out / "done").touch()
            self.tell("teachers, rules and random-legal: played")

    # -- all of it ----------------------------------------------------------------------------------------------------
    def run(self) -> None:
        self.teachers()
        for protocol in dict.fromkeys(one.protocol for one in self.plan):
            self.samples(protocol)
        ready: queue.Queue[Training | None] = queue.Queue()

        def train(one: Training) -> None:
            self.train(one)
            ready.put(one)
            self.write()

        def play() -> None:
            while (one := ready.get()) is not None:
                for way in one.ways:
                    self.play(one, way)
                    self.write()

        with ThreadPoolExecutor(1) as playing, ThreadPoolExecutor(self.args.at_once) as training:
            watched = playing.submit(play)
            begun = [training.submit(train, one) for one in self.plan]
            try:
                for done in begun:
                    done.result()
            finally:  # one that fails ends the study once those that have begun are through, and what is left is told
                for one in begun:
                    one.cancel()
                ready.put(None)
            watched.result()
        self.write()

    def write(self) -> None:
        """The table and the figure of what there is."""
        with self._told:
            (self.folder / "table.md").write_text(table(self.folder, self.plan), encoding="utf-8")
            (self.folder / "rivals.md").write_text(rivals(self.folder, self.plan), encoding="utf-8")
            draw(self.folder, self.plan)


# -- what was seen ----------------------------------------------------------------------------------------------------
def chosen(only: str) -> list[Training]:
    names = [n.strip() for n in only.split(",") if n.strip()]
    unknown = [n for n in names if n not in {t.name for t in TRAININGS}]
    if unknown:
        raise SystemExit(f"No training '{unknown[0]}'. There are: {', '.join(t.name for t in TRAININGS)}.")
    return [t for t in TRAININGS if not names or t.name in names]


def slug(name: str) -> str:
    return "".join(c if c.isalnum() or c == "." else "-" for c in name.replace(" %", ""))


def curve(training: Path) -> list[dict[str, Any]]:
    path = training.with_suffix(".curve.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines] or [{"loss": None, "right": None, "seconds": None, "tokens_per_s": 0}]


def final(training: Path) -> dict[str, Any]:
    """The last line, with loss and right over the last tenth of the steps: it may itself be of a few steps."""
    seen = curve(training)
    rows = [row for row in seen if row.get("loss") is not None]
    steps = [row["step"] - before["step"] for before, row in zip([{"step": 0}, *rows], rows)]
    end = [(n, row) for n, row in zip(steps, rows) if row["step"] > 0.9 * row["of"]]
    means = {k: round(sum(n * row[k] for n, row in end) / sum(n for n, _ in end), 4) for k in ("loss", "right") if end}
    return {**seen[-1], **means}


def rows_in(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if "error" not in row]


def played(folder: Path) -> tuple[int, int]:
    ends = [bool(row.get("success")) for row in rows_in(folder)]
    return sum(ends), len(ends)


def weighed(rows: Sequence[dict[str, Any]], of: str, shares: bool = False) -> Estimate:
    """The mean as benches have it: settings weigh alike, and in each the sizes of teams."""
    groups = [(row["labels"]["setting"], row["labels"]["group"]) for row in rows]
    return bootstrap([float(row[of]) for row in rows], groups, shares=shares)


def won_of(rows: Sequence[dict[str, Any]]) -> int:
    return sum(bool(row["success"]) for row in rows)


def cells_of(rows: Sequence[dict[str, Any]]) -> list[str]:
    """won, SUCC, steps, actions a robot, messages a robot, said, calls."""
    succ = weighed(rows, "success", shares=True)
    more = [f"{weighed(rows, name).mean:.{places}f}" for name, places in COLUMNS]
    return [f"{won_of(rows)} of {len(rows)}", shown(succ), *more]


def shown(found: Estimate) -> str:
    return f"{found.mean:.3f} " + (f"[{found.low:.3f}, {found.high:.3f}]" if found.low == found.low else "[–]")


def rivals(folder: Path, plan: Iterable[Training]) -> str:
    """All that played test seeds, beside their teachers."""
    head = ["method", "won", "SUCC, settings weighed alike", "steps", "AS", "CC", "said", "calls", "its teacher"]
    teachers: dict[str, list[dict[str, Any]]] = {}
    if (folder / "teachers" / "done").exists():
        for row in rows_in(folder / "teachers"):
            teachers.setdefault(row["method"], []).append(row)
    found = []
    for one in plan:
        if "test" in one.ways and (folder / f"{slug(one.name)}-test" / "done").exists():
            taught = teachers.get(f"{one.protocol}@oracle")
            by = f"{weighed(taught, 'success').mean:.3f} in {weighed(taught, 'ts').mean:.1f} steps" if taught else ""
            found.append([one.protocol, *cells_of(rows_in(folder / f"{slug(one.name)}-test")), by])
    found += [[name, *cells_of(teachers[name]), ""] for name in ASKING_NOBODY if name in teachers]
    return "\n".join(markdown(head, found)) if found else ""


def table(folder: Path, plan: Iterable[Training]) -> str:
    head = ["training", "loss", "right", "seconds", "held: won", "free: won"]
    rows = []
    for one in plan:
        path = folder / f"{slug(one.name)}.npz"
        last = final(path)
        cells = ["" if last[k] is None else str(last[k]) for k in ("loss", "right", "seconds")]
        for way in ("held", "free"):
            where = folder / f"{slug(one.name)}-{way}"
            if not (where / "done").exists():
                cells.append("")
                continue
            won, of = played(where)
            cells.append(f"{won} of {of}: {shown(bootstrap([1.0] * won + [0.0] * (of - won)))}")
        rows.append([one.name, *cells])
    return "\n".join(markdown(head, rows))


def draw(folder: Path, plan: Sequence[Training]) -> None:
    """Loss over the samples seen, by rate and by batch."""
    from coterie.bench.drawing import STYLE, colour, figure

    try:
        from matplotlib import rc_context
    except ImportError:
        return
    with rc_context(STYLE):
        whole, axes = figure(6.5, 2.6, ncols=2)
        for axis, group in zip(axes, ("rate", "batch")):
            for i, one in enumerate(t for t in plan if t.name == COMPARED or t.group == group):
                seen = [row for row in curve(folder / f"{slug(one.name)}.npz") if row.get("loss") is not None]
                if seen:
                    places = [row["step"] / max(1, row["of"]) for row in seen]
                    name = USUAL[group] if one.name == COMPARED else one.name
                    axis.plot(places, [row["loss"] for row in seen], color=colour(i), label=name, linewidth=1)
            axis.set(title=f"Loss by {group}", xlabel="share of the samples", yscale="log")
            if axis.lines:
                axis.legend()
        whole.savefig(folder / "curves.svg")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--samples", type=int, default=40_000)
    parser.add_argument("--jobs", type=int, default=4, help="processes that play")
    parser.add_argument("--at-once", type=int, default=1, help="trainings at the same time")
    parser.add_argument("--only", default="", help="names joined with commas")
    parser.add_argument("--suites", default=SUITES)
    parser.add_argument("--episodes", type=int, default=108)
    parser.add_argument("--batch", type=int, default=24, help="episodes at once in a process")
    parser.add_argument("--seed", type=int, default=501, help="of episodes for tuning")
    parser.add_argument("--test-seed", type=int, default=10_000, help="of episodes that rivals are compared in")
    parser.add_argument("--ways", default="held,free,test", help="how trainings are played, joined with commas")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--base", type=Path)
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")
    args = parser.parse_args()
    args.ways = args.ways.split(",")
    study = Study(args)
    if args.dry_run:
        plays = sum(len(one.ways) for one in study.plan)
        sys.stdout.write(
            f"{len(study.plan)} trainings on {args.samples:,} samples each, {plays} times {args.episodes} episodes: "
            + ", ".join(one.name for one in study.plan)
            + "\n"
        )
        return
    args.folder.mkdir(parents=True, exist_ok=True)
    study.run()
    for name in ("table.md", "rivals.md"):
        sys.stdout.write((args.folder / name).read_text(encoding="utf-8") + "\n")


if __name__ == "__main__":
    main()
