import { afterEach, describe, expect, it } from 'vitest';
import { formatDraftResult } from '../../../src/app/draft/report/draft-text.ts';
import { checked, drafted, removeFolders } from './drafting.ts';

afterEach(removeFolders);

/** A file of three people, with the cells of this column. */
function people(column: string, ...cells: readonly string[]): string {
  const rows = cells.map((cell, n) => `${n + 1},Ada,ada${n}@example.com,${cell}`);
  return [`id,first name,email,${column}`, ...rows].join('\n');
}

describe('rows that an export marks as deleted', () => {
  it.each([
    ['deleted', ['', 'false', ''], { deleted: { not: 'true' } }],
    ['deleted', ['0', '1', ''], { deleted: { not: '1' } }],
    ['Is Deleted', ['No', 'Yes', 'YES'], { 'Is Deleted': { not: ['Yes', 'YES'] } }],
    ['contact_deleted', ['f', 't', ''], { contact_deleted: { not: 't' } }],
    ['deleted_at', ['', '2025-01-01', '-'], { deleted_at: [null, '-'] }],
    ['photo_deleted', ['', 'false', 'true'], undefined],
    ['address.deleted', ['', 'false', 'true'], undefined],
    ['deleted', ['', 'no', 'by Ada'], undefined],
  ])('are left out by what "%s" says: %j', async (column, cells, where) => {
    const { draft } = await drafted(people(column, ...cells));
    expect(draft.options.where).toEqual(where);
  });

  it('are not found in a nested object: users without a photo stay', async () => {
    const { draft } = await drafted(
      [
        '{"id":1,"name":"Ada Quill","email":"ada@example.com","photo":null}',
        '{"id":2,"name":"Ben Reed","email":"ben@example.com","photo":{"id":9,"deleted":false}}',
      ].join('\n'),
      'users.ndjson',
    );
    expect(draft.options).not.toHaveProperty('where');
    expect(draft.pipeline.text).not.toContain('where');
  });

  it('are counted where the draft is shown, with the reason', async () => {
    const made = await drafted(people('deleted', '0', '1', '1', ''));
    const text = formatDraftResult(made.draft, { next: 'next', shown: (file) => file });
    expect(text).toContain(': 4 rows, 2 of them left out\n');
    const note =
      '2 of 4 rows are left out by "where": deleted, as "deleted" says. To import deleted rows too, remove this condition from the pipeline.';
    expect(text).toContain(note);
    expect(made.draft.pipeline.text).toContain(`# ${note}`);
    expect((await checked(made)).wrong).toEqual([]);
  });

  it('are counted in a dump, too', async () => {
    const made = await drafted(
      {
        'dump/contacts.csv': people('deleted', '0', '1', '0'),
        'dump/notes.csv': 'id,contact_id,body\n1,1,called\n',
      },
      'dump',
    );
    expect(made.draft.filtered).toEqual({ rows: 1, of: 3 });
    expect(made.draft.notes).toContainEqual(expect.stringContaining('1 of 3 rows is left out by "where"'));
  });
});
