"""A mission whose robots are driven elsewhere: it waits for their ends, and stands still when somebody stops them."""

import threading

from coterie.core.causes import STOPPED
from coterie.episode import mission
from coterie.link.fleet import Fleet
from coterie.link.stopping import release, stop

NAMES = ("Fetch", "Temi", "Spot")


def test_a_stop_holds_a_mission_until_it_is_released(folder, serve):
    serve(*NAMES)
    seen = []

    def watch(episode):
        if not seen and episode.roster.agents["Fetch"].doing is not None and episode.world.now > 0.5:
            seen.append("stopped")
            stop("Eve", folder=folder.path)
        elif seen == ["stopped"] and all(a.standing.stopped for a in episode.roster):
            seen.append("released")
            threading.Timer(0.2, release, ("Eve",), {"folder": folder.path}).start()

    with Fleet(NAMES, folder.path) as drivers:
        served = mission.serve("hospital", ["medkit at alpha"], watch=watch, drivers=drivers, answers="yes")
    assert seen == ["stopped", "released"] and served.success
    events = served.played.log.events
    inputs = [e for e in events if e.kind == "input"]
    held = [e for e in inputs if e.data["kind"] == "standing" and e.data["stopped"]]
    free = [e for e in inputs if e.data["kind"] == "standing" and not e.data["stopped"]]
    assert {e.who for e in held} == {e.who for e in free} == set(NAMES)
    assert not [e for e in events[held[-1].seq : free[0].seq] if e.kind == "act"]
    ends = [e.data["cause"].clause for e in inputs if e.data.get("status") == "cancelled"]
    assert set(ends) <= {STOPPED}
