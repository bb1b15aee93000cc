"""Solve puzzles and sprints in the terminal. Tries are unlimited: a wrong one is told what it is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date

from rich.console import Console, RenderableType
from rich.text import Text

from riverstones.cli.output import arithmetic
from riverstones.cli.words import DEFAULT, Words
from riverstones.rules import Hand, Malformed, Move, Reason, Series, explain
from riverstones.rules.errors import Code
from riverstones.study.puzzles.daily import Daily
from riverstones.study.puzzles.puzzle import SPRINT_MOVES, Kind, Puzzle, Sprint, hand_after, stars

from .commands import Verb, read_command, synonyms
from .drawing import GRID_HEIGHT, GRID_WIDTH, PLAIN_WIDTH, Scene, draw_grid, draw_plain
from .pages import FAINT_STYLE, GAP, HAND_STYLE, NOTE_LINES, PANEL_WIDTH, WATER_STYLE, WIDEST_PANEL, beside
from .screen import Screen

THREE_STARS = 3


class Left(Exception):
    """The player leaves."""


def solve_puzzles(puzzles: Sequence[Puzzle], words: Words) -> None:
    """Offer puzzles one after the other until the player has enough."""
    with _at_screen(words) as desk:
        for number, puzzle in enumerate(puzzles):
            if number and not desk.agrees("puzzle_another"):
                return
            PuzzleDesk(desk, puzzle).run()
        desk.wait("go_on_prompt")


def solve_sprint(sprint: Sprint, words: Words) -> None:
    """Offer a sprint."""
    with _at_screen(words) as desk:
        SprintDesk(desk, sprint).run()
        desk.wait("go_on_prompt")


def solve_day(offered: Daily, day: date, words: Words) -> None:
    """Offer the puzzle of a day, then its sprint."""
    with _at_screen(words) as desk:
        desk.title = words("puzzle_day", date=day.isoformat())
        PuzzleDesk(desk, offered.puzzle).run()
        desk.wait("puzzle_to_sprint")
        SprintDesk(desk, offered.sprint).run()
        desk.wait("go_on_prompt")


@contextmanager
def _at_screen(words: Words) -> Iterator[Desk]:
    """A screen; leaving by command, Ctrl-C or the end of the input is not an error."""
    screen = Screen(Console(markup=False, highlight=False, emoji=False))
    try:
        with screen:
            yield Desk(screen, words)
    except (Left, EOFError, KeyboardInterrupt):
        pass
    print(words("goodbye"))


class Desk:
    """A board with text beside it, and the line typed under them."""

    def __init__(self, screen: Screen, words: Words) -> None:
        self.screen = screen
        self.words = words
        self.title = ""

    def show(self, scene: Scene, panel: Sequence[Text], note: str) -> None:
        """Show a board with these lines beside or below it."""
        width, height = self.screen.console.size
        with_grid = width >= GRID_WIDTH + GAP + PANEL_WIDTH and height > GRID_HEIGHT + NOTE_LINES
        aside = with_grid or width >= PLAIN_WIDTH + GAP + PANEL_WIDTH
        room = min(width - (GRID_WIDTH if with_grid else PLAIN_WIDTH) - GAP, WIDEST_PANEL) if aside else width
        title = [Text(self.title, FAINT_STYLE)] if self.title else []
        lines = [piece for line in (*title, *panel) for piece in self.screen.wrap(line, room)]
        board = (draw_grid if with_grid else draw_plain)(scene, self.screen.glyphs)
        parts: list[RenderableType] = [beside(board, lines)] if aside else [board, *lines]
        self.screen.show(*parts, Text(note, WATER_STYLE))

    def ask(self, prompt: str) -> str:
        """Read one line."""
        return self.screen.ask(prompt)

    def agrees(self, key: str) -> bool:
        """Ask a question that Enter answers with yes."""
        verb = read_command(self.ask(self.words(key)), self.words).verb
        if verb is Verb.QUIT:
            raise Left
        return verb is Verb.YES

    def wait(self, key: str) -> None:
        """Wait for Enter."""
        if read_command(self.ask(self.words(key)), self.words).verb is Verb.QUIT:
            raise Left

    def tiles(self, key: str, hand: Hand) -> Text:
        """Some tiles with their label."""
        line = Text(self.words(key), FAINT_STYLE)
        for digit in hand:
            line.append("  ")
            line.append(f" {digit} ", HAND_STYLE)
        return line

    def says(self, line: str, key: str) -> bool:
        """Whether a line is one of the words for something, in the player's language or in English."""
        return line.strip().lower() in {*self.words(key).split(), *Words(DEFAULT)(key).split()}

    def word(self, key: str) -> str:
        """The word for something, as it is shown."""
        return self.words(key).split()[0]

    def quit_word(self) -> str:
        """The word for leaving, as it is shown."""
        return synonyms(Verb.QUIT, self.words)[0]


