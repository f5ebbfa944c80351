"""Episodes on a Ray cluster. Batches of episodes are tasks; a process that plays some with a model keeps it for the
next ones, and an actor counts the tokens of all. What a dead worker or machine had not finished is played elsewhere;
since a seed fixes every episode, that changes nothing.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from coterie.bench.playing import Asking, Job, set_asking
from coterie.core.errors import CoterieError
from coterie.core.lazy import need
from coterie.episode.setup import load_plugins

RAY = "ray"
AHEAD = 3  # batches for each core that are on their way, so that none waits
CHUNK = 8  # episodes without a model in a batch
TRIES = 5  # of one batch, where workers die
REACH_S = 5.0  # in which a cluster has to answer
ENV = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "COTERIE_DEADLINE")  # what was said to the command holds on all machines


def needs_ray() -> Any:
    return need("ray", "ray", "--cluster ray needs")


def parse_ray(text: str) -> str | None:
    """The address behind `ray:ADDRESS`; None: a cluster of this machine."""
    name, _, address = text.partition(":")
    if name != RAY:
        raise CoterieError(f"--cluster {text}: there are ray, ray:ADDRESS, slurm and slurm:local.")
    return address or None


def reach(address: str) -> None:
    """Complain within seconds where nobody answers: Ray itself waits for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():  # such as `auto`, of which Ray says at once what is wrong
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=REACH_S).close()
    except (OSError, OverflowError) as err:
        words = f"nobody answers within {REACH_S:g} s" if isinstance(err, TimeoutError) else str(err)
        reason = f"{getattr(err, 'strerror', None) or words}."
        raise CoterieError(
            f"Cannot reach the Ray cluster at {address}: {reason} Start one with: ray start --head"
        ) from None


@contextlib.contextmanager
def joined(text: str) -> Iterator[Any]:
    """A cluster that is joined, or begun and ended here."""
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # of episodes that were called off
    ray, address = needs_ray(), parse_ray(text)
    if ray.is_initialized():  # by the caller in Python
        yield ray
        return
    if address is not None:
        reach(address)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            if address is None:
                os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
                ray.init(log_to_driver=False, logging_level="ERROR", include_dashboard=False)
            else:
                env = {name: os.environ[name] for name in ENV if name in os.environ}  # such as a key
                ray.init(address=address, log_to_driver=False, logging_level="ERROR", runtime_env={"env_vars": env})
    except Exception as err:  # of a node that does not start in time Ray raises no other kind
        where = "a Ray cluster here" if address is None else f"the Ray cluster at {address}"
        reason = str(err).strip().split("\n")[0][:200] or type(err).__name__
        ray.shutdown()  # what of it has started
        raise CoterieError(f"Cannot reach {where}: {reason} Start one with: ray start --head") from err
    try:
        yield ray
    finally:
        ray.shutdown()


def size_of(text: str) -> tuple[int, int]:
    """Nodes and cores of a cluster; one that would begin here has the cores of this machine, and does not begin."""
    needs_ray()
    if parse_ray(text) is None:
        return 1, os.cpu_count() or 1
    with joined(text) as ray:
        nodes = sum(bool(node["Alive"]) for node in ray.nodes())
        return nodes, max(1, int(ray.cluster_resources().get("CPU", 1)))


class Counter:
    """The actor that counts tokens."""

    def __init__(self) -> None:
        self.tokens = 0

    def add(self, tokens: int) -> int:
        self.tokens += tokens
        return self.tokens


class Shared:
    """The counter of `Budget` where models live in many processes: all tokens, as of the last time we spent."""

    def __init__(self, counter: Any):
        self.counter, self._seen = counter, 0

    @property
    def value(self) -> int:
        return self._seen

    @value.setter
    def value(self, now: int) -> None:
        self._seen = needs_ray().get(self.counter.add.remote(now - self._seen))

    def get_lock(self) -> threading.Lock:
        return threading.Lock()  # the budget of a process has one


Work = Callable[[Sequence[Job]], list[Any]]
_told: list[str] = []  # the bench that this process, a worker, plays for


def _work(bench: str, asking: Asking, work: Work, chunk: Sequence[Job]) -> list[Any]:
    """A task: how models are asked is said once in each process, which keeps its model for the next ones."""
    if _told != [bench]:
        set_asking(asking)
        _told[:] = [bench]
    for job in chunk[:1]:
        load_plugins(job.config.load)
    return work(chunk)


def spread_ray(
    work: Work,
    quick: Sequence[Job],
    slow: Sequence[Job],
    streams: Sequence[Sequence[Job]],
    batch: int,
    cluster: str,
    asking: Asking,
) -> Iterator[Any]:
    """Results as they come. `quick` ask no model, `slow` do; `streams` are played one after another where we are, since
    their memo lies here."""
    tells = contextlib.redirect_stdout(sys.stderr)  # Ray prints what died, and results stand on stdout alone
    with tells, joined(cluster) as ray:
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        here = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(
            ray.get_runtime_context().get_node_id(), soft=False
        )
        if asking.token_limit is not None:  # on this machine, and as long as we hold it
            counter = ray.remote(num_cpus=0)(Counter).options(scheduling_strategy=here).remote()
            asking = asking._replace(spent=Shared(counter))
        if asking.rate_limit is not None:  # nobody sees what others ask: each keeps to its part
            asking = asking._replace(rate_limit=asking.rate_limit / cores)
        sent = (secrets.token_hex(8), ray.put(asking._replace(threads=1)), ray.put(work))
        task = ray.remote(num_cpus=1, max_retries=TRIES)(_work)
        size = max(1, min(CHUNK, len(quick) // (4 * cores)))
        chunks = iter([*_chunks(quick, size), *_chunks(slow, batch)])
        under_way: dict[Any, tuple[Any, Iterator[Sequence[Job]]]] = {}  # what is played, and what comes after it

        def begin(task: Any, line: Iterator[Sequence[Job]]) -> None:
            for chunk in islice(line, 1):
                under_way[task.remote(*sent, list(chunk))] = (task, line)

        try:
            for stream in streams:
                begin(task.options(scheduling_strategy=here), iter(_chunks(stream, 1)))
            for _ in range(cores * AHEAD):
                begin(task, chunks)
            while under_way:
                (one,), _ = ray.wait(list(under_way), num_returns=1)
                rows = _get(ray, one)
                begin(*under_way.pop(one))
                yield from rows
        finally:
            for one in under_way:
                with contextlib.suppress(Exception):  # it is over anyhow
                    ray.cancel(one, force=False)


def _chunks(jobs: Sequence[Job], size: int) -> list[Sequence[Job]]:
    return [jobs[i : i + size] for i in range(0, len(jobs), size)]


def _get(ray: Any, one: Any) -> list[Any]:
    errors = ray.exceptions
    try:
        return list(ray.get(one))
    except errors.RayTaskError as err:
        cause = err.cause if hasattr(err, "cause") else None
        if isinstance(cause, CoterieError):
            raise CoterieError(str(cause)) from None
        raise
    except errors.RayError as err:
        reason = str(err).strip().split("\n")[0][:200]
        raise CoterieError(
            f"The cluster lost the same episodes {TRIES} times ({reason}). What was finished is kept; the same "
            "command goes on from there."
        ) from None
