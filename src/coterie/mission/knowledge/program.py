"""Dependencies of rules: which of them a question needs, and which can still decide between its answers.

Most rules have one outcome: without choices, disjunctions and circles through `not`, the facts settle what follows.
Relations that such rules leave open, and all that rests on them, are `open`. A constraint over open relations decides
between the ways the world could be and belongs to every question about them; a constraint over settled ones can only be
broken or not, and gags nobody: it is a check, told by `contradictions`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from coterie.mission.knowledge.syntax import Rule, Signature, signature
from coterie.mission.knowledge.terms import Literal, Var


@dataclass(frozen=True)
class Module:
    """The rules that a question needs, the constraints that decide it, and whether they leave several answers open."""

    rules: tuple[Rule, ...]
    constraints: tuple[Rule, ...]
    is_open: bool


class Program:
    """Rules with their dependencies."""

    def __init__(self, rules: Iterable[Rule]):
        self.rules = tuple(rules)
        self.by_head: dict[Signature, list[Rule]] = {}
        for rule in self.rules:
            for head in dict.fromkeys(signature(h) for h in rule.heads):
                self.by_head.setdefault(head, []).append(rule)
        self.names = {name for name, _ in self.by_head}
        self.constraints = [r for r in self.rules if r.kind == "constraint"] + self._opposites()

    def _opposites(self) -> list[Rule]:
        """Nothing is so and not so: a check for every relation that rules define one side of."""
        found: list[Rule] = []
        used = {s for r in self.rules for s, _ in r.needs} | set(self.by_head)
        for name, width in sorted(used):
            other = (name[1:] if name.startswith("-") else f"-{name}", width)
            if (name, width) in self.by_head and (not name.startswith("-") or other not in self.by_head):
                args = tuple(Var(f"X{i}") for i in range(width))
                both = (Literal(name.lstrip("-"), args), Literal("-" + name.lstrip("-"), args))
                inner = f"({','.join(a.name for a in args)})" if args else ""
                text = f"{name.lstrip('-')}{inner}; _no_{name.lstrip('-')}{inner}"
                found.append(Rule("constraint", (), both, (), (), (), frozenset(), "", text))
        return found

    # -- what is open ---------------------------------------------------------------------------------------------
    @cached_property
    def circles(self) -> list[set[Signature]]:
        """Relations that define each other, those below first."""
        graph = {head: [n for r in rules for n, _ in r.needs] for head, rules in self.by_head.items()}
        for rule in self.rules:
            heads = [signature(h) for h in rule.heads]
            for one, other in pairwise(heads):
                graph[one].append(other)
                graph[other].append(one)
        return _components(graph)

    @cached_property
    def deciders(self) -> list[set[Signature]]:
        """Groups of relations whose rules leave something open."""
        found = []
        for group in self.circles:
            rules = {id(r): r for s in group for r in self.by_head.get(s, ())}.values()
            loose = any(r.kind in ("choice", "disjunction") for r in rules)
            loose = loose or any(need in group and not just_so for r in rules for need, just_so in r.needs)
            if loose:
                found.append(group)
        return found

    @cached_property
    def open(self) -> frozenset[Signature]:
        """Relations that may differ between the ways the world could be."""
        found = {s for group in self.deciders for s in group}
        for group in self.circles:  # those below come first
            if any(n in found for s in group for r in self.by_head.get(s, ()) for n, _ in r.needs):
                found |= group
        return frozenset(found)

    def below(self, start: Iterable[Signature]) -> set[Signature]:
        """Relations that others rest on, themselves included."""
        found: set[Signature] = set()
        ahead = list(start)
        while ahead:
            one = ahead.pop()
            if one not in found:
                found.add(one)
                for rule in self.by_head.get(one, ()):
                    ahead += [n for n, _ in rule.needs]
        return found

    # -- modules --------------------------------------------------------------------------------------------------
    def module(self, wanted: Iterable[Signature]) -> Module:
        inside = self.below(wanted)
        deciding: list[Rule] = []
        units: list[tuple[set[Signature], Rule | None]] = [
            *((self.below(group), None) for group in self.deciders),
            *((self.below(n for n, _ in c.needs), c) for c in self.constraints),
        ]
        ahead, grown = units if inside & self.open else [], True
        while grown:
            grown, later = False, []
            for unit in ahead:
                needs, constraint = unit
                if not needs & inside & self.open:
                    later.append(unit)
                    continue
                inside |= needs
                grown = True
                if constraint is not None:
                    deciding.append(constraint)
            ahead = later
        rules = tuple(r for r in self.rules if any(signature(h) in inside for h in r.heads))
        return Module(rules, tuple(deciding), bool(inside & self.open))

    @cached_property
    def checks(self) -> list[Rule]:
        """Constraints that nothing open can satisfy or break."""
        return [c for c in self.constraints if not self.below(n for n, _ in c.needs) & self.open]

    @cached_property
    def counted(self) -> frozenset[tuple[Signature, int]]:
        """Columns whose values are added up or put in order somewhere above: no fractions can stand there."""
        found: set[tuple[Signature, int]] = set()
        grown = True
        while grown:
            grown = False
            for rule in (*self.rules, *self.constraints):
                names = set(rule.counted)
                for head in rule.heads:
                    for i, arg in enumerate(head.args):
                        if isinstance(arg, Var) and (signature(head), i) in found:
                            names.add(arg.name)
                inner = [lit for scope in rule.scopes for lit in scope.literals]
                for lit in (*rule.positive, *rule.negative, *inner):
                    for i, arg in enumerate(lit.args):
                        if isinstance(arg, Var) and arg.name in names and (signature(lit), i) not in found:
                            found.add((signature(lit), i))
                            grown = True
        return frozenset(found)


def _components(graph: dict[Signature, list[Signature]]) -> list[set[Signature]]:
    """Strongly connected ones (Tarjan, without recursion), those that others rest on first."""
    index: dict[Signature, int] = {}
    low: dict[Signature, int] = {}
    stack: list[Signature] = []
    on_stack: set[Signature] = set()
    found: list[set[Signature]] = []
    for root in graph:
        if root in index:
            continue
        work: list[tuple[Signature, int]] = [(root, 0)]
        while work:
            node, at = work.pop()
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            others = graph.get(node, [])
            for i in range(at, len(others)):
                other = others[i]
                if other not in index:
                    work += [(node, i), (other, 0)]
                    break
                if other in on_stack:
                    low[node] = min(low[node], low[other], index[other])
            else:
                if low[node] == index[node]:
                    group: set[Signature] = set()
                    while node not in group:
                        last = stack.pop()
                        on_stack.discard(last)
                        group.add(last)
                    found.append(group)
    return found
