"""The WebAssembly kernel gives the same bits in a browser as natively: see tests/wasm."""

import json

import pytest
from playwright.sync_api import Browser, Route

pytest.importorskip("numba", reason="Numba is not installed")

from tests.wasm.node import ROOT
from tests.wasm.recording import Recorder, record_games
from tools.build_kernel import OUTPUT

SITE = "http://kernel.test/"
REPLAY = """async () => {
  const { Kernel } = await import("/web/src/play/local/kernel.js");
  const { replay } = await import("/tests/wasm/replay.mjs");
  const kernel = await Kernel.load(await (await fetch("/kernel.wasm")).arrayBuffer());
  const { compared, differences } = replay(kernel, await (await fetch("/recording.json")).json());
  return { compared, differences };
}"""


def test_a_thousand_positions_give_the_same_bits_as_natively(browser: Browser) -> None:
    recorder = Recorder()
    record_games(recorder, seed=3, positions=1000)
    contents: dict[str, tuple[str, str | bytes]] = {
        "": ("text/html", "<!doctype html>"),
        "kernel.wasm": ("application/wasm", OUTPUT.read_bytes()),
        "recording.json": ("application/json", json.dumps(recorder.steps)),
    }

    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(SITE)
        if name.endswith((".js", ".mjs")):
            route.fulfill(content_type="text/javascript", body=(ROOT / name).read_bytes())
        elif name in contents:
            kind, body = contents[name]
            route.fulfill(content_type=kind, body=body)
        else:
            route.fulfill(status=404)

    page = browser.new_page()
    page.route(f"{SITE}**", answer)
    page.goto(SITE)
    assert page.evaluate(REPLAY) == {"compared": recorder.calls.total(), "differences": []}
    page.close()
