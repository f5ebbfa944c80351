"""What is odd in a house is told before its first step."""

import json

from coterie.cli.app import main
from coterie.houses.procthor.generate import generate


def test_what_is_odd_in_a_house_is_told_first_and_of_much_only_a_part(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    house = json.loads(json.dumps(generate(1, 17)))
    strange = [{**house["objects"][0], "id": f"Odd|{i}\x1b", "assetId": f"No_Such_{i}"} for i in range(9)]
    (tmp_path / "odd.json").write_text(json.dumps({**house, "objects": [*house["objects"], *strange]}))
    (tmp_path / "house.json").write_text(json.dumps(house))
    told = {}
    for name in ("odd", "house"):
        assert main(["run", "tidy", "--scene", f"{name}.json", "--seed", "1", "--level", "1"]) in (0, 1)
        told[name], _ = capsys.readouterr().out.split("\ngoal", 1)
    first = told["odd"].splitlines()
    assert first[0].startswith("objects[") and "'Odd|0\\x1b'" in first[0] and "No_Such_0" in first[0]
    assert first[5] == "And 4 more like these." and first[6].startswith("tidy in odd") and len(first) == 7
    assert told["house"].startswith("tidy in house")
