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
SIZE, WIDTH = {"width": 1240, "height": 800}, 860  # of the page and of the film [px]
FRAME_MS, CHANGE_MS, LAST_MS = 900, 2200, 3000  # of a step, of the one in which the goal changes, of the last
COLOURS = 128


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE)
        words = [sys.executable, "-m", "coterie", "demo", "--live", "--out", folder]
        run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder)
        assert run.stdout is not None
        link = next(found[0] for line in run.stdout if (found := re.search(r"http://\S+", line)))
        page.goto(link)
        page.click("text=Pause the team")
        page.wait_for_selector("#picture svg", timeout=60_000)
        frames: list[Image.Image] = []
        times: list[int] = []
        while True:
            page.wait_for_timeout(1500)  # until the robots have glided to where they are at this step
            frames.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
            times.append(CHANGE_MS if "goal changes" in page.inner_text("#all") else FRAME_MS)
            print(page.inner_text("#when"))  # noqa: T201
            if page.locator("#figures dd").count():
                break
            page.click("text=One step")
        browser.close()
        run.terminate()
        run.wait(timeout=60)
    small = [f.resize((WIDTH, WIDTH * f.height // f.width), Image.Resampling.LANCZOS) for f in frames]
    palette = small[len(small) // 2].quantize(COLOURS)  # one for all, or colours would drift
    small = [f.quantize(palette=palette, dither=Image.Dither.NONE) for f in small]
    times[-1] = LAST_MS
    small[0].save(OUT, save_all=True, append_images=small[1:], duration=times, loop=0, optimize=True)
    print(f"{OUT}: {len(small)} pictures, {OUT.stat().st_size / 1e6:.2f} MB")  # noqa: T201


if __name__ == "__main__":
    main()
