"""Refusals of a table as data: a code with parameters, which the catalogues turn into a sentence."""

from __future__ import annotations

from enum import StrEnum


class TableRefusal(StrEnum):
    """Every reason to refuse a command, besides those of the rules."""

    # Options.
    BAD_SEAT_COUNT = "bad_seat_count"
    BAD_START = "bad_start"
    BAD_SECONDS = "bad_seconds"
    BAD_NAME = "bad_name"
    BAD_LEVEL = "bad_level"
    RATED_IS_FOR_PEOPLE = "rated_is_for_people"
    GUIDED_IS_FOR_ONE = "guided_is_for_one"
    RATED_NEEDS_ACCOUNT = "rated_needs_account"
    NEEDS_A_PERSON = "needs_a_person"

    # Seats.
    NO_SUCH_SEAT = "no_such_seat"
    SEAT_TAKEN = "seat_taken"
    SEAT_EMPTY = "seat_empty"
    NO_FREE_SEAT = "no_free_seat"
    ALREADY_SEATED = "already_seated"
    NOT_YOUR_SEAT = "not_your_seat"
    NOT_SEATED = "not_seated"
    NOT_THE_HOST = "not_the_host"
    STILL_HERE = "still_here"
    NOT_INVITED = "not_invited"
    NOBODY_AWAY = "nobody_away"
    NOBODY_TO_AGREE = "nobody_to_agree"
    PROGRAMS_NOT_WELCOME = "programs_not_welcome"

    # Play.
    NOT_STARTED = "not_started"
    ALREADY_STARTED = "already_started"
    PAUSED = "paused"
    NOT_PAUSED = "not_paused"
    NOT_YOUR_TURN = "not_your_turn"
    WRONG_TURN = "wrong_turn"
    TABLE_OVER = "table_over"
    NOT_OVER = "not_over"
    NOT_BY_CLAIMS = "not_by_claims"
    NO_PREVIEW_WITH_CLAIMS = "no_preview_with_claims"
    NO_HINTS_HERE = "no_hints_here"
    ALREADY_CONFIRMED = "already_confirmed"

    # Proposals.
    NOTHING_ASKED = "nothing_asked"
    ALREADY_ASKED = "already_asked"
    ASKED_TOO_OFTEN = "asked_too_often"
    NO_MOVE_TO_TAKE_BACK = "no_move_to_take_back"
    DRAW_WAS_SEEN = "draw_was_seen"

    # Chat.
    CHAT_EMPTY = "chat_empty"
    CHAT_TOO_LONG = "chat_too_long"
    CHAT_TOO_FAST = "chat_too_fast"


class NotAllowed(ValueError):
    """A command that the table refuses; nothing has changed."""

    def __init__(self, code: TableRefusal, **params: int | str) -> None:
        self.code = code
        self.params = params
        details = ", ".join(f"{name} {value!r}" for name, value in params.items())
        super().__init__(f"{code}: {details}" if details else str(code))
