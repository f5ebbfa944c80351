"""Rules as text, read: what each one says, what it needs, and how it is written for the solver.

The language is clingo's: normal rules, choices, disjunctions, constraints, aggregates, conditions, arithmetic. What
could read files or run code is refused before it is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coterie.core.errors import CoterieError
from coterie.core.expr import ORDER
from coterie.mission.knowledge.solver import clingo, clingo_ast, solver_name, value_of_symbol
from coterie.mission.knowledge.terms import (
    Arith,
    Body,
    Comparison,
    Literal,
    Negated,
    Odd,
    Part,
    Term,
    Var,
    is_plain_name,
    variables,
)

MOST_CHARS = 200_000  # of rules
_OPS = {0: ">", 1: "<", 2: "<=", 3: ">=", 4: "!=", 5: "=="}
_FLIPPED = {">": "<=", "<": ">=", "<=": ">", ">=": "<", "!=": "==", "==": "!="}
_ARITH = {3: "+", 4: "-", 5: "*"}
Signature = tuple[str, int]


@dataclass(frozen=True)
class Rule:
    """One rule; a constraint has no heads."""

    heads: tuple[Literal, ...]
    body: tuple[Literal, ...]  # also those under `not`, in counts and in conditions
    bound: tuple[str, ...]  # variables that stand in the body just so, by name
    counted: frozenset[str]  # variables that are added up or put in order: whole numbers
    head_text: str
    body_text: str

    @property
    def text(self) -> str:
        """As the solver gets it."""
        return f"{self.head_text} :- {self.body_text}." if self.body_text else f"{self.head_text}."


def signature(literal: Literal) -> Signature:
    return literal.name, len(literal.args)


def read_rules(text: str) -> list[Rule]:
    """The rules of a text, or a sentence about the first that cannot be read."""
    return [_rule(node) for node in _parse(text)]


def read_body(text: str, bound: Mapping[str, Any]) -> Body:
    """A question in the language of rules: literals, `not`, comparisons."""
    nodes = _parse(f"_question :- {text.strip().rstrip('.')}.", own=False)
    if len(nodes) != 1:
        raise CoterieError(f"'{text[:80]}' is more than one question; ask them one after the other.")
    reader = _Reader(bound)
    parts: list[Part] = []
    for node in nodes[0].body:
        kind = str(node.ast_type)
        if kind != "ASTType.Literal" or not reader.plain(node):
            raise CoterieError(f"'{node}' cannot stand in a question; make it a rule, and ask for what the rule says.")
        parts += reader.question(node)
    if reader.odd:
        raise CoterieError(f"'{text[:80]}' computes what questions cannot; make it a rule, and ask what the rule says.")
    return tuple(parts)


def _parse(text: str, own: bool = True) -> list[Any]:
    if len(text) > MOST_CHARS:
        raise CoterieError(f"Rules of {len(text):,} characters are more than are read ({MOST_CHARS:,}).")
    if (
        re.search(r"#\s*(script|include|program|external|const|theory|defined|show|project|heuristic|edge)", text)
        or "@" in text
    ):
        raise CoterieError("Rules are rules alone: directives such as #include or #script, and functions, are refused.")
    ast = clingo_ast()
    nodes: list[Any] = []
    messages: list[str] = []
    try:
        ast.parse_string(text, nodes.append, logger=lambda code, words: messages.append(words))
    except RuntimeError:
        raise CoterieError(f"These rules cannot be read: {_first(messages)}.") from None
    found = []
    for node in nodes:
        if node.ast_type == ast.ASTType.Program:
            continue
        if node.ast_type != ast.ASTType.Rule:
            raise CoterieError(f"'{str(node)[:80]}' is no rule.")
        if own and re.search(r"(?<![A-Za-z0-9_])_[a-z]", str(node)):
            raise CoterieError(f"'{str(node)[:80]}': names that begin with _ are taken.")
        found.append(node)
    return found


def _first(messages: Sequence[str]) -> str:
    """The solver's own words, without the place in a text that nobody sees."""
    if not messages:
        return "no reason given"
    return re.sub(r"^<string>:(\d+):[^ ]* (?:error: |info: )?", r"line \1, ", messages[0].strip()).replace("\n", " ")[
        :300
    ]


def _rule(node: Any) -> Rule:
    reader = _Reader({})
    heads, head_text = reader.head(node.head)
    for part in node.body:
        reader.part(part)
    counted = set(reader.counted)
    for comparison in reader.comparisons:
        if comparison.op in ORDER or _computes(comparison.left) or _computes(comparison.right):
            counted |= variables(comparison)
    body = (*reader.positive, *reader.others)
    for lit in (*heads, *body):
        for arg in lit.args:
            if _computes(arg):
                counted |= variables(arg)
    bound = tuple(sorted(v for v in variables(tuple(reader.positive)) if not v.startswith("_")))
    return Rule(heads, body, bound, frozenset(counted), head_text, "; ".join(reader.texts))


def _computes(term: Term) -> bool:
    return isinstance(term, (Arith, Odd))


