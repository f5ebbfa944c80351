"""Adapters: what was trained is in the file that the embedded model merges, in sixteen bits, eight or five."""

import numpy as np
import pytest

from coterie.core.errors import CoterieError
from coterie.learn.trained import Trained, export, load, save
from coterie.models.adapter import Deltas

rng = np.random.default_rng(1)
PAIRS = {
    "blk.0.attn_q.weight.lora_a": rng.normal(size=(32, 64)).astype(np.float16),
    "blk.0.attn_q.weight.lora_b": rng.normal(size=(64, 32)).astype(np.float16),
}


@pytest.mark.parametrize("bits, most", [(16, 1e-6), (8, 0.02), (5, 0.15)])
def test_the_file_holds_what_was_trained(tmp_path, bits, most):
    out = tmp_path / "a.gguf"
    size = export(PAIRS, 64.0, out, bits, {"prompts": "abc"})
    assert size == out.stat().st_size
    assert bits == 16 or size < export(PAIRS, 64.0, tmp_path / "16.gguf", 16, {"prompts": "abc"})
    deltas = Deltas(out)
    assert deltas.alpha == 64.0
    got = deltas.added_to("blk.0.attn_q.weight", np.zeros((64, 64), np.float32))
    a, b = (PAIRS[f"blk.0.attn_q.weight.lora_{side}"].astype(np.float32) for side in "ab")
    want = 2.0 * b @ a
    assert np.abs(got - want).max() <= most * np.abs(want).max()


def test_a_training_comes_back_as_it_was_saved(tmp_path):
    path = tmp_path / "t.npz"
    save(path, Trained(32, 64.0, PAIRS))
    found = load(path)
    assert found[:2] == (32, 64.0) and all((found.pairs[k] == v).all() for k, v in PAIRS.items())
    assert [p.name for p in tmp_path.iterdir()] == ["t.npz"]
    for bad in (b"", b"PK\x03\x04no", path.read_bytes()[:200]):
        path.write_bytes(bad)
        with pytest.raises(CoterieError, match="cannot be read as weights"):
            load(path)
