"""The form for the settings of a new table."""

import pytest
from playwright.sync_api import expect

from .scenes import friends_dialog
from .visitors import PHONE, Visitor, Visitors

REFUSALS = {
    "en": "Choose a whole number from 5 to 3600.",
    "it": "Scegli un numero intero da 5 a 3600.",
    "fr": "Choisissez un nombre entier de 5 à 3600.",
    "es": "Elige un número entero de 5 a 3600.",
    "nl": "Kies een geheel getal van 5 tot en met 3600.",
}

WATCH_BUBBLES = """
window.bubbles = 0;
addEventListener('invalid', (event) => setTimeout(() => event.defaultPrevented || (bubbles += 1)), true);
"""
"""Unless the event is cancelled, the browser shows its own message in its own language."""


def ask_for_a_clock(visitor: Visitor) -> None:
    friends_dialog(visitor)
    visitor.page.locator("dialog input[type=radio][value=gentle]").check(force=True)


@pytest.mark.parametrize("seconds", [5, 7, 33, 3600])
def test_any_whole_number_of_seconds_is_accepted(visitors: Visitors, seconds: int) -> None:
    visitor = visitors.come(PHONE)
    ask_for_a_clock(visitor)
    visitor.page.locator("dialog input[type=number]").fill(str(seconds))
    visitor.page.locator("dialog button.main").click()
    visitor.page.wait_for_selector(".waiting")
    answer = visitor.page.request.get(f"{visitor.url}/api/v1/tables/{visitor.page.url.rpartition('/')[2]}")
    assert answer.json()["options"]["seconds"] == seconds


def test_other_seconds_are_refused_in_the_language_of_the_page(visitors: Visitors) -> None:
    visitor = visitors.come(PHONE)
    visitor.context.add_init_script(WATCH_BUBBLES)
    ask_for_a_clock(visitor)
    field = visitor.page.locator("dialog input[type=number]")
    told = visitor.page.locator("dialog [role=alert]")
    for language, refusal in REFUSALS.items():
        visitor.speak(language)
        for wrong in ("4", "3601", "7.5", "", "-30"):
            field.fill(wrong)
            visitor.page.locator("dialog button.main").click()
            expect(told).to_have_text(refusal)
            expect(field).to_be_focused()
            field.fill("30")
            expect(told).to_have_text("")
        assert visitor.page.evaluate("bubbles") == 0
        # A hidden field is shown again when it is invalid.
        field.fill("4")
        visitor.page.locator("dialog summary").click()
        visitor.page.locator("dialog button.main").click()
        expect(told).to_have_text(refusal)
        expect(field).to_be_focused()
    # Without a clock there is no field for seconds.
    visitor.page.locator("dialog input[type=radio][value=off]").check(force=True)
    visitor.page.locator("dialog button.main").click()
    visitor.page.wait_for_selector(".waiting")
