"""COHERENT: one planner for all, with everybody's observations and one long history.

After the central scheme of COHERENT (Liu et al., 2025): in every step one model writes the actions of all robots.
"""

from __future__ import annotations

from collections.abc import Sequence

from coterie.core.action import COMMUNICATE, UNREAD, WAIT, Action
from coterie.core.language import Language, Member
from coterie.core.protocol import Ask, Asking, Prompt, RobotView, TeamProtocol, TeamView
from coterie.core.replies.action import all_by_name
from coterie.protocols.shared import replies, words
from coterie.protocols.shared.memory import Memory
from coterie.protocols.shared.mind import Mind, Options, out_of_reach, shift
from coterie.protocols.shared.reading import Pool, Reading
from coterie.protocols.shared.templates import LENGTHS, render

COORDINATOR = "coordinator"
COMPLETE = 100_000  # actions of a robot that are remembered: the planner has the whole history of everybody


class Coherent(TeamProtocol):
    sees = "pooled"
    about = "one language model plans for all robots from their pooled beliefs"
    prompts = "coherent"
    replies = {"CENTRAL": 192, "MV": 24}  # a thought, and a line for each robot
    stages = {"CENTRAL": "plan for all robots", "MV": "how far to shift"}

    def __init__(self, memory: int = COMPLETE, style: str = "compact"):
        self.length, self.style = memory, style
        self.pool = Pool()
        self.memories: dict[str, Memory] = {}
        self.common = Memory(memory)  # of the goal, which is everybody's

    def decide(self, team: TeamView, idle: Sequence[str]) -> Asking:
        views = self.pool.gather(team)
        for name, view in views.items():
            memory = self.memories.setdefault(name, Memory(self.length))
            goal = Reading(view).goal
            for each in (memory, self.common):
                each.note_goal(goal, team.step)
            memory.note_outcome(view.outcome, view.step, view.language)
        prompt = self._prompt(team, views)
        language = next(iter(views.values())).language
        held = self._held(language, list(views.values()))  # the prompt asks for a line for every robot, busy or not
        (reply,) = yield [Ask(COORDINATOR, "CENTRAL", team.step, 0, prompt, held)]
        actions, unread = self._read(reply.text, idle, language)
        if unread:
            missing = f"No action for {', '.join(unread)}. Write one line a robot."
            again = (*prompt, ("assistant", replies.clean(reply.text, 400)), ("user", missing))
            held = self._held(language, [views[name] for name in unread])
            (reply,) = yield [Ask(COORDINATOR, "CENTRAL", team.step, 1, again, held)]
            more, _ = self._read(reply.text, unread, language)
            actions.update(more)
        found: dict[str, Action] = {}
        for name in idle:
            action = actions.get(name, Action(WAIT, (), "the coordinator said nothing readable", origin=UNREAD))
            if action.skill == "move" and "move" in views[name].card.skills:
                mind = Mind(Options(style=self.style), me=views[name], memory=self.memories[name])
                action = yield from shift(mind, mind.reading(), action)
            found[name] = action
        return found

    def _prompt(self, team: TeamView, views: dict[str, RobotView]) -> Prompt:
        # what is common to all, in the words of one that names the arm rather than being it
        speaker = next((v for v in views.values() if v.card.moves), next(iter(views.values())))
        gone = frozenset({*speaker.heartbeat} - {*views})
        values = words.values(Reading(speaker, gone), self.common, self.style)
        history = []
        for name, memory in self.memories.items():
            for d in memory.last_deeds():
                came = "ok" if d.ok else "FAILED: " + replies.clean(d.reason, words.REASON)
                history.append((d.step, f"{d.step} {name}: {d.action} {came}"))
        robots, full = [], self.style == "full"
        for name, view in views.items():
            r = Reading(view, frozenset({*view.heartbeat} - {*views}))  # who is gone sends nothing any more
            own = {"name": name, "self": words.itself(r, full), "found": words.found(r, self.memories[name], full)}
            robots.append(render("coherent/robot", self.style, {**own, "closed": words.closed(r, full)})[0][1])
        cards = []
        for name, view in views.items():
            able = [s.name for s in view.language.deeds(view.card.skills)]
            cards.append(f"{name}: {words.about(view.card)} ({', '.join(able)}).")
        lines = "; ".join(line for _, line in sorted(history, key=lambda h: h[0]))
        loops = [(n, words.warning(self.memories[n], v.refusals)) for n, v in views.items()]
        extra = {
            "team": " ".join(cards),
            "history": lines,
            "warning": " To ".join(f"{n}: {said}" for n, said in loops if said),
            "robots": "\n".join(robots),
        }
        return render("coherent/plan", self.style, values.but(extra))

    def _held(self, language: Language, views: Sequence[RobotView]) -> dict[str, str] | None:
        """Small models are held to what robots can do, and not to do for ever what is in vain, as DynaHMRC's are."""
        if self.style != "compact":
            return None
        members = []
        for view in views:
            r = Reading(view)
            able = [s for s in view.card.skills if s not in (COMMUNICATE, "move")]
            able += ["move"] if "move" in view.card.skills and out_of_reach(r) is not None else []
            members.append(Member(view.name, view, able, self.memories[view.name].stuck()))
        return language.team_grammar(members, LENGTHS["compact"][0])

    def _read(self, reply: str, names: Sequence[str], language: Language) -> tuple[dict[str, Action], list[str]]:
        actions, unread = {}, []
        parts = all_by_name(replies.spoken(reply), names)
        for name in names:
            read = [language.read(said) for said in parts.get(name, ())]
            found = {a[:2]: a for a in read if isinstance(a, Action)}
            if len(found) == 1 and (isinstance(read[-1], Action) or len(read) > 1):
                actions[name] = next(iter(found.values()))
            else:  # nothing, or several steps of which nobody says which one comes now
                unread.append(name)
        return actions, unread
