import { createHash } from 'node:crypto';
import { listed } from '../model/listed.ts';
import type { InputFacts, Source, SourceItem } from '../model/row.ts';
import { refused } from './plain-file.ts';
import { allowsNothing, conditionOf, type Where } from './where.ts';

/** A source whose rows are taken only where they fulfil a condition; the others keep their place as filtered items. */
export function filtered(source: Source, where: Where): Source {
  const isTaken = conditionOf(where);
  return {
    async inspect(signal) {
      const facts = await source.inspect(signal);
      const notes = missingColumns(facts, where);
      const fingerprint = createHash('sha256').update(`${facts.fingerprint} ${JSON.stringify(where)}`);
      return { ...facts, fingerprint: fingerprint.digest('hex'), notes: [...facts.notes, ...notes] };
    },
    async *read(from, signal) {
      for await (const batch of source.read(from, signal)) {
        yield batch.map(
          (item): SourceItem =>
            item.kind === 'row' && !isTaken(item) ? { kind: 'filtered', line: item.line } : item,
        );
      }
    },
  };
}

/** Throws where a column is missing without which no row is taken; gives a note of others. */
function missingColumns({ name, columns }: InputFacts, where: Where): readonly string[] {
  if (columns === null) return [];
  const missing = Object.keys(where).filter((column) => !columns.includes(column));
  const needed = missing.find((column) => !allowsNothing(where, column));
  if (needed === undefined) return missing.map(takenAsEmpty);
  throw refused(
    name,
    `has no column "${needed}", which "where" uses`,
    `It has: ${listed(columns, 40)}. Fix "where".`,
  );
}

function takenAsEmpty(column: string): string {
  return `"where" uses the column "${column}", which no row has: it counts as empty.`;
}
