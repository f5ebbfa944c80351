"""Programs read causes, never the English of a failure: words are for minds and people, and may change."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import coterie

ROOT = Path(coterie.__file__).parent
#: Where the words of other people's programs are read (a server says in words that a prompt is too long), and prompts,
#: which are all that a text oracle has.
LEFT_OUT = {"models", "oracle", "oracle.py"}
#: Names under which the words of a failure travel.
WORDS = {"reason", "reasons", "failure", "refusal", "refusals", "why"}
#: Whoever reads them names one of these.
NAMED = (*WORDS, ".words")
#: Ways to look into a text.
LOOKS = {"startswith", "endswith", "find", "rfind", "index", "count", "partition", "split", "search", "match"}
LOOKS |= {"fullmatch", "findall", "finditer", "removeprefix", "removesuffix", "lower", "upper", "casefold"}


def holds_words(node: ast.AST) -> bool:
    """Is this `x.reason`, `x["reason"]`, `reason`, `outcome.words`, or one of them made small or clean?"""
    if isinstance(node, ast.Call):
        return any(holds_words(part) for part in (node.func, *node.args))
    if isinstance(node, ast.Attribute):
        if node.attr == "words":
            return _names(node.value) & {"refusal", "failure", "verdict", "outcome", "wrong", "flaw", "rounds"} != set()
        return node.attr in WORDS or (node.attr in LOOKS and holds_words(node.value))
    if isinstance(node, ast.Subscript):
        key = node.slice
        return (isinstance(key, ast.Constant) and key.value in WORDS) or holds_words(node.value)
    return isinstance(node, ast.Name) and node.id in WORDS - {"refusal", "failure"}


def _names(node: ast.AST) -> set[str]:
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return names | {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}


def reads_words(node: ast.AST) -> bool:
    """Does this part of a program look for something in the words of a failure?"""
    if isinstance(node, ast.Compare):
        for op, right in zip(node.ops, node.comparators):
            if isinstance(op, (ast.In, ast.NotIn)) and holds_words(right) and not _is_data(right):
                return True
            sides = (node.left, right)
            if isinstance(op, (ast.Eq, ast.NotEq)) and any(map(holds_words, sides)) and any(map(_is_text, sides)):
                return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LOOKS:
        return holds_words(node.func.value) or any(holds_words(a) for a in node.args)
    return False


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(node.value)


def _is_data(node: ast.AST) -> bool:
    """A table that is asked for a key, as in `"reason" in story`, is not looked into."""
    return isinstance(node, ast.Name) and node.id not in WORDS


def readers(source: str) -> list[str]:
    if not any(word in source for word in NAMED):  # quicker than to look at all of it
        return []
    return [ast.unparse(n) for n in ast.walk(ast.parse(source)) if reads_words(n)]


def test_no_program_reads_the_words_of_a_failure():
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        if not LEFT_OUT & set(path.relative_to(ROOT).parts) and (lines := readers(path.read_text())):
            found[str(path.relative_to(ROOT))] = lines
    assert found == {}


@pytest.mark.parametrize("planted", [
    'if "of the arm" in last.reason: pass',
    'if "Waypoints" not in verdict.reason: pass',
    'n += any(words in act.reason for words in BEYOND_BODY)',
    'if "failed to execute" in book.rounds[-1].words: pass',
    'if BEYOND_RULE in e.data["reason"]: pass',
    'if outcome.reason.lower().startswith("no path"): pass',
    'found = re.search(r"out of (reach|range)", me.outcome.reason)',
    'found = PATTERN.match(reason)',
    'if verdict.reason == "The battery is flat.": pass',
    'if "reach" in rounds.check(joint).words: pass',
    'if "PATH" in done.failure.words: pass',
])  # fmt: skip
def test_a_reader_of_words_is_found(planted):
    assert len(readers(planted)) >= 1


@pytest.mark.parametrize("sound", [
    'if last.cause is not None and last.cause.clause in ARM: pass',
    'line = f"failed: {outcome.reason}"',
    'if "reason" in story: pass',
    'if not verdict.reason: pass',
    'words = verdict.reason or "it did not pass its checks"',
    'if (o.status, o.reason) == logged[o.robot]: pass',
])  # fmt: skip
def test_what_only_hands_words_on_is_let_be(sound):
    assert readers(sound) == []
