"""The text oracle: it reads nothing but the text of a prompt and answers in the form that the prompt asks for.

It has no memory and no access to beliefs: whatever it decides well, the prompt has told it. It tests prompts, parsers
and the path over HTTP without a language model. Prompts are read back by their own templates; each protocol says in
`answers` how those of its templates are answered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from coterie.core.errors import CoterieError
from coterie.core.protocol import Ask, Reply
from coterie.core.replies.fields import CALL
from coterie.core.replies.sections import spoken, under
from coterie.models import Call, Kind, Ledger, Model, Options, models
from coterie.protocols.dynahmrc import oracle_paper
from coterie.protocols.dynahmrc.oracle_deciding import Deciding
from coterie.protocols.dynahmrc.oracle_scene import FINAL, best_shift, between, division, places_of, reported
from coterie.protocols.shared.conversation import unfolded
from coterie.protocols.shared.templates import Page, first, read
from coterie.protocols.shared.together import apart

MOST_S = 600.0  # of a call that is only booked
#: The reply to a prompt, by the template that it was written with.
answers: dict[str, Callable[[Page], str]] = {}
#: The same decision with the reasons for it, where the reply itself has none: for those who learn from it.
explained: dict[str, Callable[[Page], str]] = {}


BY_ROBOT = ("team", "messages", "introductions", "proposals", "reports")  # slots in which each robot has its words


def answer(messages: Sequence[tuple[str, str]], reasons: bool = False) -> str:
    """The reply to one prompt, a sequence of (role, text)."""
    page = read(answers, unfolded(messages))
    if page is None:
        raise CoterieError(
            "The oracle cannot read this prompt: it knows those of dynahmrc, coherent, coela, llm-mcts and planners "
            "on the table. Choose another --model."
        )
    page = page.but(**{slot: apart(page[slot]) for slot in BY_ROBOT if page[slot]})
    found = explained.get(page.name) if reasons else None
    return (found or answers[page.name])(page)


class Oracle:
    """The text oracle as a model in this process."""

    name = "oracle"

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        said = [(ask, self.said(ask)) for ask in asks]
        return [Reply(text, sum(len(t) for _, t in ask.prompt) // 4, len(text) // 4) for ask, text in said]

    def said(self, ask: Ask) -> str:
        return answer(ask.prompt)


class SlowOracle(Oracle):
    """The oracle as if its calls took time: each is booked as so many seconds, so that planning time is what it would
    be with a model that slow. Nobody waits for it."""

    def __init__(self, call_s: float):
        self.call_s, self.name, self.ledger = call_s, f"oracle:{call_s:g}", Ledger()

    def answer(self, asks: Sequence[Ask]) -> list[Reply]:
        replies = super().answer(asks)
        for ask, reply in zip(asks, replies):
            self.ledger.add(Call(ask.robot, ask.stage, reply.tokens_in, reply.tokens_out, seconds=self.call_s), ask)
        return replies


def _oracle(rest: str, options: Options) -> Model:
    if not rest:
        return Oracle()
    try:
        seconds = float(rest)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= MOST_S:
        raise CoterieError(f"'oracle:{rest}': after the colon come the seconds of a call, like oracle:1.")
    return SlowOracle(seconds)


models.put(
    "oracle", Kind("oracle", "a parser that reads prompts and nothing else; oracle:1 counts a second per call", _oracle)
)


# -- stages of DynaHMRC -----------------------------------------------------------------------------------------------
def _plain(page: Page) -> Page:
    """A page of the paper's style with the digests that other styles have, worked out from its text."""
    return oracle_paper.with_digests(page) if oracle_paper.is_paper(page) else page


def _shared_out(page: Page, done: Sequence[str] = ()) -> str:
    """A division of the search; in the paper's prompts it is still to be found out who does the final placement."""
    return division(_plain(page), done, "what is within its reach" if oracle_paper.is_paper(page) else FINAL)


def _introduce(page: Page) -> str:
    return f"Thought: They should know me.\nContent: I am {page['name']}, {page['about']}."


def _propose(page: Page) -> str:
    return f"Thought: Everybody gets a share.\nPlan: {_shared_out(page)}\nSpeech: My plan leaves no place out."


def _vote(page: Page) -> str:
    named = min(page["candidates"].split(", "))
    return f"Thought: The plans are alike.\nReason: first by name.\nLeader: {named}"


def _discuss(page: Page) -> str:
    searched = _plain(page)["searched"] or "nothing searched yet"
    return f"Thought: Let us see.\nSummary: {searched}\nPlan: go on."


def _lead(page: Page) -> str:
    done = [*reported(_plain(page))]
    return f"Thought: What is left is shared again.\nPlan: {_shared_out(page, done)}"


