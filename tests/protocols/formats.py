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
    "I'm sorry for the confusion before.\n\n{0}",
    "Assistant: {0}",
    "User: What is your answer?\nAssistant: {0}",
    "{0}\n\nUser: And then?\nAssistant: {wrong}",
    "<scratchpad>{wrong}</scratchpad>\n\n{0}",
    "<|START_THINKING|>{wrong}<|END_THINKING|>{0}",
    "<seed:think>{wrong}</seed:think>{0}",
    "```markdown\n{0}\n```",
    "~~{wrong}~~\n{0}",
    "---\n{0}\n---",
    "Okay.\n\n{0}\n\nI hope this helps.",
    "{0}</s>",
    "{0}<|im_end|>\n<|im_start|>user\nGo on.<|im_end|>\n<|im_start|>assistant\n{wrong}",
    "<|channel>thought\n{wrong}<channel|>{0}",
    "<del>First {wrong},\nbut no.</del>\n{0}",
]

#: A heading twice: what was said first is taken back. `{w}` and `{t}` stand below their headings.
TAKEN_BACK = [
    "{w}\nNo wait, that is wrong.\n{t}",
    "{w}\n\nHmm, actually that will not work. Let me redo this.\n\n{t}",
    "{w}\nSorry, I made a mistake. Corrected:\n{t}",
    "{w}\n\nOn second thought, there is something better.\n\n{t}",
    "{w}\nOops, I misread the map.\n{t}",
    "{w}\nWait. I should check again. No, this one is wrong.\n{t}",
]

#: Two different answers, and nothing that says which one counts: these are asked for again.
UNSETTLED = [
    "{w}\n{t}",
    "{w}\n\n{t}",
    "{w}\nThen:\n{t}",
    "{w}\n\nor\n\n{t}",
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
    "My {low}: {t}",
    "**My final {low}:** {t}",
    "=> {h}: {t}",
    "\u2705 **{h}:** {t}",
    "\U0001f916 {h}: {t}",
    "| {h} | {t} |",
    "#### {h} ####\n{t}",
    "{h} \u2013 {t}",
    "({h}) {t}",
    "*{h}:* {t}",
    "{h}:\n\n{t}",
    "**[{h}]** {t}",
    "Step 2: {h}: {t}",
    "Part 2: {h}\n{t}",
    "\\textbf{{{h}:}} {t}",
    "{h} = {t}",
    "{{{h}}} {t}",
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
        json.dumps({"action_type": skill, **named}),
        json.dumps({"action": [skill, *args]}),
        json.dumps({"type": "tool_use", "id": "toolu_1", "name": skill, "input": named}),
        json.dumps({"functionCall": {"name": skill, "args": named}}),
        json.dumps({"tool_calls": [{"type": "function", "function": {"name": skill, "arguments": json.dumps(named)}}]}),
        json.dumps({"response": {"thought": "open(sofa) is no use", "action": call}}),
        json.dumps([{"name": skill, "parameters": named}]),
        f'<invoke name="{skill}">'
        + "".join(f'<parameter name="{k}">{v}</parameter>' for k, v in named.items())
        + "</invoke>",
        f'<action name="{skill}"' + "".join(f' {k}="{v}"' for k, v in named.items()) + "/>",
        f"```python\nrobot.{skill}({quoted})\n```",
        f"{call} \u2014 this is what helps most",
        f"{call} because it helps",
        f"{call}  # then wait()",
        f"~~open(sofa)~~ {call}",
        f"open(sofa), I mean {call}",
        f"not open(sofa) but {call}",
        f"{call} rather than open(sofa)",
        f"First {call}, then open(sofa).",
        f"1. {call}\n2. open(sofa)",
        f"\u201c{call}\u201d",
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
        "\n" + "\n".join(f"\u2022 {n} \u2013 {w}" for n, w in rows),
        "\n" + "\n".join(f"<{n}>{w}</{n}>" for n, w in rows),
        "\n".join(f"- [ ] {n}: {w}" for n, w in rows),
        "\n" + "\n".join(f"\U0001f916 {n}: {w}" for n, w in rows),
        "\n".join(f"Step {i} - {n}: {w}" for i, (n, w) in enumerate(rows, 1)),
        "I ask that " + ", that ".join(f"{n} takes {w}" for n, w in rows) + ".",
        json.dumps({"robots": [{"name": n, "places": w.split(", ")} for n, w in rows]}),
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
