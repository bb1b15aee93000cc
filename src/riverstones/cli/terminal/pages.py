"""The page of a game: the board, the players with their scores, the last events, and the viewer's hand.

A page is made from a view alone, so it cannot show what the player in front of it may not know. It fits the terminal: a
board with a grid where there is room for one, a plain board beside the rest where there is less, and everything in one
column on a narrow terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from riverstones.cli.words import Words
from riverstones.rules import View, track

from .drawing import (
    GRID_HEIGHT,
    GRID_STYLE,
    GRID_WIDTH,
    PLAIN_HEIGHT,
    PLAIN_WIDTH,
    Scene,
    draw_grid,
    draw_plain,
)
from .screen import Screen
from .seats import Seat

WATER_STYLE = "bold #3E9498"
SEAT_STYLES = ("#6F7FD8", "#2E9C97", "#B26CB2", "#B8862B")
FAINT_STYLE = GRID_STYLE
HAND_STYLE = "bold #1F2A2E on #EFE6D2"

GAP = 3
PANEL_WIDTH = 29
WIDEST_PANEL = 44
NOTE_LINES = 3
"""Lines kept free under a page for a note; the prompt takes one more."""
TRACK_CELLS = 20


@dataclass(frozen=True, slots=True)
class Page:
    """The contents of a page besides the view itself."""

    scene: Scene
    story: Sequence[Sequence[Text]]
    """Paragraphs on what happened, the latest last; the oldest are dropped first."""
    keep_first: bool = False
    """Whether the first paragraph matters most, so that the last ones are dropped instead."""


class Painter:
    """Renders the pages of one game."""

    def __init__(self, screen: Screen, words: Words, seats: Sequence[Seat]) -> None:
        self.screen = screen
        self.words = words
        self.seats = seats

    def show(self, view: View, page: Page, note: str = "") -> None:
        """Show a page with a note under it."""
        width, height = self.screen.console.size
        height -= NOTE_LINES + 1
        if width >= GRID_WIDTH + GAP + PANEL_WIDTH and height >= GRID_HEIGHT:
            room = min(width - GRID_WIDTH - GAP, WIDEST_PANEL)
            panel = self._panel(view, page, room, GRID_HEIGHT, tall=True)
            parts: list[RenderableType] = [beside(draw_grid(page.scene, self.screen.glyphs), panel)]
        elif width >= PLAIN_WIDTH + GAP + PANEL_WIDTH:
            room = min(width - PLAIN_WIDTH - GAP, WIDEST_PANEL)
            panel = self._panel(view, page, room, height, tall=False)
            parts = [beside(draw_plain(page.scene, self.screen.glyphs), panel)]
        else:
            panel = self._panel(view, page, width, height - PLAIN_HEIGHT, tall=False)
            parts = [draw_plain(page.scene, self.screen.glyphs), *panel]
        self.screen.show(*parts, Text(note, WATER_STYLE))

    def _panel(self, view: View, page: Page, width: int, height: int, *, tall: bool) -> list[Text]:
        """Everything beside or below the board, in exactly `height` lines."""
        head = [line for seat in range(len(self.seats)) for line in self._seat(view, seat, width, tall=tall)]
        bag = Text(self.words("bag", count=view.position.bag), FAINT_STYLE)
        if tall:
            title = Text("Riverstones", WATER_STYLE)
            title.append(f"  {self.words('short_' + view.setup.variant.value)}", FAINT_STYLE)
            head = [title, Text(), *head, Text(), bag, Text()]
        else:
            head.append(bag)
        foot = self._hand(view) if view.hand else []
        room = height - len(head) - len(foot)
        story = self._fit(page, width, room)
        space = [Text()] * (room - len(story)) if tall else []
        return [*head, *story, *space, *foot]

    def _fit(self, page: Page, width: int, room: int) -> list[Text]:
        """As many paragraphs of the story as fit."""
        wrapped = [[piece for line in part for piece in self.screen.wrap(line, width)] for part in page.story]
        lines: list[Text] = []
        for part in wrapped if page.keep_first else reversed(wrapped):
            if len(lines) + len(part) > room:
                if not lines or page.keep_first:
                    lines = [*lines, *part][: max(room, 0)]
                break
            lines = [*lines, *part] if page.keep_first else [*part, *lines]
        return lines

    def _seat(self, view: View, seat: int, width: int, *, tall: bool) -> list[Text]:
        score = view.position.scores[seat]
        to_move = not view.over and view.position.to_move == seat
        line = Text(self.screen.glyphs.turn if to_move else " ")
        line.append(f"{self.screen.glyphs.pawns[seat]} ", SEAT_STYLES[seat])
        name = Text(self.seats[seat].name, "bold" if to_move else "")
        longest = max(cell_len(seat.name) for seat in self.seats)
        name.truncate(width - 8 if tall else min(longest, width - 8), overflow="ellipsis", pad=True)
        line.append_text(name)
        line.append(f"{score:5}", "bold")
        if not tall:
            line.append(" ")
            line.append_text(self.track(seat, score, width - cell_len(line.plain)))
            return [line]
        below = Text("   ")
        below.append_text(self.track(seat, score, TRACK_CELLS))
        if hundreds := track(score).hundreds:
            below.append(f" {hundreds}\N{MULTIPLICATION SIGN}100", FAINT_STYLE)
        return [line, below]

    def track(self, seat: int, score: int, width: int = TRACK_CELLS) -> Text:
        """The score track as a straight line: a mark every ten points, and the pawn at the score.

        If there is no room for a mark every ten points, there is no track.
        """
        if width < TRACK_CELLS // 2:
            return Text()
        glyphs = self.screen.glyphs
        cells = TRACK_CELLS if width >= TRACK_CELLS else TRACK_CELLS // 2
        place = track(score).space * cells // 100
        line = Text((glyphs.ten + glyphs.rail * (cells // 10 - 1)) * 10, FAINT_STYLE)
        return line[:place] + Text(glyphs.pawns[seat], SEAT_STYLES[seat]) + line[place + 1 :]

    def _hand(self, view: View) -> list[Text]:
        line = Text(self.words("your_tiles"), FAINT_STYLE)
        for digit in view.hand:
            line.append("  ")
            line.append(f" {digit} ", HAND_STYLE)
        return [line]


def beside(board: Text, panel: list[Text]) -> Table:
    """The board with the panel to its right."""
    table = Table.grid(padding=(0, GAP, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_row(board, Text("\n").join(panel))
    return table
