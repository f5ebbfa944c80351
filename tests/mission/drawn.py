"""Programs, facts and questions drawn from a seed, and what clingo says to all of them at once."""

from __future__ import annotations

import random

import clingo

from coterie.core.facts import Fact

NAMES = ("a", "b", "c", "d")
BASE = {"e": 2, "f": 1, "g": 2}  # g(name) = number
DERIVED = {"p": 1, "q": 2, "r": 1, "s": 2, "t": 1}
EVERY = {**BASE, **DERIVED}
VARIABLES = ("X", "Y", "Z")


def atom(rng, preds, variables=VARIABLES, constants=0.15):
    name = rng.choice(sorted(preds))
    args = [rng.choice(NAMES[:2]) if rng.random() < constants else rng.choice(variables) for _ in range(preds[name])]
    if name == "g" and rng.random() < 0.3:
        args[1] = str(rng.randint(1, 3))
    return f"{name}({','.join(args)})"


def used(*texts):
    return [v for v in VARIABLES if any(v in t for t in texts)]


def body(rng, derived):
    """Safe: what stands under `not`, in a comparison or in a count is bound by something else. Returns what binds."""
    preds = {**BASE, **{n: DERIVED[n] for n in derived}}
    positive = [atom(rng, preds if rng.random() < 0.6 else BASE) for _ in range(rng.choice([1, 1, 2, 2, 3]))]
    bound, parts = used(*positive), list(positive)
    for _ in range(rng.choice([0, 0, 1, 2]) if bound else 0):
        one = rng.choice(bound)
        kind = rng.choice(["not", "not", "known false", "unlike", "order", "count", "all", "sum"])
        if kind == "not":
            parts.append("not " + atom(rng, preds, tuple(bound)))
        elif kind == "known false":
            parts.append(f"{rng.choice(['', 'not '])}-f({one})")
        elif kind == "unlike":
            parts.append(f"{one} != {rng.choice([*bound, 'a', '1'])}")
        elif kind == "order":
            numbers = [p.split(",")[1].rstrip(")") for p in positive if p.startswith("g(")]
            parts += [f"{n} {rng.choice(['<', '>='])} 2" for n in numbers[:1]]
        elif kind == "count":
            inner = atom(rng, preds, (one, "W"))
            if "W" in inner:
                parts.append(f"#count {{ W : {inner} }} {rng.choice(['>=', '<'])} {rng.randint(1, 2)}")
        elif kind == "all":
            parts.append(f"{atom(rng, preds, ('W',), 0)} : e({one},W)")
        elif kind == "sum":
            parts.append(f"{rng.randint(1, 3)} <= #sum {{ N,W : g(W,N), {atom(rng, BASE, ('W', one))} }}")
    return parts, bound


def rule(rng, plain):
    derived = rng.sample(sorted(DERIVED), 3)
    parts, bound = body(rng, derived)
    text, terms = "; ".join(parts), tuple(bound) or ("a",)
    kinds = ["normal"] * 12 + ["arithmetic", "false"] + ["choice", "bounded", "either", "never"] * (not plain)
    kind = rng.choice(kinds)
    head = atom(rng, DERIVED, terms, 0.05)
    if kind == "never":
        return f":- {text}."
    if kind == "arithmetic":
        return f"q({terms[0]},N+1) :- g({terms[0]},N), N < 3; {text}."
    if kind == "false":
        return f"-{head} :- {text}."
    if kind == "choice":
        return f"{{ {head} }} :- {text}."
    if kind == "bounded":
        return f"1 {{ r(V) : f(V) }} 1 :- {text}."
    if kind == "either":
        return f"{head} ; {atom(rng, DERIVED, terms, 0.05)} :- {text}."
    return f"{head} :- {text}."


def facts(rng):
    found = {}
    for _ in range(rng.randint(2, 9)):
        one, other = rng.choice(NAMES), rng.choice(NAMES)
        found["e", one, other] = Fact("e", (one, other), True)
    for name in rng.sample(NAMES, rng.randint(1, 4)):
        found["f", name] = Fact("f", (name,), rng.random() < 0.75)
    for name in rng.sample(NAMES, rng.randint(1, 4)):
        found["g", name] = Fact("g", (name,), rng.randint(1, 3))
    for name in rng.sample(NAMES, rng.choice([0, 0, 1, 2])):
        found["p", name] = Fact("p", (name,), rng.random() < 0.7)  # of a relation that rules define, too
    return list(found.values())


def program(rng):
    plain = rng.random() < 0.5  # without choices, disjunctions and constraints
    ground = [f"{n}({v}) :- {b}({v})." for n, v, b in zip("prt", "XXX", "fff")]
    ground += [f"{n}(X,Y) :- {b}." for n, b in zip("qs", ("e(X,Y)", "e(Y,X), f(X)"))]
    first = [line for line in ground if rng.random() < 0.4]  # that there is something to build on
    return "\n".join([*first, *(rule(rng, plain) for _ in range(rng.randint(2, 8)))])


def question(rng, rules):
    """A question that rules have a say in, in the language of rules."""
    defined = [n for n in DERIVED if f"{n}(" in rules] or ["p"]
    parts = [atom(rng, {n: DERIVED[n] for n in defined})]
    if rng.random() < 0.3:
        parts.append(atom(rng, EVERY))
    bound = used(*parts)
    if bound and rng.random() < 0.3:
        parts.append("not " + atom(rng, EVERY, tuple(bound)))
    return ", ".join(parts)


def scenario(seed):
    rng = random.Random(seed)
    rules = program(rng)
    return rules, facts(rng), question(rng, rules), rng.choice(["certain", "possible"])


def all_at_once(rules, known, asked, sure):
    """What clingo says to everything, in its own words: rows of values, or None where nothing can be so."""
    lines = []
    for fact in known:
        args = ",".join(map(str, fact.args))
        if isinstance(fact.value, bool):
            lines.append(f"{'' if fact.value else '-'}{fact.pred}({args}).")
        else:
            lines.append(f"{fact.pred}({args},{fact.value}).")
    names = used(asked)
    goal = f"answer({','.join(names)})" if names else "answer"
    mode = "cautious" if sure == "certain" else "brave"
    control = clingo.Control(["--models=0", f"--enum-mode={mode}"], logger=lambda *_: None)
    control.add("base", [], "\n".join([rules, *lines, f"{goal} :- {asked}.", f"#show answer/{len(names)}."]))
    control.ground([("base", [])])
    last = None
    with control.solve(yield_=True) as handle:
        for model in handle:
            last = [tuple(str(a) for a in s.arguments) for s in model.symbols(shown=True)]
    return None if last is None else sorted(last)
