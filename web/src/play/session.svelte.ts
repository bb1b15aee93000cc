/** A visitor's session at a table: the table's state, the visitor's tentative move, and pending commands. */

import { newId } from "../lib/ids";
import { squaresOf } from "../lib/words";
import { EMPTY_BOARD, isEmpty, turnedSide, type Side } from "../rules/board";
import { parseMove, writeMove, type Move } from "../rules/moves";
import { explain, type Explanation } from "../rules/scoring";
import { nameOf, type Square } from "../rules/squares";
import { connect, type TableConnection } from "./connect";
import type { ConnectionState } from "./connection";
import { draftOf, dropDraft, keepDraft } from "./draft";
import { flipping, scoringFlips } from "./flipping.svelte";
import { fold } from "./fold";
import type { TileHolder } from "./handling.svelte";
import { follows, readHint, type Advice } from "./hint";
import { whyNothing } from "./nearmiss";
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
  /** How much of a table without a server has been loaded onto this device, from 0 to 1; null with a server. */
  loading = $state<number | null>(null);
  /** Whether loading has failed. */
  failed = $state(false);
  /** False if the browser forbids storage, so that a table without a server is lost with the page. */
  lasting = $state(true);
  /** Why the table cannot be shown. */
  trouble = $state.raw<ErrorInfo | null>(null);
  /** Why the last command was refused; cleared by the next action. */
  refusal = $state.raw<ErrorInfo | null>(null);

  /** The index of the picked tile in the hand. */
  picked = $state<number | null>(null);
  side = $state<Side>("+");
  laid = $state.raw<Laid | null>(null);
  hint = $state.raw<Hint | null>(null);
  /** A hint has been requested and is not there yet. */
  hinting = $state(false);
  /** The move has been sent and is not yet acknowledged. */
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
  /** Why the tentative move scores nothing. */
  whyNothing = $derived(this.laid && this.preview ? whyNothing(this.preview, moveOf(this.laid)) : null);
  /** Whether a beginner should be told that a flip would score with the tentative move. */
  flipWouldScore = $derived.by(() => {
    const { whyNothing, laid } = this;
    return !flipping.known && whyNothing !== null && scoringFlips(this.cells, moveOf(laid!), this.variant!).length > 0;
  });
  /** A claim has to be entered first, so Enter alone does not play. */
  enterPlays = $derived(!this.byClaims);
  /** The index in the hand of the tile that is laid out. */
  laidIndex = $derived(this.laid ? (this.picked ?? this.hand.indexOf(this.laid.digit)) : null);
  /** On a shared device, the seat that it has to be passed to. */
  passTo = $derived.by(() => {
    if (!this.table) return null;
    const { now, you } = this.table;
    // Also to the only seat that is left, after the seat that was shown has resigned.
    return now.to_move !== null && you.seats.includes(now.to_move) && you.seat !== now.to_move ? now.to_move : null;
  });

  private connection: TableConnection;
  private playId: string | null = null;
  private hintId: string | null = null;
  private revealId: string | null = null;
  /** The situation that the hint, or the request for one, belongs to. */
  private hintedSituation = "";

  constructor(
    id: string,
    private onevent: (message: EventMessage, before: Snapshot) => void,
  ) {
    this.connection = connect(id, {
      onmessage: (message) => this.receive(message),
      onstate: (state) => (this.connectionState = state),
      onloading: (share, lasting) => Object.assign(this, { loading: share, lasting }),
      onfailed: () => (this.failed = true),
      known: () => (this.table ? { since: this.table.seq, ...this.looking() } : {}),
    });
  }

  private looking(): { seat?: number } {
    const seat = this.table?.you.seat;
    return typeof seat === "number" ? { seat } : {};
  }

  private receive(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
      case "pong":
        this.clockSkewMs = message.server_ms - Date.now();
        // Pending requests fail when the socket closes.
        if (message.type === "welcome") this.hinting = false;
        return;
      case "snapshot":
        this.table = message.snapshot;
        this.settle();
        this.restore();
        this.reveal();
        return;
      case "event":
        this.apply(message);
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

  private apply(message: EventMessage): void {
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

  /** After a change of the table: drop a hint for another position, and keep the tentative tile if its square is still free. */
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

  /** Restore the tentative move after a reload. */
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

  /** Report that the hand is shown, which starts the clock on a shared device. */
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
      // It came too late: the turn has already changed.
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

  /** Pick a tile of the hand, or unpick it. */
  pick(index: number): void {
    this.refusal = null;
    if (this.laid) this.takeBack();
    if (this.picked !== index) this.side = "+";
    this.picked = this.picked === index ? null : index;
  }

  /** Flip the tile that is picked or laid out. */
  turnOver(): void {
    if (this.sending) return;
    this.refusal = null;
    this.side = turnedSide(this.side);
    if (this.laid) this.lay({ ...this.laid, side: this.side });
  }

  /** Lay out the picked tile on a square, or move the one that is laid out. */
  place(square: Square): void {
    const digit = this.laid?.digit ?? (this.picked === null ? undefined : this.hand[this.picked]);
    if (digit === undefined || !isEmpty(this.cells[square]!)) return;
    this.picked ??= this.hand.indexOf(digit);
    this.lay({ square, digit, side: this.side, flips: this.laid?.flips ?? [] });
  }

  /** Add a flip to the move, or remove it. In the standard game a second flip replaces the first. */
  flip(square: Square): void {
    const laid = this.laid;
    if (!laid) return;
    const others = laid.flips.filter((each) => each !== square);
    if (others.length < laid.flips.length) this.lay({ ...laid, flips: others });
    else if (this.table?.options.variant === "expert") this.lay({ ...laid, flips: [...others, square].sort((a, b) => a - b) });
    else this.lay({ ...laid, flips: [square] });
  }

  /** Lay out a whole move, typed or hinted; false if it cannot be laid out. */
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

  /** Everything that a hint depends on. */
  private get situation(): string {
    const { now, you } = this.table!;
    return [now.phase, now.position, you.seat, you.hand].join(" ");
  }

  /** Drop the hint, and ignore one that may still arrive. */
  private dropHint(): void {
    this.hint = null;
    this.hintId = null;
    this.hinting = false;
  }

  /** Request a hint, or its next step. The tentative tile goes back to the hand, so that the hint can be seen. */
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

  /** The hint, unless the visitor has laid out something else. */
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

  /** Reconnect with a new identity, after the visitor has been given a name. */
  reconnect(): void {
    this.table = null;
    this.connection.reconnect();
  }

  close(): void {
    this.connection.close();
  }
}
