"""After two clear wins the next level is offered, after two routs an easier one; a tap begins that game."""

import pytest
from playwright.sync_api import expect

from .scenes import ME, first_page
from .visitors import PHONE, Visitor, Visitors

pytestmark = pytest.mark.slow

CHOSEN = "form.now fieldset:last-of-type input:checked"


def levels(visitor: Visitor) -> list[str]:
    """The levels of the page in their order, weakest first."""
    first_page(visitor)
    found = visitor.page.eval_on_selector_all(
        "form.now fieldset:last-of-type input", "all => all.map((each) => each.value)"
    )
    return [str(level) for level in found]


def be_routed(visitor: Visitor, level: str) -> None:
    """Lose by far, and resign."""
    visitor.make_table(ME, {"who": "bot", "level": level}, variant="expert")
    while True:
        assert visitor.wait_for_my_turn()
        mine, other = visitor.scores()
        if other - mine >= 15 and other >= 1.5 * mine:
            break
        visitor.lay(visitor.plays()[-1].move)
        visitor.confirm()
    visitor.page.locator("header button.menu").click()
    visitor.page.locator("dialog .danger").click()
    visitor.page.locator("dialog .danger").click()
    visitor.page.wait_for_selector(".end.settled")


def win_clearly(visitor: Visitor, level: str) -> None:
    """Play the best move each turn; once in a while that is not enough, and another game is played."""
    for _ in range(4):
        visitor.make_table(ME, {"who": "bot", "level": level}, hints=True)
        while visitor.wait_for_my_turn():
            visitor.lay(visitor.plays()[0].move)
            visitor.confirm()
        visitor.page.wait_for_selector(".end.settled")
        mine, other = visitor.scores()
        if mine >= 1.25 * other:
            return
    pytest.fail(f"{level} does not lose clearly")


def test_after_two_routs_an_easier_level_is_a_tap_away(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    easier, level = levels(visitor)[:2]
    be_routed(visitor, level)
    expect(visitor.page.locator(".offer")).to_have_count(0)
    be_routed(visitor, level)
    expect(visitor.page.locator(".offer")).to_be_visible()
    visitor.page.reload()
    expect(visitor.page.locator(".offer")).to_be_visible()
    # Beside the board, text and button share one row, and what was missed is seen at once.
    visitor.page.set_viewport_size({"width": 1366, "height": 768})
    text, button = (visitor.page.locator(part).first.bounding_box() for part in (".offer p", ".offer button"))
    assert text is not None
    assert button is not None
    assert button["x"] >= text["x"] + text["width"]
    expect(visitor.page.locator(".end thead")).to_be_in_viewport(ratio=1)
    ended = visitor.page.url
    visitor.page.locator(".offer button").click()
    visitor.page.wait_for_url(lambda url: "/t/" in url and url != ended)
    visitor.wait_for_my_turn()
    table = visitor.page.request.get(f"{visitor.url}/api/v1/tables/{visitor.page.url.rpartition('/')[2]}").json()
    assert [chair["bot"] for chair in table["chairs"]] == [None, easier]
    assert table["chairs"][0]["name"] == "Ann"
    assert table["options"]["variant"] == "expert"
    first_page(visitor)
    expect(visitor.page.locator(CHOSEN)).to_have_value(easier)


def test_after_two_clear_wins_the_next_level_is_offered_and_proposed(visitors: Visitors) -> None:
    visitor = visitors.come()
    level, harder = levels(visitor)[:2]
    win_clearly(visitor, level)
    expect(visitor.page.locator(".offer")).to_have_count(0)
    for _ in range(3):
        win_clearly(visitor, level)
        if visitor.page.locator(".offer").count():
            break
    name = visitor.page.locator(".offer button").inner_text()
    first_page(visitor)
    expect(visitor.page.locator(CHOSEN)).to_have_value(harder)
    assert visitor.page.locator("form.now label:has(input:checked)").last.inner_text() in name
