"""The parts of messages: chairs, turns, the state of a table as one viewer may know it."""

from typing import Annotated, NotRequired, TypedDict

from riverstones.table.commands import Proposal
from riverstones.table.options import Options
from riverstones.table.players import COLOURS
from riverstones.table.state import Phase

from .markers import Plain

Params = dict[str, int | str]
"""The parameters of a reason or an error, for the message that explains it."""

PlainOptions = Annotated[dict[str, int | str | bool], Plain(Options)]
"""The result of `Options.to_json`."""

Colour = Annotated[str, Plain(COLOURS)]
ChairColour = Annotated[str, Plain((*COLOURS, ""))]
"""A colour; empty for a seat that nobody has held."""

ProposalName = Annotated[str, Plain(Proposal)]
PhaseName = Annotated[str, Plain(Phase)]


class Problem(TypedDict):
    """One problem in a text, with the line where it begins."""

    line: int
    text: str


class ErrorInfo(TypedDict):
    """Why something was refused: a code with parameters, and a sentence in the reader's language."""

    code: str
    params: Params
    text: str
    problems: NotRequired[list[Problem]]
    """The problems in a text that cannot be parsed, line by line."""


class ReasonInfo(TypedDict):
    """A reason given by the rules: a code with parameters."""

    code: str
    params: Params


class SeriesInfo(TypedDict):
    """A total with its addends: a Kakuro, or a series that is not one."""

    squares: list[str]
    """The total's square first."""
    total: int
    addends: list[int]
    sum: int
    points: int


class NearMiss(TypedDict):
    """A series that a move touches without scoring it, and why."""

    series: SeriesInfo
    reason: ReasonInfo


class Explanation(TypedDict):
    """A move judged: whether it is legal, what it scores, and its near misses."""

    move: str
    legal: bool
    refusal: ReasonInfo | None
    points: int
    kakuros: list[SeriesInfo]
    near_misses: list[NearMiss]


class Hint(TypedDict):
    """A hint: the square in step 1, the tile with its side in step 2, the whole move with its reasons in step 3."""

    turn: int
    step: int
    square: str
    tile: str | None
    move: str | None
    points: int | None
    most: int | None
    """The most points of any move now: in step 3, or in every step if 0. A hint looks ahead and may score less."""
    looked_ahead: bool | None
    """Whether the move was chosen by looking ahead, and not by its points alone."""


class Chair(TypedDict):
    """A seat and who holds it: a person, a bot, or nobody."""

    person: str | None
    bot: str | None
    """The level of the bot."""
    name: str
    colour: ChairColour
    program: bool
    owner: str | None
    """Who held the seat before and may return to it."""
    resigned: bool


class Objection(TypedDict):
    """An objection and its verdict."""

    seat: int
    upheld: bool


class Turn(TypedDict):
    """A turn as everybody saw it."""

    turn: int
    seat: int
    move: str
    points: int
    claim: int | None
    timed_out: bool
    kakuros: list[SeriesInfo] | None
    """Null for a claim that nobody has objected to."""
    objections: list[Objection]


class Now(TypedDict):
    """The public state that changes from turn to turn."""

    phase: PhaseName
    paused: bool
    turn: int
    to_move: int | None
    deadline_ms: int | None
    left_ms: int | None
    """The time left in the turn when a pause began."""
    awaiting_reveal: bool
    """Whether the clock waits until the seat to move is shown its hand on a shared device."""
    objections_ms: int | None
    """Until when a bot holds its move back for objections to the last claim; null if it does not wait."""
    position: str | None
    """The position as a spectator sees it, in one line; null before the game."""


class PendingProposal(TypedDict):
    """A proposal that waits for consent."""

    proposal: ProposalName
    seat: int
    agreed: list[int]


class Words(TypedDict):
    """A chat message."""

    at_ms: int
    person: str
    name: str
    text: str


class Result(TypedDict):
    """How the game ended, and the seed of its deal."""

    scores: list[int]
    winners: list[int]
    resigned: list[int]
    seed: str
    ended_ms: int


class You(TypedDict):
    """What only this viewer sees."""

    person: str | None
    seats: list[int]
    seat: int | None
    """The seat the viewer looks from."""
    hand: list[int] | None
    """The hand of that seat; null without a seat, or before the game."""


class Snapshot(TypedDict):
    """Everything that one viewer may know about a table."""

    table: str
    seq: int
    created_ms: int
    options: PlainOptions
    host: str
    chairs: list[Chair]
    stones: list[str]
    now: Now
    first: int | None
    turns: list[Turn]
    confirmed: list[int]
    proposals: list[PendingProposal]
    chat: list[Words]
    commitment: str | None
    result: Result | None
    previous: str | None
    next: str | None
    device: bool
    """Whether the game was played without a server and added to an account later."""
    you: You


class TableSummary(TypedDict):
    """A table in a list of tables."""

    table: str
    options: PlainOptions
    host: str
    chairs: list[Chair]
    phase: PhaseName
    turn: int
    to_move: int | None
    scores: list[int] | None
    created_ms: int
    changed_ms: int
    """When the table was created, its current turn began, or it ended: whichever came last."""
    ended_ms: int | None
