"""Replies from a file: in order, the last one again and again, and clear words when something is missing."""

import json

import pytest

from coterie.core.errors import CoterieError
from coterie.models.scripted import Scripted
from tests.models.conftest import ask


def test_replies_come_in_order_and_the_last_one_stays(tmp_path):
    file = tmp_path / "script.json"
    question = ask("Where to?")
    key = f"{question.robot}/{question.stage}"
    file.write_text(json.dumps({key: ["first reply", "second"]}))
    model = Scripted.from_file(file)
    assert [r.text for r in model.answer([question, question])] == ["first reply", "second"]
    (reply,) = model.answer([question])
    assert (reply.text, reply.tokens_out) == ("second", len("second") // 4)
    assert reply.tokens_in == sum(len(t) for _, t in question.prompt) // 4
    assert model.batches == [2, 1]
    assert len(model.asked) == 3
    with pytest.raises(CoterieError, match="The script has no replies for"):
        model.answer([question._replace(robot="Nobody")])


@pytest.mark.parametrize("text", ["[]", '{"a/b": []}', '{"a/b": "words"}', '{"a/b": ["x"], "c/d": 3}'])
def test_a_script_of_another_shape(tmp_path, text):
    file = tmp_path / "script.json"
    file.write_text(text)
    with pytest.raises(CoterieError, match="must map 'Robot/stage' to a list of replies"):
        Scripted.from_file(file)


def test_a_script_that_cannot_be_read(tmp_path):
    with pytest.raises(CoterieError, match="There is no script"):
        Scripted.from_file(tmp_path / "none.json")
    with pytest.raises(CoterieError, match="Cannot read the script"):
        Scripted.from_file(tmp_path)
    file = tmp_path / "script.json"
    file.write_text("{")
    with pytest.raises(CoterieError, match="is no JSON"):
        Scripted.from_file(file)
