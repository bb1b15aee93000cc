"""Every page in every language, on phone and desk: layout, completeness, accessibility."""

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from riverstones.server.http.static_files import FOLDER
from riverstones.words import LANGUAGES

from .scenes import SCENES
from .visitors import DESK, PHONE, Visitor, Visitors

WEB = Path(__file__).parents[2] / "web"
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
SIZES_AND_SCHEMES: tuple[tuple[dict[str, int], Literal["light", "dark"]], ...] = ((PHONE, "light"), (DESK, "dark"))
LARGEST_KB = 125
MOST_FILES = 9
"""One of them is the bundler's runtime, of about a hundred bytes."""

OVERFLOWING = """() => {
  const wide = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
  const texts = document.querySelectorAll('button, a, h1, h2, h3, p, label, legend, dd, li');
  const clipped = [...texts].filter((element) => {
    const style = getComputedStyle(element);
    if (!element.getClientRects().length || element.closest('.unseen, [role=grid], .people')) return false;
    if (element.closest('.file')) return false;
    const room = style.textOverflow === 'ellipsis' ? 0 : 2;
    return element.clientWidth > 0 && element.scrollWidth > element.clientWidth + room;
  });
  return [...wide, ...clipped.map((element) => element.outerHTML.slice(0, 160))];
}"""


RUN_AXE = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  return violations.map(({ id, nodes }) => [id, nodes.slice(0, 4).map(({ target }) => target)]);
}"""
"""Only the violations leave the page: the rest of the report is large."""

TOO_SMALL = """() => [...document.querySelectorAll('button, a, input, select')]
  .filter((element) => element.getClientRects().length && !element.readOnly)
  .map((element) => [element.outerHTML.slice(0, 80), element.getBoundingClientRect()])
  .filter(([, box]) => box.width < 39.5 || box.height < 39.5).map(([html]) => html)"""

FINGER_SCENES = (
    "first_page",
    "table",
    "guided",
    "claiming",
    "end",
    "replay",
    "rules",
    "lessons",
    "lesson",
    "daily",
    "sprint",
    "sprint_over",
    "puzzles",
    "puzzle_missed",
    "puzzle_solved",
    "rush",
    "settings",
    "study_setup",
    "study_board",
    "review",
)
"""The scenes in which everything that can be pressed must be large enough for a finger."""


TRANSLATED_SCENES = (
    "first_page",
    "friends_dialog",
    "waiting",
    "end",
    "rules",
    "lessons",
    "lesson",
    "settings",
    "daily",
    "sprint_over",
    "puzzles",
    "puzzle_solved",
    "puzzle_to_win",
    "study_board",
    "review",
    "profile",
    "lesson_over_table",
)
"""The scenes whose texts must fit in every language, and follow it when it is switched."""

LOADED_SCENES = ("table", "near_miss", "guided", "study_setup")
"""More scenes whose texts must fit, in a visit for each language and with a mouse.

