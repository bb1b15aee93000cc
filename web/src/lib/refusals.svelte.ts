/**
 * The sentence for each refusal of the rules, a table or the server. A table has those of the rules at once; the others are
 * loaded with the first of them.
 */

import { m } from "../words";
import { EAGER_REFUSALS } from "../words/generated/eager_refusals";

type Params = Record<string, string | number>;
type Sentences = Record<string, (params: never) => string>;
interface Reason {
  code: string;
  params: Params;
  /** The server's own sentence. */
  text?: string;
}

const eager: Sentences = EAGER_REFUSALS;
/** Null until they are loaded. If that fails, there are none. */
let lazy = $state.raw<Sentences | null>(null);
let loading: Promise<void> | null = null;

const load = (): Promise<void> =>
  (loading ??= import("./lazy_refusals").then(
    ({ SENTENCES }) => void (lazy = SENTENCES),
    () => void (lazy = {}),
  ));

/** Empty while the sentence is loaded; after that, what shows it is updated. */
export function sayReason({ code, params, text }: Reason): string {
  const say = eager[code] ?? lazy?.[code];
  if (say) return say(params as never);
  if (lazy) return text || m.refusal_unknown();
  void load();
  return "";
}

/** The sentence, once it is loaded. */
export async function reasonOf(reason: Reason): Promise<string> {
  if (!(reason.code in eager)) await load();
  return sayReason(reason);
}
