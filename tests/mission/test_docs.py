"""What the page on missions says of knowledge, authority, goals, chances and planning runs, and gives what it says."""

import re
from pathlib import Path

from coterie.core.facts import UNKNOWN

PAGE = Path(__file__).parents[2] / "docs" / "mission.md"
OURS = ("The journal", "Knowledge", "Who may do what", "Goals", "Chances and durations", "Planning")


def test_the_page_runs():
    text = PAGE.read_text()
    space = {"__name__": "docs"}
    for heading in OURS:
        section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.S | re.M).group(1)
        for block in re.findall(r"```python\n(.*?)```", section, re.S):
            exec(compile(block, f"mission.md, {heading}", "exec"), space)
    knowledge, goals = space["knowledge"], space["goals"]
    assert [m.new for m in goals["g1"].history] == ["submitted", "planned", "waiting", "planned", "running", "done"]
    assert [lack.instead for lack in knowledge.lacks("Ines", [space["news"]])] == ["table_e"]
    assert knowledge.value("where", "box1") is UNKNOWN and knowledge.ask("at_hand(X)") == []
    assert "Ines or Tom may." in space["authority"].refusals[0].words
    assert not space["authority"].may("Vic", "approve", "g1")
    assert 0.5 < space["told"].chance < 0.9 and space["told"].low_s < 22 < space["told"].high_s
    assert len(space["answer"].steps) == len(space["answer"].after) > 20
    assert [p.ok for p in space["trials"].finished()] == [True]
