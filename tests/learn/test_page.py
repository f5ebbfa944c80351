"""What docs/learn.md says of lessons of one's own is so."""

import json
import re
from pathlib import Path

from coterie.bench.spec import lessons
from coterie.cli.app import main
from coterie.houses.generate import split_of

PAGE = Path(__file__).parents[2] / "docs" / "learn.md"


def test_lessons_of_ones_own(tmp_path, capsys):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    Path("mine.py").write_text(code, encoding="utf-8")
    line = ["learn", "demos", "mine.jsonl", "--lessons", "mine", "--load", "mine.py", "--episodes", "2", "--json"]
    assert main(line) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["episodes"] == told["successes"] == 2 and told["card"]["lessons"] == "mine"
    before = Path("mine.jsonl").read_bytes()
    assert main([*line, "--split", "dev"]) == 0
    assert Path("mine.jsonl").read_bytes() != before, "houses for tuning are others"
    capsys.readouterr()
    drawn = lessons.get("mine")
    for split in ("train", "dev"):  # school draws corrections from the next seed
        assert {split_of(c.seed) for seed in (0, 1) for c in drawn(seed, 30, "dynahmrc", split)} == {split}
    assert main([*line[:6], "nowhere.py"]) == 2
    assert "nowhere.py" in capsys.readouterr().err


def test_lessons_that_draw_what_is_kept_for_tests_are_refused(capsys):
    Path("mine.py").write_text(
        "from coterie import Config\nfrom coterie.bench.spec import lessons\n@lessons.add(name='leaking')\n"
        "def leaking(seed, count, protocol, split):\n    yield Config('pack-objects', 'Ma-MoMa', seed=seed + 100_000)\n"
    )
    assert main(["learn", "demos", "x.jsonl", "--lessons", "leaking", "--load", "mine.py"]) == 2
    assert "draw seed 100000, which is kept for test, where train is asked for" in capsys.readouterr().err
    assert not Path("x.jsonl").exists()
