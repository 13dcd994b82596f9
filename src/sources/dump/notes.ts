import type { PlannedJoin } from './plan.ts';
import type { StagedFacts } from './staged-table.ts';

type FactsOf = (child: PlannedJoin['target']) => StagedFacts | undefined;

/** What should be said aloud of joined tables: broken rows, and rows that a join to one passes over. */
export function joinNotes(joins: readonly PlannedJoin[], factsOf: FactsOf): readonly string[] {
  const notes = new Set<string>();
  for (const join of joins) {
    for (const child of join.link === null ? [join.target] : [join.link.child, join.target]) {
      const facts = factsOf(child);
      if (facts !== undefined && facts.broken.rows > 0) notes.add(brokenNote(child.table.name, facts));
    }
    const chosen = factsOf(join.link?.child ?? join.target);
    if (!join.many && join.pick === null && chosen !== undefined && chosen.several.keys > 0)
      notes.add(severalNote(join, chosen));
    for (const note of joinNotes(join.joins, factsOf)) notes.add(note);
  }
  return [...notes];
}

function brokenNote(table: string, { broken: { rows, first } }: StagedFacts): string {
  const places = first.map(({ line, code }) => `line ${line} (${code})`).join(', ');
  const what = rows === 1 ? 'One row' : `${rows} rows`;
  return `${what} of ${table} cannot be read, and ${rows === 1 ? 'is' : 'are'} not joined: ${places}${rows > first.length ? ' …' : ''}.`;
}

function severalNote({ path, target, link }: PlannedJoin, { several }: StagedFacts): string {
  const { table, key } = link?.child ?? target;
  const what = `${several.keys} ${several.keys === 1 ? 'value' : 'values'} of ${key.join(', ')} in ${table.name}`;
  return `The join "${path}" takes one row, but ${what} ${several.keys === 1 ? 'has' : 'have'} several (${several.rows} in all, for example ${JSON.stringify(several.example)}): the first of each is taken. Set "pick", or "many: true".`;
}
