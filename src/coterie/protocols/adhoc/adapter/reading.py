"""The shape of a text: JSON, tags, tables, keys with values, codes; whatever has none of these is a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from coterie.core.replies.json_blocks import blocks, flat
from coterie.core.replies.sections import SIGNS
from coterie.protocols.adhoc.adapter import values
from coterie.protocols.adhoc.adapter.gather import Gathered
from coterie.protocols.adhoc.adapter.keys import field_of, section_of
from coterie.protocols.adhoc.adapter.record import Heard
from coterie.protocols.adhoc.adapter.sentences import sentence

MOST_CHARS = 4000  # that are read of one message; nobody has that much to say
MOST_TABLES = 60  # of JSON
MOST_UNREAD = 2000
_KEY = r"[A-Za-z][\w .()\-/]{0,40}?"
_LINE = re.compile(
    rf"^\W{{0,6}}(?:\d{{1,2}}[.)]\s)?({_KEY})[\"'*_`)]{{0,3}}\s*(?::=|=>|->|:(?!//)|=|\t|\s-\s)\s*(.*)$", re.S
)
_SHORT = re.compile(r"^([A-Z]{2,6})[\s:]+(.+)$", re.S)  # a key of a code
_PAIRS = re.compile(
    r"(?:^|(?<=[\s,;|({\[]))([A-Za-z][\w\-]{0,30})\s*[=:]\s*((?:\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>|\"[^\"]*\"|[^\s,;|=:()\[\]]+(?:\s?(?:kg|m|steps|g)\b)?))"
)


def read(text: str, sender: str = "") -> Heard:
    """The facts in a teammate's text, about the teammate itself and about the house. Never fails, and never guesses."""
    out = Gathered()
    cut = _even(text[:MOST_CHARS].translate(SIGNS), sender)
    rest = _tags(_json(cut, out, sender), out, sender)
    section, field = "", ""  # those under which lines stand
    for line in _tables(rest.splitlines(), out, sender):
        head = re.fullmatch(r"(\s*)[\[#*\s]*([A-Za-z][\w ]{0,30})[\]*\s]*:?\s*", line)
        if head is not None and (field_of(head[2]) in _MANY or section_of(head[2]) is not None):
            section, field = section_of(head[2]) or "", field_of(head[2]) if field_of(head[2]) in _MANY else ""
        elif field and re.match(r"\s*[-*]\s", line):
            if not out.take(field, line.strip(" -*"), section):
                out.unread.append(line)
        else:
            section = section if line[:1].isspace() or "=" in line or line.lstrip().startswith("-") else ""
            field = ""
            _part(line, out, section, sender)
    heard = out.heard()
    unread = heard.unread + ("\n" + text[MOST_CHARS:] if len(text) > MOST_CHARS else "")
    return heard if len(unread) <= MOST_UNREAD and unread == heard.unread else _with(heard, unread[:MOST_UNREAD])


def _with(heard: Heard, unread: str) -> Heard:
    return replace(heard, unread=unread)


_MANY = ("explored", "unexplored", "misplaced", "receptacles")
_STAMP = re.compile(
    r"^\s*(?:\[?\d{1,4}[-:/.]\d{2}(?:[-:/.T ]\d{2})*(?:[.,]\d+)?Z?\]?\s+)+(?:\[?(?:INFO|DEBUG|LOG|NOTE)\]?:?\s+)?", re.M
)


