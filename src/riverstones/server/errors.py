"""Every refusal in one form: a code with parameters, a translated sentence, and an HTTP status or a close code."""

from __future__ import annotations

from enum import StrEnum

from riverstones.rules import Refused
from riverstones.server.http.languages import ENGLISH
from riverstones.study import refusals
from riverstones.study.refusals import StudyRefusal, StudyRefused, refused_to_json
from riverstones.table import NotAllowed, TableRefusal, wire
from riverstones.table.refusals import Refusal, error_info
from riverstones.words import messages, phrase


class ServerErrorCode(StrEnum):
    """Refusals by the server itself; study, the table and the rules have their own codes."""

    BAD_REQUEST = "bad_request"
    BAD_JSON = "bad_json"
    BAD_MESSAGE = "bad_message"
    COMMAND_ID_REUSED = "command_id_reused"
    HELLO_FIRST = "hello_first"
    HELLO_TWICE = "hello_twice"
    UNKNOWN_PROTOCOL = "unknown_protocol"
    FRAME_TOO_LARGE = "frame_too_large"
    BODY_TOO_LARGE = "body_too_large"
    NOT_JSON = "not_json"
    TOO_SLOW = "too_slow"
    TOO_MANY_REQUESTS = "too_many_requests"
    WRONG_ORIGIN = "wrong_origin"
    NOT_SIGNED_IN = "not_signed_in"
    BANNED = "banned"
    ADDRESS_BANNED = "address_banned"
    FOR_PEOPLE_ONLY = "for_people_only"
    FOR_PROGRAMS_ONLY = "for_programs_only"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_PERSON = "no_such_person"
    LINK_NOT_VALID = "link_not_valid"
    PASSKEY_NOT_VALID = "passkey_not_valid"
    NAME_DIFFERS = "name_differs"
    NEEDS_ACCOUNT = "needs_account"
    HINT_UNDER_WAY = "hint_under_way"
    TOO_MANY_TABLES = "too_many_tables"
    TOO_MANY_ADDED_GAMES = "too_many_added_games"
    NO_SUCH_PUZZLE = "no_such_puzzle"
    NO_SUCH_REVIEW = "no_such_review"
    REVIEWS_UNDER_WAY = "reviews_under_way"
    TRY_AGAIN = "try_again"
    INTERNAL = "internal"


STATUS: dict[ServerErrorCode | StudyRefusal, int] = {
    ServerErrorCode.NOT_SIGNED_IN: 401,
    ServerErrorCode.WRONG_ORIGIN: 403,
    ServerErrorCode.BANNED: 403,
    ServerErrorCode.ADDRESS_BANNED: 403,
    ServerErrorCode.FOR_PEOPLE_ONLY: 403,
    ServerErrorCode.FOR_PROGRAMS_ONLY: 403,
    ServerErrorCode.NEEDS_ACCOUNT: 403,
    ServerErrorCode.NOT_FOUND: 404,
    ServerErrorCode.NO_SUCH_TABLE: 404,
    ServerErrorCode.NO_SUCH_PERSON: 404,
    ServerErrorCode.NO_SUCH_PUZZLE: 404,
    ServerErrorCode.NO_SUCH_REVIEW: 404,
    ServerErrorCode.METHOD_NOT_ALLOWED: 405,
    ServerErrorCode.COMMAND_ID_REUSED: 409,
    ServerErrorCode.BODY_TOO_LARGE: 413,
    ServerErrorCode.NOT_JSON: 415,
    ServerErrorCode.BAD_MESSAGE: 422,
    ServerErrorCode.TOO_MANY_REQUESTS: 429,
    ServerErrorCode.HINT_UNDER_WAY: 429,
    ServerErrorCode.REVIEWS_UNDER_WAY: 429,
    ServerErrorCode.TOO_MANY_TABLES: 429,
    ServerErrorCode.TOO_MANY_ADDED_GAMES: 429,
    ServerErrorCode.INTERNAL: 500,
    ServerErrorCode.TRY_AGAIN: 503,
    StudyRefusal.RECORD_NOT_YET: 404,
    StudyRefusal.POSITION_IN_PLAY: 409,
    StudyRefusal.REVIEWS_NOT_OFFERED: 409,
}
"""The HTTP status of each code; 400 for the others."""

CLOSE_CODES = {
    ServerErrorCode.HELLO_FIRST: 4000,
    ServerErrorCode.UNKNOWN_PROTOCOL: 4000,
    ServerErrorCode.TOO_SLOW: 4001,
    ServerErrorCode.WRONG_ORIGIN: 4003,
    ServerErrorCode.NOT_SIGNED_IN: 4003,
    ServerErrorCode.BANNED: 4003,
    ServerErrorCode.ADDRESS_BANNED: 4003,
    ServerErrorCode.NO_SUCH_TABLE: 4004,
    ServerErrorCode.TOO_MANY_REQUESTS: 4008,
    ServerErrorCode.FRAME_TOO_LARGE: 1009,
    ServerErrorCode.TRY_AGAIN: 1012,
}
"""The close code of a WebSocket for each error code."""

OTHER_CLOSE_CODE = 4000
"""The close code for all other errors."""

REFUSED_STATUS = 409
"""The HTTP status of refusals by the table or the rules."""


class ServerError(Exception):
    """A refusal by the server, with the parameters of its message."""

    def __init__(self, code: ServerErrorCode, **params: int | str) -> None:
        self.code = code
        self.params = params
        super().__init__(str(code))

    @property
    def status(self) -> int:
        """The HTTP status of this code."""
        return STATUS.get(self.code, 400)


RefusedError = ServerError | StudyRefused | Refusal
REFUSALS = (ServerError, *refusals.REFUSALS)
"""Exceptions that are answered as refusals; any other is an internal error."""


def status_of(error: RefusedError) -> int:
    """The HTTP status for a refusal."""
    match error:
        case ServerError():
            return error.status
        case StudyRefused():
            return STATUS.get(error.code, 400)
        case NotAllowed():
            return REFUSED_STATUS
        case Refused():
            return REFUSED_STATUS
        case _:
            return 400


def error_to_json(error: RefusedError, language: str = ENGLISH) -> wire.ErrorInfo:
    """A refusal as it is sent, with its sentence in this language."""
    if isinstance(error, ServerError):
        return error_info(str(error.code), error.params, phrase(f"refusal_{error.code}", error.params, language))
    return refused_to_json(error, language)


def all_codes() -> dict[str, str]:
    """Every code of the table, of study and of the server with its English sentence."""
    texts = messages(ENGLISH)
    return {str(code): str(texts[f"refusal_{code}"]) for code in (*TableRefusal, *StudyRefusal, *ServerErrorCode)}
