"""Ways in which makers of models write a call of a tool, and YAML: all as JSON, which is then read in one place.

Nothing is evaluated. What is not understood stays as it stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

_NAME = r"(?:functions?\.)?([A-Za-z_]\w{0,40})"
_END = r"(?=<\||\Z)"
_PARAMETER = re.compile(r"<parameter(?:=| name=[\"'])(\w{1,40})[\"']?>\s*(.*?)\s*</parameter>", re.S)
_ARGUMENT = re.compile(r"<arg_key>\s*(\w{1,40})\s*</arg_key>\s*<arg_value>\s*(.*?)\s*</arg_value>", re.S)
#: What a dialect looks like: a name, and what is given to it.
_CALLS = tuple(
    re.compile(form, re.S)
    for form in (
        rf"<function=[\"']?{_NAME}[\"']?>(.*?)(?:</function>|\Z)",
        rf"<invoke name=[\"']{_NAME}[\"']>(.*?)(?:</invoke>|\Z)",
        rf"tool.sep[^>\w]{{0,3}}>\s*{_NAME}\s*```\w*\s*(\{{.*?\}})\s*```",
        rf"<tool_call>\s*{_NAME}\s*((?:<arg_key>.*?)?)(?:</tool_call>|\Z)",
        rf"<\|tool_call_begin\|>\s*{_NAME}(?::[0-9]+)?\s*<\|tool_call_argument_begin\|>(.*?){_END}",
        rf"<\|channel\|>\s*commentary to={_NAME}.{{0,60}}?<\|message\|>(.*?){_END}",
        rf"\[TOOL_CALLS\]\s*{_NAME}\s*(?:\[ARGS\]\s*)?(\{{.*?\}})\s*(?=\[TOOL_CALLS\]|</s>|\Z)",
    )
)
_ATTRIBUTE = re.compile(r"<(\w{1,20}) (?:name|id)=[\"']([\w -]{1,40})[\"']>(.{0,400}?)</\1>\n?", re.S)
_EMPTY = re.compile(
    r"<(?:action|tool|tool_call|function_call|call|invoke|skill|command)\s+(?:name|skill|action|type)=[\"'](\w{1,40})[\"']"
    r"((?:\s+\w{1,30}=(?:\"[^\"<>]{0,400}\"|'[^'<>]{0,400}'))*)\s*(?:/>|>\s*</\w+>)"
)
_GIVEN = re.compile(r"(\w{1,30})=[\"']([^\"'<>]{0,400})[\"']")
_NESTED = re.compile(
    r"<(action|tool_call|function_call|call|invoke|command|tool_use)>\s*((?:<(\w{1,30})>[^<>]{0,400}</\3>\s*){1,8})</\1>",
    re.I,
)
_CHILD = re.compile(r"<(\w{1,30})>\s*([^<>]{0,400}?)\s*</\1>")
_NAMING = ("name", "skill", "function", "tool", "tool_name", "type")
_FENCED = re.compile(r"```ya?ml[ \t]*\n(.*?)(?:\n[ \t]*```|\Z)", re.S | re.I)


def as_json(text: str, load: Callable[[str], Any]) -> str:
    """The same with every call of a tool as `{"name": ..., "arguments": ...}`, and with YAML as JSON."""
    if "<" in text or "[TOOL" in text:
        for form in _CALLS:
            text = form.sub(lambda m: _called(m, load), text)
        text = _EMPTY.sub(lambda m: _one(m.group(1), dict(_GIVEN.findall(m.group(2)))), text)
        text = _NESTED.sub(_children, text)
        text = _ATTRIBUTE.sub(r"\2: \3\n", text)
    if "```y" in text.lower():
        text = _FENCED.sub(_unyamled, text)
    return text


def _one(name: str, given: Any) -> str:
    return "\n" + json.dumps({"name": name, "arguments": given}, ensure_ascii=False) + "\n"


def _children(match: re.Match[str]) -> str:
    """`<action><skill>pick</skill><object>cup_0</object></action>` as a call; what names no skill stays."""
    pairs = {k.lower(): v for k, v in _CHILD.findall(match.group(2))}
    name = next((pairs.pop(k) for k in _NAMING if k in pairs), None)
    return match.group() if name is None or not re.fullmatch(r"\w{1,40}", name) else _one(name, pairs)


def _called(match: re.Match[str], load: Callable[[str], Any]) -> str:
    name, inner = match.group(1), match.group(2).strip()
    pairs = _PARAMETER.findall(inner) or _ARGUMENT.findall(inner)
    given: Any = {k: _value(v, load) for k, v in pairs} if pairs else load(inner) if inner else {}
    if not isinstance(given, (dict, list)):
        return match.group()
    return _one(name, given)


def _value(text: str, load: Callable[[str], Any]) -> Any:
    value = load(text) if text[:1] == "[" else None
    return value if isinstance(value, list) else text


# -- YAML -------------------------------------------------------------------------------------------------------------
_KEY = re.compile(r"([\"']?)([^\s:#\"'{\[][^:\"'{\[]{0,60})\1\s*:(?:\s+(.*))?$")


def _unyamled(match: re.Match[str]) -> str:
    value = yaml(match.group(1))
    return match.group() if value is None else "\n" + json.dumps(value, ensure_ascii=False) + "\n"


def yaml(text: str) -> dict[str, Any] | None:
    """The mapping that a text in plain YAML is: keys, lists, blocks of words; None where it is none."""
    lines = [(len(x) - len(x.lstrip()), x.strip()) for x in text.expandtabs().splitlines()]
    lines = [(indent, _uncommented(x)) for indent, x in lines if x and not x.startswith("#") and x != "---"]
    if not lines:
        return None
    value, rest = _node(lines, lines[0][0])
    return value if isinstance(value, dict) and not rest else None


_Lines = list[tuple[int, str]]


def _uncommented(line: str) -> str:
    return line if '"' in line or "'" in line else re.sub(r"\s+#\s.*$", "", line)


def _node(lines: _Lines, indent: int) -> tuple[Any, _Lines]:
    """The value that begins at a depth, and the lines behind it."""
    items: list[Any] = []
    pairs: dict[str, Any] = {}
    while lines and lines[0][0] == indent:
        line = lines[0][1]
        if line.startswith("- ") and not pairs:
            inner = line[2:].strip()
            if _KEY.fullmatch(inner):
                value, lines = _node([(indent + 2, inner), *_deeper(lines[1:], indent)], indent + 2)
            else:
                value, lines = _scalar(inner), lines[1:]
            items.append(value)
            continue
        key = _KEY.fullmatch(line)
        if key is None or items:
            break
        said = (key.group(3) or "").strip()
        lines = lines[1:]
        if re.fullmatch(r"[|>][+-]?", said):
            block = []
            while lines and lines[0][0] > indent:
                block.append(lines[0][1])
                lines = lines[1:]
            pairs[key.group(2).strip()] = ("\n" if said[0] == "|" else " ").join(block)
        elif said:
            while lines and lines[0][0] > indent and not _KEY.fullmatch(lines[0][1]):
                said, lines = f"{said} {lines[0][1]}", lines[1:]
            pairs[key.group(2).strip()] = _scalar(said)
        elif lines and (lines[0][0] > indent or (lines[0][0] == indent and lines[0][1].startswith("- "))):
            pairs[key.group(2).strip()], lines = _node(lines, lines[0][0])
        else:
            pairs[key.group(2).strip()] = None
    return (items or pairs or None), lines


def _deeper(lines: _Lines, indent: int) -> _Lines:
    """Lines whose first deeper ones stand at the depth of an item's keys."""
    for i, (depth, _) in enumerate(lines):
        if depth <= indent:
            return [*((indent + 2 + max(0, d - lines[0][0]), x) for d, x in lines[:i]), *lines[i:]]
    return [(indent + 2 + max(0, d - lines[0][0]), x) for d, x in lines]


def _scalar(text: str) -> Any:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    if text[:1] == "[" and text[-1:] == "]":
        return [_scalar(x.strip()) for x in text[1:-1].split(",") if x.strip()]
    if text.lower() in ("null", "~"):
        return None
    return {"true": True, "false": False}.get(text.lower(), text)