def _even(text: str, sender: str) -> str:
    """The same text in signs that the rest knows: stamps, emphasis, query strings, blocks and tuples are made plain."""
    text = re.sub(r"[ \t]{9,}", " " * 8, re.sub(r"\w{61,}", "...", text))
    text = _STAMP.sub("", text).replace("**", "")
    if sender:
        text = re.sub(rf"^{re.escape(sender)}\s+(?=\w+\s*[=:])", "", text, flags=re.M)
    if "&" in text and "=" in text and not re.search(r"\s", text.strip()):
        text = text.replace("&", "\n").replace("+", " ")
    text = (
        re.sub(r"(?<=[:,\[{] )\(([^()]*)\)|(?<=[:,\[{])\(([^()]*)\)(?=\s*[,}\]])", r"[\1\2]", text)
        if "{" in text
        else text
    )
    return re.sub(r"\b([A-Za-z]\w*)\s*\{([^{}\"']*(?:[\"'][^\"'{}]*[\"'][^{}\"']*)*)\}", r"\n\1: \2\n", text)


# -- JSON -------------------------------------------------------------------------------------------------------------
def _json(text: str, out: Gathered, sender: str) -> str:
    """Read the tables of JSON in a text; what stands around them is left."""
    if "{" not in text or text.count("{") + text.count("[") > MOST_TABLES:
        return text
    found = [b for b in blocks(text) if isinstance(b, (dict, list))]
    if not any(isinstance(b, dict) or any(isinstance(v, dict) for v in b) for b in found):
        return text
    for block in found:
        for table in block if isinstance(block, list) else [block]:
            _table(table, out, "", sender)
    first, last = text.index("{"), text.rindex("}")
    first = text.index("[") if "[" in text[:first] else first
    return text[:first] + "\n" + text[max(last, text.rfind("]")) + 1 :]


def _table(table: Any, out: Gathered, section: str, sender: str) -> None:
    if not isinstance(table, dict):
        _part(flat(table), out, section, sender)
        return
    low = {field_of(str(k)): v for k, v in table.items()}
    who = low.get("robot")
    if (
        isinstance(who, str)
        and sender
        and who.strip().lower() != sender.lower()
        and re.fullmatch(r"[A-Za-z]\w*", who.strip())
    ):
        out.unread.append(flat(table))  # of another robot
        return
    for key, value in table.items():
        if not _entry(str(key), value, out, section, sender):
            out.unread.append(f"{key}: {flat(value)}")


def _entry(key: str, value: Any, out: Gathered, section: str, sender: str) -> bool:
    """Read a key with its value; False where it cannot be read."""
    field, heading = field_of(key), section_of(key)
    if field == "robot" and isinstance(value, (dict, list)):
        field = ""
    if field in _MANY and isinstance(value, (dict, list)):
        return not value or _several_of(field, value, out)
    if field == "position" and isinstance(value, dict):
        field, heading = "", "state"  # x, y and perhaps a room
    if field == "subtask" and isinstance(value, (dict, list)):
        parts = list(value.values()) if isinstance(value, dict) else value
        return out.put("subtask", values.subtask(" ".join(str(p) for p in parts if isinstance(p, (str, int)))))
    if isinstance(value, dict):
        if field not in ("", "robot", "tall", "room") or (not field and heading is None):
            return False
        _table(value, out, heading or section, sender)
        return True
    several = isinstance(value, list) and field != "position" and all(isinstance(v, str) for v in value)
    if several and heading is not None:
        for v in value:
            _part(v, out, heading or section, sender)
        return True
    words = _in_words(value)
    if field and out.take(field, words, section):
        return True
    if heading is not None and isinstance(value, (str, list)):
        _part(words, out, heading or section, sender)
        return True
    return False


def _several_of(field: str, value: Any, out: Gathered) -> bool:
    """A list or table of rooms, things or furniture."""
    if field in ("misplaced", "receptacles"):
        return out.add_found(field, out.found_data(value))
    rooms = [k for k, v in value.items() if v is True] if isinstance(value, dict) else value
    named = values.room_list(", ".join(map(str, rooms)))
    return out.add(field, named) if rooms or isinstance(value, list) else True


def _in_words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(v) for v in value)
    return "none" if value is None else ("yes" if value else "no") if isinstance(value, bool) else str(value)


