import { expect, it } from 'vitest';
import type { JournalDatabase } from '../../../src/journal/index.ts';
import { tagDeleteStep } from '../../../src/steps/delete-tag.ts';
import { stepLabels } from '../../../src/steps/registry.ts';
import { realImport } from './real-import.ts';

const mapping = `mapping: before
key: Id
contact:
  firstName: { from: Name, default: Unknown }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone, country: MY, onInvalid: drop }
customFields:
  Score: { from: Score, type: number }
  Plan: { from: Plan, type: text, create: true }
tags: { from: Tags, split: ";", attach: extension }
lifecycle: { from: Stage }
assignee: { from: Owner, unknown: unassigned }
conversation: { status: closed, existing: true }
comments:
  existing: send
  entries: [{ name: origin, text: "Record {Id}" }]
`;

const settings = [
  '  policy: { onConflict: merge }',
  '  extensions: { attachTags: { method: POST, path: "/contact/{identifier}/tag", body: tags } }',
];

const lines = [
  'Id,Name,Last,Email,Phone,Score,Plan,Tags,Stage,Owner',
  '1,Ada,Byron,ada@example.test,,5,gold,new,Customer,max@acme.test',
  '2,Bob,,bob@example.test,+60129999999,,,,,',
  '4,Dee,,dee@example.test,+60123456789,,,,,',
];

const seed = {
  users: [
    { id: 1, firstName: 'Olive', lastName: 'Owner', email: 'olive@acme.test' },
    { id: 2, firstName: 'Max', lastName: 'Manager', email: 'max@acme.test' },
  ],
  customFields: [{ id: 1, name: 'Score', dataType: 'number' as const }],
  contacts: [
    {
      ...{ id: 7, firstName: 'Ada', lastName: 'King', email: 'ada@example.test', created_at: 20 },
      ...{ tags: ['vip'], lifecycle: 'New Lead', assignee: 'olive@acme.test', status: 'open' as const },
      custom_fields: [{ name: 'Score', value: 42 }],
    },
    { id: 8, firstName: 'Dee', email: 'dee@example.test', status: 'closed' as const, created_at: 20 },
    { id: 9, firstName: 'D.', phone: '+60123456789', status: 'closed' as const, created_at: 10 },
  ],
};

/** What an undo finds of each step of the import above; null where nothing can be taken back. */
const wanted: Readonly<Record<string, unknown>> = {
  ensureField: null,
  ensureTag: null,
  create: null,
  update: { contact: { lastName: 'King' }, customFields: { Score: '42', Plan: null } },
  merge: { contacts: [expect.objectContaining({ id: 9 }), expect.objectContaining({ id: 8 })] },
  attachTags: { tags: ['vip'] },
  lifecycle: { lifecycle: 'New Lead' },
  comment: null,
  assignee: { userId: 1 },
  conversation: { status: 'open' },
};

/** What the journal keeps of the first step of that name. */
function beforeOf(file: JournalDatabase, name: string): unknown {
  const before = file
    .prepare<[string], string | null>('SELECT before FROM step_json WHERE name = ? ORDER BY seq LIMIT 1')
    .pluck()
    .get(name);
  if (before === undefined) throw new Error(`the import took no step ${name}`);
  return before === null ? null : JSON.parse(before);
}

it('every step keeps what was there before, so that it can be taken back', async () => {
  const it = await realImport(mapping, lines, settings, '', { seed, extensions: { attachTags: true } });
  const kept: Record<string, unknown> = {};
  const end = await it.import({}, ({ file }) => {
    for (const { name } of stepLabels) if (name !== tagDeleteStep.name) kept[name] = beforeOf(file, name);
  });
  expect(end.exitCode).toBe(0);
  expect(kept).toEqual(wanted);
});
