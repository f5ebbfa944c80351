"""What real models write, as a grammar: one meaning in every dress that the parts below can be put together to.

A format has parts that vary apart: what stands before (nothing, chatter, reasoning between tags, channels), how
headings are set, how the thing itself is written, what stands behind. `dresses` draws from the
product. Whoever adds a part adds it to all stages.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterator, Sequence

#: Around the whole reply. `{0}` is the reply, `{wrong}` something that was weighed and given up.
AROUND = [
    "{0}",
    "\n\n  {0}\n\n",
    "Sure! Here is my answer.\n\n{0}",
    "<think>\nFirst I thought of {wrong}, but that is no good.\n</think>\n\n{0}",
    "<thinking>{wrong}</thinking>{0}",
    "Maybe {wrong}? No.\n</think>\n{0}",
    "[THINK]{wrong}[/THINK]{0}",
    "◁think▷{wrong}◁/think▷{0}",
    "<|channel|>analysis<|message|>{wrong}<|end|><|start|>assistant<|channel|>final<|message|>{0}<|return|>",
    "<answer>\n{0}\n</answer>",
    "<reasoning>\n{wrong}\n</reasoning>\n<answer>{0}</answer>",
    "```\n{0}\n```",
    "{0}\n\nLet me know if you need anything else!",
]

#: How a heading is set before its text.
HEADS = [
    "{h}: {t}",
    "{h} : {t}",
    "**{h}:** {t}",
    "**{h}**: {t}",
    "### {h}\n{t}",
    "## {h}:\n{t}",
    "- {h}: {t}",
    "* **{h}:** {t}",
    "1. {h}: {t}",
    "> {h}: {t}",
    "{H}: {t}",
    "{low}: {t}",
    "__{h}__: {t}",
    "[{h}] {t}",
    "{h}:\n{t}",
    "**{h}**\n{t}",
    "`{h}`: {t}",
    "Final {low}: {t}",
    "<{low}>{t}</{low}>",
    "{h}\uff1a{t}",
]


def head(form: str, heading: str, text: str) -> str:
    return form.format(h=heading, H=heading.upper(), low=heading.lower(), t=text)


def call_forms(skill: str, params: Sequence[str], args: Sequence[str]) -> list[str]:
    """One action, however it is spelt."""
    inner, named = ", ".join(args), dict(zip(params, args))
    quoted = ", ".join(f'"{a}"' for a in args)
    call = f"{skill}({inner})"
    forms = [
        call,
        f"{skill}({quoted})",
        f"{skill}({quoted})".replace('"', "'"),
        f"`{call}`",
        f"**{call}**",
        f"```\n{call}\n```",
        f"```python\n{call}\n```",
        f"{skill.upper()}({inner})",
        f"{skill} ({inner})",
        f"[{skill}] ({inner})",
        call.replace("_", "\\_"),
        call.replace("(", "\uff08").replace(")", "\uff09"),
        f"{skill}({', '.join(f'{k}={v}' for k, v in named.items())})",
        f"{skill}({', '.join(f'{k}=' + repr(v) for k, v in reversed(named.items()))})",
        f"{skill}({', '.join(f'{k}: {v}' for k, v in named.items())})",
        f"{skill}(<{'>, <'.join(args)}>)",
        f"{skill}[{inner}]",
        f"{call}.",
        f"I will {call} now.",
        f"$\\boxed{{{call}}}$",
        json.dumps({"action": call}),
        json.dumps({"name": skill, "arguments": named}),
        json.dumps({"action": skill, "args": list(args)}),
        json.dumps({"action": {"name": skill, "parameters": named}}),
        "```json\n" + json.dumps({"skill": skill, "args": named}, indent=2) + "\n```",
        "<tool_call>\n" + json.dumps({"name": skill, "arguments": named}) + "\n</tool_call>",
        f"<function={skill}>{json.dumps(named)}</function>",
        f"<function={skill}>"
        + "".join(f"<parameter={k}>\n{v}\n</parameter>" for k, v in named.items())
        + "</function>",
        str({"action": skill, "arguments": named}),
        json.dumps({"action": skill, **named}),
    ]
    if args:
        forms += [f"{skill} {' '.join(args)}", f"{skill}\nAction Input: {json.dumps(named)}", f"{skill}: {inner}"]
    return forms


def plan_forms(parts: dict[str, str]) -> list[str]:
    """A division of labour: who does what."""
    rows = list(parts.items())
    return [
        "; ".join(f"{n}: {w}" for n, w in rows),
        "\n".join(f"{n}: {w}" for n, w in rows),
        "\n".join(f"- {n}: {w}" for n, w in rows),
        "\n".join(f"* **{n}**: {w}" for n, w in rows),
        "\n".join(f"{i}. {n}: {w}" for i, (n, w) in enumerate(rows, 1)),
        "\n".join(f"**{n}:** {w}" for n, w in rows),
        " ".join(f"{n} takes {w}." for n, w in rows),
        "\n" + "\n".join(f"| {n} | {w} |" for n, w in rows),
        "\n".join(f"- {n} → {w}" for n, w in rows),
        json.dumps(parts),
        json.dumps([{"robot": n, "task": w} for n, w in rows]),
        "```json\n" + json.dumps(parts, indent=1) + "\n```",
    ]


def dresses(
    wear: Callable[[str, str, str], str],
    bodies: Sequence[str],
    count: int,
    seed: int,
    wrong: str,
    heads: Sequence[str] = HEADS,
) -> Iterator[str]:
    """`count` replies, every part at least once: `wear(head form, body, wrong)` gives the reply within."""
    rng = random.Random(seed)
    longest = max(len(AROUND), len(heads), len(bodies))
    cycles = [itertools.cycle(rng.sample(list(part), len(part))) for part in (AROUND, heads, bodies)]
    for _ in range(max(count, longest)):
        around, form, body = (next(c) for c in cycles)
        yield around.replace("{0}", wear(form, body, wrong)).replace("{wrong}", wrong)
