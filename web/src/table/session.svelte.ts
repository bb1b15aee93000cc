/** One visitor at one table: what the table tells, what the visitor is about to do, and what has been sent. */

import { newId } from "../lib/ids";
import { squaresOf } from "../lib/words";
import { EMPTY_BOARD, isEmpty, turnedSide, type Side } from "../rules/board";
import { parseMove, writeMove, type Move } from "../rules/moves";
import { explain, type Explanation } from "../rules/scoring";
import { nameOf, type Square } from "../rules/squares";
import { Line, type ConnectionState } from "./connection";
import { draftOf, dropDraft, keepDraft } from "./draft";
import { fold } from "./fold";
import type { TileHolder } from "./handling.svelte";
import { follows, readHint, type Advice } from "./hint";
import { readPosition } from "./position";
import type { Command, ErrorInfo, EventMessage, Hint, ServerMessage, Snapshot } from "../protocol/messages";

/** A tile of the hand that lies on the board but is not yet played. */
export interface Laid {
  square: Square;
  digit: number;
  side: Side;
  flips: Square[];
}

const moveOf = ({ square, digit, side, flips }: Laid): Move => ({ square, tile: { digit, side }, flips });

interface Presence {
  seats: boolean[];
  absent: number[];
  spectators: number;
}

export class TableSession implements TileHolder {
  table = $state.raw<Snapshot | null>(null);
  connectionState = $state<ConnectionState>("connecting");
  presence = $state.raw<Presence>({ seats: [], absent: [], spectators: 0 });
  /** Why there is no table to be seen, if there is none. */
  trouble = $state.raw<ErrorInfo | null>(null);
  /** Why the last command was turned down, until something else is done. */
  refusal = $state.raw<ErrorInfo | null>(null);

  /** Which tile of the hand is picked up, by its place in the hand. */
  picked = $state<number | null>(null);
  side = $state<Side>("+");
  laid = $state.raw<Laid | null>(null);
  hint = $state.raw<Hint | null>(null);
  /** A hint has been asked for and is being thought out. */
  hinting = $state(false);
  /** The move is on its way and not yet acknowledged. */
  sending = $state(false);
  clockSkewMs = $state(0);

  position = $derived(this.table?.now.position ? readPosition(this.table.now.position) : null);
  cells = $derived(this.position?.cells ?? EMPTY_BOARD);
  hand = $derived(this.table?.you.hand ?? []);
  mySeat = $derived(this.table?.you.seat ?? null);
  myTurn = $derived(this.mySeat !== null && this.table?.now.to_move === this.mySeat && !this.table.now.paused);
  byClaims = $derived(this.table?.options.scoring === "claims");
  private variant = $derived(this.table?.options.variant);
  /** What the tentative move scores, or why it is not legal. With claims on the players count for themselves. */
  preview = $derived.by((): Explanation | null =>
    this.laid && !this.byClaims ? explain(this.cells, moveOf(this.laid), this.variant) : null,
  );
  /** A claim has to be entered first, so Enter alone does not play. */
  enterPlays = $derived(!this.byClaims);
  /** The hand without the tile that lies on the board. */
  laidIndex = $derived(this.laid ? (this.picked ?? this.hand.indexOf(this.laid.digit)) : null);
  /** One device for several: the seat that it has to be handed to. */
  passTo = $derived.by(() => {
    const table = this.table;
    if (!table || table.you.seats.length < 2) return null;
    const seat = table.now.to_move;
    return seat !== null && table.you.seats.includes(seat) && table.you.seat !== seat ? seat : null;
  });

  private connection: Line;
  private playId: string | null = null;
  private hintId: string | null = null;
  private revealId: string | null = null;
  /** What the hint, or the request for one, is about. */
  private hintedSituation = "";

