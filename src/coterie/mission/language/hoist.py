"""Gives every bracket of a grammar a rule of its own.

Lark writes brackets with alternatives out as products: a rule with four of them becomes hundreds of rules, and reading
a sentence takes seconds. As rules of their own they stay small; their names begin with `_`, so that trees show none of
them.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r'"[^"]*"|/(?:[^/\\]|\\.)*/|->\s*\w+|[()|]|[?*+]|[^\s()|?*+"/]+|\s+')


def hoisted(grammar: str) -> str:
    """The same grammar without brackets."""
    out: list[str] = []
    added: list[str] = []
    names: dict[str, str] = {}

    def group(tokens: list[str], at: int) -> tuple[str, int]:
        """The text of a bracket that begins at `at`, and where it ends."""
        text = ""
        while tokens[at] != ")":
            if tokens[at] == "(":
                name, at = group(tokens, at + 1)
                text += name
            else:
                text += tokens[at]
                at += 1
        key = " ".join(text.split())
        if key not in names:
            names[key] = f"_b{len(names)}"
            added.append(f"{names[key]}: {key}")
        return names[key], at + 1

    for line in grammar.splitlines():
        rule = re.match(r"^(\s*\|.*|[a-z_?]\w*\s*:.*)$", line)
        if rule is None:
            out.append(line)
            continue
        tokens, text, at = _TOKEN.findall(line), "", 0
        while at < len(tokens):
            if tokens[at] == "(":
                name, at = group(tokens, at + 1)
                text += name
            else:
                text += tokens[at]
                at += 1
        out.append(text)
    return "\n".join([*out, *added]) + "\n"
