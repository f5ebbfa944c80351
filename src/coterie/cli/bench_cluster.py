"""`coterie bench` on many machines: shards, their merging, Slurm."""

from __future__ import annotations

import argparse
import contextlib
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from coterie.bench.cluster import slurm
from coterie.bench.cluster.merging import Merged, merge, place_for
from coterie.bench.cluster.shards import (
    NEXT,
    Plan,
    Played,
    Shard,
    open_shards,
    parse_shard,
    play_next,
    play_shard,
    ranges,
)
from coterie.bench.estimate import Cost
from coterie.bench.playing import Asking
from coterie.bench.results import RESULTS
from coterie.bench.runner import AT_ONCE, Progress
from coterie.cli.asking import asking_options
from coterie.cli.ending import told_to_end
from coterie.cli.out import complain, say, say_json, say_result
from coterie.core.bounds import open_plain
from coterie.core.errors import CoterieError
from coterie.core.lazy import need

MERGE = "merge"
#: Options that say what is played, and how; shards that are merged have been played.
_OF_PLAYING = (
    "methods", "base_url", "token_limit", "rate_limit", "team", "scene", "card", "change", "async", "episodes", "noise",
    "heartbeat", "radio", "memo_from", "logs", "validate", "shard", "cluster", "nodes", "partition",
)  # fmt: skip


def check(args: argparse.Namespace) -> None:
    """Complain about what does not go together."""
    under = (args.cluster or "").startswith("slurm")
    if args.shard and args.cluster:
        raise CoterieError("--shard and --cluster do not go together: with --cluster, shards are made as needed.")
    if args.shard:
        parse_shard(args.shard)
    if args.memo_from and (args.shard or args.cluster):
        raise CoterieError("--memo-from fills memos on one machine; leave out --shard and --cluster.")
    if (args.nodes or args.partition) and not under:
        raise CoterieError("--nodes and --partition belong to --cluster slurm.")
    if under:
        args.nodes = args.nodes or 1  # as Slurm itself takes it
    if args.cluster == slurm.SLURM:
        need("submitit", "slurm", slurm.NEEDS)
    elif args.cluster and args.cluster != slurm.LOCAL:
        from coterie.bench.cluster.ray import needs_ray, parse_ray, reach

        address = parse_ray(args.cluster)
        needs_ray()
        if address is not None:
            reach(address)


