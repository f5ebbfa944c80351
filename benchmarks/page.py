"""How large the HTML page of an episode is, how long it takes to make, and how fast a browser opens it.

    python benchmarks/page.py LOG [LOG ...] [--browser chromium]

`opens` is from the start of loading until everything stands on the page, by the browser's own clock; the best of three.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from coterie.log.file import read_log
from coterie.page import save_page


def opens_ms(browser: str, page: Path) -> int:
    found = []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as profile:
            flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", "--dump-dom"]
            words = [browser, *flags, page.resolve().as_uri()]
            dom = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        ready = re.search(r'data-ready="(\d+)"', dom)
        if ready is None:
            raise SystemExit(f"{page}: the page's script did not come to its end.")
        found.append(int(ready[1]))
    return min(found)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("logs", nargs="+", type=Path)
    p.add_argument("--browser", default="chromium")
    args = p.parse_args()
    print("| log | steps | page [MB] | made in [s] | opens in [ms] |\n| --- | --- | --- | --- | --- |")
    for log in args.logs:
        events = read_log(log)
        with tempfile.TemporaryDirectory() as folder:
            begun = time.perf_counter()
            saved = save_page(events, Path(folder) / "page.html")
            took = time.perf_counter() - begun
            opens = str(opens_ms(args.browser, saved.path)) if shutil.which(args.browser) else "no browser"
        print(f"| {log.name} | {events[-1].step} | {saved.size_bytes / 1e6:.2f} | {took:.1f} | {opens} |", flush=True)


if __name__ == "__main__":
    main()
