"""Scenes: what people say to a mission of the hospital, and what comes of it; steps are lines, or between ` | `.

# a title, which names the test
each: Spot is broken. | Stop!       a scene for each of these, which stands for {}; and {bare} has no full stop
Deliver a medkit to alpha.          said by the instructor
teacher: Close gamma. | Hello.      said by the teacher, and then by the instructor
Why? > because ... gamma            words of the reply, in this order; with => they are the whole reply
!> I do it                          words that are not in the reply to what was said last
yes?                                a yes to what is read back, if it is
visitor> you may                    what somebody was told by the last step or what came of it; also !>
... 90                              so many seconds go by
... fails, ... done                 a step of the first goal fails, and a way out is proposed; all is brought
= goals: the side door open         what is so then: see CHECKS; `= mark` and `= same` compare two moments
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest

from coterie.talk.marks import mark
from tests.mission.ward import A, Ward


class Scene(NamedTuple):
    title: str
    lines: tuple[str, ...]


def scenes(text: str) -> list:
    """Those of a text, as parameters of a test."""
    found = []
    for block in re.split(r"^# ", text, flags=re.M)[1:]:
        title, *lines = (line.strip() for line in block.strip().splitlines())
        lines = [line for line in lines if line]
        assert lines, title
        each = []
        while lines[0].startswith("each: "):
            each += lines.pop(0).removeprefix("each: ").split(" | ")
        for said in each or [""]:
            name, bare = f"{title} [{said}]" if said else title, said.rstrip(".?!")
            mine = tuple(line.replace("{}", said).replace("{bare}", bare) for line in lines)
            found.append(pytest.param(Scene(name, mine), id=name))
    return found


# -- what is so -------------------------------------------------------------------------------------------------------
def plain(names: str) -> str:
    """Goals without what is in their kits."""
    return re.sub(r" \(.*?\)", "", names)


def goals(ward: Ward, _about: str) -> str:
    return "; ".join(sorted(ward.goals(), key=plain))


def states(ward: Ward, _about: str) -> str:
    return "; ".join(sorted((f"{name} {state}" for name, state in ward.states().items()), key=plain))


def kit(ward: Ward, name: str) -> str:
    return ", ".join(f"{count} {thing}" for thing, count in ward.mission.speech.kit_names()[name][1].items())


def may(ward: Ward, about: str) -> str:
    return "yes" if ward.mission.authority.may(*about.split()) else "no"


CHECKS: dict[str, Callable[[Ward, str], str]] = {
    "goals": goals,  # in the order of their names, with `; ` between them; what is in kits only where a scene says it
    "states": states,  # each goal and its state, likewise
    "moves": lambda ward, _: " ".join(sorted(ward.moves())),  # robots that do something
    "kit": kit,  # kit medkit: 2 painkiller, 1 bandagebox
    "kits": lambda ward, _: " ".join(sorted(ward.mission.speech.kit_names())),
    "may": may,  # may nurse command: no
    "closed": lambda ward, _: str(len(ward.mission.zones.closed)),  # how many places, each for how many robots
    "rules": lambda ward, _: str(len(ward.mission.recovery.rules)),
    "standing": lambda ward, _: str(len(ward.mission.doing.standing)),  # orders that wait for something
    "lessons": lambda ward, _: str(len(ward.mission.lessons)),
    "priority": lambda ward, _: " ".join(str(g.priority) for g in ward.mission.goals.live()),
    "by": lambda ward, _: " ".join(g.by for g in ward.mission.goals.live()),  # who wants what is wanted
}


def moment(ward: Ward) -> tuple:
    return ward.states(), dict(ward.mission.recovery.rules), ward.mission.speech.kit_names()


# -- playing ----------------------------------------------------------------------------------------------------------
def holds(told: str, words: str) -> bool:
    at = 0
    for part in words.split(" ... "):
        found = told.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True


def play(ward: Ward, scene: Scene) -> None:
    before, reply = None, ""
    for step in (step for line in scene.lines for step in line.split(" | ")):
        at = f"{scene.title}: {step}"
        if step.startswith("... "):
            go_on(ward, step.removeprefix("... "))
        elif step == "yes?":
            reply = ward.talk((A, "Yes.")) if "Do you mean" in reply else reply
        elif step == "= mark":
            before = moment(ward)
        elif step == "= same":
            assert moment(ward) == before, at
        elif step.startswith("= "):
            check, _, wanted = step.removeprefix("= ").partition(":")
            name, _, about = check.partition(" ")
            so = CHECKS[name](ward, about)
            assert (so if "(" in wanted else plain(so)) == wanted.strip(), f"{at}\nit is: {so}"
        elif (m := re.fullmatch(r"(\w+)(!?)> (.+)", step)) is not None:
            told = "\n".join(ward.told(m[1]))
            assert holds(told, m[3]) is not bool(m[2]), f"{at}\n{m[1]} was told: {told}"
        else:
            said, how, words = re.fullmatch(r"(.*?)(?:(?:^| )(=>|!>|>) (.+))?", step).groups("")
            if said:
                reply = ward.talk(spoken(said))
            as_wanted = {"": True, ">": holds(reply, words), "!>": not holds(reply, words), "=>": reply == words}[how]
            assert as_wanted, f"{at}\nthe reply was: {reply}"


def spoken(text: str) -> tuple[str, str]:
    m = re.fullmatch(r"([a-z]+)(?: \((\d\.\d+)(?: without (\w+))?\))?: (.+)", text)
    if m is None:
        return A, text
    person, p, missing, words = m.groups()
    return person, words if p is None else mark("words", words, float(p), tuple(filter(None, [missing])))


def go_on(ward: Ward, what: str) -> None:
    ward.mission.desk.take()
    if what == "fails":
        ward.fail()
    elif what == "done":
        ward.end()
    else:
        ward.mission.journal.time += float(what)
        ward.mission.think()
