"""Skills and principles of a body as text: in a few sentences for small models, in seven for large ones."""

from __future__ import annotations

from coterie.protocols.shared.reading import Reading


def skills(r: Reading) -> str:
    def lines() -> str:
        return "\n".join(r.me.language.line(r.me.skills[s]) for s in r.card.skills)

    return r.keep("skills in words", (r.card,), lines)


def principles(r: Reading, planned: bool = True) -> str:
    if not r.card.moves and r.brings:
        return "Things go all over the house: tell the carriers what you see that is needed. Do not repeat yourself."
    if not r.card.moves:
        return (
            "Place what is needed and within your reach. Take off what does not belong. Ask a carrier for what is "
            "needed but out of your reach."
        )
    order = "yours first, then nobody's, then what others have" if planned else "what nobody else is about to search"
    search = f"Search what is left: {order}. A side means: you can."
    if not r.card.manipulates:
        return f"{search} Tell the carriers what you find. Do not repeat what failed or what you said."
    fetch = "put it where it belongs" if r.brings else f"lay it on the work table for {r.arm or 'the arm'}"
    return (
        f"Fetch what is needed and found; {fetch}. {search} Tell others only "
        "what they need and cannot see. Do not repeat what failed."
    )


def full_principles(r: Reading, planned: bool = True) -> str:
    """The same at length, one principle a line."""
    arm = r.arm or "the arm"
    search = _SEARCH if planned else _SEARCH_FREELY
    if not r.card.moves and r.brings:
        own = ["Things go all over the house: tell the carriers at once what you see that is needed."]
    elif not r.card.moves:
        own = [
            "Look first at the goal and at what lies on the work table, and do what is most urgent there.",
            "Place what is needed and within your reach, in the order that the goal asks for.",
            "Take off what does not belong.",
            "Ask a carrier at once for what is needed and missing or out of your reach, and say where it lies.",
        ]
    elif not r.card.manipulates:
        own = [
            search,
            "Tell the carriers at once what you find that is needed, and ask one of them by name to bring it.",
            "Ask those who fly to look where you cannot, and those who can open boxes to open them.",
            "Leave a place that others need to stand at.",
        ]
    else:
        boxes = "Open boxes and look inside." if "open" in r.card.skills else _ASK_TO_OPEN
        if r.brings:
            boxes += _DOORS if "open" in r.card.skills else _ASK_FOR_DOORS
        there = "put it where it belongs" if r.brings else f"lay it on the work table where {arm} reaches it"
        own = [
            search,
            f"Fetch what is needed and found without delay, and {there}.",
            boxes,
            "If you cannot reach a thing, try another side, then shift your base, then ask somebody who can.",
        ]
    return "\n".join(f"{i}. {p}" for i, p in enumerate([*own, *_ALL], 1))


_SEARCH = "Search every place of your part in the plan first, then those that nobody has searched, and none twice."
_SEARCH_FREELY = "Search places that nobody has searched and nobody is on the way to, and none twice."
_ASK_TO_OPEN = "Ask somebody who can open boxes to open those that you may not look into."
_DOORS = " Open a closed door that is in the way: go to it by its name, then open it."
_ASK_FOR_DOORS = " Ask them to open doors that are in your way, too."
_ALL = (
    "Follow the progress of the task, and change your aim as soon as the goal or the team changes.",
    "Answer what teammates ask of you soon; tell them only what they need and cannot see.",
    "Do nothing that does not serve the task, and do not repeat what failed.",
)


def paper_principles(r: Reading) -> str:
    """Six or seven for each kind of body, none of which says who may put things where they belong in the end."""
    explore = "Look at every place of the scene graph, and at none twice."
    track = "Keep an eye on how far the task is, and turn to what is missing."
    answer = "Answer soon what teammates ask of you."
    focus = "Do nothing that does not serve the task."
    if not r.card.moves:
        own = [
            "Study the task and the scene graph, and begin with what matters most.",
            "Ask for help soon where a thing is missing or too far for you.",
            "Tell your teammates how far the task is.", track, answer, focus,
        ]  # fmt: skip
    elif not r.card.manipulates:
        own = [
            explore, "Tell your teammates what you find for the task, and ask those who carry to bring it.",
            "Name places that you cannot get to to those who can.",
            "Ask teammates to open what is closed, so that you can look inside.", track, answer, focus,
        ]  # fmt: skip
    elif "open" in r.card.skills:
        own = [
            explore, "Carry things of the task without delay.",
            "Name places that you cannot get to to those who can.", track, answer,
            "Where you cannot grasp a thing, try another side or shift your base.", focus,
        ]  # fmt: skip
    else:
        own = [
            explore, "Carry things of the task without delay.",
            "Ask teammates to open what is closed, so that it can be searched.", track, answer, focus,
        ]  # fmt: skip
    return "\n".join(f"{i}. {p}" for i, p in enumerate(own, 1))