class _Reader:
    def __init__(self, bound: Mapping[str, Any]):
        self.ast, self.bound = clingo_ast(), bound
        self.positive: list[Literal] = []
        self.others: list[Literal] = []  # under `not`, in counts and in conditions
        self.comparisons: list[Comparison] = []
        self.texts: list[str] = []
        self.counted: set[str] = set()
        self.anonymous = 0
        self.odd = False  # something is computed in a way that only the solver knows

    # -- heads ----------------------------------------------------------------------------------------------------
    def head(self, node: Any) -> tuple[tuple[Literal, ...], str]:
        t = self.ast.ASTType
        if node.ast_type == t.Literal:
            if node.atom.ast_type == t.BooleanConstant and not node.atom.value:
                return (), ""
            if node.atom.ast_type == t.SymbolicAtom and node.sign == 0:
                return (self.atom(node.atom),), self.write(node)
        elif node.ast_type in (t.Aggregate, t.Disjunction, t.HeadAggregate):
            heads = []
            for element in node.elements:
                found = element.condition if node.ast_type == t.HeadAggregate else element
                literal = found.literal
                if literal.atom.ast_type != t.SymbolicAtom or literal.sign != 0:
                    break
                heads.append(self.atom(literal.atom))
                self.scope(found.condition)
            else:
                self.everything(node)
                return tuple(heads), self.write(node)
        raise CoterieError(f"'{node}' cannot be the head of a rule.")

    # -- bodies ---------------------------------------------------------------------------------------------------
    def part(self, node: Any) -> None:
        t = self.ast.ASTType
        self.texts.append(self.write(node))
        if node.ast_type == t.ConditionalLiteral:
            self.scope(node.condition, node.literal)
        elif node.ast_type != t.Literal:
            raise CoterieError(f"'{node}' cannot stand in the body of a rule.")
        elif node.atom.ast_type == t.SymbolicAtom:
            (self.positive if node.sign == 0 else self.others).append(self.atom(node.atom))
        elif node.atom.ast_type == t.Comparison:
            if node.sign == 0 or len(node.atom.guards) == 1:
                self.comparisons += self.comparison(node.atom, node.sign == 1)
        elif node.atom.ast_type in (t.Aggregate, t.BodyAggregate):
            for element in node.atom.elements:
                self.scope(element.condition, element.literal if node.atom.ast_type == t.Aggregate else None)
            self.everything(node.atom)
        elif node.atom.ast_type != t.BooleanConstant:
            raise CoterieError(f"'{node}' cannot stand in the body of a rule.")

    def everything(self, aggregate: Any) -> None:
        """Every variable of an aggregate may be counted, or compared with a count."""
        self.counted.update(self.names(aggregate))

    def names(self, node: Any) -> list[str]:
        """The variables in a node."""
        found: list[str] = []

        class Names(self.ast.Transformer):  # type: ignore[name-defined]
            def visit_Variable(self, inner: Any) -> Any:
                found.append(inner.name)
                return inner

        Names().visit(node)
        return found

    def scope(self, condition: Any, literal: Any = None) -> None:
        """The literals within an aggregate or a condition."""
        t = self.ast.ASTType
        for node in (*condition, *(() if literal is None else (literal,))):
            if node.atom.ast_type == t.SymbolicAtom:
                self.others.append(self.atom(node.atom))
            elif node.atom.ast_type == t.Comparison:
                self.counted |= {v for c in self.comparison(node.atom, False) for v in variables(c)}

    def comparison(self, node: Any, negated: bool) -> list[Comparison]:
        found, left = [], self.term(node.term)
        for guard in node.guards:
            op, right = _OPS[int(guard.comparison)], self.term(guard.term)
            found.append(Comparison(_FLIPPED[op] if negated else op, left, right))
            left = right
        return found

    def atom(self, node: Any) -> Literal:
        symbol, sign = node.symbol, ""
        if symbol.ast_type == self.ast.ASTType.UnaryOperation:
            symbol, sign = symbol.argument, "-"
        if symbol.ast_type != self.ast.ASTType.Function:
            raise CoterieError(f"'{node}' cannot be used in rules here.")
        return Literal(sign + symbol.name, tuple(self.term(a) for a in symbol.arguments))

    def term(self, node: Any) -> Term:
        t = self.ast.ASTType
        if node.ast_type == t.Variable:
            if node.name == "_":
                self.anonymous += 1
                return Var(f"_{self.anonymous}")
            return self.bound[node.name] if node.name in self.bound else Var(node.name)
        if node.ast_type == t.SymbolicTerm:
            kinds = clingo().SymbolType
            kind = node.symbol.type
            plain = kind in (kinds.Number, kinds.String) or (kind == kinds.Function and not node.symbol.arguments)
            return value_of_symbol(node.symbol) if plain else Odd()
        if node.ast_type == t.BinaryOperation and int(node.operator_type) in _ARITH:
            return Arith(_ARITH[int(node.operator_type)], self.term(node.left), self.term(node.right))
        self.odd = True
        return Odd(tuple(self.names(node)))

    # -- questions ------------------------------------------------------------------------------------------------
    def plain(self, node: Any) -> bool:
        t = self.ast.ASTType
        return node.atom.ast_type in (t.SymbolicAtom, t.Comparison) and node.sign in (0, 1)

    def question(self, node: Any) -> list[Part]:
        if node.atom.ast_type == self.ast.ASTType.Comparison:
            found: list[Part] = list(self.comparison(node.atom, False))
        else:
            found = [self.atom(node.atom)]
        return [Negated(tuple(found))] if node.sign else found

    # -- writing --------------------------------------------------------------------------------------------------
    def write(self, node: Any) -> str:
        """As the solver gets it: names between quotes that need none are the same names without."""
        ast, c = self.ast, clingo()

        class Plain(ast.Transformer):  # type: ignore[name-defined]
            def visit_SymbolicTerm(self, node: Any) -> Any:
                if node.symbol.type == c.SymbolType.String and is_plain_name(node.symbol.string):
                    return node.update(symbol=c.Function(node.symbol.string))
                return node

            def visit_SymbolicAtom(self, node: Any) -> Any:
                symbol = node.symbol
                if symbol.ast_type == ast.ASTType.UnaryOperation:
                    inner = symbol.argument
                    symbol = inner.update(name=solver_name("-" + inner.name))
                return node.update(symbol=self.visit(symbol))

        return str(Plain().visit(node))