The first three have comments on what happens, which stay in the language in which they were made. The last has a text
for those who have a mouse.
"""


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_is_accessible_and_fits_in_every_language(
    visitors: Visitors, pictures: Path | None, scene: str
) -> None:
    """All in one visit: reaching a scene takes longer than checking it."""
    visitor = visitors.come(PHONE, color_scheme="light", has_touch=True)
    SCENES[scene](visitor)
    check_accessibility(visitor, scene)
    if scene in TRANSLATED_SCENES:
        check_languages(visitor, scene, pictures)
    if scene in ("no_table", "unreached"):
        visitor.errors.clear()  # the browser has logged the error response, or that there is none


def check_accessibility(visitor: Visitor, scene: str) -> None:
    """On a light phone and a dark desk axe finds nothing; on the phone buttons are large enough for a finger."""
    page = visitor.page
    if scene in FINGER_SCENES:
        assert page.evaluate(TOO_SMALL) == []
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(RUN_AXE) == []
    page.set_viewport_size(DESK)  # type: ignore[arg-type]  # the sizes are plain dictionaries
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html")).to_have_css("color-scheme", "dark")
    assert page.evaluate(RUN_AXE) == []


def check_languages(visitor: Visitor, scene: str, pictures: Path | None) -> None:
    """In every language all texts are there and fit, on a light phone and a dark desk."""
    page = visitor.page
    for size, scheme in SIZES_AND_SCHEMES:
        page.set_viewport_size(size)  # type: ignore[arg-type]  # the sizes are plain dictionaries
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_css("color-scheme", scheme)
        texts = {}
        for language in LANGUAGES:
            visitor.speak(language)
            texts[language] = check_texts(page, scene, language, pictures)
        for one, other in combinations(LANGUAGES, 2):
            assert sentences(texts[one]) & sentences(texts[other]) == set(), (scene, one, other)


def check_texts(page: Page, scene: str, language: str, pictures: Path | None) -> str:
    """All texts of a page are there and fit; returns them."""
    assert page.evaluate("document.documentElement.lang") == language
    text = page.locator("body").inner_text()
    assert "undefined" not in text
    assert "{" not in text
    assert page.evaluate(OVERFLOWING) == [], (scene, language, page.viewport_size)
    if pictures is not None:
        width, theme = page.evaluate("[innerWidth, document.documentElement.dataset.theme]")
        page.screenshot(path=pictures / f"{scene}-{language}-{width}-{theme}.png", full_page=scene != "rules")
    return text


def sentences(text: str) -> set[str]:
    """The lines of a text with at least three words."""
    return {line for line in text.splitlines() if len(re.findall(r"[^\W\d_]{2,}", line)) >= 3}


def test_with_forced_colours_tiles_and_choices_are_distinguishable(visitors: Visitors) -> None:
    visitor = visitors.come(forced_colors="active")
    SCENES["table"](visitor)
    visitor.page.keyboard.press("Escape")
    tile = visitor.page.locator(".hand button").first
    tile.click()
    look = "each => getComputedStyle(each).backgroundColor + getComputedStyle(each).backgroundImage"
    face = visitor.page.eval_on_selector(".hand .addend", look)
    tile.click()
    other = visitor.page.eval_on_selector(".hand .total", look)
    assert face != other
    assert len({visitor.page.eval_on_selector(f"#tab-{name}", look) for name in ("moves", "chat")}) == 2
    SCENES["first_page"](visitor)
    assert (
        len(set(visitor.page.locator(".options").first.locator("label").evaluate_all(f"all => all.map({look})"))) == 2
    )


def test_back_restores_the_scroll_position(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    visitor.go("/rules")
    visitor.page.wait_for_selector("figure")
    visitor.page.evaluate("scrollTo(0, 1500)")
    visitor.page.evaluate("document.querySelector('header a[href=\"/learn\"]').click()")
    visitor.page.wait_for_selector("main ol")
    assert visitor.page.evaluate("scrollY") == 0
    visitor.page.evaluate("scrollTo(0, 100)")
    visitor.page.wait_for_function("() => history.state?.y === 100")
    visitor.page.go_back()
    visitor.page.wait_for_function("() => scrollY === 1500")
    visitor.page.go_forward()
    visitor.page.wait_for_function("() => location.pathname === '/learn' && scrollY === 100")


def test_back_to_a_table_restores_the_scroll_position_once_it_is_complete(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    SCENES["table"](visitor)
    visitor.page.evaluate("scrollTo(0, 150)")
    visitor.page.evaluate("document.querySelector('header a.home').click()")
    visitor.page.wait_for_selector(".lists")
    visitor.page.go_back()
    visitor.page.wait_for_function("() => document.querySelector('.sheet') && scrollY === 150")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_scene_that_is_loaded_in_a_language_fits(visitors: Visitors, pictures: Path | None, language: str) -> None:
    visitor = visitors.come(PHONE, language, color_scheme="light")
    page = visitor.page
    for scene in LOADED_SCENES:
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # the sizes are plain dictionaries
        page.emulate_media(color_scheme="light")
        SCENES[scene](visitor)
        for size, scheme in SIZES_AND_SCHEMES:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.emulate_media(color_scheme=scheme)
            expect(page.locator("html")).to_have_css("color-scheme", scheme)
            check_texts(page, scene, language, pictures)


def test_the_language_comes_from_the_browser_and_can_be_switched(visitors: Visitors) -> None:
    visitor = visitors.come(language="fr-CA")
    visitor.go("/")
    expect(visitor.page.locator("form.now h2")).to_have_text("Jouer maintenant")
    visitor.page.get_by_label("Langue").select_option("nl")
    expect(visitor.page.locator("form.now h2")).to_have_text("Nu spelen")
    visitor.page.reload()
    expect(visitor.page.locator("form.now h2")).to_have_text("Nu spelen")


def test_light_dark_and_sound_are_one_tap_and_remembered(visitors: Visitors) -> None:
    visitor = visitors.come(color_scheme="light")
    visitor.go("/")
    visitor.page.get_by_role("button", name="Switch to the dark theme").click()
    visitor.page.reload()
    expect(visitor.page.get_by_role("button", name="Switch to the light theme")).to_be_visible()
    SCENES["table"](visitor)
    visitor.page.get_by_role("button", name="Sound").click()
    visitor.page.reload()
    expect(visitor.page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")


def test_a_lesson_is_played_to_its_goal_and_remembered(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    SCENES["lesson"](visitor)
    visitor.page.locator("button.play").click()
    expect(visitor.page.locator(".done")).to_contain_text("14 + 4 + 9 = 27")
    visitor.page.get_by_role("link", name="All lessons").click()
    expect(visitor.page.locator(".stone.done")).to_have_count(1)


def test_script_and_style_of_first_page_and_table_are_small(visitors: Visitors) -> None:
    """From the first page to the end of a game; other pages and dialogs are loaded on request."""
    visitor = visitors.come()
    visitor.go("/")
    visitor.page.locator("form.now button.main").click()
    visitor.wait_for_my_turn()
    visitor.lay(visitor.plays()[0].move)
    visitor.confirm()
    visitor.page.locator("header button.menu").click()
    for _ in range(2):
        visitor.page.locator("dialog .danger").click()
    visitor.page.wait_for_selector(".end.settled")
    loaded = visitor.page.evaluate("performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)")
    files = {path for path in loaded if path.startswith("/assets/") and path.endswith((".js", ".css"))}
    sizes = {path: (FOLDER / f"{path[1:]}.br").stat().st_size for path in sorted(files)}
    assert {re.sub("-.*", "", path) for path in files} >= {"/assets/index", "/assets/TablePage", "/assets/EndPanel"}
    assert sum(sizes.values()) < LARGEST_KB * 1000, sizes


def test_a_table_loads_few_files_and_preloads_them() -> None:
    asked = re.findall(r'"/(assets/[^"]+\.(?:js|css))"', (FOLDER / "table.html").read_text(encoding="utf-8"))
    assert any("TablePage-" in name for name in asked)
    assert len(asked) <= MOST_FILES, asked
    imported = {
        f"assets/{name}"
        for file in asked
        if file.endswith(".js")
        for name in re.findall(r'from"\./([^"]+)"', (FOLDER / file).read_text(encoding="utf-8"))
    }
    assert imported
    assert imported <= set(asked)


def test_the_home_page_prefetches_a_table_in_every_browser(visitors: Visitors) -> None:
    visitor = visitors.come()
    visitor.go("/")
    index, table = ((FOLDER / name).read_text(encoding="utf-8") for name in ("index.html", "table.html"))
    ahead = set(re.findall(r'"(/assets/[^"]+\.(?:js|css))"', table)) - set(re.findall(r'"(/assets/[^"]+)"', index))
    assert ahead
    # A file is listed once it has been loaded.
    visitor.page.wait_for_function(
        """(paths) => {
          const loaded = performance.getEntriesByType('resource').map((each) => new URL(each.name).pathname);
          return paths.every((path) => loaded.includes(path));
        }""",
        arg=sorted(ahead),
    )
    asked = visitor.page.evaluate(
        """() => performance.getEntriesByType('resource')
          .map((each) => [new URL(each.name).pathname, each.initiatorType])"""
    )
    # Firefox checks a prefetch link against default-src, which is 'none'; fetch() has its own directive.
    assert {path: kind for path, kind in asked if path in ahead} == dict.fromkeys(ahead, "fetch")
    assert visitor.page.locator("link[rel=prefetch]").count() == 0
    visitor.page.locator("form.now button.main").click()
    visitor.page.wait_for_selector(".sheet")
    sizes = visitor.page.evaluate(
        """() => performance.getEntriesByType('resource')
          .filter((each) => /^(script|link|css)$/.test(each.initiatorType))
          .map((each) => [new URL(each.name).pathname, each.transferSize])"""
    )
    again = {path: size for path, size in sizes if path in ahead}
    assert again
    assert not any(again.values()), "the table's files come from the cache"


def test_the_app_can_be_installed_and_opens_without_a_network(visitors: Visitors) -> None:
    visitor = visitors.come(service_workers="allow")
    visitor.go("/learn")
    visitor.page.wait_for_function(
        "() => navigator.serviceWorker.ready.then((ready) => ready.active?.state === 'activated')"
    )
    visitor.page.reload()
    visitor.page.wait_for_selector("main ol")
    visitor.context.set_offline(True)
    visitor.page.reload()
    expect(visitor.page.locator("main ol li")).to_have_count(10)
    manifest = json.loads((FOLDER / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manifest_describes_the_app_in_the_language_of_the_page(visitors: Visitors, language: str) -> None:
    visitor = visitors.come(language=language)
    page = visitor.page
    visitor.go("/settings")
    expect(page.locator("html")).to_have_attribute("lang", language)
    found = page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())")
    described = page.locator("meta[name=description]").get_attribute("content")
    assert (found["lang"], found["description"]) == (language, described)
    assert len(found["icons"]) == 3


def test_third_party_licences_are_included() -> None:
    """The fonts and the libraries require it."""
    licences = (FOLDER / "licences.txt").read_text(encoding="utf-8")
    assert licences.count("SIL OPEN FONT LICENSE Version 1.1") == len(list(FOLDER.rglob("*.woff2"))) > 0
    assert {"svelte", "uqr"} <= set(licences.splitlines())
