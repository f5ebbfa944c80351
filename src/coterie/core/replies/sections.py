"""Split the reply of a model into parts: without its reasoning, by headings and JSON.

Prompts ask for lines with a heading (`Thought: ...`, `Action: ...`); models also set them in Markdown or answer in
JSON, fenced or not. All protocols read replies through this one place. Nothing is evaluated, and where a reply can be
taken in two ways it is not taken: it is asked for once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from coterie.core.replies.headings import LEAD, NAMED, WORDS, name_of, named
from coterie.core.replies.json_blocks import blocks, flat, load_loosely

MOST_CHARS = 4000  # of what is said that are looked at, the last ones
MOST_RAW = 40_000  # of a reply with its reasoning
LATELY = 8  # texts of which it is kept what they say: readers ask for one part of a reply after the other

# -- reasoning and signs ----------------------------------------------------------------------------------------------
_TAGS = "think|thinking|thought|reasoning|reflection|scratchpad|analysis"
_EITHER = re.compile(rf"(?P<open><(?:{_TAGS})>|\[THINK\])|(?P<close></(?:{_TAGS})>|\[/THINK\])", re.I)
_FINAL = re.compile(r"<\|channel\|>\s*final[^<]{0,80}<\|message\|>(.*?)(?=<\||\Z)", re.S)
_NEXT_TURN = re.compile(r"<\|(?:im_end|eot_id|endoftext|return)\|>|</s>|<end_of_turn>")
_ANSWER = re.compile(r"<(answer|final_answer|output|response)>(.*?)(?:</\1>|\Z)", re.S | re.I)
_TAGGED = re.compile(rf"<({WORDS})>(.*?)</\1>", re.S | re.I)  # a heading as a tag
_FENCE = re.compile(r"^[ \t]*```\w*[ \t]*(?:\n|\Z)", re.M)
SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2212\u2010\u2011", "-"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2018\u2019\u201a", "'"),
        **dict.fromkeys("\u00a0\u202f\u3000", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", None),
        "\u2192": "->",
        "\uff1a": ":",
    }
)


@lru_cache(maxsize=LATELY)
def spoken(reply: str, most: int = MOST_CHARS) -> str:
    """A reply without its reasoning and fences: what stands after it, or in the part that is marked as the answer.

    Reasoning that never ends leaves nothing: what it says on the way is not what the model settled on.
    """
    text = reply[-MOST_RAW:]
    if "<" in text or "[" in text:
        if "<|channel|>" in text:
            text = next(reversed(_FINAL.findall(text)), "")
        text = next((part for part in _NEXT_TURN.split(text) if part.strip()), "")
        text = _outside(text)
        answers = _ANSWER.findall(text)
        text = _TAGGED.sub(r"\n\1: \2\n", answers[-1][1] if answers else text)
    if "```" in text:
        text = _FENCE.sub("", text)
    text = text[-most:]  # the end is what a model settles on
    return text if text.isascii() else text.translate(SIGNS)


def _outside(text: str) -> str:
    """The parts outside of reasoning. A lone end means that its beginning was in the prompt."""
    kept, depth, at = [], 0, 0
    for mark in _EITHER.finditer(text):
        if mark["open"] is not None:
            if depth == 0:
                kept.append(text[at : mark.start()])
            depth += 1
        elif depth == 0:
            kept = []
        else:
            depth -= 1
        at = mark.end()
    if depth == 0:
        kept.append(text[at:])
    return "\n".join(part for part in kept if part.strip())


# -- headings ---------------------------------------------------------------------------------------------------------
_HEADING = re.compile(
    rf"^(?P<marks>[\s>*_#`\[(\u2022-]{{0,10}}(?:[0-9]{{1,2}}[.)]\s)?[*_`\[(]{{0,4}})(?P<word>{LEAD}(?:{WORDS}))(?!\w)"
    r"(?P<closed>[*_`\])\s]{0,6})(?P<sign>:?)[*_`]{0,4}(?P<rest>.*)$",
    re.I,
)
_FIRST = re.compile(r"[\W\d_]{0,16}([^\W\d_]+)")
_FIRSTS = {re.findall(r"[^\W\d_]+", w)[0] for w in (*NAMED, *re.findall(r"[a-z]+", LEAD))}
_QUOTED = re.compile(r"\([^()\n\"]{0,80}\"[^\"]{0,2000}\"")
_INLINE = re.compile(r"(?<=[.!?;,)\s*_])[*_`]{0,3}([A-Z][a-z]+)[*_`]{0,3}:(?!//)")


def sections(text: str) -> list[tuple[str, str]]:
    """Return the text under each heading, in order; before the first heading the name is empty.

    Only known words are headings: under `Plan:` a line `Alice: search the kitchen` belongs to the plan.
    """
    return [(name, body) for name, _, body in _parts(text)]


@lru_cache(maxsize=LATELY)
def _parts(text: str) -> Sequence[tuple[str, str, str]]:
    """The same with the words of each heading."""
    found: list[tuple[str, str, list[str]]] = [("", "", [])]
    for line in _QUOTED.sub(lambda m: m.group().replace("\n", " "), text).splitlines():  # a quotation has no headings
        head = _head(line)
        if head is None:
            found[-1][2].append(line)
        else:
            found.append((head[0], line[: len(line) - len(head[1])], [head[1]]))
    return [(name, word, "\n".join(x).strip()) for name, word, x in found if name or any(y.strip() for y in x)]


def _head(line: str) -> tuple[str, str] | None:
    """The name of a heading and what stands behind it in its line: `Plan: ...`, `[plan] ...`, `## Plan`, `**Plan**`."""
    first = _FIRST.match(line)  # most lines are none, and this is quick
    match = _HEADING.match(line[:600]) if first is not None and first.group(1).lower() in _FIRSTS else None
    if match is None:
        return None
    marks, closed, rest = match["marks"], match["closed"], line[match.start("rest") :]
    boxed = any(a in marks and b in closed for a, b in ("[]", "()"))
    title = not rest.strip() and ("#" in marks or ("**" in marks and "**" in closed) or match["word"].istitle())
    return (name_of(match["word"]), rest) if match["sign"] or boxed or title else None


def under(text: str, name: str, keys: bool = True) -> str | None:
    """Return the text under the last heading of a name, also within a line, and for a key in JSON if `keys`."""
    found = [body for n, body in sections(text) if n == name and body.strip(" \t\n*_`")]
    if found:
        return found[-1]
    values = keyed(text, name) if keys else []
    return flat(values[-1]) if values else _within(text, name)


def _within(text: str, name: str) -> str | None:
    """The text behind the last `Name:` within a line, up to the next such heading."""
    marks = [m for m in _INLINE.finditer(text) if m.group(1).lower() in NAMED]
    for i in range(len(marks) - 1, -1, -1):
        if NAMED[marks[i].group(1).lower()] == name:
            end = marks[i + 1].start() if i + 1 < len(marks) else len(text)
            return text[marks[i].end() : end].strip() or None
    return None


def keyed(text: str, name: str) -> list[Any]:
    """The values of keys in JSON that stand for a heading: at the top, or one level below."""
    objects = [i for block in blocks(text) for i in (block if isinstance(block, list) else [block])]
    found = []
    for block in (o for o in objects if isinstance(o, Mapping)):
        below = [(k, v) for i in block.values() if isinstance(i, Mapping) for k, v in i.items()]
        values = [v for k, v in block.items() if named(k) == name]
        lower = [v for k, v in below if named(k) == name]
        found += lower if lower and (not values or isinstance(values[-1], Mapping)) else values
    return found


_LATER = re.compile(r"\b(?:final|corrected|revised|updated|chosen)\b", re.I)


def torn(text: str, name: str) -> bool:
    """Whether a reply has a heading several times with different things below it, and the last does not say that it
    counts: it goes through steps to come, gives a choice, or takes something back."""
    said = [(word, _bare(body.split("\n")[0])) for n, word, body in _parts(text) if n == name and body]
    if not said:  # within a line
        marks = [m for m in _INLINE.finditer(text) if NAMED.get(m.group(1).lower()) == name]
        said = [("", _bare(text[m.end() : m.end() + 30])) for m in marks]
    return len({value for _, value in said}) > 1 and not _LATER.search(said[-1][0])


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


# -- words ------------------------------------------------------------------------------------------------------------
def unlisted(text: str) -> str:
    """Lists and emphasis as running words: between the items of a list there are semicolons."""
    value = text.strip()
    if value[:1] in ("{", "["):
        block = load_loosely(value)
        if isinstance(block, (dict, list)):
            if isinstance(block, dict):  # without its reasons, and without what is left empty
                block = {k: v for k, v in block.items() if named(k) not in ("thought", "other") and v not in ("", None)}
            return flat(block)
    lines, listed = [], []
    for line in value.splitlines():
        bare = re.sub(r"^\s*(?:[-*•+>#|]+|[0-9]{1,2}[.)])\s*", "", line)
        item = bare != line.lstrip() or re.match(r"\s*[*_`]{0,2}\w[\w ]{0,20}[*_`]{0,2}:", line) is not None
        bare = re.sub(r"\*\*|__|`+", "", bare).strip(" |\t")
        if re.search(r"\w", bare):
            lines.append(re.sub(r"\s*\|\s*", ": ", bare, count=1).rstrip(";"))
            listed.append(item)
    out = ""
    for line, item in zip(lines, listed):
        out += line if not out else f"; {line}" if item and out[-1] not in ".!?:,;" else f" {line}"
    return out


_EVERYBODY = re.compile(
    r"\b(every(?:one|body)|(?:all|each)(?: of)? (?:us|robots?|members?|teammates?)|the whole team)\b", re.I
)


def lacking(text: str, names: Iterable[str]) -> list[str]:
    """Return the names that a plan leaves out; a plan for all leaves out none."""
    if _EVERYBODY.search(text):
        return []
    return [n for n in names if not re.search(rf"(?<!\w){re.escape(n)}(?!\w)", text, re.I)]
