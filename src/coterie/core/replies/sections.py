"""Split the reply of a model into parts: without its reasoning, normalized, by headings, lists and JSON.

Models answer in many clothes: bold headings, bullets, fenced JSON, tool calls, thoughts between tags. All protocols
read them through this one place. Nothing is evaluated, and where a reply can be taken in two ways it is not taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from coterie.core.replies.courtesy import own_turn, polite
from coterie.core.replies.headings import BEFORE, DROPPED, LEAD, NAMED, WORDS, name_of, named
from coterie.core.replies.json_blocks import blocks, flat, load_loosely
from coterie.core.replies.normalize import headed, plain, untabled
from coterie.core.replies.tool_dialects import as_json

MOST_CHARS = 4000  # of what is said that are looked at, the last ones
MOST_RAW = 40_000  # of a reply with its reasoning
LATELY = 8  # texts of which it is kept what they say: readers ask for one part of a reply after the other

# -- reasoning --------------------------------------------------------------------------------------------------------
_TAGS = "think|thinking|thoughts?|reason|reasoning|reflection|scratch_?pad|analysis|inner_monologue"
_TAGS = rf"(?:\w{{1,20}}:)?(?:{_TAGS})"  # some with the name of their maker
_OPEN = (
    rf"<{_TAGS}\b[^<>]{{0,80}}>|\[(?:THINK)\]|◁think▷|<\|begin_of_thought\|>|<\|START_THINKING\|>|<\|channel>\s*thought"
)
_CLOSE = rf"</\s?{_TAGS}\s?>|\[/(?:THINK)\]|◁/think▷|<\|end_of_thought\|>|<\|END_THINKING\|>|<channel\|>"
_EITHER = re.compile(rf"(?P<open>{_OPEN})|(?P<close>{_CLOSE})", re.I)
_CHANNEL = re.compile(
    r"<\|channel\|>\s*(\w+)[^<]{0,80}<\|message\|>(.*?)(?=<\|(?:end|start|return|call|channel)\|>|\Z)", re.S
)
_SIGNAL = re.compile(r"<\|[a-z_]{1,40}\|>|</s>", re.I)  # of a model's own, without a meaning here
_ANSWER = re.compile(r"<(answer|final|final_answer|output|response)>(.*?)(?:</\1>|\Z)", re.S | re.I)


@lru_cache(maxsize=LATELY)
def spoken(reply: str, most: int = MOST_CHARS) -> str:
    """A reply without its reasoning: what stands after it, or in the part that is marked as the answer.

    Reasoning that never ends leaves nothing: what it says on the way is not what the model settled on.
    """
    text = headed(as_json(_one_turn(reply[-MOST_RAW:]), load_loosely))
    text = _told(text) if any(sign in text for sign in "<[◁") else text if text.strip() else ""
    text = own_turn(_TURN.sub("\n", _out_of_json(text)[-most:]))
    return untabled(polite(plain(text)))  # the end is what a model settles on


def _told(text: str) -> str:
    """Return a text without its marked reasoning, or the part that is marked as the answer."""
    channels = _CHANNEL.findall(text)
    if channels:
        final = next((body for name, body in reversed(channels) if name.lower() == "final"), "")
        text = final or _CHANNEL.sub("", text)
    text = _SIGNAL.sub("", _outside(text))
    answers = _ANSWER.findall(text)
    return answers[-1][1] if answers else text


_NEXT_TURN = re.compile(r"<\|(?:im_end|eot_id|endoftext)\|>|</s>|<end_of_turn>")


def _one_turn(reply: str) -> str:
    """Up to where the model ended its turn: what it goes on with is a talk that it makes up."""
    return next((part for part in _NEXT_TURN.split(reply) if part.strip()), reply)


_ENVELOPES = frozenset(
    ("output", "response", "reply", "text", "result", "answer", "final", "completion", "final_answer")
)


def _out_of_json(text: str) -> str:
    """A whole reply that was put into JSON as one text, with its headings: `{"output": "Thought: ..."}`."""
    bare = re.sub(r"\A\s*```\w*|```\s*\Z", "", text).strip() if "```" in text else text.strip()
    if bare[:1] + bare[-1:] not in ("{}", "[]"):
        return text
    block = load_loosely(bare)
    if isinstance(block, list) and all(isinstance(b, dict) and "type" in b for b in block):  # parts of a message
        said = [b["text"] for b in block if b["type"] in ("text", "output_text") and isinstance(b.get("text"), str)]
        return "\n".join(said) or text
    if not isinstance(block, dict):
        return text
    keys = {str(k).lower() for k in block}
    inner = [v for k, v in block.items() if str(k).lower() in (_ENVELOPES if "role" not in keys else ("content",))]
    if len(inner) != 1 or keys - {"role", "content", *_ENVELOPES} or not isinstance(inner[0], str):
        return text
    return inner[0] if any(name not in ("", "other") for name, _ in sections(inner[0])) else text


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
    r"^(?P<marks>(?:[^\w\n\"'.,;:{}]|[0-9]{1,2}[.)]\s|step [0-9]{1,2}\s?[-:.]\s){0,12})"
    rf"(?P<word>{LEAD}(?:{WORDS})(?![^\W_]))(?P<more>[ \t]?\([^()\n]{{0,60}}\)| (?:to|for|of|"
    rf"by) [\w ,&-]{{1,40}}(?=[*_`]{{0,3}}:)"
    r"|[ \t][0-9]{1,2}(?=[*_`]{0,3}:))?"
    r"(?P<closed>[*_`\])>~\s|]{0,6})(?P<sign>:|=>|->|=|(?<=\s)[-\u2013\u2014]\s|)[*_`~]{0,4}(?P<rest>.*)$",
    re.I,
)
_FIRST = re.compile(r"(?:[^\w\n]|_|[0-9]{1,2}[.)]\s|step [0-9]{1,2}\s?[-:.]\s){0,16}([^\W\d_]+)", re.I)
_FIRSTS = {"why"} | {re.findall(r"[^\W\d_]+", w)[0] for w in (*NAMED, *BEFORE.split("|"), *DROPPED.split("|"))}
_WHY_ME = re.compile(
    r"[^\w\n]{0,8}why\b[^:\n]{0,60}\b(?:me|i)\b[^:\n]{0,40}:[*_`]{0,3}|[ \t]{0,3}(?:#|"
    r"\*\*)[^\w\n]{0,6}why\b[^:\n]{0,60}"
    r"\b(?:me|i)\b[^:\n]{0,40}$",
    re.I,
)
_TURN = re.compile(rf"</(?:{WORDS})\s?>[ \t]*(?=<(?:{WORDS})\s?>)", re.I)  # one part ends, the next begins
_QUOTED = re.compile(r"\([^()\n\"]{0,80}\"[^\"]{0,2000}\"")
_INLINE = re.compile(
    r"(?:(?<=[.!?;,)\s*_])[*_`]{0,3}([A-Z][a-z]+|[A-Z]+)|(?<=[.!?;)]\s)[*_`]{0,3}([a-z]+))[*_`]{0,3}:(?!//)"
)


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


_MISSPELT = (
    "thought",
    "plan",
    "content",
    "speech",
    "summary",
    "action",
    "message",
    "option",
    "leader",
    "reason",
    "answer",
)


@lru_cache(maxsize=512)
def _meant(word: str) -> str:
    """A word that is a heading but for one letter: `Leadr`, `Contnet`."""
    low = word.lower()
    if len(word) < 5 or low in _FIRSTS or not word.isascii():
        return word
    return next((w.title() for w in _MISSPELT if w[0] == low[0] and _one_slip(low, w)), word)


def _one_slip(said: str, meant: str) -> bool:
    """Whether one letter is missing, too many, another one, or has changed places with its neighbour."""
    begin = next((i for i, (a, b) in enumerate(zip(said, meant)) if a != b), min(len(said), len(meant)))
    a, b = said[begin:], meant[begin:]
    return a[1:] == b or a == b[1:] or a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])


def _head(line: str) -> tuple[str, str] | None:
    first = _FIRST.match(line)  # most lines are none, and this is quick
    if first is not None and (meant := _meant(first.group(1))) != first.group(1):
        line = (
            line[: first.start(1)] + meant + line[first.end(1) :]
            if line[first.end(1) :].lstrip("*_` ")[:1] == ":"
            else line
        )
        first = _FIRST.match(line)
    if first is None or (first.group(1).lower() not in _FIRSTS and first.group(1)[0] < "\u3000"):
        return None
    if why := _WHY_ME.match(line):
        return "speech", line[why.end() :]
    if line.lstrip()[:1] == "#":
        line = re.sub(r"[ \t]+#{1,6}[ \t]*$", "", line)
    match = _HEADING.match(line[:600])
    if match is None:
        return None
    marks, sign, rest = match["marks"], match["sign"], line[match.start("rest") :]
    name = name_of(match["word"])
    title = "#" in marks or (("*" in marks or "_" in marks) and match["closed"].strip("| \t") != "")
    boxed = any(a in marks and b in match["closed"] for a, b in ("[]", "<>", "()", "||"))
    if "|" in marks and line.count("|") > 3:  # of one with more than a heading and what it says
        return None
    if "|" in marks and "|" in match["closed"]:  # a row of a table
        rest = rest.rstrip().removesuffix("|").rstrip()
    dashed = (
        sign.strip() in ("-", "\u2013", "\u2014")
        and rest.strip()
        and match["word"][:1].isupper()
        and " " not in match["word"]
    )
    bold = (
        match["closed"].startswith("**")
        and "**" in marks
        and match["closed"][2:] in (" ", "  ")
        and match["word"][:1].isupper()
    )
    if sign == ":" or dashed or boxed or bold or ((sign or not rest.strip()) and (title or sign in ("=>", "->"))):
        return name, re.sub(rf"</\s?(?:{WORDS})>\s*$", "", rest, flags=re.I) if "</" in rest else rest
    if sign == "=" and (rest.lstrip()[:1] in ('"', "'", "[", "{") or (rest[:1] == " " and match["word"][:1].isupper())):
        return name, rest
    if not sign and not rest.strip() and not re.search(r"[!-~]", marks) and match["word"][:1].isupper():
        return name, ""  # a word alone in its line
    return None


def under(text: str, name: str, keys: bool = True) -> str | None:
    """Return the text under the last heading of a name, also within a line, and for a key in JSON if `keys`."""
    found = [body for n, body in sections(text) if n == name and body.strip(" \t\n*_`")]
    if found:
        return stood_by(found[-1], name)
    values = keyed(text, name) if keys else []
    if values:
        return flat(values[-1])
    body = _within(text, name)
    return None if body is None else stood_by(body, name)


def keyed(text: str, name: str) -> list[Any]:
    """The values of keys in JSON that stand for a heading: at the top, in what a tool is given, or one level below."""
    found = []
    for block in _objects(text):
        inner = [v for v in block.values() if isinstance(v, Mapping)]
        values = [v for k, v in block.items() if named(k) == name]
        below = [v for i in inner for k, v in i.items() if named(k) == name]
        if below and (not values or isinstance(values[-1], Mapping)):
            values = below
        found += values
    return found


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    for block in blocks(text):
        for item in block if isinstance(block, list) else [block]:
            if isinstance(item, Mapping):
                yield item


_LINKED = re.compile(
    r"\b(?:sorry|no|not|wrong|mistaken?|correct\w*|instead|better|actually|hmm+|wait|but|however|changed?|revis\w+|oops|"
    r"re(?:consider|think|do)\w*|second thoughts?|rather|cannot|already|final\w*|so|therefore|hence|conclu\w+)\b|n't\b",
    re.I,
)
_LATER = re.compile(r"\b(?:final|correct(?:ed)?|revised|updated|new|actual|best|chosen|selected|so|therefore)\b", re.I)


def torn(text: str, name: str) -> bool:
    """Whether a reply has a heading several times with different things below it, and nothing says which one counts:
    it goes through steps to come, or gives a choice."""
    said = [(i, word, body) for i, (n, word, body) in enumerate(_parts(text)) if n == name and body]
    if not said:  # within a line
        inner = [(m, NAMED.get((m.group(1) or m.group(2)).lower())) for m in _INLINE.finditer(text)]
        heads = [m for m, n in inner if n == name]
        values = [_bare(text[m.end() : m.end() + 30]) for m in heads]
        gaps = (text[a.end() : b.start()] for a, b in pairwise(heads))
        return any(a != b and not _LINKED.search(gap) for (a, b), gap in zip(pairwise(values), gaps))
    if len(said) < 2:
        return False
    parts = _parts(text)
    for (i, _, one), (j, word, other) in pairwise(said):
        value, *more = one.splitlines()
        if _bare(value) == _bare(other.splitlines()[0]) or _LATER.search(word):
            continue
        if not _DOUBT.search(one) and not _LINKED.search("\n".join([*more, *(b for _, _, b in parts[i + 1 : j])])):
            return True
    return False


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


# -- taking back ------------------------------------------------------------------------------------------------------
_AGAIN = (
    r"(?:wait,? (?:no|actually)|no,? wait|scratch that|strike that|i take that back|let me (?:correct|redo|fix|"
    r"revise|rewrite))"
)
_MEANT = r"(?:i meant?\b|make that|or rather|no,? sorry|sorry,? no)"
_BACK = re.compile(rf"(?<=\w)[^\w\n]{{0,4}}(?:\n\s*|[.!?]\s+|[\u2013\u2014]\s*|\s-+\s|\.\.\.\s*){_AGAIN}\b", re.I)
_DOUBT = re.compile(
    r"(?<=\w)[^\w\n]{0,4}(?:\n\s*|[.!?]\s+|[\u2013\u2014]\s*|\s-+\s|\.\.\.\s*)(?:(?:oh|hmm+|but|hold on|"
    r"oops)\b[,.!\s]{0,3})?"
    rf"(?:{_AGAIN}|{_MEANT}|wait\s?(?:[,!\u2026\u2013\u2014-]|\.\.)|on second thoughts?|correction\b|never ?mind|"
    rf"actually\b|"
    rf"hmm+\b|"
    r"on reflection|hold on|oops|let me (?:rethink|reconsider|think again|check))",
    re.I,
)
_RATHER = re.compile(rf"(?<=\w)[^\w\n]{{0,4}},\s*(?:(?:sorry|no|oops|wait|err?)\b\W+)*{_MEANT}", re.I)
_WORDY = ("plan", "content", "speech", "summary", "message")


def stood_by(body: str, name: str) -> str:
    """Return a part without what its writer took back; free text may say `actually` for other reasons."""
    marks = list((_BACK if name in _WORDY else _DOUBT).finditer(body))
    marks += [] if name in _WORDY else _RATHER.finditer(body)
    marks.sort(key=lambda m: m.end())
    if not marks:
        return body
    rest = body[marks[-1].end() :]
    return _within(rest, name) or rest


def took_back(text: str) -> str | None:
    """Return the text behind the last correction in a reply; None where there is none."""
    marks = list(_DOUBT.finditer(text))
    return text[marks[-1].end() :] if marks else None


def _within(text: str, name: str) -> str | None:
    """The text behind the last `Name:` within a line, up to the next such heading."""
    marks = [(m, NAMED.get((m.group(1) or m.group(2)).lower())) for m in _INLINE.finditer(text)]
    marks = [(m, n) for m, n in marks if n is not None]
    for i in range(len(marks) - 1, -1, -1):
        match, found = marks[i]
        if found == name:
            end = marks[i + 1][0].start() if i + 1 < len(marks) else len(text)
            body = text[match.end() : end].strip()
            return body or None
    return None


# -- words ------------------------------------------------------------------------------------------------------------
def unlisted(text: str) -> str:
    """Lists and emphasis as running words: between the items of a list there are semicolons."""
    value = text.strip()
    value = re.sub(r"^```\w*\s*|```\s*$", "", value).strip()
    if value[:1] in ("{", "["):
        block = load_loosely(value)
        if isinstance(block, (dict, list)):
            if isinstance(block, dict):  # without its reasons, and without what is left empty
                block = {k: v for k, v in block.items() if named(k) not in ("thought", "other") and v not in ("", None)}
            return flat(block)
    lines, listed = [], []
    for line in value.splitlines():
        bare = re.sub(r"^\s*(?:[-*•◦▪+>#|]+|[0-9]{1,2}[.)])\s*", "", line)
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
