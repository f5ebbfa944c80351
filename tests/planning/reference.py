"""Planning the slow way: every state of a small world, by a reading of skills that shares nothing with the engine."""

from __future__ import annotations

import itertools
from collections import deque

from coterie.core.expr import OPS, All, Compare, Fluent, Not, Some, Sum
from coterie.core.facts import UNKNOWN


class Reference:
    def __init__(self, skills, facts, objects, able, goal):
        self.skills, self.objects, self.able, self.goal = skills, objects, able, goal
        self.fluents = skills.fluents
        self.start = frozenset(facts.items())

    def of_kind(self, kind):
        parents = self.skills.parents

        def is_a(k):
            return k == kind or (bool(k) and is_a(parents.get(k, "")))

        return [n for n, k in self.objects.items() if is_a(k)]

    # -- reading --------------------------------------------------------------------------------------------------
    def value(self, state, key):
        if key in state:
            return state[key]
        declared = self.fluents[key[0]]
        return {"bool": False, "number": declared.initial or 0}.get(declared.value, UNKNOWN)

    def term(self, state, term, bound):
        if isinstance(term, Fluent):
            args = [self.term(state, a, bound) for a in term.args]
            return UNKNOWN if None in args or UNKNOWN in args else self.value(state, (term.pred, *args))
        if isinstance(term, Sum):
            left, right = self.term(state, term.left, bound), self.term(state, term.right, bound)
            return UNKNOWN if UNKNOWN in (left, right) else left + right if term.op == "+" else left - right
        return bound[term[1:]] if isinstance(term, str) and term.startswith("?") else term

    def holds(self, state, expr, bound):
        """True, False, or UNKNOWN where something it is about has no value."""
        if isinstance(expr, Not):
            inner = self.holds(state, expr.expr, bound)
            return UNKNOWN if inner is UNKNOWN else not inner
        if isinstance(expr, (All, Some)):
            parts = [self.holds(state, e, bound) for e in expr.exprs]
            decides = isinstance(expr, Some)
            return decides if decides in parts else UNKNOWN if UNKNOWN in parts else not decides
        if isinstance(expr, Compare):
            left, right = self.term(state, expr.left, bound), self.term(state, expr.right, bound)
            nowhere = (
                left is None and right is None and isinstance(expr.left, Fluent) and isinstance(expr.right, Fluent)
            )
            if nowhere and expr.op == "==":
                return False
            return UNKNOWN if UNKNOWN in (left, right) else OPS[expr.op](left, right)
        return self.term(state, expr, bound)

    # -- doing ----------------------------------------------------------------------------------------------------
    def after(self, state, skill, bound):
        """The state after an action; None if it cannot be done."""
        if any(self.holds(state, c.expr, bound) is not True for c in skill.when):
            return None
        changed = {}
        for effect in skill.then:
            args = [self.term(state, a, bound) for a in effect.fluent.args]
            value = self.term(state, effect.value, bound)
            copied = isinstance(effect.value, (Fluent, Sum))
            if None in args or UNKNOWN in args or (copied and value in (None, UNKNOWN)):
                return None
            key = (effect.fluent.pred, *args)
            if effect.how != "set":
                value = changed.get(key, self.value(state, key)) + (value if effect.how == "increase" else -value)
            elif key in changed and changed[key] != value:
                if not isinstance(value, bool):
                    return None  # nothing has two values
                value = True
            changed[key] = value
        return {**state, **changed}

    def actions(self):
        for name, skill in self.skills.items():
            kinds = [self.of_kind(p.kind) for p in skill.params]
            for robot in (r for r, skills in self.able.items() if name in skills):
                for args in itertools.product(*kinds):
                    yield robot, skill, args, skill.bind(robot, args)

    def solvable(self, most=3000):
        """Whether a goal can be reached; None if there are too many states to say."""
        ways = list(self.actions())
        seen, queue = {self.start}, deque([self.start])
        while queue:
            state = dict(queue.popleft())
            if all(self.holds(state, g, {}) is True for g in self.goal):
                return True
            for _, skill, _, bound in ways:
                made = self.after(state, skill, bound)
                if made is not None and (key := frozenset(made.items())) not in seen:
                    if len(seen) >= most:
                        return None
                    seen.add(key)
                    queue.append(key)
        return False
