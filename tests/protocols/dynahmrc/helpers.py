"""Episodes of DynaHMRC with replies from a function."""

from coterie.core.config import Config
from coterie.core.protocol import Party
from coterie.episode import loop
from coterie.episode.play import play
from coterie.log.file import Log
from coterie.models.scripted import Scripted
from coterie.protocols.dynahmrc import DynaHmrc, Options
from coterie.protocols.dynahmrc.oracle import answer
from coterie.worlds.indoor.world import IndoorWorld


def run(reply=None, **config):
    """Play with `reply(ask) -> text or None`; None leaves the answer to the text oracle."""
    asked = []

    def say(ask):
        asked.append(ask)
        text = reply(ask) if reply is not None else None
        return answer(ask.prompt) if text is None else text

    model = Scripted(say)
    settings = {"protocol": "dynahmrc", "seed": 3, "scene": "house:7", **config}
    played = play(Config(**settings), model=model)
    return played, asked, model


def act_out(task, script, reply=None, style="compact", before=None, options=None, **world):
    """A task made by hand: `script[robot][step]` is what a robot does, and else it waits; the log, and all requests."""
    asked = []

    def say(ask):
        asked.append(ask)
        text = reply(ask) if reply is not None else None
        if text is not None:
            return text
        if ask.stage != "HMRC":
            return answer(ask.prompt)
        mine = script.get(ask.robot, ())
        return f"Thought: as told.\nAction: {mine[ask.step] if ask.step < len(mine) else 'wait()'}"

    house = IndoorWorld(task, **world)
    if before is not None:
        before(house)
    log = Log()
    party = Party("team", lambda: DynaHmrc(options or Options(style=style)), tuple(house.robots()))
    loop.run(house, task, [party], log, Scripted(say).answer, loop.Settings())
    return log, asked


def prompt_at(asked, robot, step):
    """What a robot reads before it acts in a step, from the first word to the last."""
    ask = next(a for a in asked if a.stage == "HMRC" and a.robot == robot and a.step == step)
    return "\n".join(text for _, text in ask.prompt)


def of(asked, stage, robot=None):
    return [a for a in asked if a.stage == stage and (robot is None or a.robot == robot)]


def facts(played, pred):
    """Values of stage talk by who said it."""
    out = []
    for e in played.log.events:
        if e.kind == "say":
            out += [(e.step, e.who, f[1], f[2]) for f in e.data["facts"] if f[0] == pred]
    return out
