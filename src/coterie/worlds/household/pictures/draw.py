"""One moment of an episode, or all of it, as a drawing: the house from above, the team in it, and what it has done."""

from __future__ import annotations

from collections.abc import Sequence

from coterie.log.state import State
from coterie.log.words import task_name
from coterie.render import palette
from coterie.render.labels import Area, Labels
from coterie.render.shapes import Drawing, Shape
from coterie.worlds.household.pictures import house, panel, team
from coterie.worlds.household.pictures.layout import Page
from coterie.worlds.household.pictures.plan import Plan
from coterie.worlds.household.pictures.story import Story

LATELY = 25  # steps of the ways that a picture of one step shows


def draw(state: State, plan: Plan, story: Story, whole: bool = False, page: Page | None = None) -> Drawing:
    """After a step; `whole`: the episode, with every way from its beginning."""
    page = page or Page(plan, len(state.robots))
    drawing = blank(state, plan, page)
    drawing.add(*back(plan, page))
    drawing.add(*front(state, plan, story, page, whole))
    return drawing


def blank(state: State, plan: Plan, page: Page) -> Drawing:
    title = f"{task_name(state.start)}, {panel.when(state)}: {', '.join(state.robots)} in {plan.house.name}"
    return Drawing(page.width, page.height, palette.PAPER, title)


def back(plan: Plan, page: Page) -> list[Shape]:
    """What never changes and lies below everything: the floors."""
    return list(house.floors(plan, page.map))


def front(state: State, plan: Plan, story: Story, page: Page, whole: bool) -> list[Shape]:
    m, hue = page.map, team.hues(state)
    known = plan.seen(state)
    saw = seen_names(state)
    shapes: list[Shape] = [house.fog(plan, known, m), *house.furniture(plan, m, saw)]
    shapes += house.walls(plan, m)
    shapes += team.ways(state, m, hue, story.carried, None if whole else LATELY)
    astray = story.marked(plan, state)
    shapes += house.things(plan, state, m, astray, saw)
    shapes += team.glances(state, m, hue)
    shapes += team.signs(state, m, hue)
    labels = Labels(m.whole)
    house.avoid(plan, m, labels)
    team.keep_free(state, m, labels)
    trodden = team.trodden(state, m, None if whole else LATELY)
    labels.rather_not += trodden
    if not page.room_names:
        page.room_names.update(house.place_room_names(plan, m, trodden if whole else ()))
    labels.taken += page.room_names.values()
    matter = dict.fromkeys([*(c.thing for c in story.carried), *astray])
    for name in matter:
        spot = state.things[name].spot
        if len(spot) > 1:
            x, y = m.at(spot)
            labels.taken.append(Area(x - 7, y - 7, 14, 14))
    shapes += team.tags(state, m, hue, labels)
    shapes += team.numbers(story.carried, m, hue, labels)
    shapes += house.thing_names(state, m, tuple(matter), labels)
    shapes += house.room_names(plan, page.room_names)
    places = {place for c in story.carried for place in (c.place, c.to)} | {state.things[n].place for n in astray}
    shapes += house.furniture_names(plan, m, labels, places)
    _, rooms = plan.ground
    share = float((known & (rooms >= 0)).sum() / max(1, (rooms >= 0).sum()))
    words = panel.ending(state) if whole or state.end is not None else panel.when(state)
    shapes += panel.header(state, plan, page, words, share)
    shapes += panel.roster(state, plan, page, hue, whole)
    shapes += panel.story(story, plan, state, page.story, hue)
    shapes += panel.legend(page, story, whole)
    return shapes


def seen_names(state: State, robots: Sequence[str] | None = None) -> set[str]:
    """Furniture and things that some robots have seen or heard of."""
    found: set[str] = set()
    for name in state.robots if robots is None else robots:
        for told in state.robots[name].seen:
            found |= {args[0] for pred, args, *_ in told.rows(name) if pred in ("box", "where") and args}
    return found
