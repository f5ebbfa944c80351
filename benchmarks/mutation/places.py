"""Places in a source file where one small change can be made, and the changed source.

Places are found in the syntax tree and edited by position in the text, so that everything else stays as it is written.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

KINDS = ("comparison", "arithmetic", "boolean", "not", "number", "flag", "statement", "return", "jump", "default")
PRAGMA = "# pragma: no mutant"

COMPARE: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: (r"<", "<="),
    ast.LtE: (r"<=", "<"),
    ast.Gt: (r">", ">="),
    ast.GtE: (r">=", ">"),
    ast.Eq: (r"==", "!="),
    ast.NotEq: (r"!=", "=="),
    ast.Is: (r"\bis\b", "is not"),
    ast.IsNot: (r"\bis\s+not\b", "is"),
    ast.In: (r"\bin\b", "not in"),
    ast.NotIn: (r"\bnot\s+in\b", "in"),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: (r"\+", "-"),
    ast.Sub: (r"-", "+"),
    ast.Mult: (r"\*", "/"),
    ast.Div: (r"/", "*"),
    ast.FloorDiv: (r"//", "*"),
    ast.Mod: (r"%", "*"),
    ast.Pow: (r"\*\*", "*"),
    ast.BitOr: (r"\|", "&"),
    ast.BitAnd: (r"&", "|"),
}
SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete, ast.Raise, ast.Expr)
LOGGING = {"debug", "info", "warning", "log"}


@dataclass(frozen=True)
class Place:
    """One change: bytes `start` to `end` of a file become `new`."""

    path: str
    line: int
    kind: str
    start: int
    end: int
    old: str
    new: str
    names: tuple[str, ...] = ()  # at import time: what the line gives a name to, for finding the tests that use it
    body: tuple[int, int] | None = None  # lines that run when what the line stands in runs

    @property
    def id(self) -> str:
        text = f"{self.path}:{self.line}:{self.start}:{self.kind}:{self.old}:{self.new}"
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def apply(self, source: str) -> str:
        raw = source.encode()
        return (raw[: self.start] + self.new.encode() + raw[self.end :]).decode()

    def __str__(self) -> str:
        old = " ".join(self.old.split())
        return f"{self.path}:{self.line} {self.kind}: {old if len(old) < 60 else old[:57] + '...'} -> {self.new}"


def places(path: str, source: str) -> list[Place]:
    """Every single change of a file. Ask `makes_sense` of the ones you take: reading each anew takes its time."""
    lines = source.split("\n")
    finder = _Finder(path, source)
    finder.visit(ast.parse(source))
    return [p for p in finder.found if PRAGMA not in lines[p.line - 1]]


def makes_sense(place: Place, source: str) -> bool:
    """The changed file can be read, and reads differently."""
    try:
        return ast.dump(ast.parse(place.apply(source))) != ast.dump(ast.parse(source))
    except SyntaxError:
        return False


class _Finder(ast.NodeVisitor):
    def __init__(self, path: str, source: str) -> None:
        self.path, self.raw = path, source.encode()
        self.starts = [0]
        for line in self.raw.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.found: list[Place] = []
        self.functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
        self.statement: ast.stmt | None = None  # the outermost one that runs at import time

    # -- positions ------------------------------------------------------------------------------------------------
    def span(self, node: ast.AST) -> tuple[int, int]:
        start = self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        return start, self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]

    def add(self, kind: str, line: int, start: int, end: int, new: str) -> None:
        old = self.raw[start:end].decode()
        names: tuple[str, ...] = ()
        body = None
        if self.functions:
            body = (self.functions[-1].body[0].lineno, self.functions[-1].end_lineno or line)
        elif self.statement is not None:
            names = tuple(sorted(set(_named(self.statement))))
        self.found.append(Place(self.path, line, kind, start, end, old, new, names, body))

    def swap(self, kind: str, node: ast.AST, new: str) -> None:
        self.add(kind, node.lineno, *self.span(node), new)  # type: ignore[attr-defined]

    def operator(self, kind: str, left: ast.AST, right: ast.AST, pattern: str, new: str) -> None:
        start, end = self.span(left)[1], self.span(right)[0]
        gap = self.raw[start:end].decode()
        found = list(re.finditer(pattern, re.sub(r"#[^\n]*", lambda m: " " * len(m.group()), gap)))
        if found:
            at = start + len(gap[: found[0].start()].encode())
            self.add(kind, self.line_of(at), at, at + len(found[0].group().encode()), new)

    def line_of(self, at: int) -> int:
        return self.raw[:at].count(b"\n") + 1

    # -- what is left alone ---------------------------------------------------------------------------------------
    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Words, and positions inside them are not to be trusted before Python 3.12."""

    def visit_If(self, node: ast.If) -> None:
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Only dropped as a whole: what an error says is words."""

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if not name.endswith("Error") and name not in ("TypeVar", "NewType"):
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.dropped(node)
        if node.value is not None:
            self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        pass

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self.visit(decorator)
        self.functions.append(node)
        for default in [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]:
            self.default(default)
        for statement in node.body:
            self.visit(statement)
        self.functions.pop()

    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]

    # -- what is changed ------------------------------------------------------------------------------------------
    def visit(self, node: ast.AST) -> None:
        outer = self.statement
        if isinstance(node, ast.stmt) and not self.functions and not isinstance(node, ast.ClassDef):
            self.statement = node
        if isinstance(node, ast.stmt) and _type_alias(node) and not self.functions:
            return
        if isinstance(node, SIMPLE) and not isinstance(node, ast.AnnAssign):
            self.dropped(node)
        super().visit(node)
        self.statement = outer

    def dropped(self, node: ast.stmt) -> None:
        if not self.functions or (isinstance(node, ast.AnnAssign) and node.value is None):
            return
        if isinstance(node, ast.Expr):
            value = node.value
            if isinstance(value, ast.Constant):  # a docstring or an ellipsis
                return
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in LOGGING:
                return
        self.swap("statement", node, "pass")

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators):
            pattern, new = COMPARE[type(op)]
            self.operator("comparison", left, right, pattern, new)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in ARITHMETIC:
            pattern, new = ARITHMETIC[type(node.op)]
            self.operator("arithmetic", node.left, node.right, pattern, new)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if type(node.op) in ARITHMETIC:
            pattern, new = ARITHMETIC[type(node.op)]
            self.operator("arithmetic", node.target, node.value, pattern, new)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        pattern, new = (r"\band\b", "or") if isinstance(node.op, ast.And) else (r"\bor\b", "and")
        for left, right in zip(node.values, node.values[1:]):
            self.operator("boolean", left, right, pattern, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            start, _ = self.span(node)
            self.add("not", node.lineno, start, self.span(node.operand)[0], "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        self.constant(node, "number", "flag")

    def default(self, node: ast.expr) -> None:
        if isinstance(node, ast.Constant):
            self.constant(node, "default", "default")
            if isinstance(node.value, str):
                self.swap("default", node, repr(node.value + "x"))

    def constant(self, node: ast.Constant, number: str, flag: str) -> None:
        if isinstance(node.value, bool):
            self.swap(flag, node, str(not node.value))
        elif isinstance(node.value, (int, float)):
            self.swap(number, node, repr(node.value + 1))
            if node.value != 0:
                self.swap(number, node, "0" if isinstance(node.value, int) else "0.0")

    def visit_Return(self, node: ast.Return) -> None:
        value = node.value
        if value is not None and not (isinstance(value, ast.Constant) and value.value is None):
            self.swap("return", value, "None")
            operand = _operand(value)
            if operand is not None:
                start, end = self.span(operand)
                self.swap("return", value, f"({self.raw[start:end].decode()})")
        self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        self.swap("jump", node, "break")

    def visit_Break(self, node: ast.Break) -> None:
        self.swap("jump", node, "continue")


def _operand(value: ast.expr) -> ast.expr | None:
    if isinstance(value, ast.BoolOp):
        return value.values[0]
    if isinstance(value, ast.BinOp):
        return value.left
    return value.operand if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not) else None


def _named(statement: ast.stmt) -> Iterator[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    for node in (n for t in targets if t is not None for n in ast.walk(t)):
        if isinstance(node, ast.Name):
            yield node.id


def _type_alias(node: ast.stmt) -> bool:
    """`__all__`, and `Decision = Action | Option`: a line for readers and type checkers."""
    if not isinstance(node, ast.Assign):
        return False
    names = [t.id for t in node.targets if isinstance(t, ast.Name)]
    if names == ["__all__"]:
        return True
    value = node.value
    words = isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr)
    return (
        bool(names)
        and names[0][:1].isupper()
        and not names[0].isupper()
        and (words or isinstance(value, ast.Subscript))
    )
