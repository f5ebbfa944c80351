"""Normalize the characters of a reply: as on a keyboard, without crossed-out text, tables as lines.

Letters and digits stay as they are: those that only look like others are not taken for them.
"""

from __future__ import annotations

import re

from coterie.core.replies.headings import LEAD, NAMED, WORDS, named

_HTML = re.compile(r"</?(br|p|b|i|u|em|strong|code|pre|ul|ol|li|tr|td|span|div)\s?/?>", re.I)
_STYLES = "boxed|text|texttt|textbf|textit|textsf|emph|underline|mathrm|mathbf|mathtt"
_LATEX = re.compile(rf"\\(?:{_STYLES})\{{([^{{}}]{{0,400}})\}}")
_BOXED = re.compile(
    r"(?<=\S)\s*\n[ \t]*(?:\$\$?|\\\[)?[ \t]*\\boxed\{(.{1,400})\}[ \t.]*(?:\$\$?|\\\])?[ \t.]*(?=\n|\Z)"
)
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2212\ufe63\uff0d\u2010\u2011", "-"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02\u300c\u300d\u300e\u300f", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\uff07\u2032", "'"),
        **dict.fromkeys("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", None),
        "\uff08": "(", "\uff09": ")", "\uff3b": "[", "\uff3d": "]", "\u3010": "[", "\u3011": "]", "\uff5b": "{",
        "\uff5d": "}", "\uff1a": ":", "\uff0c": ",", "\u3001": ",", "\uff1b": ";", "\uff1d": "=", "\uff0e": ".",
        "\uff3f": "_", "\u3002": ". ", "\uff01": "! ", "\uff1f": "? ", "\u2192": "->", "\u21d2": "=>", "\u27a1": "->",
    }
)  # fmt: skip
_ENTITIES = {"&quot;": '"', "&#39;": "'", "&apos;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&"}
_CROSSED = re.compile(r"~~[^~\n]{1,400}~~|<(del|s|strike)>[^<>]{0,400}</\1>", re.I)
_PYTHON = re.compile(r"```py(?:thon)?[ \t]*\n.*?(?:```|\Z)", re.S)  # whose comments are no headings
_STRONG = re.compile(r"(?<!\w)__([^\s_](?:[^_\n]{0,80}[^\s_])?)__(?![\w(])")
_ESCAPED = re.compile(r"(?<!\\)\\n(?=\s*[^\W\d_*#>-]|\s*[*#>\d-]|\\n|\Z)")


def plain(text: str) -> str:
    """The same in plain signs: brackets, quotes and minus as on a keyboard, nothing escaped, nothing invisible."""
    if not text.isascii():
        text = text.translate(_SIGNS)
    if "```py" in text:
        text = _PYTHON.sub(lambda m: re.sub(r"^[ \t]*#.*$", "", m.group(), flags=re.M), text)
    if "&" in text:
        for entity, sign in _ENTITIES.items():
            text = text.replace(entity, sign)
    if "~~" in text or "</" in text:
        text = _CROSSED.sub(" ", text)
    if (
        "\\n" in text
        and not re.match(r"\s*(?:\{|\[[^A-Za-z])", text)
        and "```" not in text
        and text.strip().count("\n") < 2
    ):
        text = _ESCAPED.sub("\n", _unquoted(text))
    if "\\" in text:
        text = _BOXED.sub(r"\nAnswer: \1", text)  # alone in its line, behind what leads to it
        text = _LATEX.sub(r"\1", _LATEX.sub(r"\1", text))
    if "<" in text:
        text = _HTML.sub(lambda m: "\n" if m.group(1).lower() in ("br", "p", "li", "tr") else "", text)
    if "\\" in text:
        text = re.sub(r"\\([_*\[\]()#.>~`-])", r"\1", text)
    if "__" in text:
        text = _STRONG.sub(r"**\1**", text)
    if "_" in text:
        text = re.sub(r"(?<![\w(,])_([^\s_](?:[^_\n]{0,80}[^\s_])?)_(?!\w)", r"\1", text)  # emphasis
    return text if text.isascii() else re.sub(r"(?<![\w.)])[\u2013\u2014](?=[0-9.])", "-", text)


