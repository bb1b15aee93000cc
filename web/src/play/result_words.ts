/** The result of a game in words: in one sentence, to be sent to somebody or read aloud, and why it ended early. */

import type { Snapshot } from "../protocol/messages";
import { m } from "../words";

export interface Outcome {
  names: readonly string[];
  scores: readonly number[];
  /** The seats that won. */
  winners: readonly number[];
  byResignation: boolean;
}

export function sayResult({ names, scores, winners, byResignation }: Outcome): string {
  const first = winners[0]!;
  const name = names[first]!;
  const won = winners.map((seat) => names[seat]!);
  const points = m.points({ count: scores[first]! });
  const rest = names.flatMap((_, seat) => (winners.includes(seat) ? [] : [seat])).sort((a, b) => scores[b]! - scores[a]!);
  if (winners.length === 1 && byResignation) return m.share_resigned({ name });
  if (!rest.length) return m.share_tied({ names: won, points });
  const others = rest.map((seat) => m.name_and_score({ name: names[seat]!, score: scores[seat]! }));
  if (winners.length > 1) return m.share_shared({ names: won, points, others });
  if (rest.length > 1) return m.share_won({ name, points, others });
  const other = rest[0]!;
  return m.share_beat({ name, other: names[other]!, score: scores[first]!, less: scores[other]! });
}

/** Who resigned, for a game that ended early. The seat of a player who resigned before may have gone to a bot, which did not. */
export function sayResignation({ chairs, you }: Pick<Snapshot, "chairs" | "you">, names: readonly string[]): string {
  const [own, ...shared] = you.seats;
  const resigned = chairs.flatMap(({ resigned, person }, seat) => {
    if (!resigned || person === null) return [];
    return [seat === own && !shared.length ? m.you_resigned() : m.player_resigned({ name: names[seat]! })];
  });
  return resigned.join(" · ") || m.by_resignation();
}
