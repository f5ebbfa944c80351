"""What a page costs: an episode with and without one [processor seconds of its process], how soon 20 watchers see an
event, how soon a stop reaches driven robots, how long a log of 20 MB takes to open, and how soon after the command
a link and the first picture are there.

    python benchmarks/live.py
"""

from __future__ import annotations

import contextlib
import gc
import http.client
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

from coterie.cli.app import MOST_NEW
from coterie.core.action import Action
from coterie.core.config import Config
from coterie.core.event import to_line
from coterie.episode.play import play
from coterie.link.folder import Folder
from coterie.link.host import Host
from coterie.link.robot import Job, Report, Robot, done
from coterie.link.stopping import release, stop
from coterie.live.book import Book
from coterie.live.doors import OPERATOR, Doors, Guest
from coterie.live.process import Live
from coterie.live.recorded import _fold
from coterie.live.server import Server, Site
from coterie.log.file import read_log

WATCHERS, ROWS, BYTES, TIMES = 20, 200, 20_000_000, 11
WARM_S = 3.0  # in which a page loads what draws: a stop meanwhile takes some milliseconds longer
ROOT = Path(__file__).parents[1]


def enter(link: str) -> http.client.HTTPResponse:
    """The rows of a page, as a browser asks for them."""
    at, token = urlsplit(link), link.partition("#key=")[2]
    line = http.client.HTTPConnection(at.netloc, timeout=30)
    line.request("GET", "/rows", headers={"Cookie": f"coterie_{at.port}={token}"})
    return line.getresponse()


def slow_down(**options: object) -> tuple[float, float, float]:
    """Processor seconds of an episode by itself, with a page and a watcher, and, as a control, without a page beside a
    process that draws the same log: two processes slow each other down, whatever they say."""
    config, folder = Config(**options), Path(tempfile.mkdtemp())  # type: ignore[arg-type]
    play(config, folder / "drawn.jsonl")
    drawing = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from benchmarks.live import draw; draw({str(folder)!r})"

    def spent(**more: object) -> float:
        begun = time.process_time()
        play(config, folder / "log.jsonl", **more)  # type: ignore[arg-type]
        return time.process_time() - begun

    alone, watched, beside = list[float](), list[float](), list[float]()
    for _ in range(TIMES):
        alone.append(spent())
        with Live("run", [(Guest("me", OPERATOR), "")]) as live:
            rows = enter(live.links["me"])
            watched.append(spent(follow=live.follow))
            rows.close()
        with subprocess.Popen([sys.executable, "-c", drawing], stdout=subprocess.PIPE) as other:
            other.stdout.readline()  # type: ignore[union-attr]
            beside.append(spent())
            other.kill()
    return statistics.median(alone), statistics.median(watched), statistics.median(beside)


def draw(folder: str) -> None:
    """Draw a log again and again, as the process of a page does."""
    while True:
        _fold(Path(folder) / "drawn.jsonl", Book())
        print(flush=True)


def latency() -> list[float]:
    """Seconds from a row that is added to the moment at which each watcher has it."""

    class One(Site):
        rows = Book()

        def book(self, guest: Guest, query: object) -> Book:
            return self.rows

    site, seen, lock = One(Doors()), list[float](), threading.Lock()
    token = site.doors.admit(Guest("me"))
    with Server(site, "127.0.0.1", 0, None) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def watch() -> None:
            with enter(f"http://127.0.0.1:{server.server_port}/#key={token}") as rows:
                for line in rows:
                    for added in re.findall(rb'"x":([\d.]+)', line):
                        with lock:
                            seen.append(time.perf_counter() - float(added))

        for _ in range(WATCHERS):
            threading.Thread(target=watch, daemon=True).start()
        while server.watchers < WATCHERS:
            time.sleep(0.01)
        for _ in range(ROWS):
            site.rows.add({"x": time.perf_counter()})
            time.sleep(0.02)
        time.sleep(1.0)
        server.shutdown()
    return seen