# -- tags -------------------------------------------------------------------------------------------------------------
_TAG = re.compile(r"<([A-Za-z][\w\-]*)((?:\s+[\w\-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*(?:/>|>(.*?)</\1\s*>)", re.S)


def _tags(text: str, out: Gathered, sender: str, section: str = "", deep: int = 0) -> str:
    """Read `<key>value</key>` and `<tag key="value"/>`; what stands around them is left."""
    if "<" not in text or deep > 8:
        return text

    def one(match: re.Match[str]) -> str:
        name, given, body = match.group(1), match.group(2) or "", match.group(3)
        pairs = dict(re.findall(r"([\w\-]+)\s*=\s*[\"']([^\"']*)[\"']", given))
        field, heading = field_of(name), section_of(name)
        if body is not None and field and not pairs and not _TAG.search(body):
            if not out.take(field, body.strip(), section):
                out.unread.append(match.group())
            return "\n"
        if field in ("misplaced", "receptacles"):
            told = [{**pairs, "text": body or ""}] if pairs else [dict(re.findall(r"<(\w+)>([^<>]*)</\1>", body or ""))]
            if not out.add_found(field, out.found_data(told)):
                out.unread.append(match.group())
            return "\n"
        inner = heading or section
        for key, value in pairs.items():
            if not _entry(key, value, out, inner, sender):
                out.unread.append(f"{key}: {value}")
        if body is not None:
            left = _tags(body, out, sender, inner, deep + 1)
            for line in left.splitlines():
                _part(line, out, inner, sender)
        return "\n"

    return _TAG.sub(one, text)


# -- tables -----------------------------------------------------------------------------------------------------------
def _tables(lines: list[str], out: Gathered, sender: str) -> Iterator[str]:
    """Read a line of keys with a line of values below it; all other lines are left."""
    at = 0
    while at < len(lines):
        keys = _cells(lines[at])
        if len(keys) >= 3 and all(field_of(k) for k in keys):
            below = at + 1 + (at + 1 < len(lines) and re.fullmatch(r"[\s|:+\-]+", lines[at + 1]) is not None)
            row = _cells(lines[below]) if below < len(lines) else []
            if len(row) == len(keys):
                for key, value in zip(keys, row):
                    if not _entry(key, value, out, "", sender):
                        out.unread.append(f"{key}: {value}")
                at = below + 1
                continue
        yield lines[at]
        at += 1


def _cells(line: str) -> list[str]:
    for sign in ("|", "\t", ";", ","):
        if sign in line:
            return [cell.strip() for cell in line.strip().strip(sign).split(sign)]
    return []


# -- lines ------------------------------------------------------------------------------------------------------------
def _part(text: str, out: Gathered, section: str, sender: str) -> None:
    """One line: a key and its value, several of them, codes, or sentences."""
    text = text.strip()
    if not text or _row(text, out, section) or _calls(text, out, section, sender):
        return
    for piece in _pieces(text):
        match = _SHORT.match(piece) or _LINE.match(piece)
        key, value = (match.group(1), match.group(2)) if match else ("", "")
        field, heading = (field_of(key), section_of(key)) if match else ("", None)
        if field and (field == "position" or not _several(value)) and out.take(field, value, section):
            continue
        if field in ("misplaced", "receptacles") and all(
            out.take(field, v, section) for v in re.split(r"\s*[;|]\s*", value)
        ):
            continue
        if heading is not None:
            _values(value, out, heading or section, sender)
        elif re.fullmatch(r"\W*[A-Za-z][\w ]{0,30}\W*", piece) and section_of(piece.strip(" :#*-=[]")) is not None:
            continue  # a heading alone
        elif not _some_pairs(piece, out, section) and not _codes(piece, out, section):
            sentence(piece, out, sender)


def _row(text: str, out: Gathered, section: str) -> bool:
    """`| key | value |`"""
    cells = [c.strip() for c in text.strip("|").split("|")]
    if re.fullmatch(r"[|\s:\-]+", text) and "|" in text:
        return True
    if len(cells) != 2 or not text.startswith("|"):
        return False
    return field_of(cells[0]) != "" and out.take(field_of(cells[0]), cells[1], section)


