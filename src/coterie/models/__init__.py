"""Models: anything that answers chat messages. `make_model` turns a name such as `openai:gpt-4o-mini` into one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from coterie.core.errors import CoterieError, unknown_name
from coterie.core.frozen import frozen
from coterie.core.registry import Registry, import_all
from coterie.models.budget import Budget
from coterie.models.chat import MaxTokens, Model, NoModel, Progress, ledger_of
from coterie.models.ledger import Call, Ledger
from coterie.models.scripted import Scripted

__all__ = ["Call", "Kind", "Ledger", "Model", "NoModel", "Options", "Progress", "ledger_of", "make_model", "models"]


@frozen
class Options:
    """How a model is asked, whichever it is; each takes what concerns it."""

    base_url: str | None = None
    temperature: float = 0.0
    token_limit: int | None = None
    max_tokens: MaxTokens = None  # of one reply; None: the model's default
    concurrency: int = 16  # requests to an endpoint at once
    deadline_s: float | None = None  # of one request to an endpoint; None: COTERIE_DEADLINE, or ten minutes
    progress: Progress | None = None  # told of downloads
    budget: Budget | None = None  # shared with other models; without one, `token_limit` makes one
    stream: bool = False  # an endpoint sends words as they come; the ledger then tells when the first one came
    level: str = ""  # of information in the prompts, where that decides which weights answer


@frozen
class Kind:
    """A kind of model: how it is named, what it is, and how it is made of what comes after the colon."""

    form: str  # as a user types it
    about: str
    make: Callable[[str, Options], Model]

    @property
    def wants(self) -> str:
        """Return the form of the part after the colon, if there must be one."""
        return self.form.partition(":")[2]


#: Whatever else lies in this folder is imported once it is asked for, and registers itself.
models: Registry[Kind] = Registry("model", more=lambda: import_all(__name__, __path__))


def make_model(
    spec: str,
    base_url: str | None = None,
    temperature: float = 0.0,
    token_limit: int | None = None,
    progress: Progress | None = None,
    max_tokens: MaxTokens = None,
    concurrency: int = 16,
    deadline_s: float | None = None,
    record: Path | None = None,
    budget: Budget | None = None,
    stream: bool = False,
    level: str = "",
) -> Model:
    """The model of a specification such as `embedded`; with `record`, all it says is also kept in that file."""
    asked = base_url, temperature, token_limit, max_tokens, concurrency, deadline_s, progress, budget, stream, level
    model = inner_model(spec, Options(*asked))
    if record is None:
        return model
    from coterie.models.scripted import Recording

    return Recording(model, record)


def inner_model(spec: str, options: Options) -> Model:
    """The model of a specification, for `make_model` and for models that wrap another."""
    name, _, rest = spec.partition(":")
    if name not in models:
        raise unknown_name("model", name, models)
    kind = models.get(name)
    if kind.wants and not rest:
        raise CoterieError(f"The model '{name}' is named with more: {kind.form}.")
    return kind.make(rest, options)


def share_in(name: str, rest: str, what: str, like: float) -> float:
    """The share that is named after a model's colon; `what` is shared, and `like` is an example."""
    try:
        share = float(rest)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise CoterieError(f"'{name}:{rest}' is no model: write the share of {what}, like {name}:{like:g}.")
    return share


def _none(rest: str, options: Options) -> Model:
    if rest:
        raise CoterieError(f"The model 'none' takes nothing after it, not '{rest}'.")
    return NoModel()


def _embedded(rest: str, options: Options) -> Model:
    from coterie.models.adapter import UNTRAINED
    from coterie.models.embedded import Embedded

    adapter = Path(rest) if rest.endswith(".gguf") else None
    if rest not in ("", "exact", "untrained") and adapter is None:
        there = "embedded, embedded:exact, embedded:untrained, embedded:ADAPTER.gguf"
        raise CoterieError(f"No model 'embedded:{rest}'. There are: {there}.")
    return Embedded(
        adapter if rest != "untrained" else UNTRAINED,
        options.temperature,
        options.max_tokens,
        exact=rest == "exact",
        token_limit=options.token_limit,
        progress=options.progress,
        budget=options.budget,
        level=options.level,
    )


def _openai(rest: str, options: Options) -> Model:
    from coterie.models.openai import OpenAI
    from coterie.models.wire import Endpoint

    pace = options.budget.pace if options.budget is not None else None
    endpoint = Endpoint(options.base_url, deadline_s=options.deadline_s, pace=pace)
    return OpenAI(
        rest,
        endpoint,
        options.temperature,
        options.max_tokens,
        options.concurrency,
        token_limit=options.token_limit,
        budget=options.budget,
        stream=options.stream,
    )


def _scripted(rest: str, options: Options) -> Model:
    return Scripted.from_file(Path(rest))


def _shared(rest: str, options: Options) -> Model:
    from coterie.models.shared import Shared

    return Shared(Path(rest))


def _recorded(rest: str, options: Options) -> Model:
    from coterie.models.scripted import Recorded

    return Recorded(Path(rest))


for _kind in (
    Kind("none", "for protocols that need no model", _none),
    Kind("embedded", "SmolLM2-135M in this process; fetched once (93 MB); also embedded:exact, :untrained", _embedded),
    Kind("openai:NAME", "any OpenAI-compatible endpoint; --base-url or OPENAI_BASE_URL, OPENAI_API_KEY", _openai),
    Kind("scripted:FILE", 'replies from a JSON file {"Alice/stage": ["first", "second"]}', _scripted),
    Kind("shared:SOCKET", "a model that several processes of this machine share: coterie learn serve", _shared),
    Kind("recorded:FILE", "replies that were recorded before; nothing else is asked", _recorded),
):
    models.put(_kind.form.partition(":")[0], _kind)
