"""Weights of others: whatever a file claims, it is read within bounds, or refused in a sentence."""

import contextlib
import io
import os
import resource
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coterie.cli import main
from coterie.core.errors import CoterieError
from coterie.learn.trained import Bound, Trained, export, load, save
from coterie.models.adapter import Deltas, content_hash, merge
from coterie.models.tensors import Gguf, read_npz
from tests.models.test_store import write_base

gguf = pytest.importorskip("gguf")
RNG = np.random.default_rng(3)
NAME = "blk.0.attn_q.weight"
A, B = RNG.normal(size=(4, 32)).astype(np.float16), RNG.normal(size=(64, 4)).astype(np.float16)
GOOD = {f"{NAME}.lora_a": A, f"{NAME}.lora_b": B}


def text(words):
    return struct.pack("<Q", len(words)) + words.encode()


def header(tensors, *fields):
    return b"GGUF" + struct.pack("<IQQ", 3, tensors, len(fields)) + b"".join(fields)


def field(name, kind, value):
    return text(name) + struct.pack("<I", kind) + value


ADAPTER = (field("general.type", 8, text("adapter")), field("adapter.type", 8, text("lora")))
TENSOR = text(f"{NAME}.lora_a") + struct.pack("<IQQIQ", 2, 32, 4, 1, 0)


def npy(shape, data=b"", kind="<f4"):
    head = f"{{'descr': {kind!r}, 'fortran_order': False, 'shape': {shape!r}, }}".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data


def archive(members, packed=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packed) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return out.getvalue()


ONE = npy((), b"\1" + b"\0" * 7, "<i8")
#: Damaged files, and what would come of believing them.
HOSTILE = {
    "an array of 2^34 values": header(0, field("x", 9, struct.pack("<IQ", 0, 2**34)) + b"\0" * 60),
    "an array of 2^34 texts": header(0, field("x", 9, struct.pack("<IQ", 8, 2**34)) + b"\0" * 60),
    "a text of 2^60 letters": header(0, field("x", 8, struct.pack("<Q", 2**60))),
    "2^60 fields": b"GGUF" + struct.pack("<IQQ", 3, 0, 2**60) + b"\0" * 50,
    "2^60 tensors": b"GGUF" + struct.pack("<IQQ", 3, 2**60, 0) + b"\0" * 50,
    "arrays in arrays": header(0, field("x", 9, struct.pack("<IQ", 9, 2**20))),
    "a tensor that is not there": header(1, *ADAPTER) + TENSOR,
    "a tensor of 2^80 values": header(1, *ADAPTER) + text("x") + struct.pack("<IQQIQ", 2, 2**40, 2**40, 0, 0),
    "no dimensions": header(1, *ADAPTER) + text("x") + struct.pack("<IIQ", 0, 0, 0),
    "a thousand dimensions": header(1, *ADAPTER) + text("x") + struct.pack("<I", 1000) + b"\1" * 9000,
    "an empty tensor": header(1, *ADAPTER) + text("x") + struct.pack("<IQQIQ", 2, 0, 4, 0, 0) + b"\0" * 64,
    "an unknown kind of numbers": header(1, *ADAPTER) + text("x") + struct.pack("<IQIQ", 1, 32, 99, 0) + b"\0" * 400,
    "far away": header(1, *ADAPTER) + text("x") + struct.pack("<IQIQ", 1, 32, 0, 2**63) + b"\0" * 400,
    "half a block": header(1, *ADAPTER) + text("x") + struct.pack("<IQIQ", 1, 33, 8, 0) + b"\0" * 400,
    "one tensor over another": header(9, *ADAPTER)
    + b"".join(text(f"{i}") + struct.pack("<IQIQ", 1, 1000, 0, 0) for i in range(9)) + b"\0" * 4096,
    "an alignment of 0": header(0, *ADAPTER, field("general.alignment", 4, struct.pack("<I", 0))),
    "an alignment in words": header(0, *ADAPTER, field("general.alignment", 8, text("32"))),
    "a name twice": header(0, *ADAPTER, *ADAPTER),
    "a name that is no text": header(0, struct.pack("<Q", 2) + b"\xff\xfe" + struct.pack("<IB", 0, 0)),
    "an alpha in words": header(0, *ADAPTER, field("adapter.lora.alpha", 8, text("many"))),
    "an alpha without end": header(0, *ADAPTER, field("adapter.lora.alpha", 6, struct.pack("<f", np.inf))),
    "an alpha below zero": header(0, *ADAPTER, field("adapter.lora.alpha", 6, struct.pack("<f", -1))),
    "no pairs": header(0, *ADAPTER),
    "the other byte order": b"GGUF" + struct.pack(">IQQ", 3, 0, 0),
    "no version": b"GGUF",
    "nothing": b"",
    "packed": archive({"rank.npy": npy((10**7,), b"\0" * 4 * 10**7)}, zipfile.ZIP_DEFLATED),
    "an array larger than its file": archive({"rank.npy": npy((2**40,), b"\0" * 64)}),
    "a text larger than its file": archive({"rank.npy": npy((), b"\0" * 64, "<U1000000000")}),
    "less than nothing": archive({"rank.npy": npy((-1, -16), b"\0" * 64)}),
    "objects": archive({"rank.npy": npy((1,), b"\x80\x04cos\nsystem\n.", "|O")}),
    "no header": archive({"rank.npy": b"\x93NUMPY\x01\x00\xff\xff{"}),
    "a header nested without end": archive({"rank.npy": npy("(" * 3000)}),
    "another version": archive({"rank.npy": b"\x93NUMPY\x09\x00\x00\x00"}),
    "no rank": archive({"alpha.npy": ONE}),
    "no array": archive({"rank.npy": b"hello"}),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_what_a_file_claims_is_not_believed(name, tmp_path, capsys):
    """Each in little memory, and told in a sentence by whoever reads weights."""
    path = tmp_path / "odd"
    path.write_bytes(HOSTILE[name])
    before = resource.getrlimit(resource.RLIMIT_AS)
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + 300_000_000, before[1]))
    try:
        with pytest.raises(CoterieError):
            load(path)
        with pytest.raises(CoterieError):
            Deltas(path)
        assert main(["learn", "export", str(path), "--out", str(tmp_path / "a.gguf")]) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1 and "Traceback" not in said
    assert os.listdir(tmp_path) == ["odd"]


