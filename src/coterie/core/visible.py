"""Foreign text made safe to look at: what would steer a terminal, or not be seen at all, is shown as an escape.

Replies of models, logs and files of strangers, names on a command line: they may hold sequences that clear a screen,
set its title or write into its clipboard, marks that turn the order of letters round, and letters nobody sees. The
command line puts all text through `visible` (`cli/out.py`, `cli/terminal.py`); pictures and tables use it as well.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

#: Not of a category that says so, and yet nothing is seen of them: fillers, joiners, selectors of variants.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(c) for span in ((0x180B, 0x1810), (0xFE00, 0xFE10), (0xE0100, 0xE01F0)) for c in range(*span)
}
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
MOST_MARKS = 4  # accents on one letter; a tower of them covers the lines above
_OWN_ROW = re.compile(r"\n(?!  )")
_ENDLESS = re.compile(r"(\S{120})\S{180,}(\S{60})")  # a name of thousands of letters hides what is said of it


def visible(text: str, keep: str = "") -> str:
    """The text with `\\x1b`, `\\u202e` and the like written out, but for the characters to `keep`."""
    rest = text.replace(keep[0], "") if keep else text  # ends of lines, of which a prompt has many
    if rest.isprintable() and rest.isascii():
        return text
    letters = set(text)  # a long text has few of them
    marks = "".join(sorted(c for c in letters if unicodedata.combining(c)))
    if marks:
        text = re.sub(f"(?<=[{marks}]{{{MOST_MARKS}}})[{marks}]", lambda found: escaped(found[0]), text)
    hidden = {ord(c): escaped(c) for c in letters if c not in keep and _hidden(c)}
    return text.translate(hidden) if hidden else text


def visible_lines(text: str) -> str:
    """The same for text whose lines and tabs are meant, such as a prompt."""
    return visible(text, "\n\t")


def sentence(text: str, most: int = 4000) -> str:
    """One complaint: a line, with further ones only where they are indented, and no longer than anybody reads."""
    text = _ENDLESS.sub(r"\1…\2", text)
    text = text if len(text) <= most else text[: most - 1] + "…"
    return visible(_OWN_ROW.sub(r"\\n", text), "\n")


def json_text(data: Any) -> str:
    """JSON in one line that reads back as the same data and does nothing to a terminal."""
    text = json.dumps(data, ensure_ascii=False)
    if text.isprintable() and text.isascii():
        return text
    return "".join(json.dumps(c)[1:-1] if _hidden(c) else c for c in text)


def _hidden(c: str) -> bool:
    return (not c.isprintable() and unicodedata.category(c) in _UNSEEN) or c in _BLANK


def escaped(c: str) -> str:
    return c.encode("unicode_escape").decode("ascii")
