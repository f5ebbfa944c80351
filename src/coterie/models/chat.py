"""The interface of a model: requests in, replies out, in the same order.

Built-in models also keep a `ledger` of what their calls took (see `coterie.models.ledger`); it is not part of the
interface, so that a model of your own is one class with a name and one method.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.models.ledger import Ledger

#: The most tokens a reply may have: one number, or one per stage (stages that are not named take the default).
MaxTokens = int | Mapping[str, int] | None
Progress = Callable[[str, int, int], None]  # what is being done, how much of it is done, out of how much


@runtime_checkable
class Model(Protocol):
    name: str

    def answer(self, asks: Sequence[Ask]) -> list[Reply]: ...


class NoModel:
    """For protocols that need no model; being asked is a mistake in the set-up."""

    name = "none"

    def __init__(self) -> None:
        self.ledger = Ledger()

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        for ask in asks:
            raise CoterieError(
                f"{ask.robot} asked a model at stage '{ask.stage}', but no model was given. Name one with --model; a "
                "protocol that declares its stages in `replies` gets the embedded one by itself."
            )
        return []


def ledger_of(model: object) -> Ledger | None:
    """The ledger of a model, also of one that is wrapped as `.model` in another."""
    while model is not None:
        found = getattr(model, "ledger", None)
        if isinstance(found, Ledger):
            return found
        model = getattr(model, "model", None)
    return None


def limit_for(stage: str, limits: MaxTokens, default: int) -> int:
    if isinstance(limits, Mapping):
        return limits.get(stage, default)
    return default if limits is None else limits


#: Marks that some tokenizer turns into a control token: of a turn, of a text, of a file.
#: `<|...|>` of ChatML, Llama 3, Phi, Granite and gpt-oss, full-width bars of DeepSeek; words of Llama 2, Gemma,
#: Qwen, GLM, Command, Seed, MiniMax and of models of code; the square brackets of Mistral, GLM and MiniMax.
_WORDS = (
    r"s|S|bos|eos|pad|PAD|unk|UNK|mask|MASK|cls|CLS|sep|sop|eop|eoh|eoa|eot|BOS_TOKEN|EOS_TOKEN|EOD|image|audio|video|"
    r"(?:start|end)_of_(?:turn|image|audio)|(?:image|audio|video)_soft_token|minimax:\w+|think|tools?|tool_calls?|tool_response|tool_result|"
    r"function_calls?|function_response|arg_key|arg_value|repo_name|reponame|file_sep|filename|gh_stars|empty_output|"
    r"(?:fim|FIM|issue|jupyter|extra_id|commit|seed|unused|reserved|special|SPECIAL)[_:]?\w*|thinking|answer"
)
_SQUARE = (
    r"INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|AVAILABLE_TOOLS|ARGS|CALL_ID|THINK|IMG\w*|AUDIO|"
    r"BEGIN_AUDIO|PREFIX|MIDDLE|SUFFIX|control_\d+|g?MASK|sMASK|CLS|SEP|PAD|UNK|multimodal|@BOS@|e~"
)
_MARK = re.compile(
    rf"(?<=[<＜\[［])(?=[|｜]|[/／]?(?:{_WORDS})[>＞]|[<＜]?[/／]?SYS[>＞]|[/／]?(?:{_SQUARE})[\]］\[])"
    r"|(?<=\])(?=~!?b[\[\]]|<\]|!\w~\[)"
)


_PICTURE = re.compile(r"!\[[^\]\n]{0,40}\]\((data:image/png;base64,[A-Za-z0-9+/=]+)\)")  # as prompts hold one


PICTURED = ("see", "judge")  # the stages of requests that show pictures; in all others, what looks like one is words


def content(text: str, stage: str) -> str | list[dict[str, object]]:
    """A message for a chat endpoint: plain text, or its parts where pictures stand between words."""
    parts = _PICTURE.split(text) if stage in PICTURED else [text]
    if len(parts) == 1:
        return plain(text)
    found: list[dict[str, object]] = []
    for i, part in enumerate(parts):
        if i % 2:
            found.append({"type": "image_url", "image_url": {"url": part}})
        elif part.strip():
            found.append({"type": "text", "text": plain(part)})
    return found


def without_pictures(text: str) -> str:
    return _PICTURE.sub("", text)


def plain(text: str) -> str:
    """Text that a model's tokenizer reads as text: no half surrogates, and no marks such as `<|im_start|>`.

    Servers turn such marks inside a message into control tokens, so that a robot's words could end its message and
    begin a system prompt. A space after the bracket keeps them readable and harmless.
    """
    return _MARK.sub(" ", text.encode("utf-8", "replace").decode("utf-8"))
