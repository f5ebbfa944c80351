"""Why a goal cannot be reached: the condition that no robot can bring about, and the way from the goal down to it.

A condition that cannot come about is either granted (it would have to be otherwise than it is) or brought about by an
action whose own conditions are asked in turn. Of all ways to make the goal possible the cheapest is told: that a door
should not be jammed, or that a person should answer, is a smaller wish than that a kit should already be where it
belongs; and what is a matter of the map or of a body is wished for last. Among equals the one deepest down is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, cast

from coterie.core.expr import All, Compare, Expr, Fluent, Not, Some, Sum, turns_on
from coterie.core.facts import UNKNOWN
from coterie.core.fluents import BOOL, NUMBER
from coterie.core.skill import Clause, Effect
from coterie.planning.answer import CAN, Proof, Unmet, Why
from coterie.planning.forms import inner, kind_of, mapped, normal, params, parts, with_names
from coterie.planning.operators import Operator
from coterie.planning.own.ground import GroundAction, Is, Least
from coterie.planning.own.reach import Reach
from coterie.planning.own.task import Task
from coterie.planning.question import ROBOT, Key

#: What it costs to wish that something were otherwise: as is usual; more or fewer of something; any other change; the
#: goal itself; what lies in the nature of a body or a place.
USUAL, COUNTED, CHANGED, GOAL, BY_NATURE = 1.0, 1.8, 2.0, 3.0, 10.0
Fact = tuple[str, tuple[Any, ...], Any]
MOST_WISHES = 2  # that one action may need at once
MOST_WAYS = 2000  # to bring about one condition
MOST_TURNS = 2000  # on the way down
NEVER = float("inf")


@dataclass(frozen=True)
class _Need:
    """A condition that cannot come about, and which clause of whose skill asks for it."""

    expr: Expr
    skill: str = ""
    clause: str = ""
    robot: str = ""
    fact: Fact | None = None  # as the clause itself has it


@dataclass
class _Node:
    """The price of granting a condition, the ways to bring it about, and the cheapest choice: what it grants in the
    end, with the prices, and in how many steps."""

    price: float
    ways: list[list[_Need]] = field(default_factory=list)
    granted: dict[Expr, float] = field(default_factory=dict)
    steps: int = 0

    @property
    def cost(self) -> float:
        return sum(self.granted.values())


class _Wish(NamedTuple):
    plain: Expr
    odd: bool  # nobody can bring it about


class _Turns(NamedTuple):
    fluent: Fluent
    names: tuple[str, ...]
    value: Any  # where the clause does not hold


@dataclass(eq=False)
class _Test:
    """A part of what an operator asks for, and what came of it under names that were tried."""

    expr: Expr
    clause: Clause
    could: Callable[[dict[str, str]], bool]
    names: frozenset[str]
    known: dict[tuple[str, ...], _Wish | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.order = sorted(self.names)
        self.turns = _turns(self.clause)


def explain(reach: Reach, proof: Proof = "unreachable") -> Why:
    """Why the goal of a question cannot be reached, going by what could come about at all."""
    return _Explainer(reach).why(proof)


def unmet(reach: Reach, goal: Expr) -> tuple[Unmet, ...]:
    """A part of the goal as what is not met."""
    teller = _Explainer(reach)
    found = [teller._told(_Need(e)) for e in parts(goal)]
    return tuple(u for u in found if u is not None)[:1]


class _Explainer:
    def __init__(self, reach: Reach):
        self.reach, self.question = reach, reach.question
        self.nodes: dict[Expr, _Node] = {}
        self._could: dict[Expr, bool] = {}
        self._turns = 0
        every = (*self.question.operators.values(), *self.question.unable.values())
        self.changing = {e.fluent.pred for op in every for e in op.then}
        self.every = every
        self._tests: dict[str, list[_Test]] = {}
        self.wanted = {_subject(e) for g in reach.goal for e in parts(g)}

    def why(self, proof: Proof) -> Why:
        wanted = [_Need(e) for g in self.reach.goal for e in parts(g) if not self.possible(e)]
        if not wanted:
            return Why(proof)
        todo = list(wanted)
        while todo:
            todo += self._discover(todo.pop())
        self._settle()
        chain: list[Unmet] = []
        others: list[Unmet] = []
        for need in sorted(wanted, key=lambda n: -self.nodes[n.expr].cost):
            path, more = self._follow(need, []) or ([], [])
            others += [*more, *(path[-1:] if chain else [])]
            chain = chain or path
        if not chain:
            return Why(proof)
        roots = {o.condition: o for o in others if o.condition != chain[-1].condition}
        return Why(proof, tuple(chain), tuple(roots.values()))

    def possible(self, expr: Expr) -> bool:
        if expr not in self._could:
            self._could[expr] = self.reach.could(expr)({})
        return self._could[expr]

    # -- what there is to be asked --------------------------------------------------------------------------------
    def _discover(self, need: _Need) -> list[_Need]:
        """A condition with every way to bring it about; what those ways need besides is new."""
        if need.expr in self.nodes:
            return []
        node = self.nodes[need.expr] = _Node(self._price(need.expr))
        node.ways = list(self._ways(need.expr))
        return [n for way in node.ways for n in way]

    def _price(self, expr: Expr) -> float:
        if isinstance(expr, (All, Some)) or inner(expr):
            return NEVER  # granted part by part
        fluent = _subject(expr)
        if fluent is None:
            return BY_NATURE * 10
        declared = self.question.fluents.get(fluent.pred)
        if declared is None:  # whether a body has a skill, or anybody
            return BY_NATURE if len(fluent.args) > 1 else CHANGED
        if fluent in self.wanted:
            return GOAL
        if fluent.pred in self.changing:
            return COUNTED if declared.value == NUMBER else CHANGED
        usual = declared.value == BOOL and declared.hoped == (not isinstance(expr, Not))
        return USUAL if usual else BY_NATURE

    def _ways(self, expr: Expr) -> Iterator[list[_Need]]:
        if isinstance(expr, All):
            yield [_Need(e) for e in expr.exprs if not self.possible(e)]
        elif isinstance(expr, Some):
            yield from ([_Need(e)] for e in expr.exprs)
        elif inner(expr):
            yield from ([_Need(e)] for e in self._cases(expr))
        elif isinstance(expr, Compare) and isinstance(expr.left, Fluent) and isinstance(expr.right, Fluent):
            if kind_of(expr, self.question.fluents) != NUMBER and expr.op == "==":
                kind = self.question.fluents[expr.left.pred].value
                for name in self.question.of_kind(kind):
                    both = [Compare("==", expr.left, name), Compare("==", expr.right, name)]
                    yield [_Need(e) for e in both if not self.possible(e)]
        else:
            yield from self._doing(expr)

    def _cases(self, expr: Expr) -> Iterator[Expr]:
        """A condition about the value of a fluent, for each value that this could have."""
        first = inner(expr)[0]
        for name in self.question.of_kind(self.question.fluents[first.pred].value):
            rest = mapped(expr, partial(_swapped, {first: name}))
            yield All(tuple(e for e in (Compare("==", first, name), rest) if not self.possible(e)))

    def _doing(self, expr: Expr) -> Iterator[list[_Need]]:
        """For every action that would bring a condition about, the conditions that it still needs."""
        fluent = _subject(expr)
        if fluent is None or fluent.pred not in self.changing or fluent.pred not in self.question.fluents:
            return
        unable = self.question.unable
        fits = [
            (op, bound)
            for op in self.every
            for effect in op.then
            if effect.fluent.pred == fluent.pred and (bound := self._fits(effect, expr, fluent)) is not None
        ]
        for op, _ in fits:
            if op.name in unable:
                yield [_Need(Fluent(CAN, (op.name,)), op.name, "able")]
        for allowed in (0, 1):  # whoever cannot by nature is asked last
            ways = [way for op, bound in fits if op.name not in unable for way in self._instances(op, bound, allowed)]
            yield from ways
            if ways:
                return

    def _fits(self, effect: Effect, expr: Expr, fluent: Fluent) -> dict[str, str] | None:
        """The binding under which an effect brings the condition about; None if there is none."""
        bound: dict[str, str] = {}
        for mine, wanted in zip(effect.fluent.args, fluent.args):
            if not _bind(mine, wanted, bound):
                return None
        declared = self.question.fluents[fluent.pred]
        if declared.value == NUMBER:
            assert isinstance(expr, Compare)
            more = expr.op in (">", ">=", "==") if expr.left == fluent else expr.op in ("<", "<=", "==")
            return bound if effect.how == "set" or (effect.how == "increase") == more or expr.op == "==" else None
        if declared.value == BOOL:
            same = bool(effect.value) == (not isinstance(expr, Not)) or isinstance(effect.value, Fluent)
            return bound if same else None
        assert isinstance(expr, Compare)
        value = expr.right if expr.left == fluent else expr.left
        if expr.op != "==" or isinstance(effect.value, Fluent):
            return bound
        return bound if _bind(effect.value, value, bound) else None

    def _instances(self, op: Operator, bound: Mapping[str, str], by_nature: int) -> Iterator[list[_Need]]:
        """The impossible conditions of an action, for each choice of names that leaves few of them."""
        question = self.question
        kinds = {ROBOT: ROBOT, **{p.name: p.kind for p in op.params}}
        tests = self._tests_of(op)
        order = sorted(kinds, key=lambda n: n not in bound)
        ways = 0

        def bind(depth: int, b: dict[str, str], needs: list[_Need], natural: int) -> Iterator[list[_Need]]:
            nonlocal ways
            if depth == len(order):
                ways += 1
                yield needs
                return
            name = order[depth]
            fits = question.of_kind(kinds[name])
            for value in [bound[name]] if name in bound else fits:
                if ways >= MOST_WAYS or value not in fits:
                    break
                now, more, odd = {**b, name: value}, list(needs), natural
                if name == ROBOT and op.name not in question.able.get(value, ()):
                    more.append(_Need(Fluent(CAN, (op.name, value)), op.name, "able", value))
                    odd += 1
                done = now.keys()
                for test in tests:
                    if name in test.names and test.names <= done:
                        wish = self._wish(test, now)
                        if wish is not None:
                            odd += wish.odd
                            robot = now.get(ROBOT, "")
                            more.append(_Need(wish.plain, op.name, test.clause.name, robot, _fact(test, now)))
                if odd <= by_nature and len(more) <= MOST_WISHES + by_nature:
                    yield from bind(depth + 1, now, more, odd)

        yield from bind(0, {}, [], 0)

    def _tests_of(self, op: Operator) -> list[_Test]:
        """The conditions of an operator, part by part; cached."""
        if op.name not in self._tests:
            self._tests[op.name] = [
                _Test(e, clause, self.reach.could(e), params(e))
                for when, clause in zip(op.when, op.clauses)
                for e in parts(normal(when, self.question.fluents))
            ]
        return self._tests[op.name]

    def _wish(self, test: _Test, bound: dict[str, str]) -> _Wish | None:
        """The condition that would have to be granted under these names; None where it could hold. Cached by name."""
        key = tuple(bound[n] for n in test.order)
        if key not in test.known:
            wish = None
            if not test.could(bound):
                plain = with_names(test.expr, bound)
                wish = _Wish(plain, BY_NATURE <= self._price(plain) < NEVER)
            test.known[key] = wish
        return test.known[key]

    # -- the cheapest way -----------------------------------------------------------------------------------------
    def _settle(self) -> None:
        for expr, node in self.nodes.items():
            node.granted = {expr: node.price}
        again = True
        while again:
            again = False
            for node in self.nodes.values():
                for way in node.ways:
                    granted, steps = self._sum(way)
                    if (sum(granted.values()), steps) < (node.cost, node.steps):
                        node.granted, node.steps, again = granted, steps, True

    def _sum(self, way: list[_Need]) -> tuple[dict[Expr, float], int]:
        """All that a way grants, each condition once, and the length of its longest chain of steps."""
        granted: dict[Expr, float] = {}
        for need in way:
            granted.update(self.nodes[need.expr].granted)
        return granted, 1 + max((self.nodes[n.expr].steps for n in way), default=0)

    def _follow(self, need: _Need, above: list[Fluent]) -> tuple[list[Unmet], list[Unmet]] | None:
        """Down the cheapest way, granting nothing as long as something deeper does as well: the way, and what has to be
        granted besides. None where it leads back to where it came from."""
        node, told, subject = self.nodes[need.expr], self._told(need), _subject(need.expr)
        mine = [told] if told is not None else []
        if node.price <= min(node.cost, COUNTED):
            return mine, []
        seen = [*above, subject] if subject is not None and not inner(need.expr) else above
        preds = {f.pred for f in seen}
        ranked: list[tuple[tuple[int, ...], list[_Need]]] = []
        for way in node.ways:
            subjects = [_subject(n.expr) for n in way if not inner(n.expr)]
            granted, steps = self._sum(way)
            if way and sum(granted.values()) <= node.cost and not any(f in seen for f in subjects):
                again = sum(f is not None and f.pred in preds for f in subjects)
                known = sum(f is not None and (f.pred, *f.args) in self.question.nil for f in subjects)
                ranked.append(((again, steps, len(way), -known), way))
        for _, way in sorted(ranked, key=lambda r: r[0]):
            self._turns += 1
            found = self._down(way, seen) if self._turns < MOST_TURNS else None
            if found is not None:
                return [*mine, *found[0]], found[1]
        return (mine, []) if node.price <= node.cost else None

    def _down(self, way: list[_Need], seen: list[Fluent]) -> tuple[list[Unmet], list[Unmet]] | None:
        """All that a way needs: the dearest is followed, of the others the ends are told."""
        path: list[Unmet] = []
        others: list[Unmet] = []
        for need in sorted(way, key=lambda n: -self.nodes[n.expr].cost):
            found = self._follow(need, seen)
            if found is None:
                return None
            others += [*found[1], *(found[0][-1:] if path else [])]
            path = path or found[0]
        return path, others

    def _told(self, need: _Need) -> Unmet | None:
        fluent = _subject(need.expr)
        if fluent is None or inner(need.expr):
            return None
        op, wanted, value = "==", cast(Any, not isinstance(need.expr, Not)), cast(Any, False)
        if isinstance(need.expr, Compare):
            left = need.expr.left == fluent
            op = need.expr.op if left else _MIRRORED[need.expr.op]
            wanted = need.expr.right if left else need.expr.left
            wanted = str(wanted) if isinstance(wanted, (Fluent, Sum)) else wanted
        if fluent.pred in self.question.fluents:
            value = self.question.value(fluent.pred, *fluent.args)
        return Unmet(fluent.pred, fluent.args, op, wanted, value, need.skill, need.clause, need.robot, need.fact)


def _fact(test: _Test, bound: Mapping[str, str]) -> Fact | None:
    """The fact that decides a clause of a skill under these names, with its value where the clause fails."""
    if test.turns is None or any(name not in bound for name in test.turns.names):
        return None
    args = tuple(bound[a[1:]] if isinstance(a, str) and a.startswith("?") else a for a in test.turns.fluent.args)
    return test.turns.fluent.pred, args, test.turns.value


def _turns(clause: Clause) -> _Turns | None:
    fluent = turns_on(clause.expr)
    if fluent is None or inner(fluent):
        return None
    names = tuple(a[1:] for a in fluent.args if isinstance(a, str) and a.startswith("?"))
    return _Turns(fluent, names, {Fluent: False, Not: True}.get(type(clause.expr), UNKNOWN))


def _swapped(known: Mapping[Fluent, str], term: Any) -> str | None:
    return known.get(term) if isinstance(term, Fluent) else None


_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _subject(expr: Any) -> Fluent | None:
    """The fluent that a plain condition is about."""
    if isinstance(expr, Fluent):
        return expr
    if isinstance(expr, Not):
        return _subject(expr.expr)
    if isinstance(expr, Compare):
        return _subject(expr.left) or _subject(expr.right)
    return (_subject(expr.left) or _subject(expr.right)) if isinstance(expr, Sum) else None


def _bind(mine: Any, wanted: Any, bound: dict[str, str]) -> bool:
    """Let a term of an operator be a name; False if it is another one."""
    if isinstance(mine, str) and mine.startswith("?"):
        if not isinstance(wanted, str):
            return False
        return bound.setdefault(mine[1:], wanted) == wanted
    return isinstance(mine, Fluent) or mine == wanted


# -- not enough of something ------------------------------------------------------------------------------------------
# There is not enough of something: what can be moved about but not made.
# A weighted sum of numbers and of facts (so many on this table, one in that hand, so many in the kit) that no action
# can raise is never more than it is now. If the goal asks for more, there is no plan, however long one looks. It is
# found by starting from what the goal counts: an action that raises it takes something away elsewhere, and that is
# added.
ROUNDS = 500


@dataclass
class _Sum:
    numbers: dict[Key, int]
    facts: dict[Key, dict[Any, int]]

    def raised(self, action: GroundAction, values: dict[Key, tuple[Any, ...]]) -> int | None:
        """By how much an action can raise the sum at most; None if that cannot be told."""
        total = 0
        for change in action.changes:
            weight = self.numbers.get(change.key, 0)
            if weight and (change.terms or not change.added):
                return None
            total += weight * change.constant
        for key, value in action.sets:
            weights = self.facts.get(key)
            if weights:
                before = next((t.values for t in action.when if isinstance(t, Is) and t.key == key), values[key])
                total += weights.get(value, 0) - min(weights.get(v, 0) for v in before)
        return total

    def balance(self, action: GroundAction, by: int) -> bool:
        """Add something that the action takes away, so that it raises the sum no more; False if there is nothing."""
        written = dict(action.sets)
        for test in action.when:
            if isinstance(test, Is) and len(test.values) == 1 and test.key in written:
                (value,) = test.values
                spent = value is not None and value is not False and written[test.key] != value
                if spent and not self.facts.get(test.key, {}).get(value):
                    self.facts.setdefault(test.key, {})[value] = by
                    return True
        for change in action.changes:
            if change.added and not change.terms and change.constant < 0 and change.key not in self.numbers:
                self.numbers[change.key] = -(by // change.constant)
                return True
        return False


def shortage(task: Task) -> Why | None:
    """Why the goal asks for more than there is; None if that cannot be shown."""
    asked = [t for part in task.goals for t in map(task.tests.__getitem__, part) if isinstance(t, Least)]
    asked = [t for t in asked if len(t.terms) == 1 and t.terms[0][1] > 0 and t.constant < 0]
    asked = list({t.terms: t for t in sorted(asked, key=lambda t: -t.constant)}.values())  # the most of each
    writers = task.ground.writers if asked else {}
    sums = [(test, _closed(task, [test], writers)) for test in asked]
    for test, found in sums:
        if found is None:
            continue
        same = [t for t, other in sums if other is not None and other.numbers.keys() & found.numbers.keys()]
        for seeds in ([test], same):
            total = found if seeds == [test] else _closed(task, seeds, writers)
            why = _compare(task, total, seeds) if total is not None else None
            if why is not None:
                return why
    return None


def _closed(task: Task, seeds: Sequence[Least], writers: Mapping[Key, list[int]]) -> _Sum | None:
    """A sum that counts what these tests ask for and that no action raises."""
    total = _Sum({t.terms[0][0]: t.terms[0][1] for t in seeds}, {})
    values = dict(task.ground.variables)
    for _ in range(ROUNDS):
        for number in sorted({n for key in (*total.numbers, *total.facts) for n in writers.get(key, ())}):
            action = task.ground.actions[number]
            by = total.raised(action, values)
            if by is None:
                return None
            if by > 0:
                if not total.balance(action, by):
                    return None
                break
        else:
            return total if _never_negative(task, total) else None
    return None


def _never_negative(task: Task, total: _Sum) -> bool:
    """Whether nobody takes more of a number than is there."""
    if any(task.ground.numbers.get(key, 0) < 0 for key in total.numbers):
        return False
    for action in task.ground.actions:
        for change in action.changes:
            if change.key in total.numbers and change.constant < 0:
                guards = [t for t in action.when if isinstance(t, Least) and t.terms == ((change.key, 1),)]
                if not any(-t.constant >= -change.constant for t in guards):
                    return False
    return True


def _compare(task: Task, total: _Sum, seeds: Sequence[Least]) -> Why | None:
    question, numbers = task.ground.question, task.ground.numbers
    there = sum(weight * numbers.get(key, 0) for key, weight in total.numbers.items())
    there += sum(weights.get(question.value(*key), 0) for key, weights in total.facts.items())
    need = sum(-t.constant for t in seeds)
    if need <= there:
        return None
    scale = task.ground.scale
    goal = seeds[0]
    key = goal.terms[0][0]
    wanted = -goal.constant / goal.terms[0][1] / scale
    chain = [Unmet(key[0], key[1:], ">=", _plain(wanted), question.value(*key))]
    sources = [k for k in total.numbers if k not in {t.terms[0][0] for t in seeds}]
    if sources:
        source = max(sources, key=lambda k: (numbers.get(k, 0), k in question.nil))
        more = (need - there) / total.numbers[source] / scale
        chain.append(
            Unmet(source[0], source[1:], ">=", _plain(question.value(*source) + more), question.value(*source))
        )
    return Why("counted", tuple(chain))


def _plain(value: float) -> float:
    return int(value) if value == int(value) else value
