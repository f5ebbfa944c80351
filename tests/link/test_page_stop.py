"""The Stop of a page goes straight to drivers, past the coordinator, also while the page has much to do."""

import json
import threading

from coterie.live.child import Episode
from coterie.live.doors import Doors
from tests.live.test_doors import NURSE, OPEN, WATCH, Watching, ask, served


def test_a_stop_reaches_drivers_while_the_page_is_busy(folder, serve):
    serve("Alice", "Bob")
    site = Episode(Doors(), {"mode": "run", "folder": str(folder.path), "stops": ["Alice", "Bob"]}, lambda told: None)
    over = threading.Event()

    def write():
        while not over.is_set():
            site.rows.add({"x": "y" * 2000})

    with served(site) as server:
        watching = [Watching(server, WATCH) for _ in range(20)]
        busy = threading.Thread(target=write)
        busy.start()
        try:
            status, _, body = ask(server, "POST", "/do", NURSE, {"do": "stop"})
        finally:
            over.set()
            busy.join()
        found = json.loads(body)
        assert status == 200 and set(found["stopped"]) == {"Alice", "Bob"} and not found["wrong"]
        assert folder.stopped("Alice") == folder.stopped("Bob") == "nurse"
        assert ask(server, "POST", "/do", NURSE, {"do": "release"})[0] == 403
        assert ask(server, "POST", "/do", OPEN, {"do": "release"})[0] == 200 and not folder.stopped("Alice")
        for one in watching:
            one.line.close()


def test_a_stop_that_comes_before_the_robots_are_known_stops_them_when_they_are(folder, serve):
    serve("Alice")
    site = Episode(Doors(), {"mode": "run", "folder": str(folder.path)}, lambda told: None)
    with served(site) as server:
        assert ask(server, "POST", "/do", NURSE, {"do": "stop"})[0] == 200 and not folder.stopped("Alice")
        site.take({"stops": ["Alice"]})
        assert folder.stopped("Alice") == "nurse"
