/** Loads the golden cases that Python writes; `make web-test` regenerates them. */

const files = import.meta.glob("./*-cases.json", { eager: true, import: "default" });

export function casesOf<Case>(name: string): Case[] {
  const found = files[`./${name}-cases.json`];
  if (!Array.isArray(found) || !found.length) throw new Error(`There are no ${name} cases: run web/tests/make_${name}_cases.py.`);
  return found as Case[];
}
