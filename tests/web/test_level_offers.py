"""After two clear wins the next level is offered, after two clear losses an easier one."""

from playwright.sync_api import expect

from .games import Choose, best, worst
from .scenes import first_page
from .visitors import PHONE, Visitor, Visitors

CHOSEN = "form.now fieldset:last-of-type input:checked"


def levels(visitor: Visitor) -> list[str]:
    """The levels of the page in their order, weakest first."""
    first_page(visitor)
    found = visitor.page.eval_on_selector_all(
        "form.now fieldset:last-of-type input", "all => all.map((each) => each.value)"
    )
    return [str(level) for level in found]


def best_for(seat: int) -> Choose:
    """This seat makes the best moves, the others the worst."""
    return lambda game: (best if game.to_move == seat else worst)(game)


def lose_clearly(visitor: Visitor, level: str, *, resign: bool = False) -> None:
    """Lose by a wide margin, and resign before the end if that is wanted."""
    game = visitor.game(level, variant="expert").play(40 if resign else 100, best_for(1))
    mine, other = game.rules.scores
    assert other - mine >= 15
    assert other >= 1.5 * mine
    (game.resign() if resign else game).open(visitor)
    visitor.page.wait_for_selector(".end.settled")


def win_clearly(visitor: Visitor, level: str) -> None:
    game = visitor.game(level, hints=True).play(100, best_for(0))
    mine, other = game.rules.scores
    assert mine >= 1.25 * other
    game.open(visitor)
    visitor.page.wait_for_selector(".end.settled")


def test_after_two_clear_losses_an_easier_level_is_offered(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    easier, level = levels(visitor)[:2]
    lose_clearly(visitor, level)
    expect(visitor.page.locator(".offer")).to_have_count(0)
    lose_clearly(visitor, level, resign=True)
    expect(visitor.page.locator(".offer")).to_be_visible()
    visitor.page.reload()
    expect(visitor.page.locator(".offer")).to_be_visible()
    # Beside the board, text and button share one row, and the missed plays are visible.
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


def test_an_easier_level_is_offered_after_giving_up_once(visitors: Visitors) -> None:
    visitor = visitors.come()
    level = levels(visitor)[1]
    lose_clearly(visitor, level, resign=True)
    expect(visitor.page.locator(".offer")).to_be_visible()


def test_after_two_clear_wins_the_next_level_is_offered_and_proposed(visitors: Visitors) -> None:
    visitor = visitors.come()
    level, harder = levels(visitor)[:2]
    proposed = visitor.page.locator(CHOSEN).input_value()
    win_clearly(visitor, level)
    expect(visitor.page.locator(".offer")).to_contain_text(f"{harder.capitalize()}, the next level, is waiting.")
    first_page(visitor)
    expect(visitor.page.locator(CHOSEN)).to_have_value(proposed)
    win_clearly(visitor, level)
    name = visitor.page.locator(".offer button").inner_text()
    first_page(visitor)
    expect(visitor.page.locator(CHOSEN)).to_have_value(harder)
    assert visitor.page.locator("form.now label:has(input:checked)").last.inner_text() in name
