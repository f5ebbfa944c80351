"""How long a question to rules takes right after an assertion, with many facts known, on one core.

    python benchmarks/knowledge.py                 100,000 facts
    python benchmarks/knowledge.py --facts 10000 --rounds 20

A large hospital: things of many types lie in places of rooms that doors join; robots with skills; kits that need
amounts. Before each question a fact is asserted that bears on it: a thing moves, a door shuts, a kit is packed, a robot
loses its tray. Questions about something are about something else each time; those about everything are asked again,
and the first time stands in a column of its own. Beside our times stands that of clingo with all facts and all rules.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

from coterie.bench.table import markdown
from coterie.core.facts import Fact
from coterie.mission.knowledge import Knowledge
from coterie.mission.knowledge.atoms import rows_of
from coterie.mission.knowledge.rules import _Asking
from coterie.mission.knowledge.solver import run

RULES = """
in_room(X,R) :- lies(X,P), part_of(P,R).
next(A,B) :- door(D,A,B), open(D).
next(B,A) :- door(D,A,B), open(D).
reach(A,B) :- next(A,B).
reach(A,C) :- reach(A,B), next(B,C).
can_fetch(Bot,X) :- robot(Bot), has(Bot,gripper), not broken(Bot), in_room(X,R), stands(Bot,R).
can_fetch(Bot,X) :- robot(Bot), has(Bot,gripper), not broken(Bot), in_room(X,R), stands(Bot,S), reach(S,R).
stock(T,P) :- lies(X,P), type(X,T).
lacks(K,T) :- needs(K,T,N), #count { X : inside(X,K), type(X,T) } < N.
served(K) :- kit(K), not short(K).
short(K) :- lacks(K,T).
out_of(T) :- wanted(T), not stock_room(T).
stock_room(T) :- wanted(T), store(P), stock(T,P).
misplaced(X) :- lies(X,P), home(X,H), P != H.
1 { carries(Bot,K) : robot(Bot), has(Bot,tray) } 1 :- urgent(K).
:- carries(Bot,K), carries(Bot,L), K < L.
"""


def hospital(size: int, seed: int = 0) -> list[Fact]:
    """About so many facts."""
    rng = random.Random(seed)
    rooms, per_room = max(4, size // 500), 5
    places = [f"place{i}" for i in range(rooms * per_room)]
    types = [f"type{i}" for i in range(max(8, size // 250))]
    found = [Fact("part_of", (p,), f"room{i // per_room}") for i, p in enumerate(places)]
    doors = [(i, i + 1) for i in range(rooms - 1)]
    doors += [(rng.randrange(rooms), rng.randrange(rooms)) for _ in range(rooms)]
    for i, (a, b) in enumerate(doors):
        found.append(Fact("door", (f"door{i}", f"room{a}", f"room{b}"), True))
        found.append(Fact("open", (f"door{i}",), rng.random() < 0.6))
    for i in range(12):
        found += [Fact("robot", (f"bot{i}",), True), Fact("stands", (f"bot{i}",), f"room{rng.randrange(rooms)}")]
        found += [Fact("has", (f"bot{i}", what), True) for what in ("gripper", "tray") if rng.random() < 0.6]
    kits = [f"kit{i}" for i in range(max(4, size // 500))]
    for kit in kits:
        found.append(Fact("kit", (kit,), True))
        found += [Fact("needs", (kit, t), rng.randint(1, 3)) for t in rng.sample(types, 3)]
    found += [Fact("wanted", (t,), True) for t in types[::20]] + [Fact("store", (p,), True) for p in places[::50]]
    found += [Fact("urgent", (kit,), True) for kit in kits[:3]]
    thing = 0
    while len(found) < size:
        x = f"thing{thing}"
        place = rng.choice(places)
        found += [Fact("type", (x,), rng.choice(types)), Fact("lies", (x,), place)]
        found.append(Fact("home", (x,), place if rng.random() < 0.95 else rng.choice(places)))
        if rng.random() < 0.05:
            found.append(Fact("inside", (x,), rng.choice(kits)))
        thing += 1
    return found[:size]


Change = Callable[[random.Random, Knowledge], Fact]


def move(rng: random.Random, k: Knowledge) -> Fact:
    return Fact("lies", (f"thing{rng.randrange(1000)}",), f"place{rng.randrange(20)}")


def shut(rng: random.Random, k: Knowledge) -> Fact:
    return Fact("open", (f"door{rng.randrange(200)}",), rng.random() < 0.5)


def pack(rng: random.Random, k: Knowledge) -> Fact:
    return Fact("inside", (f"thing{rng.randrange(1000)}",), f"kit{rng.randrange(8)}")


def hurry(rng: random.Random, k: Knowledge) -> Fact:
    return Fact("has", (f"bot{rng.randrange(12)}", "tray"), rng.random() < 0.7)


#: What is asked, in the language of rules, with what changes before; variables in braces are drawn.
ASKED: list[tuple[str, str, Change]] = [
    ("where is one thing", "in_room(thing{n},R)", move),
    ("what lies in one room", "in_room(X,room{r})", move),
    ("who can fetch one thing (through doors)", "can_fetch(Bot,thing{n})", shut),
    ("what can be reached from one room", "reach(room{r},S)", shut),
    ("what one kit lacks (counts)", "lacks(kit{k},T)", pack),
    ("which kits are short of something (all of them)", "short(K)", pack),
    ("which wanted types are out of stock", "out_of(T)", move),
    ("who may carry which urgent kit (choices)", "carries(Bot,K)", hurry),
    ("what is not where it belongs (all things)", "misplaced(X)", move),
]


def everything(k: Knowledge, question: str) -> float:
    """Milliseconds that clingo takes with all facts and all rules."""
    asking = _Asking(k.body(question), [])
    program = k.rules.program
    begun = time.perf_counter()
    facts = [atom for fact in k.facts() for atom in rows_of(fact)]
    run([r.text() for r in (*program.rules, *program.constraints, *asking.rules)], facts, ("_answer", 0), "certain")
    return 1000 * (time.perf_counter() - begun)


def measure(k: Knowledge, question: str, change: Change, rounds: int) -> list[str]:
    rng = random.Random(1)
    wall, cpu, rows = [], [], 0
    for _ in range(rounds + 1):
        text = question.format(n=rng.randrange(1000), r=rng.randrange(20), k=rng.randrange(8))
        k.tell(change(rng, k))
        begun, used = time.perf_counter(), time.process_time()
        rows += len(k.ask(text, sure="possible"))
        cpu.append(1000 * (time.process_time() - used))
        wall.append(1000 * (time.perf_counter() - begun))
    ordered = sorted(wall[1:])
    late = ordered[int(0.95 * (len(ordered) - 1))]
    used_late = sorted(cpu[1:])[int(0.95 * (rounds - 1))]
    middle = f"{statistics.median(ordered):.1f} / {late:.1f}; {statistics.median(cpu[1:]):.1f} / {used_late:.1f}"
    return [f"{rows / (rounds + 1):.0f}", f"{wall[0]:.0f} / {cpu[0]:.0f}", middle]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--all", action="store_true", help="also clingo with all facts, once a question")
    args = parser.parse_args()
    begun = time.perf_counter()
    k = Knowledge(rules=RULES)
    facts = hospital(args.facts)
    k.tell(*facts)
    print(f"{len(facts):,} facts told in {time.perf_counter() - begun:.1f} s. Milliseconds:\n")
    table = []
    for words, question, change in ASKED:
        whole = f"{everything(k, question.format(n=1, r=1, k=1)):.0f}" if args.all else "-"
        table.append([words, *measure(k, question, change, args.rounds), whole])
    heads = [
        "question",
        "rows",
        "first: clock / processor",
        "after an assertion, median / 95 %: clock; processor",
        "all facts",
    ]
    print("\n".join(markdown(heads, table)))


if __name__ == "__main__":
    main()
