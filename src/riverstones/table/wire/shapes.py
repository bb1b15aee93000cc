"""What messages consist of: chairs, turns, the state of a table as one viewer may know it."""

from typing import Annotated, NotRequired, TypedDict

from riverstones.table.commands import Proposal
from riverstones.table.options import Options
from riverstones.table.players import COLOURS
from riverstones.table.state import Phase

from .markers import Plain

Params = dict[str, int | str]
"""The parameters of a reason or an error, for the sentence that explains it."""

PlainOptions = Annotated[dict[str, int | str | bool], Plain(Options)]
"""What `Options.to_json` gives."""

Colour = Annotated[str, Plain(COLOURS)]
ChairColour = Annotated[str, Plain((*COLOURS, ""))]
"""A colour, or nothing on a seat that nobody has held."""

ProposalName = Annotated[str, Plain(Proposal)]
PhaseName = Annotated[str, Plain(Phase)]


class Problem(TypedDict):
    """One thing that is wrong with a text, and the line where it begins."""

    line: int
    text: str


class ErrorInfo(TypedDict):
    """Why something was refused: a code with parameters, and a sentence in the reader's language."""

    code: str
    params: Params
    text: str
    problems: NotRequired[list[Problem]]
    """What is wrong with a text that cannot be read, line by line."""


class ReasonInfo(TypedDict):
    """A reason of the rules: a code with parameters."""

    code: str
    params: Params


class SeriesInfo(TypedDict):
    """A total with its addends: a Kakuro, or what is not one."""

    squares: list[str]
    """The total's square first."""
    total: int
    addends: list[int]
    sum: int
    points: int


class NearMiss(TypedDict):
    """A series that looks as if it scored, and why it does not."""

    series: SeriesInfo
    reason: ReasonInfo


class Preview(TypedDict):
    """A tentative move judged."""

    move: str
    legal: bool
    refusal: ReasonInfo | None
    points: int
    kakuros: list[SeriesInfo]
    near_misses: list[NearMiss]


class Hint(TypedDict):
    """A hint: the square in step 1, the tile with its side in step 2, the whole move with its points in step 3."""

    turn: int
    step: int
    square: str
    tile: str | None
    move: str | None
    points: int | None


class Chair(TypedDict):
    """Who holds a seat: a person, a bot of the house, or nobody."""

    person: str | None
    bot: str | None
    """The level of the bot."""
    name: str
    colour: ChairColour
    program: bool
    owner: str | None
    """Who held the seat before and may come back to it."""
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
    """What changes from turn to turn, as everybody may know it."""

    phase: PhaseName
    paused: bool
    turn: int
    to_move: int | None
    deadline_ms: int | None
    left_ms: int | None
    """What was left of the turn's time when a pause began."""
    awaiting_reveal: bool
    """Whether the clock waits until the seat to move, which shares its device with others, is shown its hand."""
    objections_ms: int | None
    """Until when a bot waits with its move for objections to the last claim; null when nobody is waited for."""
    position: str | None
    """The position as a spectator sees it, one line; null before the game."""


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
    """How the game ended, and the seed that it was dealt from."""

    scores: list[int]
    winners: list[int]
    resigned: list[int]
    seed: str
    ended_ms: int


class You(TypedDict):
    """What is the viewer's own."""

    person: str | None
    seats: list[int]
    seat: int | None
    """The seat that is looked from."""
    hand: list[int] | None
    """Its tiles; null if none is looked from, or before the game."""


class Snapshot(TypedDict):
    """Everything that one viewer may know of a table."""

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
    ended_ms: int | None
