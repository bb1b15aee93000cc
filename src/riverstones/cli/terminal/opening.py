"""The start of a game: players, options, and the commitment to a fair deal."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from rich.text import Text

from riverstones import table
from riverstones.cli.complaint import Complaint
from riverstones.cli.words import Words
from riverstones.engine.bots import DEFAULT_LEVEL, offered
from riverstones.rules import Layout, Malformed, Scoring, Seed, Variant
from riverstones.rules.deal import SEED_BYTES

from .pages import FAINT_STYLE, SEAT_STYLES, WATER_STYLE
from .screen import Screen
from .seats import Seat, find_seat, take_seats
from .session import Session

FIRST = "first"
RANDOM: Final = "random"


@dataclass(frozen=True, slots=True)
class Options:
    """The options from the command line."""

    seats: int | None = None
    names: tuple[str, ...] = ()
    bots: tuple[str, ...] = ()
    variant: str = Variant.STANDARD.value
    layout: str = Layout.SIDES.value
    start: str = FIRST
    scoring: str = Scoring.AUTOMATIC.value
    seed: str | None = None
    record: Path | None = None
    language: str | None = None

    @property
    def say_who_plays(self) -> bool:
        """Whether the options say who plays."""
        return self.seats is not None or bool(self.names) or bool(self.bots)


def seed_of(options: Options, words: Words) -> Seed:
    """The seed from the options, or a new random one."""
    if options.seed is None:
        return Seed(secrets.token_bytes(SEED_BYTES))
    try:
        return Seed.parse(options.seed)
    except Malformed as error:
        raise Complaint(words.say(error)) from None


def table_options(options: Options, seats: tuple[Seat, ...], words: Words) -> table.Options:
    """The options of the table."""
    start = _start(options.start, seats)
    if start is None:
        raise Complaint(words("no_such_seat", text=options.start))
    return table.Options(
        len(seats), Variant(options.variant), Layout(options.layout), Scoring(options.scoring), start=start
    )


def _start(wanted: str, seats: tuple[Seat, ...]) -> int | Literal["random"] | None:
    """The seat that starts; None if there is no such seat."""
    if wanted == RANDOM:
        return RANDOM
    return 0 if wanted == FIRST else find_seat(wanted, seats)


def ask_who_plays(screen: Screen, words: Words) -> tuple[Seat, ...]:
    """Ask who plays if the options do not say."""
    note = ""
    while True:
        screen.show(_title(screen), Text(), *_choices(words), Text(note, WATER_STYLE))
        answer = screen.ask(words("who_prompt", level=words(f"level_{DEFAULT_LEVEL}"))).casefold() or "1"
        levels = {name: level for level in offered() for name in (level, words(f"level_{level}").casefold())}
        levels["1"] = DEFAULT_LEVEL
        bots = [levels[answer]] if answer in levels else []
        if not bots and answer not in ("2", "3", "4"):
            note = words("who_again")
            continue
        count = int(answer) if not bots else 1 + len(bots)
        names = screen.ask(words("names_prompt"))
        try:
            return take_seats(count, [name for name in names.split(",") if name.strip()], bots, words)
        except Complaint as complaint:
            note = str(complaint)


def _choices(words: Words) -> list[Text]:
    """A line for each bot, and one for human players."""
    bots = {words(f"level_{level}"): words(f"level_{level}_about") for level in offered()}
    humans = {"2 3 4": words("who_many")}
    width = max(map(len, bots))
    lines = [Text(f"  {key:{width}}  ", "bold").append(text, "not bold") for key, text in (bots | humans).items()]
    return [Text(words("who_bot")), *lines[:-1], Text(), lines[-1]]


def show_opening(session: Session) -> None:
    """Show the players, the options and the commitment to the deal; then wait for Enter."""
    words, setup = session.words, session.game.setup
    lines = [_title(session.screen), Text()]
    for number, seat in enumerate(session.seats):
        line = Text(f"  {session.screen.glyphs.pawns[number]} ", SEAT_STYLES[number])
        lines.append(line.append(seat.name, "bold default"))
    stones = " ".join(map(str, setup.layout.stones[1:]))
    layout = words("opening_layout", layout=words(f"layout_{setup.layout.value}"), squares=stones)
    terms = [
        words(f"opening_variant_{setup.variant.value}"),
        layout,
        words(f"opening_scoring_{setup.scoring.value}"),
    ]
    lines += [Text(), *(Text(f"  {term}") for term in terms), Text()]
    lines += [Text(words("commitment")), Text(session.seed.commitment, FAINT_STYLE), Text()]
    first = session.seats[setup.start]
    lines.append(Text(words("begins", name=first.name), WATER_STYLE))
    session.screen.show(*lines)
    session.screen.ask(words("pass_prompt", name=first.name) if first.bot is None else words("go_on_prompt"))


def _title(screen: Screen) -> Text:
    wave = screen.glyphs.wave * 5
    return Text(f"{wave}  R I V E R S T O N E S  {wave}", WATER_STYLE)
