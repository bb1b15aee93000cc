/** The settings of a table in a few short words, for lists. */

import type { Options } from "../protocol/messages";
import { m } from "../words";

const clock = ({ clock, seconds }: Options): string => (clock === "off" ? m.mark_no_clock() : m.mark_clock({ count: seconds }));

/** The settings that differ from the defaults. */
export function changedOptions(options: Options): string[] {
  return [
    ...(options.variant === "expert" ? [m.variant_expert()] : []),
    ...(options.scoring === "claims" ? [m.mark_claims()] : []),
    ...(options.clock === "off" ? [] : [clock(options)]),
    ...(options.rated ? [m.mark_rated()] : []),
  ];
}

/** Seats, variant, scoring and clock, whatever they are: for somebody who may join. */
export function allOptions(options: Options): string[] {
  return [
    m.seats_count({ count: options.seats }),
    options.variant === "expert" ? m.variant_expert() : m.variant_standard(),
    options.scoring === "claims" ? m.mark_claims() : m.mark_automatic(),
    clock(options),
    ...(options.rated ? [m.mark_rated()] : []),
  ];
}
