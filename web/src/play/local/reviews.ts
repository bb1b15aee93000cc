/** Reviews of games, computed in a worker one move at a time, so that they can be watched and stopped. */

import type { ReviewProgress } from "../../protocol/messages";
import { newLocalId } from "./ids";
import type { Question } from "./messages";
import type { Answered } from "./questions";
import type { Reports } from "./reports";

export class Reviews {
  /** How far each review is. */
  private progress = new Map<string, ReviewProgress | null>();

  constructor(
    private python: (question: Question) => Promise<Answered>,
    private reports: Reports,
    private version: number,
  ) {}

  /** The answer to a question about reviews; null if it is about something else. */
  async answer(question: Question): Promise<Answered | null> {
    const { route, given } = question;
    const review = given.path?.review ?? "";
    switch (route) {
      case "POST /tables/{table}/review":
      case "POST /study/reviews":
        return this.start(question);
      case "GET /study/reviews/{review}":
        return { answer: this.progress.get(review) };
      case "DELETE /study/reviews/{review}":
        this.progress.delete(review);
        return this.python(question);
      default:
        return null;
    }
  }

  private async start({ route, given }: Question): Promise<Answered> {
    const table = given.path?.table;
    const review = table ? `${table}-review` : newLocalId();
    const kept = table ? await this.reports.get(table, this.version) : null;
    if (kept) this.progress.set(review, kept);
    if (this.progress.has(review)) return { answer: { review } };
    const path = { ...given.path, review };
    const started = await this.python({ route, given: { ...given, path } });
    if ("refused" in started) return started;
    await this.step(review);
    void this.go(review).then(() => {
      const final = this.progress.get(review);
      if (table && final?.report) return this.reports.keep(table, this.version, final);
    });
    return started;
  }

  private async step(review: string): Promise<boolean> {
    const next = await this.python({ route: "GET /study/reviews/{review}", given: { path: { review } } });
    const found = "answer" in next ? (next.answer as ReviewProgress | null) : null;
    if (found) this.progress.set(review, found);
    return found !== null && found.report === null;
  }

  /** Go on until the end, and listen to messages between two moves. */
  private async go(review: string): Promise<void> {
    let more = true;
    while (more && this.progress.has(review)) {
      await new Promise((resume) => setTimeout(resume));
      more = this.progress.has(review) && (await this.step(review));
    }
  }
}