_CALL = re.compile(r"([A-Za-z]\w*)\(((?:[^()]|\([^()]*\))*)\)[\s.;,]*")
_LISP = re.compile(r"\(([A-Za-z][\w\-]*)\s+([^()]*)\)[\s.;,]*")


def _calls(text: str, out: Gathered, section: str, sender: str) -> bool:
    """`key(value). key(value).` and `(key value) (key value)`, and nothing else."""
    for form in (_CALL, _LISP):
        found = form.findall(text)
        if found and not form.sub("", text).strip() and all(field_of(k) for k, _ in found):
            for key, value in found:
                mine = re.sub(rf"^{re.escape(sender)}\b[\s,]*", "", value, flags=re.I) if sender else value
                if not out.take(field_of(key), mine, section):
                    out.unread.append(f"{key}: {value}")
            return True
    return False


def _pieces(text: str) -> list[str]:
    """The parts of a line that stand for themselves."""
    parts = re.split(r"\s*[;|]\s*(?![^()\[\]]*[)\]])", text)
    return [p for p in parts if p.strip()]


def _several(value: str) -> bool:
    """Whether a value is itself a line of keys and values of the sender."""
    return len([k for k, _ in _PAIRS.findall(value) if field_of(k)]) > 1 and not values.found_in(value)


def _values(text: str, out: Gathered, section: str, sender: str) -> None:
    if not _some_pairs(text, out, section) and not _codes(text, out, section):
        for piece in re.split(r",\s+(?![^()\[\]]*[)\]])", text):
            match = _LINE.match(piece)
            if not (match and field_of(match.group(1)) and out.take(field_of(match.group(1)), match.group(2), section)):
                sentence(piece, out, sender)


def _some_pairs(text: str, out: Gathered, section: str) -> bool:
    """`arm=yes payload=6.2 height=tall`: all of the keys are known, or none is read."""
    pairs = _PAIRS.findall(text)
    if not pairs or not all(
        field_of(k) or k.lower() in ("heading", "yaw", "tilt", "step", "time", "t") for k, _ in pairs
    ):
        return False
    left = _PAIRS.sub(" ", text)
    left = re.sub(r"[\s,;|(){}\[\].]+", " ", left).strip()
    if left and len(left.split()) > 3:
        return False
    for key, value in pairs:
        if field_of(key) and not out.take(field_of(key), value, section):
            out.unread.append(f"{key}={value}")
    if left:
        out.unread.append(left)
    return True


# -- codes ------------------------------------------------------------------------------------------------------------
_CODE = {"A": "arm", "W": "payload_kg", "P": "payload_kg", "H": "tall", "B": "battery"}


def _codes(text: str, out: Gathered, section: str) -> bool:
    """Letters with values, where a heading says that these are abilities or a state: `A1 W6.2 H1.6 B63`."""
    words = text.split()
    if (
        section == "ability"
        and words
        and all(re.fullmatch(r"[A-Z][+\-]?[\d.]*[A-Z+\-]?", w) and w[0] in _CODE for w in words)
    ):
        for word in words:
            if not out.take(_CODE[word[0]], word[1:], section):
                out.unread.append(word)
        return True
    if section == "state" and words and values.position(words[0]) is not None:
        out.take("position", words[0], section)
        for word in words[1:]:
            kind = next((k for k in ("room", "holding", "battery") if _reads(k, word)), "")
            if not kind or not out.take(kind, word[1:] if kind == "battery" else word, section):
                out.unread.append(word)
        return True
    return False


def _reads(field: str, word: str) -> bool:
    if field == "battery":
        return re.fullmatch(r"B\d+(?:/\d+)?", word) is not None
    return (values.room(word) is not None) if field == "room" else values.holding(word) is not None