def decided(page: Page) -> tuple[str, str]:
    """Thought and action of the robot that a page is about."""
    scene = Deciding(_plain(page))
    thought, action = scene.decide()
    if not oracle_paper.is_paper(page):
        return thought, action
    return oracle_paper.evidence(scene, page), oracle_paper.final(action, page)


def _act(page: Page) -> str:
    return "Thought: {}\nAction: {}".format(*decided(page))


# -- CoELA and COHERENT -----------------------------------------------------------------------------------------------
def _draft(page: Page) -> str:
    return "Message: " + first(r'^communicate\("(.*)", all\)', decided(page)[1], "nothing")


def _choose(page: Page) -> str:
    thought, action = decided(page)
    listed = {what: letter for letter, what in re.findall(r"^([A-Z]{1,2})\. (.*)$", page["options"], re.M)}
    told = next((letter for what, letter in listed.items() if what.startswith("communicate(")), None)
    letter = told if action.startswith("communicate(") and told else listed.get(action, listed.get("wait()", "A"))
    return f"Thought: {thought}\nOption: {letter}"


def _for_everybody(page: Page) -> str:
    """The central planner's prompt: one line a robot, each decided as if it had asked alone."""
    team = page["team"]
    searched = page["searched"] or ", ".join(p for p in places_of(page) if p in reported(page))
    common = page.but(who_searches="", searched=searched)
    divided = division(common.but(name="nobody", about="nothing"))
    shares = dict(part.split(": ", 1) for part in divided.split("; ") if ": " in part)
    scenes: list[Deciding] = []
    for block in re.split(r"\n(?=\[)", page["robots"]):
        own = read(("coherent/robot",), (("system", block),))
        card = re.search(rf"\b{own['name']}: ([^()]+) \(([^()]*)\)\. ?", team) if own is not None else None
        if own is None or card is None:
            continue
        name = own["name"]
        past = re.findall(rf"(\d+ ){name}: ([^;]*)", page["history"])
        scenes.append(
            Deciding(
                common.but(
                    **own,
                    about=card.group(1),
                    team=team.replace(card.group(0), ""),
                    skills="\n".join(f"{skill}(): one of your skills" for skill in card.group(2).split(", ")),
                    plan=f'The plan: "{name}: {shares.get(name, "")}"',
                    lately="; ".join(step + what for step, what in past),
                    step="0",
                )
            )
        )
    return "\n".join(["Thought: Everybody does what it can.", *_one_after_another(scenes)])


def _one_after_another(scenes: list[Deciding]) -> list[str]:
    """One line a robot; those with something needed at hand choose first, so that none is sent away from it."""
    chosen: dict[str, str] = {}
    taken: set[str] = set()

    def at_hand(scene: Deciding) -> list[str]:
        near = between(scene.itself, "ithin your reach: ", ".").split(", ")
        return [t for t in scene.needed if t in near]

    for scene in sorted(scenes, key=lambda s: not at_hand(s)):
        if "pick" in scene.able:  # what one fetches, no other need
            order = [*at_hand(scene), *scene.needed]
            scene.needed = {t: scene.needed[t] for t in dict.fromkeys(order) if t not in taken}
        scene.said = " ".join([*scene.needed, *scene.on_table, *scene.places])  # all is pooled: no need to talk
        thought, action = scene.decide()
        if action.startswith("communicate("):
            action = "wait()"
        taken |= {t for t in scene.needed if t in f"{thought} {action}" and "I look for" not in thought}
        chosen[scene.me] = action
    return [f"{scene.me}: {chosen[scene.me]}" for scene in scenes]


answers.update(
    {
        "dynahmrc/sd": _introduce,
        "dynahmrc/talb": _propose,
        "dynahmrc/le": _vote,
        "dynahmrc/referee": _vote,
        "dynahmrc/hmrc": _act,
        "dynahmrc/move": lambda page: f"Move: {best_shift(page['costmap'])}",
        "dynahmrc/gd": _discuss,
        "dynahmrc/lp": _lead,
        "coherent/plan": _for_everybody,
        "coela/comm": _draft,
        "coela/plan": _choose,
    }
)


def action_in(reply: str) -> str:
    """The action that a reply settles on, as one call; empty where it names none."""
    found = CALL.search(under(spoken(reply), "action") or "")
    return re.sub(r"\s+", " ", found.group()).strip() if found else ""


def reasoned(said: str, taught: str) -> str:
    """A reply with the action that was played, and why: as the teacher says, if it would do the same, else as the
    player said; empty where no action can be read."""
    action = action_in(said)
    if not action:
        return ""
    same = re.sub(r"\s", "", action) == re.sub(r"\s", "", action_in(taught))
    thought = " ".join((under(spoken(taught if same else said), "thought") or "This comes next.").split())
    return f"Thought: {thought}\nAction: {action}"
