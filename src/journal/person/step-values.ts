import { select } from '../../storage/sql.ts';
import type { JournalFile } from '../open.ts';

/** The e-mails and phones that the steps of the person's rows have sent or replaced, as identifier texts. */
export function identifiersOfSteps(file: JournalFile): ReadonlySet<string> {
  const found = new Set<string>();
  const steps = select<{ intent: string; before: string | null }>(file)`
    SELECT step.intent, step.before FROM person_row JOIN step USING (run, seq)`;
  for (const { intent, before } of steps) {
    collect(JSON.parse(intent), found);
    collect(JSON.parse(before ?? 'null'), found);
  }
  return found;
}

const kinds = ['email', 'phone'] as const;

/** Whatever shape a step has: `email: …`, `{ kind: email, value }`, and `{ name: email, from, to }`. */
function collect(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const entries = new Map(Object.entries(value));
  const add = (kind: string, text: unknown) => {
    if (typeof text === 'string' && text !== '') found.add(`${kind}:${text.trim().toLowerCase()}`);
  };
  for (const kind of kinds) {
    add(kind, entries.get(kind));
    if (entries.get('kind') === kind) add(kind, entries.get('value'));
    if (entries.get('kind') === 'contact' && entries.get('name') === kind) {
      add(kind, entries.get('from'));
      add(kind, entries.get('to'));
    }
  }
  for (const inner of entries.values()) collect(inner, found);
}