class PuzzleDesk:
    """One puzzle, from the question to its solution."""

    def __init__(self, desk: Desk, puzzle: Puzzle) -> None:
        self.desk = desk
        self.words = desk.words
        self.puzzle = puzzle
        self.note = self._how()

    def run(self) -> None:
        """Read tries until the puzzle is solved or its solution was asked for."""
        puzzle, words = self.puzzle, self.words
        judging = puzzle.kind is Kind.SPOT_THE_ERROR
        while True:
            self.desk.show(self._question(), self._panel(), self.note)
            line = self.desk.ask(
                words("puzzle_judge_prompt", right=self.desk.word("verb_right"), wrong=self.desk.word("verb_wrong"))
                if judging
                else words("puzzle_prompt")
            )
            # "s" may be the short form of a word in the player's language, so the verdicts come first.
            said_right, said_wrong = (self.desk.says(line, key) for key in ("verb_right", "verb_wrong"))
            if judging and (said_right or said_wrong):
                won = said_right is puzzle.claim_is_right
                self._reveal(words("puzzle_solved" if won else "puzzle_misjudged"))
                return
            if self.desk.says(line, "verb_solution"):
                self._reveal("")
                return
            command = read_command(line, words)
            if command.verb is Verb.QUIT:
                raise Left
            if command.verb is not Verb.MOVE or judging:
                self.note = self._how()
            elif self._try(command.rest):
                return

    def _how(self) -> str:
        desk = self.desk
        if self.puzzle.kind is Kind.SPOT_THE_ERROR:
            return self.words(
                "puzzle_judge_how",
                right=desk.word("verb_right"),
                wrong=desk.word("verb_wrong"),
                solution=desk.word("verb_solution"),
                quit=desk.quit_word(),
            )
        return self.words("puzzle_how", solution=desk.word("verb_solution"), quit=desk.quit_word())

    def _question(self) -> Scene:
        """The board as the question shows it: with the claimed move on it, if that is the question."""
        puzzle = self.puzzle
        if puzzle.claim is None:
            return Scene(puzzle.board, ())
        return Scene(puzzle.claim.move.on(puzzle.board), (), puzzle.claim.move)

    def _panel(self) -> list[Text]:
        puzzle, words = self.puzzle, self.words
        lines = [
            Text(words(f"kind_{puzzle.kind}"), WATER_STYLE),
            Text(
                f"{words('puzzle_heading', id=puzzle.id, grade=puzzle.grade)}, "
                f"{words('short_' + puzzle.variant.value)}",
                FAINT_STYLE,
            ),
            Text(),
            Text(words(f"task_{puzzle.kind}", count=0 if puzzle.claim is None else puzzle.claim.points)),
            Text(),
        ]
        if puzzle.claim is not None:
            return [*lines, Text(words("puzzle_claimed", move=puzzle.claim.move, points=puzzle.claim.points), "bold")]
        if puzzle.scores is not None and puzzle.others is not None:
            mine, theirs = puzzle.scores
            lines += [Text(words("puzzle_both_scores", mine=mine, theirs=theirs))]
            lines += [self.desk.tiles("puzzle_others", puzzle.others)]
        return [*lines, self.desk.tiles("your_tiles", puzzle.hand)]

    def _try(self, text: str) -> bool:
        """Judge a move; True if it is a right answer."""
        puzzle, words = self.puzzle, self.words
        move = _read_move(text, puzzle.hand, words)
        if isinstance(move, str):
            self.note = move
            return False
        told = explain(puzzle.board, move, puzzle.variant)
        if told.refusal is not None:
            self.note = words.say(told.refusal)
        elif move in puzzle.answers if puzzle.answers is not None else told.points == puzzle.best:
            self._reveal(words("puzzle_solved"), move)
            return True
        elif puzzle.kind is Kind.LOOK_FURTHER:
            self.note = words("puzzle_worth_less", move=move, points=told.points)
        elif puzzle.kind is Kind.WIN:
            self.note = words("puzzle_does_not_win", move=move, points=told.points)
        else:
            self.note = words("puzzle_worth", points=told.points, best=puzzle.best)
        return False

    def _reveal(self, note: str, move: Move | None = None) -> None:
        """Show the solution: the move found, or the answer."""
        puzzle, words = self.puzzle, self.words
        move = move or puzzle.answer
        told = explain(puzzle.board, move, puzzle.variant)
        lines = [*self._panel(), Text()]
        if puzzle.claim is not None:
            lines += self._verdict()
        else:
            key = "puzzle_answer_points" if told.points else "puzzle_answer_nothing"
            lines += [Text(words(key, move=move, points=told.points), "bold"), *_sums(told.kakuros)]
            also = [play.move for play in puzzle.right_plays() if play.move != move]
            if also:
                lines.append(Text(words("puzzle_also", moves=also)))
            if puzzle.next_best is not None:
                following = puzzle.next_best
                lines.append(Text(words("puzzle_runner_up", move=following.move, points=following.points)))
        self.desk.show(Scene(move.on(puzzle.board), (), move, told.kakuros), lines, note)

    def _verdict(self) -> list[Text]:
        puzzle, words = self.puzzle, self.words
        claim = puzzle.claim
        assert claim is not None
        told = explain(puzzle.board, claim.move, puzzle.variant)
        if told.refusal is not None:
            return [
                Text(words("puzzle_verdict_illegal", move=claim.move), "bold"),
                Text(words.say(told.refusal)),
            ]
        if puzzle.claim_is_right:
            return [
                Text(words("puzzle_verdict_right", move=claim.move, points=puzzle.best), "bold"),
                *_sums(told.kakuros),
            ]
        verdict = words("puzzle_verdict_wrong", move=claim.move, points=puzzle.best, claimed=claim.points)
        misses = [Text(words.say(miss.reason), FAINT_STYLE) for miss in told.near_misses]
        return [Text(verdict, "bold"), *_sums(told.kakuros), *misses]


