"""Writes docs/api.md from the docstrings of the public names:  python docs/api.py"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

PAGE = Path(__file__).with_name("api.md")
HEAD = """# What to import

Everything here is imported from `coterie`; the names stay, and a change of one is a line in the
[changelog](../CHANGELOG.md). This page is made from the docstrings by `python docs/api.py`.

```python
from coterie import PROTOCOLS, Action, Config, SoloProtocol, play, play_suite, rows


class Waiter(SoloProtocol):
    about = "waits"

    def act(self, me):
        return Action("wait", why=f"{me.name} has nothing to do.")


PROTOCOLS.put("waiter", Waiter)
print(rows(play(Config(protocol="waiter", seed=4), log="waiter.jsonl")))
print(rows(play_suite("smoke", ["rules", "waiter"], episodes=3)))
```
"""


def signature_of(item: object) -> str:
    if not (inspect.isclass(item) or inspect.isfunction(item)):
        return ""
    try:
        text = str(inspect.signature(item))
    except ValueError:
        return ""
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)


def public() -> list[object]:
    import coterie

    return [getattr(coterie, name) for name in coterie.__all__]


def described(name: str, item: object) -> list[str]:
    """A name with its signature, what it says of itself, and the first words of its methods."""
    lines = [f"### {name}", ""]
    if hasattr(item, "put") and not inspect.isclass(item):
        return [*lines, f"Every {item.what} by name: `{name}.put(NAME, ...)` registers one of yours.", ""]
    doc = inspect.getdoc(item) if inspect.isclass(item) or inspect.isfunction(item) else None
    if doc is not None and not doc.startswith(f"{name}("):  # those are made by dataclasses
        lines += [doc, ""]
    if inspect.isfunction(item):
        lines += ["```python", f"{name}{signature_of(item)}", "```", ""]
    elif inspect.isclass(item):
        fields = getattr(item, "__annotations__", {})
        some = [f for f in fields if not f.startswith("_")]
        if some:
            lines += ["Fields: " + ", ".join(f"`{f}`" for f in some) + ".", ""]
        inner = [base for base in item.__bases__ if base.__module__ == item.__module__ and base not in public()]
        parts = {**{part: value for base in inner for part, value in vars(base).items()}, **vars(item)}
        for part, value in parts.items():
            if not part.startswith("_") and inspect.isfunction(value) and inspect.getdoc(value):
                takes = ", ".join(p for p in inspect.signature(value).parameters if p != "self")
                lines.append(f"- `{part}({takes})`: {(inspect.getdoc(value) or '').splitlines()[0]}")
        lines.append("")
    return lines


def page() -> str:
    import coterie

    lines = [HEAD]
    for title, names in coterie.SURFACE.items():
        lines += [f"## {title}", ""]
        for name in names:
            lines += described(name, getattr(coterie, name))
    text = "\n".join(lines)
    head, body = text[: len(HEAD)], text[len(HEAD) :]
    while "\n\n\n" in body:
        body = body.replace("\n\n\n", "\n\n")
    return (head + body).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
