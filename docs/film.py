"""Make the film of the live page that the README shows: `python docs/film.py` (needs chromium and `coterie[dev]`)."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

OUT = Path(__file__).parent / "live.gif"
SIZE, WIDTH = {"width": 1200, "height": 860}, 860  # of the page and of the film [px]
FRAME_MS, LAST_MS = 550, 3000
COLOURS = 128


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        words = [sys.executable, "-m", "coterie", "demo", "--live", "--out", folder]
        run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder)
        assert run.stdout is not None
        link = next(found[0] for line in run.stdout if (found := re.search(r"http://\S+", line)))
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE)
        page.goto(link)
        frames: list[Image.Image] = []
        for _ in range(120):
            frames.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
            if "Done" in page.inner_text("body") or "success" in page.inner_text("h1 + *, header"):
                break
            page.wait_for_timeout(200)
        browser.close()
        run.wait(timeout=60)
    shown = [f for i, f in enumerate(frames) if i == 0 or f.tobytes() != frames[i - 1].tobytes()]
    small = [f.resize((WIDTH, WIDTH * f.height // f.width)) for f in shown]
    palette = small[len(small) // 2].quantize(COLOURS)  # one for all, or colours would drift
    small = [f.quantize(palette=palette, dither=Image.Dither.NONE) for f in small]
    times = [FRAME_MS] * (len(small) - 1) + [LAST_MS]
    small[0].save(OUT, save_all=True, append_images=small[1:], duration=times, loop=0, optimize=True)
    print(f"{OUT}: {len(small)} pictures, {OUT.stat().st_size / 1e6:.2f} MB")  # noqa: T201


if __name__ == "__main__":
    main()
