import { nullable, number } from '../../storage/columns.ts';
import { select } from '../../storage/sql.ts';
import type { JournalFile } from '../open.ts';
import { stepColumns } from '../step-record.ts';

const { intent, before } = stepColumns;

/** The e-mails and phones that the steps of the person's rows have sent or replaced, as identifier texts. */
export function identifiersOfSteps(file: JournalFile): ReadonlySet<string> {
  const found = new Set<string>();
  const steps = select(file, { intent, before })`
    SELECT step.intent, step.before FROM person_row JOIN step USING (run, seq)`;
  for (const { intent, before } of steps) {
    collect(intent, found);
    collect(before, found);
  }
  return found;
}

/** A row that has not ended, as its steps tell: the journal has little else of it until its import continues. */
export interface OpenRow {
  readonly workspace: number;
  /** E-mails and phones that were sent or replaced, as identifier texts. */
  readonly texts: ReadonlySet<string>;
  /** Contacts that something was sent to. */
  readonly contacts: ReadonlySet<number>;
}

const openStep = {
  run: number,
  seq: number,
  workspace: number,
  intent,
  before,
  contact: nullable(number),
};

/** The rows that have not ended and of which something was sent. */
export function openRows(file: JournalFile): readonly OpenRow[] {
  const steps = select(file, openStep)`
    SELECT step.run, seq, workspace, intent, before, json_extract(intent, '$.contactId') AS contact
    FROM step JOIN run ON run.number = step.run
    WHERE NOT EXISTS (SELECT 1 FROM row WHERE row.run = step.run AND row.seq = step.seq)`;
  const rows = new Map<string, OpenRow & { texts: Set<string>; contacts: Set<number> }>();
  for (const { run, seq, workspace, intent, before, contact } of steps) {
    const name = `${run}/${seq}`;
    const row = rows.get(name) ?? { workspace, texts: new Set(), contacts: new Set() };
    rows.set(name, row);
    collect(intent, row.texts);
    collect(before, row.texts);
    if (contact !== null) row.contacts.add(contact);
  }
  return [...rows.values()];
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
