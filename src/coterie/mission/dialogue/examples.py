"""Sentences that can be said to a mission, in the names of its scene."""

from __future__ import annotations

from collections.abc import Sequence

from coterie.talk import meanings as m
from coterie.talk.meanings import Meaning
from coterie.talk.vocabulary import Vocabulary
from coterie.talk.wording import Wording


def tips_of(vocabulary: Vocabulary, kits: Sequence[str]) -> list[str]:
    """A few sentences for a newcomer."""
    rooms = vocabulary.names("room")
    kit = kits[-1] if kits else "medkit"
    room = next((r for r in rooms if r in ("alpha", "beta", "gamma")), rooms[0] if rooms else "alpha")
    return [
        "Define a new kit 'firstaid'.", f"Deliver a {kit} to {room}.", "What is your plan?",
        "How likely is it to work?", "What if table E is empty?", "Yes.", "What is going on?", "Why did you fail?",
        "Who can open doors?", "There are two painkillers on table C.",
        "If something is missing, ask the pharmacist.", "Stop!",
    ]  # fmt: skip


def examples_of(v: Vocabulary) -> list[str]:
    """One for everything that can be meant."""
    w = Wording(v)
    kit, room, table, person = (next(iter(v.names(kind)), "") for kind in ("kit", "room", "table", "person"))
    tables = v.names("table") or [table]
    rooms = [r for r in v.names("room") if r in ("alpha", "beta", "gamma")] or [room]
    S, D, O = m.STOCK, m.DOOR, m.Order  # noqa: E741
    found: list[Meaning] = [O((m.Want(m.KIT, k, r),)) for k in v.names("kit") for r in rooms]
    found += [O((m.Want(m.KIT, k),)) for k in v.names("kit")]
    found += [O((m.Want(D, d),)) for d in v.names("door")]
    found += [O((m.Want(S, i, tables[-1], 2),)) for i in v.names("item")]
    found += [O((m.Want(S, i, tables[-1], 1, source=person),)) for i in v.names("item")[:2]]
    found += [O((m.Want(m.AT, "", r),), (x,)) for x in v.names("robot") for r in rooms[:1]]
    found += [O((m.Want(m.LOOK, i, t),)) for i, t in zip(v.names("item"), tables)]
    found += [m.Ask(a) for a in ("plan", "duration", "chance", "why", "doing", "progress", "history", "changed",
                                 "taught", "understood", "goals", "who", "help", "ability", "why that")]  # fmt: skip
    found += [m.Ask("where", what=i) for i in v.names("item")] + [m.Ask("where", what=r) for r in v.names("robot")]
    found += [m.Ask("how many", what=i, where=t) for i, t in zip(v.names("item"), tables)]
    found += [m.Ask("contents", what=t) for t in tables] + [m.Ask("contents", what=k) for k in v.names("kit")]
    found += [m.Ask("doing", robot=r) for r in v.names("robot")] + [m.Ask("ability", robot=r) for r in v.names("robot")]
    found += [m.Ask("who can", skill=s) for s in ("open", "carry", "pick", "pack")]
    found += [m.Ask("can", robot=r, skill=s) for r in v.names("robot") for s in ("open", "pack")]
    found += [m.Ask("what if", claims=(m.Claim(m.EMPTY, "", t),)) for t in tables]
    found += [m.Ask("what if", claims=(m.Claim(m.ABLE, r, holds=False),)) for r in v.names("robot")]
    found += [m.Ask("is it so", claims=(m.Claim(D, d),)) for d in v.names("door")]
    found += [m.Ask("why not", wants=(m.Want(m.KIT, kit, rooms[0]),))]
    found += [m.Ask("who may", right=r) for r in ("approve", "teach", "command")]
    found += [m.Tell((m.Claim(S, i, t, holds=h),)) for i, t in zip(v.names("item"), tables) for h in (True, False)]
    found += [m.Tell((m.Claim(m.EMPTY, "", t),)) for t in tables]
    found += [
        m.Tell((m.Claim(k, d, holds=h),)) for d in v.names("door") for k, h in ((D, True), (D, False), (m.JAMMED, True))
    ]
    found += [m.Tell((m.Claim(m.ABLE, r, holds=False),)) for r in v.names("robot")]
    found += [m.Tell((m.Claim(m.PRESENT, p, holds=False),)) for p in v.names("person")]
    found += [m.Approve(), m.Refuse(), m.Stop(), m.Steer("pause"), m.Steer("resume"), m.Steer("cancel")]
    found += [m.Stop((r,)) for r in v.names("robot")] + [m.Steer(h, kit) for h in ("pause", "resume", "cancel")]
    found += [m.Steer("prioritise", kit, "high"), m.Teach("kit", "firstaid"), m.Teach("task", "night round")]
    found += [m.Teach("skill", "inspection"), m.Forget(kit), m.Forget(), m.Repeat(), m.Greet()]
    found += [m.Alter(kit, how, i, 1) for how in ("add", "remove") for i in v.names("item")]
    found += [m.Policy((m.Claim(S, holds=False),), "ask", p) for p in v.names("person")]
    found += [m.Policy((m.Claim(m.HOLD, holds=False),), "retry"), m.Policy((m.Claim(m.JAMMED),), "give up")]
    found += [m.Permit(p, r) for p in v.names("person") for r in ("approve", "command")]
    return [w.sentence(x) for x in found if "  " not in w.sentence(x)]
