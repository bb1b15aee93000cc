/** Where the marks of a chart are written, so that none covers another. */

export interface Note {
  x: number;
  y: number;
}

/** The room of one mark, in units of the chart. */
const WIDE = 15;
const HIGH = 10;

/**
 * Moves marks that would overlap: upwards, or below the others where the chart ends.
 * Returns one place for each mark, in the same order.
 */
export function placeNotes(notes: readonly Note[], top: number): Note[] {
  const placed: Note[] = [];
  const covers = (one: Note, other: Note) => Math.abs(one.x - other.x) < WIDE && Math.abs(one.y - other.y) < HIGH;
  for (const { x, y } of notes) {
    const wanted = { x, y: Math.max(y, top) };
    const free = (each: Note) => placed.every((other) => !covers(each, other));
    const above = Array.from({ length: notes.length }, (_, n) => ({ x, y: wanted.y - n * HIGH })).filter(({ y }) => y >= top);
    const below = Array.from({ length: notes.length + 1 }, (_, n) => ({ x, y: wanted.y + n * HIGH }));
    placed.push([...above, ...below].find(free) ?? wanted);
  }
  return placed;
}
