/** The server's side of solving: progress is exchanged when a page opens and after changes, and tries are rated. */

import { onDestroy } from "svelte";
import { api, Refusal } from "../lib/api";
import { SERVERLESS } from "../lib/hosting";
import type { Rating } from "./puzzle_skill";
import { solver } from "./solver.svelte";
import { enqueue, keptRating, rateHere, synchronize, type StudyServer } from "./sync";

/** Changes within this time are sent together. */
const GATHER_MS = 1_500;

const server: StudyServer = {
  known: async () => !SERVERLESS && (await api.me()) !== null,
  progress: () => api.studyProgress(),
  keepProgress: (version, data) => api.keepStudyProgress(version, data as Record<string, unknown>),
  attempt: (puzzle, solved) =>
    api.attemptPuzzle(puzzle, solved).catch((error: unknown) => {
      // The page may know another puzzle file than the server, before or after an update.
      if (error instanceof Refusal && error.error.code === "no_such_puzzle") return null;
      throw error;
    }),
};

class Solving {
  /** The rating as a solver, of the server or of this device; null before the first try. */
  rating = $state.raw<Rating | null>(keptRating());
  private running = false;
  private wanted = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.now(), GATHER_MS);
  }

  /** One exchange at a time; what changes meanwhile is sent after it. Without a network it waits for the next time. */
  async now(): Promise<void> {
    this.wanted = true;
    if (this.running) return;
    this.running = true;
    while (this.wanted) {
      this.wanted = false;
      await synchronize(server, solver)
        .then((rating) => (this.rating = rating))
        .catch(() => {});
    }
    this.running = false;
  }
}

export const solving = new Solving();

solver.onchange = () => solving.soon();
solver.onfirst = ({ id, grade }, solved) => {
  if (!SERVERLESS) enqueue(id, solved);
  rateHere(grade, solved);
  solving.rating = keptRating();
};

/** Keep a page up to date with the server and with other tabs, as long as it is open. */
export function followServer(): void {
  const online = (): void => void solving.now();
  const stored = ({ key }: StorageEvent): void => {
    if (key === "riverstones.study") solver.reload();
  };
  addEventListener("online", online);
  addEventListener("storage", stored);
  void solving.now();
  onDestroy(() => {
    removeEventListener("online", online);
    removeEventListener("storage", stored);
  });
}
