/** The sentence for a refusal, on pages that seldom need one. */

import type { ErrorInfo } from "../protocol/messages";
import { m } from "../words";

/** Loads the sentences first. Offline they cannot be loaded, so that this one sentence is always there. */
export async function reasonOf(error: ErrorInfo): Promise<string> {
  return error.code === "offline" ? m.refusal_offline() : (await import("./refusals_chunk")).reasonOf(error);
}
