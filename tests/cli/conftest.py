"""The command line as a person uses it: in a folder of one's own, through `main`."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from coterie.cli import main


class Said(NamedTuple):
    code: int
    out: str
    err: str


Cli = Callable[..., Said]


@pytest.fixture
def cli(tmp_path, monkeypatch, capsys) -> Cli:
    """`cli("run", "pack-objects")`: exit code and what was printed; the current folder is a fresh one."""
    monkeypatch.chdir(tmp_path)

    def run(*words: object) -> Said:
        code = main([str(w) for w in words])
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    return run


@pytest.fixture
def asker(tmp_path, own_names):
    """A protocol `asker` that asks a model what to do, and a script that answers; returns the name of the model."""
    from coterie.core.action import WAIT, Action
    from coterie.core.protocol import Ask, TeamProtocol
    from coterie.protocols import protocols

    class Asker(TeamProtocol):
        about = "asks before it waits"

        def decide(self, team, idle):
            me = team.me
            prompt = (("system", f"You are {me.name}."), ("user", "[bold]What now?[/bold]\nAnswer."))
            (reply,) = yield [Ask(me.name, "think", me.step, 0, prompt)]
            return {me.name: Action(WAIT, why=reply.text)}

    protocols.put("asker", Asker)
    script = tmp_path / "script.json"
    script.write_text('{"Bob/think": ["I rest."], "Alice/think": ["First.", "Then."], "Lucy/think": ["Hm."]}')
    return f"scripted:{script}"
