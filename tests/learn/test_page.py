"""What docs/learn.md says of lessons of one's own is so."""

import json
import re
from pathlib import Path

from coterie.cli.app import main

PAGE = Path(__file__).parents[2] / "docs" / "learn.md"


def test_lessons_of_ones_own(tmp_path, capsys):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    Path("mine.py").write_text(code, encoding="utf-8")
    line = ["learn", "demos", "mine.jsonl", "--lessons", "mine", "--load", "mine.py", "--episodes", "2", "--json"]
    assert main(line) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["episodes"] == told["successes"] == 2 and told["card"]["lessons"] == "mine"
    assert main([*line[:6], "nowhere.py"]) == 2
    assert "nowhere.py" in capsys.readouterr().err
