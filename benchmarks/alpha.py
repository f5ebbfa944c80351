"""How well old motions serve when things lie elsewhere: the success of subtasks against their reuse ratio α.

    python benchmarks/alpha.py [--trials 30] [--references 4] [--jobs pack-grocery,move-rope] [--out results/alpha]
                               [--shards 1] [--processes 1]

This is Figure 2 of the MeCo paper, from which its threshold τ comes (there with 100 trials an interval). Tasks that the
scripted expert solved are the references. Their things are moved by growing distances, the S-Planner drafts a plan for
the new task, and every round of it is checked and carried out. A pick or a place counts as a success when its round
passes all checks and all ways lead along the old ones, as they were or through their postures, with nothing searched;
"in the end" also counts rounds whose ways were straight or had to be searched. Layouts in which things would stand in
each other are not drawn, and a round that fails without any old motion, too, is no trial: nothing could have done it.
Shards share the trials, each with references of its own; every trial is kept in --out as a line, and a run that was
stopped goes on with those that are missing.
Needs MuJoCo and OMPL; with matplotlib a plot is saved beside the table.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from coterie.bench.table import markdown
from coterie.core.config import Config
from coterie.core.facts import Belief
from coterie.core.protocol import RobotView
from coterie.core.task import Task
from coterie.episode.play import play
from coterie.memo import Case, MemoSettings, Plan, Pose, Ratio, draft
from coterie.memo.before import first_case
from coterie.memo.before.clearance import probe_of
from coterie.memo.before.recall import actions
from coterie.worlds.tabletop.job import Layout
from coterie.worlds.tabletop.job import Pose as Placed
from coterie.worlds.tabletop.jobs import jobs
from coterie.worlds.tabletop.recall import case_of, plan_of
from coterie.worlds.tabletop.world import TabletopWorld

sys.path.insert(0, str(Path(__file__).parent))
from kept import estimate, folder, rows, watched

EDGES = (0.5, 0.6, 0.7, 0.8, 0.9)  # intervals begin here; the last one includes 1
ALONG = ("reused", "guided", "led")  # ways that lead along old ones, with no piece that was searched
KIND = {"pick": "pick", "place": "place", "put": "place"}
FARTHEST = {"pack-grocery": 0.75, "move-rope": 0.6}  # [m] by which things are moved at most
LITTLE = 0.02  # [m] by which the others are moved where only some are
MOST_TURN = math.radians(75)  # of a rope
IDLE = 12  # tasks in a row without anything wanted, after which no more are looked for
DRAWS = 400  # layouts looked at for one that has what is still wanted
CLOSE_TO_BEST = 0.05  # intervals whose success lies this close to the best one's are as good
SETTINGS = MemoSettings(tau=0.0)
SECONDS = 6.0  # a trial, with what is drawn in vain
APART = 1000  # seeds between the references of two shards
PAPER_TAU = {"pack-grocery": 0.85, "move-rope": 0.7}  # read off the paper's Figure 2, which prints no numbers
LOWER = (
    "lower than in the paper, whose key points are points of the hand: here arms go through old postures, and a short "
    "stretch of them still leads around what stood in the way."
)
Cell = tuple[str, float]  # pick or place, the interval's lower end


class Reference(NamedTuple):
    task: Task
    case: Case
    plan: Plan


class Trial(NamedTuple):
    cell: Cell
    along: bool  # got through along the old way
    done: bool  # got through at all


def cell_of(ratio: Ratio) -> Cell | None:
    """Where the trial of a subtask belongs; None for other skills, and below all intervals."""
    edge = next((edge for edge in reversed(EDGES) if ratio.alpha >= edge - 1e-9), None)
    return None if edge is None or ratio.skill not in KIND else (KIND[ratio.skill], edge)


def references(job: str, count: int, seed: int = 0) -> Iterator[Reference]:
    """Tasks that the expert solves, with its plans; each in a memo of its own, so that none is copied from another."""
    while count:
        with tempfile.TemporaryDirectory() as folder:
            config = Config(task=job, level="mecobench", seed=seed, protocol="task-expert", memo="memo")
            played = play(config, memo=Path(folder) / "memo.sqlite")
        case, plan = first_case(played.log.events), plan_of(played.log.events)
        if played.result.success and case is not None and plan is not None:
            count -= 1
            yield Reference(played.task, case, plan)
        seed += 1


# -- tasks that are less and less like their reference ----------------------------------------------------------------
def moved(job: str, layout: Layout, rng: random.Random) -> Layout | None:
    """The rope, or one or two groceries, up to some distance elsewhere; None when things would stand in each other."""
    far = rng.uniform(0.0, FARTHEST[job])
    if job == "move-rope":
        return _rope_elsewhere(layout, far, rng)
    chosen = rng.sample(sorted(layout.things), rng.choice((1, 2)))
    things = {}
    for name, pose in layout.things.items():
        way, angle = far if name in chosen else LITTLE, rng.uniform(0, 2 * math.pi)
        things[name] = _shifted(pose, way * math.cos(angle), 0.3 * way * math.sin(angle))
    return _fitting(job, Layout(things, layout.fixed, layout.more))


def _rope_elsewhere(layout: Layout, far: float, rng: random.Random) -> Layout | None:
    """The rope shifted and turned. As the job draws it, it always lies about as far from its groove, and no ratio is
    small; here it may lie anywhere on the near half of the table."""
    (front, a), (back, b) = layout.things.items()
    turn = a.yaw + rng.uniform(-far, far) / FARTHEST["move-rope"] * MOST_TURN
    x, y = ((p + q) / 2 + rng.uniform(-far, far) * share for p, q, share in zip(a.at, b.at, (1.0, 0.2)))
    half = math.dist(a.at, b.at) / 2
    dx, dy = half * math.cos(turn), half * math.sin(turn)
    ends = {front: (x - dx, y - dy), back: (x + dx, y + dy)}
    if not all(-1.5 < ex < -0.25 and abs(ey - 0.5) < 0.34 for ex, ey in ends.values()):
        return None
    things = {n: Placed((*at, a.at[2]), turn) for n, at in ends.items()}
    return Layout(things, layout.fixed, layout.more)


def _fitting(job: str, layout: Layout) -> Layout | None:
    """A layout that the job itself could have drawn; None for any other."""
    return layout if jobs.get(job).fits(layout) else None


def _shifted(pose: Placed, dx: float, dy: float) -> Placed:
    x, y, z = pose.at
    return Placed((x + dx, y + dy, z), pose.yaw)


def foreseen(ref: Reference, layout: Layout) -> list[Cell]:
    """The cells that a task will fill, from positions and what stands in the way."""
    old = ref.task.setting.layout
    objects = {}
    for name, thing in ref.case.objects.items():
        dx, dy = (b - a for a, b in zip(old.things[name].at[:2], layout.things[name].at[:2]))
        objects[name] = thing._replace(x=thing.x + dx, y=thing.y + dy)
    obstacles = {n: Pose(*layout.fixed[n].at, layout.fixed[n].yaw) for n in ref.case.obstacles}
    case = replace(ref.case, objects=objects, obstacles=obstacles)
    probe = probe_of(case, jobs.get(ref.case.task).solids(layout))  # type: ignore[arg-type]
    found = draft(ref.case, ref.plan, case, SETTINGS, probe).ratios
    return [cell for r in found if (cell := cell_of(r)) is not None]


def next_task(ref: Reference, wanted: dict[Cell, int], rng: random.Random) -> Layout | None:
    """A layout with something that is still wanted, the rarest first."""
    rare = max(wanted, key=lambda cell: wanted[cell])
    spare = None
    for _ in range(DRAWS):
        layout = moved(ref.case.task, ref.task.setting.layout, rng)
        if layout is None:
            continue
        cells = foreseen(ref, layout)
        if rare in cells:
            return layout
        if spare is None and any(wanted.get(cell, 0) > 0 for cell in cells):
            spare = layout
    return spare


# -- trying -----------------------------------------------------------------------------------------------------------
def views(world: TabletopWorld) -> dict[str, RobotView]:
    """What the robots know when they have looked once."""
    found = {}
    for name, card in world.robots().items():
        belief = Belief(world.map())
        belief.tell_all(world.observe(name).facts)
        found[name] = RobotView(name, card, belief, belief.value)
    return found


def attempt(ref: Reference, layout: Layout, seed: int, wanted: Collection[Cell]) -> Iterator[Trial]:
    """Play the drafted plan round by round until one fails, or nothing wanted is left in it."""
    world = TabletopWorld(replace(ref.task, setting=replace(ref.task.setting, layout=layout)), seed)
    case = case_of(views(world))
    if case is None:
        return
    plan = draft(ref.case, ref.plan, case, SETTINGS, probe_of(case, world.map()["solids",]))  # type: ignore[arg-type]
    cells = [(r.step, cell) for r in plan.ratios if (cell := cell_of(r)) is not None and cell in wanted]
    for number in range(1 + max((step for step, _ in cells), default=-1)):
        before, joint = world.snapshot(), actions(plan, number)
        done, ways = _round(world, joint)
        if not done:
            world.restore(before)
            if not _round(world, {r: a._replace(motion=()) for r, a in joint.items()})[0]:
                return  # no motion at all would do it
        for _, cell in (c for c in cells if c[0] == number):
            yield Trial(cell, done and all(w in ALONG for w in ways), done)
        if not done:
            return


def _round(world: TabletopWorld, joint: Any) -> tuple[bool, list[str]]:
    """Whether a round got through, and how its ways were found."""
    if not next(iter(world.check(joint).values())).ok:
        return False, []
    world.trace()
    world.start(joint)
    done = all(o.status == "done" for o in world.advance(None))
    return done, [way for fact in world.trace() if fact[0] == "how" for way in fact[2]]


def measure(job: str, trials: int, count: int, shard: int, path: Path) -> None:
    """Trials of one shard, written down as they come."""
    before = rows(path)
    rng = random.Random(f"alpha {job} {shard}" + (f" {len(before)}" if before else ""))
    cells = [(kind, edge) for kind in ("pick", "place") for edge in EDGES]
    found = dict.fromkeys(cells, 0)
    for (kind, edge), *_ in before:
        found[kind, edge] += 1
    refs = list(references(job, count, APART * shard))
    idle = tried = 0
    with path.open("a", encoding="utf-8") as out:
        while idle < IDLE:
            wanted = {cell: trials - got for cell, got in found.items() if got < trials}
            if not wanted:
                break
            ref = refs[tried % len(refs)]
            tried += 1
            layout = next_task(ref, wanted, rng)
            idle += 1
            for trial in attempt(ref, layout, tried, wanted) if layout is not None else ():
                if found[trial.cell] < trials:
                    found[trial.cell] += 1
                    idle = 0
                    print(json.dumps(trial), file=out, flush=True)


def read(paths: Sequence[Path], trials: int) -> dict[Cell, list[Trial]]:
    """What all shards of a job tried, by cell."""
    found: dict[Cell, list[Trial]] = {(kind, edge): [] for kind in ("pick", "place") for edge in EDGES}
    for path in paths:
        for (kind, edge), along, done in rows(path):
            found[kind, edge].append(Trial((kind, edge), along, done))
    return {cell: got[:trials] for cell, got in found.items()}


# -- telling ----------------------------------------------------------------------------------------------------------
def name_of(edge: float) -> str:
    return f"[{edge:.1f}, {edge + 0.1:.1f}{']' if edge == EDGES[-1] else ')'}"


def rate(trials: Sequence[Trial], what: str = "along") -> float:
    return sum(getattr(t, what) for t in trials) / len(trials) if trials else math.nan


def suggested(found: dict[Cell, list[Trial]]) -> float | None:
    """The lowest interval from which on success hardly varies: picks and places as good as in the best one."""
    tau = None
    for edge in reversed(EDGES):
        for kind in ("pick", "place"):
            rates = [r for e in EDGES if not math.isnan(r := rate(found[kind, e]))]
            here = rate(found[kind, edge])
            if math.isnan(here) or here < max(rates) - CLOSE_TO_BEST:
                return tau
        tau = edge
    return tau


def lines(job: str, found: dict[Cell, list[Trial]]) -> list[list[str]]:
    rows = []
    for (kind, edge), got in found.items():
        shares = [f"{rate(got, what):.2f}" if got else "–" for what in ("along", "done")]
        rows.append([job, kind, name_of(edge), str(len(got)), *shares])
    return rows


def draw(results: dict[str, dict[Cell, list[Trial]]], path: Path) -> bool:
    """Success over α, a panel a job."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(3.6 * len(results), 2.8), layout="constrained")
    axes = figure.subplots(1, len(results), squeeze=False)[0]
    for axis, (job, found) in zip(axes, results.items()):
        for kind, colour, mark in (("pick", "#0072B2", "o"), ("place", "#E69F00", "s")):
            shown = [(k, rate(found[kind, e])) for k, e in enumerate(EDGES) if found[kind, e]]
            axis.plot([k for k, _ in shown], [r for _, r in shown], color=colour, marker=mark, label=kind)
        if job in PAPER_TAU:
            at = (PAPER_TAU[job] - EDGES[0]) / (EDGES[1] - EDGES[0]) - 0.5  # intervals stand at whole numbers
            axis.axvline(at, color="#999999", linestyle="--", linewidth=1, label="τ of the paper")
        axis.set_xticks(range(len(EDGES)), [name_of(e) for e in EDGES], fontsize=7)
        axis.set_ylim(0, 1.05)
        axis.set_title(job)
        axis.set_xlabel("reuse ratio α")
        axis.grid(axis="y", color="#D9D9D9", linewidth=0.5)
    axes[0].set_ylabel("success along the old way")
    axes[0].legend(frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=200)
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description="Success of reused subtasks against their reuse ratio.")
    parser.add_argument("--trials", type=int, default=30, help="of each kind and interval (the paper: 100)")
    parser.add_argument("--references", type=int, default=4, help="solved tasks that are varied")
    parser.add_argument("--jobs", default="pack-grocery,move-rope")
    parser.add_argument("--out", default="results/alpha", help="folder for trials and the plot")
    parser.add_argument("--shards", type=int, default=1, help="parts of the trials of a job")
    parser.add_argument("--processes", type=int, default=1)
    args = parser.parse_args()
    out = folder(args)
    paths = {job: [out / f"{job}-{n}.jsonl" for n in range(args.shards)] for job in args.jobs.split(",")}
    share, refs = (math.ceil(n / args.shards) for n in (args.trials, args.references))
    todo = [(job, share, refs, n, path) for job, own in paths.items() for n, path in enumerate(own)]
    total = len(todo) * 2 * len(EDGES) * share

    def there() -> int:
        return sum(len(rows(path)) for *_, path in todo)

    estimate(total - there(), total, args.processes, SECONDS)
    with ProcessPoolExecutor(args.processes) as pool:
        for done in watched([pool.submit(measure, *one) for one in todo], there, total):
            done.result()
    results = {job: read(own, args.trials) for job, own in paths.items()}
    tell(results, args.trials, out)


def tell(results: dict[str, dict[Cell, list[Trial]]], trials: int, out: Path) -> None:
    heads = ["task", "subtask", "α", "trials", "along the old way", "in the end"]
    print("\n".join(markdown(heads, [line for job, found in results.items() for line in lines(job, found)], left=3)))
    for job, found in results.items():
        short = [f"{kind} from {edge}" for (kind, edge), got in found.items() if len(got) < trials]
        if short:
            print(f"{job}: too few tasks were found for {', '.join(short)}.")
        tau = suggested(found)
        words = f"hardly varies from α = {tau} on" if tau is not None else "varies everywhere"
        ours, theirs = MemoSettings().tau_of(job), PAPER_TAU.get(job)
        print(f"{job}: success {words}; the memo's τ is {ours}, the paper's {theirs}.")
        if tau is not None and theirs is not None and tau < theirs:
            print(f"{job}: {LOWER}")
    if draw(results, out / "alpha.png"):
        print(f"Plot: {out / 'alpha.png'}")


if __name__ == "__main__":
    main()
