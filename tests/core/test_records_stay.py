"""Records that are shared between robots, worlds and logs cannot be changed once they are made."""

import dataclasses
import importlib
import pkgutil

import pytest

import coterie

#: What keeps count or grows while an episode runs, a log is read or a film is cut; everything else is made once.
GROW = {
    "mcp.consent.Proposal",
    "core.protocol.RobotView", "core.protocol.TeamView", "episode.agent.Agent", "episode.post.Letter",
    "log.fold.Moment", "log.state.Act", "worlds.tabletop.own_jobs.job.WrittenJob",
    "log.state.RobotState", "log.state.State", "log.state.Stop", "log.state.ThingState", "motion.bodies.parts.Kit",
    "protocols.mcts.model.Model", "protocols.rounds.words.Book",
    "protocols.rounds.react.Trace", "render.solids.solids.Ground",
    "worlds.indoor.arms.model.Stage", "worlds.indoor.plans.joint.Plan", "worlds.tabletop.captions.Round",
    "worlds.tabletop.arms.rounds.Round",
    "episode.mission.People", "mission.agenda.Item", "mission.base.Request", "mission.base.Wanted",
    "mission.language.signs.Signed",
    "talk.vocabulary.Vocabulary", "learn.scenes.Drawn", "learn.sentences.Filled",
    "mission.recovery.Troubles", "planning.own.explain._Sum",
    "planning.own.explain._Node", "planning.own.explain._Test", "planning.own.search.Found",
    "protocols.heuristic.guests.Guest",
    "protocols.house_expert.site.Worker", "protocols.rules.hospital.Notes",
    "houses.procthor.fitting.Placed", "worlds.household.pictures.views.Carried",
    "worlds.household.pictures.views.Story",
    "episode.talk.Hall", "episode.talk_script.Runner", "episode.talk.Meeting", "episode.talk_team.TeamHall",
    "mission.dialogue.conversation.Interaction", "mission.dialogue.doing.Chain", "mission.dialogue.doing.Standing",
    "mission.dialogue.conversation.Thread", "mission.dialogue.effects.Conversation", "episode.talk_help.WayOut",
}  # fmt: skip


def declared():
    for module in pkgutil.walk_packages(coterie.__path__, "coterie."):
        if module.name.endswith("__main__"):
            continue
        try:
            found = importlib.import_module(module.name)
        except ImportError:  # an engine that is not installed
            continue
        for thing in vars(found).values():
            if isinstance(thing, type) and dataclasses.is_dataclass(thing) and thing.__module__ == module.name:
                yield f"{thing.__module__.removeprefix('coterie.')}.{thing.__qualname__}", thing


@pytest.mark.declarations
def test_only_what_grows_can_be_changed():
    known = dict(declared())
    assert len(known) > 100
    assert {name for name, kind in known.items() if not kind.__dataclass_params__.frozen} == GROW & set(known)
