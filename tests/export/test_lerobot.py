"""Datasets for LeRobot: their files, and what LeRobot itself makes of them."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from coterie.cli import main
from coterie.core.errors import CoterieError
from coterie.export.lerobot import save_lerobot
from coterie.log.file import read_log
from coterie.log.fold import state_at

pd = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")


def made(logs, task, tmp_path):
    out = tmp_path / task
    save_lerobot([logs / f"{task}-{seed}.jsonl" for seed in (1, 2)], out)
    info = json.loads((out / "meta/info.json").read_text())
    return out, info, pd.read_parquet(out / "data/chunk-000/file-000.parquet")


@pytest.mark.parametrize("task", ["sort-cubes", "pack-objects"])
def test_episodes_follow_each_other_and_sizes_are_as_told(logs, task, tmp_path):
    out, info, data = made(logs, task, tmp_path)
    episodes = pd.read_parquet(out / "meta/episodes/chunk-000/file-000.parquet")
    assert info["codebase_version"] == "v3.0" and info["total_frames"] == len(data) == episodes["length"].sum()
    assert list(data["index"]) == list(range(len(data)))
    assert list(episodes["dataset_to_index"][:-1]) == list(episodes["dataset_from_index"][1:])
    for key in ("observation.state", "action"):
        assert {len(row) for row in data[key]} == {info["features"][key]["shape"][0]}
    tasks = pd.read_parquet(out / "meta/tasks.parquet")
    assert set(data["task_index"]) == set(tasks["task_index"]) and info["total_tasks"] == len(tasks)
    stats = json.loads((out / "meta/stats.json").read_text())
    assert np.allclose(stats["action"]["mean"], np.mean(np.stack(data["action"]), 0))


def test_at_the_table_an_action_leads_to_the_next_state(logs, tmp_path):
    _, info, data = made(logs, "sort-cubes", tmp_path)
    assert info["fps"] == 4 and info["total_episodes"] == 2
    one = data[data["episode_index"] == 0]
    assert np.array_equal(np.stack(one["action"][:-1]), np.stack(one["observation.state"][1:]))
    acts = [e for e in read_log(logs / "sort-cubes-1.jsonl") if e.kind == "act"]
    said = list(dict.fromkeys(one["language"]))
    assert len(said) == len({e.step for e in acts}) > 1, "one text for each round, in their order"
    assert all(f"{e.who}: {e.data['skill']}" in said[e.step] for e in acts)


def test_in_houses_every_robot_has_an_episode_of_its_own(logs, tmp_path):
    _, info, data = made(logs, "pack-objects", tmp_path)
    assert info["total_episodes"] == 6 and "navigate" in info["skills"]
    assert data["language"].str.startswith("navigate").any()
    last = state_at(read_log(logs / "pack-objects-1.jsonl"))
    assert len(data[data["episode_index"] == 0]) == last.step + 1


def test_what_makes_no_dataset_is_said(logs, tmp_path):
    with pytest.raises(CoterieError, match="different scenes"):
        save_lerobot([logs / "sort-cubes-1.jsonl", logs / "pack-objects-1.jsonl"], tmp_path / "none")
    with pytest.raises(CoterieError, match="new folder"):
        save_lerobot([logs / "sort-cubes-1.jsonl"], tmp_path)


def test_the_command_takes_several_logs_for_a_dataset_and_one_for_all_else(logs, tmp_path, capsys, monkeypatch):
    some = [str(logs / f"pack-objects-{seed}.jsonl") for seed in (1, 2)]
    assert main(["replay", *some, "--lerobot", str(tmp_path / "set")]) == 0
    assert "6 episodes" in capsys.readouterr().out and (tmp_path / "set/meta/info.json").is_file()
    assert main(["replay", *some]) == 2 and "One log" in capsys.readouterr().err
    assert main(["replay", *some, "--lerobot", str(tmp_path / "set")]) == 2 and "new folder" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["replay", some[0], "--lerobot", str(tmp_path / "other")]) == 2
    assert "coterie[lerobot]" in capsys.readouterr().err


@pytest.mark.parametrize("task", ["sort-cubes", "pack-objects"])
def test_lerobot_loads_it(logs, task, tmp_path):
    """Skipped where LeRobot, which brings torch, is not installed."""
    lerobot = pytest.importorskip("lerobot.datasets.lerobot_dataset", reason="lerobot is not installed")
    out, info, data = made(logs, task, tmp_path)
    dataset = lerobot.LeRobotDataset("coterie/test", root=Path(out))
    assert len(dataset) == len(data) and dataset.num_episodes == info["total_episodes"]
    row = dataset[3]
    assert np.allclose(row["action"].numpy(), data["action"][3]) and isinstance(row["task"], str)