class SprintDesk:
    """One sprint: four moves, which can be taken back, and the result."""

    def __init__(self, desk: Desk, sprint: Sprint) -> None:
        self.desk = desk
        self.words = desk.words
        self.sprint = sprint
        self.moves: list[Move] = []
        self.note = self._how()

    def run(self) -> None:
        """Read moves until four are played or the player gives up."""
        while len(self.moves) < SPRINT_MOVES:
            self._show()
            line = self.desk.ask(self.words("sprint_prompt", number=len(self.moves) + 1, count=SPRINT_MOVES))
            self.note = ""
            if self.desk.says(line, "verb_solution"):
                break
            command = read_command(line, self.words)
            match command.verb:
                case Verb.QUIT:
                    raise Left
                case Verb.NO if self.moves:
                    self.moves.pop()
                    self.note = self.words("taken_back")
                case Verb.MOVE:
                    self._play(command.rest)
                case _:
                    self.note = self._how()
        self._result()

    def _how(self) -> str:
        desk = self.desk
        no = synonyms(Verb.NO, self.words)[0]
        return self.words("sprint_how", no=no, solution=desk.word("verb_solution"), quit=desk.quit_word())

    def _play(self, text: str) -> None:
        scene, hand, _ = self._now()
        move = _read_move(text, hand, self.words)
        if isinstance(move, str):
            self.note = move
            return
        told = explain(scene.board, move, self.sprint.variant)
        if told.refusal is not None:
            self.note = self.words.say(told.refusal)
            return
        self.moves.append(move)

    def _now(self) -> tuple[Scene, Hand, int]:
        """The board after the moves so far, the hand, and the points."""
        sprint = self.sprint
        scene, hand, points = Scene(sprint.board, ()), sprint.hand, 0
        for turn, move in enumerate(self.moves):
            told = explain(scene.board, move, sprint.variant)
            points += told.points
            scene = Scene(move.on(scene.board), (), move, told.kakuros)
            hand = hand_after(hand, move, sprint.tiles[turn : turn + 1])
        return scene, hand, points

    def _head(self) -> list[Text]:
        sprint, words = self.sprint, self.words
        heading = f"{words('sprint_heading', id=sprint.id)}, {words('short_' + sprint.variant.value)}"
        return [Text(heading, WATER_STYLE), Text()]

    def _show(self) -> None:
        scene, hand, points = self._now()
        lines = [*self._head(), Text(self.words("sprint_task")), Text()]
        lines += [Text(self.words("sprint_so_far", points=points), "bold"), *_sums(scene.kakuros), Text()]
        coming = self.sprint.tiles[len(self.moves) :]
        if coming:
            lines.append(self.desk.tiles("puzzle_next_tiles", coming))
        self.desk.show(scene, [*lines, self.desk.tiles("your_tiles", hand)], self.note)

    def _result(self) -> None:
        sprint, words = self.sprint, self.words
        scene, _, points = self._now()
        earned = stars(points, sprint.optimum)
        if earned > THREE_STARS:
            praise = words("sprint_all_points")
        else:
            praise = words("sprint_stars", count=earned) if earned else words("sprint_no_star")
        lines = [*self._head(), Text(words("sprint_result", points=points, optimum=sprint.optimum), "bold")]
        lines += [Text(praise), Text(), Text(words("sprint_best_moves"))]
        board = sprint.board
        for move in sprint.line:
            told = explain(board, move, sprint.variant)
            lines.append(Text(f"  {move!s:12} {told.points:3}"))
            board = move.on(board)
        self.desk.show(scene, lines, "")


def _read_move(text: str, hand: Hand, words: Words) -> Move | str:
    """The move that was typed, or why it cannot be one with this hand."""
    try:
        move = Move.parse(text)
    except Malformed as error:
        return words.say(error)
    if move.tile.digit not in hand:
        return words.say(Reason.of(Code.TILE_NOT_IN_HAND, digit=move.tile.digit))
    return move


def _sums(kakuros: tuple[Series, ...]) -> list[Text]:
    return [Text(f"  {arithmetic(kakuro)}") for kakuro in kakuros]
