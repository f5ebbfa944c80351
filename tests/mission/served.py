"""What comes from outside into a mission that is served, and what tests read from it."""

from coterie.core.task import Change, Trigger
from coterie.episode.inputs import Inputs

MEDKIT = ["medkit at alpha"]


def of(served, what):
    return [n for n in served.notes if n["what"] == what]


def acts(served):
    """Everything that robots began besides waiting: time, robot, skill, arguments."""
    events = served.played.log.events
    return [(e.t, e.who, e.data["skill"], tuple(e.data["args"])) for e in events
            if e.kind == "act" and e.data["skill"] != "wait"]  # fmt: skip


def told(served, person):
    return [n["text"] for n in of(served, "tell") if n["to"] == person]


def truth(served):
    found = {}
    for event in served.played.log.events:
        for pred, args, value in event.data["facts"] if event.kind == "truth" else ():
            found[pred, *args] = value
    return found


def coming(*changes):
    """Changes one after the other, as what `serve` is given: each is when, what and with what; when is a time [s], or
    what is asked of the episode."""
    inputs, left = Inputs(), list(changes)

    def due(when, episode):
        return when(episode) if callable(when) else episode.world.now >= when

    def watch(episode):
        while left and due(left[0][0], episode):
            _, kind, data = left.pop(0)
            source = "fault" if kind == "leave" else "people"
            inputs.put(Change(Trigger(step=0), kind, data, awaited=False, source=source))

    return {"watch": watch, "inputs": inputs}


def noted(what):
    """Whether a mission has come to something."""
    return lambda episode: any(e.kind == "mission" and e.data["what"] == what for e in episode.log.events)