def stops() -> tuple[list[float], list[float], list[float]]:
    """Seconds until two driven robots stand still: by what `coterie stop` does, by that command as a whole, and by the
    page, whose server streams all it can to 20 watchers meanwhile."""

    class Still(Robot):
        def do(self, action: Action, job: Job) -> Report:
            return done("Done.")

        def halt(self) -> None:
            pass

    names, guests = ("Alice", "Bob"), [(Guest("me", OPERATOR), "")]
    straight, whole, paged, over = list[float](), list[float](), list[float](), threading.Event()
    with tempfile.TemporaryDirectory() as place, contextlib.ExitStack() as stack:
        stack.enter_context(closing(Host([Still(n) for n in names], Folder(Path(place)))))
        live = stack.enter_context(Live("run", guests, folder=Path(place)))
        live.tell({"stops": list(names)})
        watching = [enter(live.links["me"]) for _ in range(WATCHERS)]
        for rows in watching:
            threading.Thread(target=rows.read, daemon=True).start()

        def talk() -> None:
            while not over.wait(0.001):
                live.tell({"told": {"to": "me", "text": "x" * 2000, "t": 0.0}})

        threading.Thread(target=talk, daemon=True).start()
        time.sleep(WARM_S)
        at, token = urlsplit(live.links["me"]), live.links["me"].partition("#key=")[2]
        headers = {"Cookie": f"coterie_{at.port}={token}", "Origin": f"http://{at.netloc}"}
        for _ in range(20):
            begun = time.perf_counter()
            stop("me", names, Path(place))
            straight.append(time.perf_counter() - begun)
            release("me", names, Path(place))
            begun = time.perf_counter()
            subprocess.run([sys.executable, "-m", "coterie", "stop", *names, "--folder", place], capture_output=True)
            whole.append(time.perf_counter() - begun)
            release("me", names, Path(place))
            line = http.client.HTTPConnection(at.netloc, timeout=30)
            begun = time.perf_counter()
            line.request("POST", "/do", '{"do": "stop"}', headers | {"Content-Type": "application/json"})
            line.getresponse().read()
            paged.append(time.perf_counter() - begun)
            line.close()
            release("me", names, Path(place))
        over.set()
    return straight, whole, paged


def opening() -> tuple[int, int, float, float, float]:
    """Bytes and events of a log, seconds to the first picture, to all that is told, and to the last picture."""
    config = Config(task="pack-objects", protocol="dynahmrc", model="oracle", seed=2)
    first, *events, last = play(config).log.events
    steps = last.step
    with tempfile.TemporaryDirectory() as folder:
        path, rows, size, again = Path(folder) / "log.jsonl", [to_line(first)], 0, 0
        while size < BYTES:  # the same team again and again
            for e in events:
                causes = tuple(c + again * len(events) for c in e.causes)
                seq, step, t = e.seq + again * len(events), e.step + again * steps, e.t + again * last.t
                rows.append(to_line(e._replace(seq=seq, step=step, t=t, causes=causes)))
                size += len(rows[-1]) + 1
            again += 1
        rows.append(to_line(last._replace(seq=len(rows), step=again * steps, t=again * last.t)))
        path.write_text("\n".join(rows) + "\n")
        book, begun = Book(), time.process_time()
        thread = threading.Thread(target=_fold, args=(path, book))
        thread.start()
        while not any('"f":' in line.text for line in book.lines):
            time.sleep(0.005)
        picture = time.process_time() - begun
        while not any('"told":true' in line.text for line in book.lines[-50:]) and thread.is_alive():
            time.sleep(0.01)
        told = time.process_time() - begun
        thread.join()
        return path.stat().st_size, len(read_log(path)), picture, told, time.process_time() - begun


def first() -> tuple[float, float]:
    """Seconds from the command to its link, and to the first picture at a watcher."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "coterie", "run", "pack-objects", "--seed", "4", "--live", "--pace", "0.3"]
        begun = time.perf_counter()
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=folder) as run:
            link = next(m[1] for line in run.stdout or () if (m := re.match(r"page for watcher: (\S+)", line)))
            told = time.perf_counter() - begun
            with enter(link) as rows:
                next(line for line in rows if b'"f":' in line)
            shown = time.perf_counter() - begun
            run.kill()
        return told, shown


def main() -> None:
    gc.set_threshold(MOST_NEW, *gc.get_threshold()[1:])  # as every command does
    for name, options in {
        "tidy in 6 rooms": {"task": "tidy", "scene": "rooms:6", "level": "1", "seed": 3, "protocol": "heuristic"},
        "pack-objects": {"task": "pack-objects", "seed": 4},
        "pack-objects, dynahmrc@oracle": {"task": "pack-objects", "seed": 4, "protocol": "dynahmrc", "model": "oracle"},
    }.items():
        alone, watched, beside = slow_down(**options)
        print(f"{name}: {alone:.4f} s without, {watched:.4f} s with a page ({watched / alone - 1:+.1%}), "
              f"{beside:.4f} s beside a process that draws ({beside / alone - 1:+.1%})")  # fmt: skip
    seen = sorted(latency())
    print(f"{len(seen)} rows at {WATCHERS} watchers: median {1000 * statistics.median(seen):.1f} ms, "
          f"99 % {1000 * seen[len(seen) * 99 // 100]:.1f} ms")  # fmt: skip
    for name, took in zip(("a stop", "coterie stop", "Stop on the page"), stops()):
        print(f"{name}: median {1000 * statistics.median(took):.1f} ms, longest {1000 * max(took):.1f} ms")
    size, events, picture, told, whole = opening()
    print(f"a log of {size / 1e6:.0f} MB ({events} events): {picture:.2f} processor seconds to the first picture, "
          f"{told:.2f} to all that is told, {whole:.2f} to the last picture")  # fmt: skip
    link, picture = zip(*(first() for _ in range(TIMES)))
    print(f"from the command: a link after {statistics.median(link):.2f} s, the first picture after "
          f"{statistics.median(picture):.2f} s on the clock")  # fmt: skip


if __name__ == "__main__":
    main()
