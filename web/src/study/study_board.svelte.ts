/** The state of the study board: a position that is set up or played on, with everything that was tried. */

import { parseMove } from "../rules/moves";
import { tileAt, turnedSide, type Side, type Tile } from "../rules/board";
import type { Variant } from "../rules/scoring";
import type { Reason } from "../rules/series";
import type { Square } from "../rules/squares";
import { digitsOf, drawUnknown, knowTile, readPosition, unseen, type StudyPosition } from "./position";
import * as setup from "./setup";
import { LAYOUT_STONES, dealt, likelyLayout, type LayoutName } from "./stones";
import * as variations from "./variations";
import type { Variations } from "./variations";

/** How many edits can be undone. */
const MOST_UNDONE = 200;

export type Mode = "setup" | "play";

/** What a tap on a square puts there: a digit, or nothing. */
export type Brush = number | "clear" | null;

interface Saved {
  tree: Variations;
  layout: LayoutName;
}

export class StudyBoard {
  mode = $state<Mode>("play");
  tree = $state.raw<Variations>(variations.begin(dealt("sides", 2, "standard", Math.random)));
  layout = $state<LayoutName>("sides");
  brush = $state<Brush>(null);
  /** The side that is put up. */
  side = $state<Side>("+");
  /** The tile of a hand that the next digit is for, and whether the hand's other tile comes next. */
  slot = $state.raw<{ seat: number; index: number; goOn?: boolean } | null>(null);
  /** Why the last edit was not possible. */
  fault = $state.raw<Reason | null>(null);
  private undone = $state.raw<readonly Saved[]>([]);

  position = $derived.by(() => variations.stepAt(this.tree).position);
  stones = $derived.by(() => LAYOUT_STONES[this.layout]);
  hand = $derived.by(() => digitsOf(this.position.hands[this.position.toMove]!));
  left = $derived.by(() => unseen(this.position));
  line = $derived.by(() => variations.line(this.tree));
  canUndo = $derived.by(() => this.undone.length > 0);

  constructor(private random: () => number = Math.random) {}

  /** Show another position, with nothing tried yet. */
  open(position: StudyPosition, layout: LayoutName = likelyLayout(position.cells)): void {
    this.save();
    this.tree = variations.begin(position);
    this.layout = layout;
    this.fault = null;
  }

  deal(): void {
    const { hands, variant } = this.position;
    this.open(dealt(this.layout, hands.length, variant, this.random), this.layout);
  }

  private save(): void {
    this.undone = [...this.undone, { tree: this.tree, layout: this.layout }].slice(-MOST_UNDONE);
  }

  undo(): void {
    const saved = this.undone.at(-1);
    if (!saved) return;
    this.undone = this.undone.slice(0, -1);
    ({ tree: this.tree, layout: this.layout } = saved);
    this.fault = null;
  }

  /** Take an edit over, or keep the reason why it is impossible. */
  private take({ position, fault }: setup.Edited): void {
    this.fault = fault;
    if (!position || JSON.stringify(position) === JSON.stringify(this.position)) return;
    this.save();
    this.tree = variations.begin(position);
  }

  /** Choose what taps put: the same again puts it down. A chosen tile of a hand takes it at once. */
  choose(brush: Brush): void {
    this.fault = null;
    if (this.slot && brush !== null) this.fillSlot(brush === "clear" ? null : brush);
    else this.brush = this.brush === brush ? null : brush;
  }

  turnBrush(): void {
    this.side = turnedSide(this.side);
  }

  /** A tap on a square. A tile of the same digit is flipped. */
  tap(square: Square): void {
    const there = tileAt(this.position.cells, square);
    this.slot = null;
    if (this.brush === "clear") this.clear(square);
    else if (there && (this.brush === null || this.brush === there.digit)) this.flip(square);
    else if (this.brush !== null) this.put(square, { digit: this.brush, side: this.side });
  }

  /** A key on a square; returns whether it was used. */
  key(key: string, square: Square): boolean {
    const there = tileAt(this.position.cells, square);
    if (/^[1-9]$/.test(key)) {
      const digit = Number(key);
      if (there?.digit === digit) this.flip(square);
      else this.put(square, { digit, side: this.side });
      return true;
    }
    switch (key.toLowerCase()) {
      case "delete":
      case "backspace":
      case "0":
      case ".":
        this.clear(square);
        return true;
      case "f":
        if (there) this.flip(square);
        else this.turnBrush();
        return true;
      case "enter":
      case " ":
        this.tap(square);
        return true;
      case "escape":
        this.brush = null;
        this.slot = null;
        return true;
      default:
        return false;
    }
  }

  put = (square: Square, tile: Tile): void => this.take(setup.putTile(this.position, square, tile));
  clear = (square: Square): void => this.take(setup.putTile(this.position, square, null));
  flip = (square: Square): void => this.take(setup.flipTile(this.position, square));
  moveTile = (from: Square, to: Square | null): void => this.take(setup.moveTile(this.position, from, to));
  clearBoard = (): void => this.take(setup.clearBoard(this.position));
  setScore = (seat: number, score: number): void => this.take(setup.setScore(this.position, seat, score));
  setToMove = (seat: number): void => this.take(setup.setToMove(this.position, seat));
  setVariant = (variant: Variant): void => this.take(setup.setVariant(this.position, variant));

  setSeats(seats: number): void {
    this.slot = null;
    this.take(setup.setSeats(this.position, seats));
  }

  /** Choose a tile of a hand, to be set next. */
  pickSlot(seat: number, index: number): void {
    const same = this.slot?.seat === seat && this.slot.index === index;
    this.slot = same ? null : { seat, index, goOn: index === 0 };
    this.brush = null;
  }

  /** Set the chosen tile of a hand, and go on to its other one. */
  fillSlot(tile: number | "?" | null): void {
    if (!this.slot) return;
    const { seat, index, goOn } = this.slot;
    this.take(setup.setHandTile(this.position, seat, index, tile));
    if (this.fault !== null) return;
    // Hands are sorted, so the tile that was set may stand second now.
    const other = this.position.hands[seat]!.indexOf(String(tile)) === 0 ? 1 : 0;
    this.slot = goOn && tile !== null ? { seat, index: other } : null;
  }

  /** Set up what a text says; returns what is wrong with it. */
  read(text: string): Reason[] {
    const { position, problems } = readPosition(text);
    if (position) this.open(position);
    return problems;
  }

  // Playing on.

  play(move: string): void {
    if (parseMove(move)) this.tree = variations.play(this.tree, move);
  }

  takeBack(): void {
    this.tree = variations.takeBack(this.tree);
  }

  goOn(): void {
    this.tree = variations.goOn(this.tree);
  }

  goTo(id: number): void {
    this.tree = variations.goTo(this.tree, id);
  }

  /** An unknown tile of the seat to move is this one. */
  know(digit: number): void {
    this.tree = variations.amend(this.tree, knowTile(this.position, this.position.toMove, digit));
  }

  draw(): void {
    this.tree = variations.amend(this.tree, drawUnknown(this.position, this.random));
  }
}
