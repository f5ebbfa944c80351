"""What tests read from a mission that was served."""

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