def odd(**more):
    return {**GOOD, **{f"{NAME}.{k}": v for k, v in more.items()}}


@pytest.mark.parametrize(
    ("trained", "words"),
    [
        (Trained(4, 8.0, odd(lora_a=A * np.float16(np.nan))), "values that are no weights"),
        (Trained(4, 8.0, odd(lora_b=B.astype(np.float64) * 1e300)), "values that are no weights"),
        (Trained(4, 8.0, odd(lora_b=np.full((64, 4), np.inf))), "values that are no weights"),
        (Trained(4, 8.0, odd(lora_b=B.astype(np.int64))), "values that are no weights"),
        (Trained(4, np.inf, GOOD), "its alpha is inf"),
        (Trained(4, np.nan, GOOD), "its alpha is nan"),
        (Trained(4, 0.0, GOOD), "its alpha is 0"),
        (Trained(4, -8.0, GOOD), "its alpha is -8"),
        (Trained(4, 1e39, GOOD), "its alpha is 1e+39"),
        (Trained(4, 1e-60, GOOD), "its alpha is 1e-60"),
        (Trained(-3, 8.0, GOOD), "it says rank -3"),
        (Trained(0, 8.0, GOOD), "it says rank 0"),
        (Trained(8, 8.0, GOOD), "it says rank 8, and its pairs have 4"),
        (Trained(4, 8.0, {f"{NAME}.lora_a": A}), f"holds no pair for '{NAME}'"),
        (Trained(4, 8.0, {f"{NAME}.lora_b": B}), f"holds no pair for '{NAME}'"),
        (Trained(4, 8.0, odd(lora_a=A.T)), f"holds no pair for '{NAME}'"),
        (Trained(4, 8.0, odd(lora_a=A[0])), f"holds no pair for '{NAME}'"),
        (Trained(4, 8.0, odd(lora_a=A[:, :0])), f"holds no pair for '{NAME}'"),
        (Trained(4, 8.0, odd(lora_a=A[None])), f"holds no pair for '{NAME}'"),
        (Trained(4, 8.0, odd(lora_c=A)), "is no adapter"),
        (Trained(4, 8.0, {}), "holds no pairs"),
    ],
)  # fmt: skip
def test_what_no_training_leaves_is_not_exported(trained, words, tmp_path, capsys):
    path, out = tmp_path / "t.npz", tmp_path / "a.gguf"
    save(path, trained)
    assert main(["learn", "export", str(path), "--out", str(out)]) == 2
    assert words in capsys.readouterr().err and not out.exists()
    save(path, Trained(4, 8.0, GOOD))
    assert main(["learn", "export", str(path), "--out", str(out)]) == 0 and load(out).rank == 4


