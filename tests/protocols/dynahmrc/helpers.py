"""Episodes of DynaHMRC with replies from a function."""

from coterie.episodes import Config, play
from coterie.llm.scripted import Scripted
from coterie.protocols.dynahmrc.oracle import answer


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


def of(asked, stage, robot=None):
    return [a for a in asked if a.stage == stage and (robot is None or a.robot == robot)]


def facts(played, pred):
    """Values of stage talk by who said it."""
    out = []
    for e in played.log.events:
        if e.kind == "say":
            out += [(e.step, e.who, f[1], f[2]) for f in e.data["facts"] if f[0] == pred]
    return out
