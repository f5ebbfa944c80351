"""Plays a bench on a Ray cluster of two nodes in which things go wrong; prints one JSON object.

python faults.py FOLDER

First a worker and a node with an actor that plays are killed under way, then somebody presses Ctrl-C. The
endpoint is a real one on this machine; it notes when it was asked.
"""

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

from coterie.bench.results import RESULTS
from coterie.cli import main as coterie
from coterie.models.server import Server
from coterie.protocols.dynahmrc.oracle import answer

PER_MINUTE = 1200  # twenty a second
WORDS = ["bench", "smoke", "--episodes", "4", "--no-plots"]
LONGER = ["bench", "smoke", "--no-plots", "--methods", "rules,rules+guard"]  # 48 rows: not over before it is stopped
NODE = "a node"
VICTIMS = ("ray::_work", NODE)
QUICK = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 3}


def mind(messages, options):
    return answer([(m["role"], m["content"]) for m in messages])


def below(pid: int) -> dict[int, str]:
    """The processes that this one started, and those they did; what each calls itself."""
    parents, names = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                names[int(entry.name)] = (entry / "cmdline").read_text().split("\0")[0]
            except (OSError, ValueError, IndexError):
                continue
    found = {pid}
    while more := {p for p, parent in parents.items() if parent in found} - found:
        found |= more
    return {p: names[p] for p in found - {pid} if p in names}


def kill(cluster: Cluster, node: Any, times: list[float], killed: list[str], over: threading.Event) -> None:
    """One of each kind, as soon as it is at work; between them a node, with the actor that plays there."""
    for kind in VICTIMS:
        if kind == NODE:
            while not times and not over.wait(0.01):
                pass
            cluster.remove_node(node, allow_graceful=False)
            killed.append(kind)
        while kind not in killed and not over.wait(0.01):
            for pid, name in below(os.getpid()).items():
                if name.startswith(kind):
                    os.kill(pid, signal.SIGKILL)
                    killed.append(kind)
                    break


def press_ctrl_c(results: Path, rows: int) -> None:
    """Once so many rows are there; a terminal sends it to all processes of a command."""
    while not results.is_file() or results.read_bytes().count(b"\n") < rows:
        time.sleep(0.01)
    os.killpg(os.getpgrp(), signal.SIGINT)


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where the tests run in the background
    folder, times = Path(sys.argv[1]), list[float]()

    def timed(messages: Any, options: Any) -> str:
        times.append(time.monotonic())
        return mind(messages, options)

    server = Server(timed).start()
    asks = [*WORDS, "--methods", "rules,coherent", "--model", "openai:mind", "--base-url", server.url]
    told: dict[str, Any] = {"one": coterie([*asks, "--out", str(folder / "one")])}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "_system_config": QUICK})
    node = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")

    times.clear()
    killed, over = list[str](), threading.Event()
    thread = threading.Thread(target=kill, args=(cluster, node, times, killed, over))
    thread.start()
    words = [*asks, "--cluster", "ray", "--batch", "2", "--rate-limit", str(PER_MINUTE)]
    told["killed"] = coterie([*words, "--out", str(folder / "killed")])
    over.set()
    thread.join()
    told |= {"victims": killed, "asked": len(times), "took_s": max(times) - min(times)}

    threading.Thread(target=press_ctrl_c, args=(folder / "stopped" / RESULTS, 3), daemon=True).start()
    words = [*LONGER, "--cluster", "ray", "--out", str(folder / "stopped")]
    told["stopped"] = coterie(words)
    told["rows_when_stopped"] = (folder / "stopped" / RESULTS).read_bytes().count(b"\n")
    told["went_on"] = coterie(words)
    ray.shutdown()
    cluster.shutdown()
    server.stop()
    told["another"] = coterie([*LONGER, "--out", str(folder / "another")])
    print("\n" + json.dumps(told))


if __name__ == "__main__":
    main()
