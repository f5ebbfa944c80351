"""Plays a bench on a Ray cluster of two nodes, of which one is killed in the middle; prints one JSON object that says
whether rows and all tables are those of one machine, byte for byte.

python benchmarks/cluster_node.py FOLDER EPISODES
"""

import json
import sys
from pathlib import Path

import ray
from ray.cluster_utils import Cluster

from coterie.bench.export import CSV, LATEX
from coterie.bench.methods import parse_methods
from coterie.bench.report import save_tables
from coterie.bench.results import CONFIG, RESULTS, TABLE
from coterie.bench.runner import run_bench
from coterie.bench.suites import make_suite, sample

QUICK = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 3}
SETTINGS = {"command": "coterie bench"}


def main() -> None:
    folder, episodes = Path(sys.argv[1]), int(sys.argv[2])
    specs, methods = sample(make_suite("dynahmrc-static,dynahmrc-cto"), episodes), parse_methods("rules")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "_system_config": QUICK})
    second = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    killed = []

    def progress(done: int, total: int) -> None:
        if done >= total // 4 and not killed:
            killed.append(done)
            cluster.remove_node(second, allow_graceful=False)

    found = run_bench(
        specs, methods, folder / "ray", "smoke", "none", cluster="ray", progress=progress, settings=SETTINGS
    )
    save_tables(found)
    ray.shutdown()
    cluster.shutdown()
    one = run_bench(specs, methods, folder / "one", "smoke", "none", settings=SETTINGS)
    save_tables(one)
    same = {
        name: (folder / "ray" / name).read_bytes() == (folder / "one" / name).read_bytes()
        for name in (RESULTS, TABLE, CSV, LATEX, CONFIG)
    }
    print(json.dumps({"killed_at": killed, "rows": len(found.rows), "same_bytes": same}))
    sys.exit(0 if killed and all(same.values()) else 1)


if __name__ == "__main__":
    main()