def test_a_file_is_read_as_the_library_reads_it(tmp_path):
    """Fields, kinds, shapes and bytes, of a model and of an adapter."""
    base, adapter = tmp_path / "base.gguf", tmp_path / "a.gguf"
    write_base(base)
    export(GOOD, 8.0, adapter, 8, {"prompts": "abc"})
    for path in (base, adapter):
        mine, theirs = Gguf(path), gguf.GGUFReader(path)
        named = {name: found for name, found in theirs.fields.items() if not name.startswith("GGUF.")}
        assert {n: f.contents for n, f in mine.fields.items()} == {n: f.contents() for n, f in named.items()}
        assert [f.kind for f in mine.fields.values()] == [f.types[0] for f in named.values()]
        for one, other in zip(mine.tensors, theirs.tensors, strict=True):
            assert (one.name, one.kind, one.shape) == (other.name, other.tensor_type, tuple(other.shape[::-1]))
            assert one.data.dtype == other.data.dtype and (one.data == other.data).all()


def test_what_eight_bits_cannot_hold_is_not_merged(tmp_path):
    base, adapter = tmp_path / "base.gguf", tmp_path / "a.gguf"
    write_base(base)
    export({name: np.full_like(array, 6e4) for name, array in GOOD.items()}, 8.0, adapter, 16)
    with pytest.raises(CoterieError, match="is damaged: what it adds"):
        merge(base, adapter, tmp_path / "merged")


# -- fuzz -------------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """Small real files."""
    folder = tmp_path_factory.mktemp("sound")
    write_base(folder / "base.gguf")
    save(folder / "t.npz", Trained(4, 8.0, GOOD, Bound("dynahmrc", "abc", "def")), "a recipe")
    export(GOOD, 8.0, folder / "a.gguf", 8, {"prompts": "abc"})
    raw = folder / "foreign.gguf"  # without a hash, so that damage reaches all who come after
    writer = gguf.GGUFWriter(raw, "llama")
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", 8.0)
    writer.add_array("some.numbers", [1, 2, 3])
    writer.add_array("some.words", ["a", "b"])
    for name, array in GOOD.items():
        writer.add_tensor(name, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return folder


ODD_BYTES = st.sampled_from(
    [b"", b"\0", b"\xff", b"\0" * 8, b"\xff" * 8, struct.pack("<Q", 2**34), struct.pack("<Q", 2**63), b"\x7f\xf0" * 4,
     struct.pack("<d", np.nan), struct.pack("<d", np.inf), b"'shape': (99999999999,)", b"|O", b"<U9"]
)  # fmt: skip
CHANGES = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), ODD_BYTES | st.binary(max_size=12)), max_size=4)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(["t.npz", "a.gguf", "foreign.gguf"]), changes=CHANGES, end=st.floats(0, 1) | st.just(1.0))
def test_spoilt_files_are_read_or_refused(sound, tmp_path, name, changes, end):
    data = (sound / name).read_bytes()
    for where, gone, put in changes:
        at = int(where * len(data))
        data = data[:at] + put + data[at + gone :]
    path, merged = tmp_path / name, tmp_path / "merged"
    path.write_bytes(data[: int(end * len(data))])
    try:
        found = load(path)
    except CoterieError:
        return
    assert found.rank >= 1 and 0 < found.alpha < np.inf and all(np.isfinite(a).all() for a in found.pairs.values())
    if name == "t.npz":
        assert set(found.pairs) <= set(read_npz(path))
        export(found.pairs, found.alpha, tmp_path / "out.gguf")
        assert load(tmp_path / "out.gguf").rank == found.rank
        return
    try:
        content_hash(path)
        merge(sound / "base.gguf", path, merged)
    except CoterieError:
        return
    assert all(np.isfinite(Gguf(merged).array(t)).all() for t in Gguf(merged).tensors)


def test_a_spoilt_base_is_read_or_refused(sound, tmp_path):
    from coterie.learn.weights import File

    good, path = (sound / "base.gguf").read_bytes(), tmp_path / "base.gguf"
    adapter, out, rng = sound / "foreign.gguf", tmp_path / "out", np.random.default_rng(1)
    for _ in range(30):
        data = bytearray(good)
        for _ in range(rng.integers(1, 4)):
            data[rng.integers(len(data) if rng.random() < 0.3 else 600)] = rng.integers(256)
        path.write_bytes(data[: rng.integers(len(data) + 1)] if rng.random() < 0.2 else data)
        for read in (lambda: File(path).shape, lambda: File(path).words(), lambda: merge(path, adapter, out)):
            with contextlib.suppress(CoterieError):
                read()