def _unquoted(text: str) -> str:
    """A whole reply between quotes, without them."""
    bare = text.strip()
    return bare[1:-1] if len(bare) > 2 and bare[0] == bare[-1] == '"' else text


# -- headings ---------------------------------------------------------------------------------------------------------
_TAG = re.compile(rf"^[ \t]{{0,8}}<({WORDS})>:?[ \t]*", re.I | re.M)
_PAIR = re.compile(rf"^[ \t]{{0,8}}\"({WORDS})\"[ \t]?[:,][ \t]?\"(.*)\",?[ \t]*$", re.I | re.M)
_CURLY = re.compile(rf"^[ \t]{{0,8}}\{{({WORDS})\}}:?[ \t]*", re.I | re.M)
_PARTED = re.compile("(?:part|section) [0-9]{1,2}", re.I)
_PART = re.compile(rf"^([\s*_#]{{0,8}}){_PARTED.pattern}\s?[-:.]\s+(?={LEAD}(?:{WORDS})\b)", re.I | re.M)


def headed(text: str) -> str:
    """Headings in marks of their own as plain ones: `<Action> wait` that nothing closes, `{Action} wait`, lines of JSON
    without its brackets, `Part 2: Action`."""
    if "<![CDATA[" in text:
        text = text.replace("<![CDATA[", "").replace("]]>", "")
    tags = {word.lower() for word in _TAG.findall(text)} if "<" in text else set()
    if any(NAMED[t] != "thought" for t in tags) and not any(f"</{t}" in text.lower() for t in tags):
        text = _TAG.sub(r"\1: ", text)
    if text.count('"') > 3 and "{" not in text:
        text = _PAIR.sub(r"\1: \2", text)
    text = _CURLY.sub(r"\1: ", text) if "{" in text else text
    low = text.lower()
    parted = not text.isascii() or "part " in low or "section " in low
    return _PART.sub(r"\1", text) if parted and _PARTED.search(text) else text


# -- tables -----------------------------------------------------------------------------------------------------------
_ROW = re.compile(r"^[ \t]*\|(.+)\|[ \t]*$")
_ASIDE = ("thought", "other")
_ANSWERS = re.compile(
    rf"^\W{{0,8}}{LEAD}(?:{'|'.join(w for w, n in NAMED.items() if n not in _ASIDE)})\W{{0,3}}:", re.I | re.M
)
_REASONS = re.compile(r"\W*(?:why|because|comments?|remarks?|details?|purpose|score|priority|justification)\W*", re.I)


def untabled(text: str) -> str:
    """Tables as lines: of one row under headings a line a heading; of several without the columns of reasons."""
    if "|" not in text:
        return text
    lines = text.splitlines()
    rows = [i for i, line in enumerate(lines) if _ROW.match(line)]
    if len(rows) < 3 or rows[-1] - rows[0] != len(rows) - 1 or not re.fullmatch(r"[\s|:-]+", lines[rows[1]]):
        return text
    heads, *body = ([c.strip() for c in _ROW.sub(r"\1", lines[i]).split("|")] for i in (rows[0], *rows[2:]))
    if any(len(cells) != len(heads) for cells in body):
        return text
    heads = [h.strip("*_` ") for h in heads]
    if len(body) == 1 and all(named(h) for h in heads):
        told = [f"{h}: {c}" for h, c in zip(heads, body[0])]
    elif len(body) == 1 and not heads[0] and len(heads) > 2:  # somebody a column
        told = [f"{h}: {c}" for h, c in zip(heads[1:], body[0][1:])]
    else:
        said = [i for i, h in enumerate(heads) if named(h) not in _ASIDE and not _REASONS.fullmatch(h)]
        rest = "\n".join([*lines[: rows[0]], *lines[rows[-1] + 1 :]])
        if len(said) < 2 <= len(body) and named(heads[0]) and _ANSWERS.search(rest):
            return rest  # it weighs several, and the answer stands outside of it
        if len(said) < 2 or len(said) == len(heads) or not any(named(heads[i]) for i in said):
            return text
        told = ["| " + " | ".join(cells[i] for i in said) + " |" for cells in body]
    return "\n".join([*lines[: rows[0]], *told, *lines[rows[-1] + 1 :]])
