/**
 * The sentence for each refusal of the rules, a table or the server. A table has those of the rules at once; the others are
 * loaded with the first of them.
 */

import { m } from "../words";
import { EARLY_REFUSALS } from "../words/generated/early_refusals";

type Params = Record<string, string | number>;
type Sentences = Record<string, (params: never) => string>;
interface Reason {
  code: string;
  params: Params;
  /** The server's own sentence. */
  text?: string;
}

const early: Sentences = EARLY_REFUSALS;
/** Null until they are loaded. If that fails, there are none. */
let late = $state.raw<Sentences | null>(null);
let loading: Promise<void> | null = null;

const load = (): Promise<void> =>
  (loading ??= import("./lazy_refusals").then(
    ({ SENTENCES }) => void (late = SENTENCES),
    () => void (late = {}),
  ));

/** Empty while the sentence is loaded; after that, what shows it is updated. */
export function sayReason({ code, params, text }: Reason): string {
  const say = early[code] ?? late?.[code];
  if (say) return say(params as never);
  if (late) return text || m.refusal_unknown();
  void load();
  return "";
}

/** The sentence, once it is loaded. */
export async function reasonOf(reason: Reason): Promise<string> {
  if (!(reason.code in early)) await load();
  return sayReason(reason);
}
