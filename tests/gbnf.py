"""A GBNF grammar without recursion as a regular expression, to see what it allows."""

import re

_PART = re.compile(r'"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]|[\w-]+|\{\d+,\d*\}|[()|?*+]')


def as_regex(grammar: str) -> re.Pattern[str]:
    rules = dict(line.split(" ::= ", 1) for line in grammar.splitlines())

    def expanded(text: str) -> str:
        out = []
        for part in _PART.findall(text):
            if part.startswith('"'):
                literal = part[1:-1].replace("\\n", "\n").replace('\\"', '"').replace("\\", "\\")
                out.append(re.escape(literal))
            elif part in rules:
                out.append(f"(?:{expanded(rules[part])})")
            else:
                out.append("(?:" if part == "(" else part)
        return "".join(out)

    return re.compile(expanded(rules["root"]))