  constructor(
    id: string,
    private onevent: (message: EventMessage, before: Snapshot) => void,
  ) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.connection = new Line(`${scheme}://${location.host}/api/v1/tables/${id}/socket`, {
      onmessage: (message) => this.hear(message),
      onstate: (state) => (this.connectionState = state),
      known: () => (this.table ? { since: this.table.seq, ...this.looking() } : {}),
    });
  }

  private looking(): { seat?: number } {
    const seat = this.table?.you.seat;
    return typeof seat === "number" ? { seat } : {};
  }

  private hear(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
      case "pong":
        this.clockSkewMs = message.server_ms - Date.now();
        // What a line that broke was asked is not answered on the next.
        if (message.type === "welcome") this.hinting = false;
        return;
      case "snapshot":
        this.table = message.snapshot;
        this.settle();
        this.restore();
        this.reveal();
        return;
      case "event":
        this.happen(message);
        this.reveal();
        return;
      case "ack":
        if (message.id === this.playId) this.playId = null;
        if (message.id === this.revealId) this.revealId = null;
        return;
      case "refused":
        this.refuse(message.id, message.error);
        return;
      case "hint":
        if (message.id === this.hintId) {
          this.hint = message.hint;
          this.hinting = false;
        }
        return;
      case "presence":
        this.presence = message;
        return;
      case "bye":
        if (!this.table) this.trouble = message.error;
        return;
    }
  }

  private happen(message: EventMessage): void {
    const before = this.table;
    if (!before || message.seq <= before.seq) return;
    this.table = fold(before, message);
    const { event } = message;
    if (event.type === "moved" && event.seat === before.you.seat) {
      this.sending = false;
      this.takeBack();
      this.picked = null;
      if (before.you.seats.length > 1) this.look(null);
    }
    this.settle();
    this.onevent(message, before);
  }

  /** The table has changed: a hint for another position goes, a tentative tile stays unless its square was taken or the game is over. */
  private settle(): void {
    if (this.situation !== this.hintedSituation) this.dropHint();
    if (this.table?.now.phase !== "playing") {
      this.takeBack();
      this.picked = null;
    }
    const laid = this.laid;
    if (!laid) return;
    if (!isEmpty(this.cells[laid.square]!) || !this.hand.includes(laid.digit)) {
      if (this.hand.includes(laid.digit)) {
        this.refusal = { code: "square_taken", params: { square: nameOf(laid.square) }, text: "" };
      }
      this.takeBack();
    } else {
      this.keep();
    }
  }

  /** Lay out again what lay on the board before the page was loaded anew. */
  private restore(): void {
    const { table } = this;
    if (!table || this.laid || this.mySeat === null) return;
    const draft = table.now.phase === "playing" ? draftOf(table) : null;
    const move = draft === null ? null : parseMove(draft);
    if (!move || !this.layMove(move)) dropDraft(table);
  }

  private keep(): void {
    if (this.table) keepDraft(this.table, this.written());
  }

  /** The clock waits for the hand to be seen, and it is: let the time start. */
  private reveal(): void {
    const { table } = this;
    if (!table?.now.awaiting_reveal || this.revealId !== null) return;
    const { seat, hand } = table.you;
    if (seat !== null && hand !== null && table.now.to_move === seat) {
      this.revealId = this.connection.do({ type: "reveal", seat, turn: table.now.turn });
    }
  }

  private refuse(id: string | null, error: ErrorInfo): void {
    if (id === this.revealId) {
      // It came too late; whatever the turn is now, the table has told.
      this.revealId = null;
      return;
    }
    if (id === this.hintId) this.hinting = false;
    if (id === this.playId) {
      this.sending = false;
      this.playId = null;
    }
    this.refusal = error;
  }

  /** Take a tile of the hand up, or put it down again. */
  pick(index: number): void {
    this.refusal = null;
    if (this.laid) this.takeBack();
    if (this.picked !== index) this.side = "+";
    this.picked = this.picked === index ? null : index;
  }

  /** Turn over the tile that is picked up or laid down. */
  turnOver(): void {
    if (this.sending) return;
    this.refusal = null;
    this.side = turnedSide(this.side);
    if (this.laid) this.lay({ ...this.laid, side: this.side });
  }

  /** Lay the tile that is picked up, or laid already, on a square. */
  place(square: Square): void {
    const digit = this.laid?.digit ?? (this.picked === null ? undefined : this.hand[this.picked]);
    if (digit === undefined || !isEmpty(this.cells[square]!)) return;
    this.picked ??= this.hand.indexOf(digit);
    this.lay({ square, digit, side: this.side, flips: this.laid?.flips ?? [] });
  }

  /** Turn a tile on the board with the move, or leave it. In the standard game a second choice replaces the first. */
  flip(square: Square): void {
    const laid = this.laid;
    if (!laid) return;
    const others = laid.flips.filter((each) => each !== square);
    if (others.length < laid.flips.length) this.lay({ ...laid, flips: others });
    else if (this.table?.options.variant === "expert") this.lay({ ...laid, flips: [...others, square].sort((a, b) => a - b) });
    else this.lay({ ...laid, flips: [square] });
  }

  /** Lay out a whole move at once: one that was typed, or hinted. */
  layMove(move: Move): boolean {
    const index = this.hand.indexOf(move.tile.digit);
    if (this.sending || index < 0 || !isEmpty(this.cells[move.square]!)) return false;
    this.picked = index;
    this.side = move.tile.side;
    this.lay({ square: move.square, digit: move.tile.digit, side: move.tile.side, flips: move.flips });
    return true;
  }

  private lay(laid: Laid): void {
    this.refusal = null;
    this.laid = laid;
    this.keep();
  }

  takeBack(): void {
    this.clear();
    if (this.table) dropDraft(this.table);
  }

  private clear(): void {
    this.laid = null;
  }

  /** The tentative move in notation. */
  written(): string {
    return writeMove(moveOf(this.laid!));
  }

  play(claim?: number): void {
    const { table, mySeat } = this;
    if (!table || mySeat === null || !this.laid || !this.myTurn || this.sending) return;
    const command: Command = { type: "play", seat: mySeat, turn: table.now.turn, move: this.written() };
    this.sending = true;
    this.playId = this.do(claim === undefined ? command : { ...command, claim });
  }

  do(command: Command): string {
    this.refusal = null;
    return this.connection.do(command);
  }

  look(seat: number | null): void {
    this.clear();
    this.picked = null;
    if (this.table) {
      this.table = { ...this.table, you: { ...this.table.you, seat, hand: null } };
      this.settle();
    }
    this.connection.send({ type: "look", seat });
  }

  /** All that a hint depends on. */
  private get situation(): string {
    const { now, you } = this.table!;
    return [now.phase, now.position, you.seat, you.hand].join(" ");
  }

  /** Forget the hint, and one that may still be on its way. */
  private dropHint(): void {
    this.hint = null;
    this.hintId = null;
    this.hinting = false;
  }

  /** Ask for a hint, or for the next step of it. What lies on the board goes back to the hand, so that it can be seen. */
  askHint(): void {
    if (this.mySeat === null || this.hinting) return;
    this.refusal = null;
    this.takeBack();
    this.picked = null;
    const step = Math.min((this.hint?.step ?? 0) + 1, 3);
    this.hintedSituation = this.situation;
    this.hintId = newId();
    this.hinting = this.connection.send({ type: "hint", id: this.hintId, seat: this.mySeat, step });
  }

  /** The hint, as long as nothing else is done with the tiles than what it says. */
  advice = $derived.by((): Advice | null => {
    const { hint, laid, picked } = this;
    if (!hint) return null;
    const advice = readHint(hint);
    const digit = laid?.digit ?? (picked === null ? undefined : this.hand[picked]);
    const other = advice.tile && digit !== undefined && digit !== advice.tile.digit;
    return other || (laid && !follows(laid, advice)) ? null : advice;
  });

  /** The squares that a hint points at. */
  hintedSquares = $derived.by(() => {
    const { advice } = this;
    return advice ? squaresOf([advice.square, ...(advice.move?.flips.map(nameOf) ?? [])]) : [];
  });

  /** The tile of the hand that a hint points at. */
  hintedIndex = $derived(this.advice?.tile && !this.laid ? this.hand.indexOf(this.advice.tile.digit) : null);

  /** Come again as somebody else: a visitor who has just got a name. */
  reconnect(): void {
    this.table = null;
    this.connection.again();
  }

  close(): void {
    this.connection.close();
  }
}
