"""A run that was killed goes on from its log, byte for byte, and pays for no reply twice."""

import pytest

from coterie.core.errors import ReplayMismatch
from coterie.core.event import from_line
from coterie.core.judge import known_verdict
from coterie.episode.loop import Settings
from coterie.log.file import Log, read_lines
from examples.yard import Chooser, first_choice, seeded_choice, stranger_joins, yard_task
from tests.yard import play

SETTINGS = {
    "synchronous": Settings(seed=3, guard=known_verdict, think_call_s=0.5),
    "asynchronous": Settings(seed=3, guard=known_verdict, think_call_s=0.5, synchronous=False, step_s=1.0),
}


def run(log: Log, settings: Settings, script=seeded_choice):
    task = yard_task(beam=True, rewinds=True, changes=[stranger_joins(step=5)], step_limit=10)
    played = play(Chooser, task, settings, script=script, log=log, stranger=Chooser)
    log.close()
    return played


@pytest.mark.parametrize("first, name", list(enumerate(SETTINGS)))
def test_a_log_cut_at_any_line_resumes_to_the_same_bytes(tmp_path, first, name):
    """Of one run some lines are tried, of the other those between."""
    settings = SETTINGS[name]
    path = tmp_path / "run.jsonl"
    whole = run(Log(path), settings)
    raw = path.read_bytes()
    lines = raw.decode().splitlines(keepends=True)
    kinds = [from_line(line).kind for line in lines]
    assert {"ask", "reply", "refused", "join", "message", "say", "outcome", "option", "end"} <= set(kinds)
    for cut in [*range(2 * first, len(lines), 4), len(lines)]:
        path.write_text("".join(lines[:cut]) + lines[cut][:20] if cut < len(lines) else "".join(lines))
        resumed = run(Log(path, read_lines(path)), settings)
        assert path.read_bytes() == raw, f"cut after line {cut}"
        assert resumed.result == whole.result
        recorded = kinds[:cut].count("reply")
        assert resumed.model.asked == whole.model.asked[recorded:], "asked for what was missing, and for nothing else"


def test_a_log_of_another_run_is_not_continued(tmp_path):
    lines = run(Log(), SETTINGS["synchronous"]).log.lines()
    with pytest.raises(ReplayMismatch, match="Resuming went another way than the log at line"):
        run(Log(past=lines), SETTINGS["asynchronous"])


def test_a_model_that_has_changed_since_does_not_matter_for_what_is_recorded():
    lines = run(Log(), SETTINGS["synchronous"]).log.lines()
    resumed = run(Log(past=lines), SETTINGS["synchronous"], script=first_choice)
    assert resumed.model.asked == [] and resumed.log.lines() == lines