# -- shards ---------------------------------------------------------------------------------------------------------
def shards(args: argparse.Namespace, plan: Plan, bar: AbstractContextManager[Progress]) -> int:
    """`--shard I/N`."""
    shard = parse_shard(args.shard)
    asking = Asking(args.base_url, max(AT_ONCE, args.batch), asked=asking_options(args))
    if args.token_limit is not None:  # nobody sees what others ask: each keeps to its part
        asking = asking._replace(token_limit=args.token_limit // shard.of)
    if args.rate_limit is not None:
        asking = asking._replace(rate_limit=args.rate_limit / shard.of)
    how: dict[str, Any] = {"jobs": args.jobs, "batch": args.batch, "asking": asking, "fresh": args.fresh}
    with bar as progress:
        how["progress"] = progress
        if shard.number == NEXT:
            played = list(play_next(plan, shard.of, **how))
        else:
            played = [play_shard(plan, shard, **how)]
    left = open_shards(plan, shard.of)
    if args.json:
        rows = {str(p.shard): {"episodes": p.rows, "reused": p.reused, "out": str(p.place)} for p in played}
        say_json({"suite": args.suite, "shards": rows, "left": left})
        return 0
    for p in played:
        say(_told(p))
    if not played:
        say(f"Nothing to play: all shards in {plan.folder} are whole, or somebody plays them.")
    if left:
        say(f"In {plan.folder}, shard {ranges(left)} of {shard.of} not whole yet.")
    else:
        say(f"All {shard.of} shards are there. One table of them: coterie bench merge {plan.folder}")
    return 0


def _told(played: Played) -> str:
    before = f", {played.reused} of them there already" if played.reused else ""
    return f"Shard {played.shard}: {played.rows} episodes{before}, in {played.place}"


# -- merging --------------------------------------------------------------------------------------------------------
def check_merge(args: argparse.Namespace) -> None:
    """Complain about options that would have no effect."""
    said = next((name for name in _OF_PLAYING if getattr(args, name) not in (None, False, [])), "")
    if said:
        raise CoterieError(
            f"bench merge: --{said.replace('_', '-')} is for playing, and shards have been played. Leave it out."
        )


def merged(args: argparse.Namespace, folders: list[Path], of: int | None = None) -> Merged:
    """`bench merge DIR...`: the bench that the shards make up, and what there is to say."""
    if not folders:
        raise CoterieError("bench merge: name the folders that hold shards, like: coterie bench merge results/smoke")
    return merge(folders, place_for(folders, args.out), of, fresh=args.fresh, dry=args.dry_run)


def would_merge(args: argparse.Namespace, found: Merged) -> int:
    """`--dry-run`: nothing was written."""
    done, rows = found.bench, len(found.bench.specs) * len(found.bench.methods)
    words = f"{rows} rows of {found.shards} shards would be merged into {done.folder}. Nothing is wrong with them."
    told = "\n".join([words, *found.notes])
    say_result(args.json, told, suite=done.suite, shards=found.shards, rows=rows, out=str(done.folder))
    return 0


# -- Slurm ----------------------------------------------------------------------------------------------------------
def under_slurm(args: argparse.Namespace, words: list[str], plan: Plan, bar: AbstractContextManager[Progress]) -> None:
    """Submit, watch, and come back when all shards are whole."""
    folder, rows = plan.folder, len(plan.specs) * len(plan.methods)
    asked = slurm.Asked(args.nodes, args.jobs, args.partition or "", args.minutes)
    if note := left_out(args):
        complain(note)
    said: dict[str, int] = {}
    written = Written(folder, args.nodes)

    def tell(now: dict[str, int]) -> None:
        nonlocal said
        progress(min(written.rows(), rows), rows)
        if now != said:
            said = now
            complain(", ".join(f"{count} {word}" for word, count in sorted(now.items())))

    local = args.cluster == slurm.LOCAL
    with told_to_end(by_closing=local):  # jobs of a cluster go on without a terminal
        jobs = slurm.submit([*words, "--out", str(folder)], asked, folder, local)
        try:
            complain(
                f"{len(jobs)} jobs submitted: {jobs[0].job_id} to {jobs[-1].job_id}. Output: {folder / slurm.FOLDER}"
            )
            with bar as progress:
                slurm.watch(jobs, tell)
        except BaseException:
            slurm.cancel(jobs)
            raise


def left_out(args: argparse.Namespace) -> str:
    """The parts of an address that do not reach the machines, in words: commands of jobs can be read by others."""
    url = urlsplit(args.base_url or "")
    if "@" not in url.netloc and not url.query:
        return ""
    what = "a user name or password" if "@" in url.netloc else "what follows the question mark"
    return f"Of --base-url, {what} is left out: no endpoint is sent it. A key goes into OPENAI_API_KEY."


class Written:
    """How many rows there are in the shards of a folder; what was counted is not read again."""

    def __init__(self, folder: Path, of: int):
        self.paths = [Shard(n, of).place(folder) / RESULTS for n in range(1, of + 1)]
        self.read = [0] * of
        self.found = [0] * of

    def rows(self) -> int:
        for n, path in enumerate(self.paths):
            with contextlib.suppress(OSError, CoterieError), open_plain(path, "file") as file:
                if file.seek(0, 2) < self.read[n]:  # begun anew
                    self.read[n] = self.found[n] = 0
                file.seek(self.read[n])
                more = file.read()
                self.read[n] += len(more)
                self.found[n] += more.count(b"\n")
        return sum(self.found)


# -- estimates ------------------------------------------------------------------------------------------------------
class Fleet(NamedTuple):
    """The machines that play, and their cores in all."""

    nodes: int
    cores: int

    def __str__(self) -> str:
        nodes, cores = (f"{n} {word}{'' if n == 1 else 's'}" for n, word in zip(self, ("machine", "core")))
        return f"on {nodes} with {cores} in all"

    def wall_s(self, cost: Cost, per_minute: int | None = None) -> float | None:
        """Of all episodes of a method. An endpoint may limit how often it is asked, however many machines there are."""
        if cost.seconds is None:
            return None
        return max(cost.seconds / self.cores, 60.0 * (cost.calls or 0) / per_minute if per_minute else 0.0)


def fleet(args: argparse.Namespace) -> Fleet:
    if (args.cluster or "").startswith("ray"):
        from coterie.bench.cluster.ray import size_of

        return Fleet(*size_of(args.cluster))
    nodes = parse_shard(args.shard).of if args.shard else args.nodes or 1
    return Fleet(nodes, nodes * args.jobs)
