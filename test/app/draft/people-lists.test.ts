import { afterEach, describe, expect, it } from 'vitest';
import type { DraftOutput } from '../../../src/app/draft/draft.ts';
import { checked, drafted, removeFolders } from './drafting.ts';

afterEach(removeFolders);

const ann = { id: 'c1', name: 'Ann Smith', emails: [], phones: [{ phone: '+14155550101' }] };
const bob = { id: 'c2', name: 'Bob Lee', emails: [{ email: 'bob@harbour.example' }], phones: [] };
const zoe = { id: 'c3', name: 'Zoe Quill', emails: [{ email: 'zoe@nordlicht.example' }], phones: [] };
const leads = [
  { id: 'lead_1', display_name: 'Harbour Foods Ltd', contacts: [ann, bob] },
  { id: 'lead_2', display_name: 'Nordlicht GmbH', contacts: [zoe] },
];

/** The columns of a list's elements that a field of the mapping is filled from. */
function readFrom({ columns }: DraftOutput, list: string): readonly string[] {
  return columns.flatMap(({ name, field }) => (name.startsWith(`${list}[`) && field !== null ? name : []));
}

describe('people in a list of each record', () => {
  it('are the rows of the draft, with a note about the other columns', async () => {
    const made = await drafted(JSON.stringify(leads), 'leads.json');
    expect(made.draft).toMatchObject({ rows: 3, options: { at: 'contacts' } });
    expect(made.draft.todos).toEqual([]);
    expect(made.draft.notes).toEqual([
      'The rows are the elements of the list "contacts" in each record. The other columns of the record are not read: id, display_name.',
    ]);
    expect(made.draft.mapping.text).toContain('email: { from: "emails[0].email" }');
    const { wrong } = await checked(made);
    expect(wrong).toEqual([]);
  });

  it('are the rows without a question where there is no other column', async () => {
    const pages = leads.map(({ contacts }) => ({ contacts }));
    const { draft } = await drafted(JSON.stringify({ data: pages }), 'leads.json');
    expect(draft).toMatchObject({ rows: 3, options: { at: 'data.contacts' }, todos: [] });
  });

  it('are never mixed: lines of JSON cannot read the list, and no field is drafted from its elements', async () => {
    const { draft } = await drafted(leads.map((lead) => JSON.stringify(lead)).join('\n'), 'leads.ndjson');
    expect(readFrom(draft, 'contacts')).toEqual([]);
    expect(draft.notes).toContainEqual(expect.stringContaining('Only the list "contacts" in each record'));
    expect(draft.todos).toContainEqual(
      expect.objectContaining({ question: expect.stringContaining('which one identifies the contact?') }),
    );
  });

  it.each(['json', 'ndjson'])(
    'are left out with a note where the record is reached, too, in %s',
    async (format) => {
      const reached = leads.map((lead, n) => ({ ...lead, email: `info${n}@example.com` }));
      const text =
        format === 'json' ? JSON.stringify(reached) : reached.map((lead) => JSON.stringify(lead)).join('\n');
      const made = await drafted(text, `leads.${format}`);
      expect(readFrom(made.draft, 'contacts')).toEqual([]);
      expect(made.draft.options).toMatchObject({ without: ['contacts'] });
      expect(made.draft.notes).toContainEqual(
        expect.stringContaining(
          'The list "contacts" in a record has people, too, who are not imported (2 rows with such a list)',
        ),
      );
      const { wrong } = await checked(made);
      expect(wrong).toEqual([]);
    },
  );

  it('are drafted from the list that is named as the table', async () => {
    const reached = leads.map((lead, n) => ({ ...lead, email: `info${n}@example.com` }));
    const { draft } = await drafted(JSON.stringify(reached), 'leads.json', { table: 'contacts' });
    expect(draft).toMatchObject({ rows: 3, options: { at: 'contacts' }, todos: [] });
  });

  it.each([
    ['addresses', { name: 'Ann Smith', phone: '+14155550102' }],
    ['companies', { name: 'Harbour Foods Ltd', phone: '+14155550102' }],
    ['owners', { name: 'Ann Smith', email: 'ann@crm.example' }],
  ])('are not the contacts where the list is called %s', async (list, element) => {
    const people = [{ id: 1, name: 'Ann Smith', email: 'ann@example.com', [list]: [element] }];
    const { draft } = await drafted(JSON.stringify(people), 'people.json');
    expect(readFrom(draft, list)).toEqual([]);
    expect(draft.todos).toEqual([]);
    expect(draft.notes).toEqual([]);
  });

  it.each([
    ['emails', { name: 'Ann Smith', email: 'ann@example.com' }],
    ['channels', { name: 'Work', email: 'ann@example.com' }],
  ])('are not seen in a list of %s', async (list, element) => {
    const people = [{ id: 1, full_name: 'Ann Smith', [list]: [element] }];
    const { draft } = await drafted(JSON.stringify(people), 'people.json');
    expect(draft.mapping.text).toContain(`email: { from: "${list}[0].email" }`);
  });
});
