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
    ['deleted_at', ['0', '1704189600', '0'], { deleted_at: [null, '0'] }],
    ['Удалён', ['нет', 'да', 'нет'], { Удалён: { not: 'да' } }],
    ['Пометка удаления', ['нет', 'да', 'нет'], { 'Пометка удаления': { not: 'да' } }],
    ['gelöscht', ['0', '1', '0'], { gelöscht: { not: '1' } }],
    ['Kontakt gelöscht', ['nein', 'ja', ''], { 'Kontakt gelöscht': { not: 'ja' } }],
    ['Supprimé(e)', ['non', 'oui', ''], { 'Supprimé(e)': { not: 'oui' } }],
    ['Eliminado', ['no', 'sí', ''], { Eliminado: { not: 'sí' } }],
    ['Verwijderd', ['nee', 'ja', ''], { Verwijderd: { not: 'ja' } }],
    ['削除フラグ', ['0', '1', '0'], { 削除フラグ: { not: '1' } }],
    ['删除时间', ['', '2025-01-01', ''], { 删除时间: null }],
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

describe('rows that may be deleted, archived or merged', () => {
  it.each([
    ['archived', ['false', 'true', 'false'], '{ archived: { not: "true" } }'],
    ['Archiviert', ['nein', 'ja', 'nein'], '{ Archiviert: { not: ja } }'],
    ['archived_at', ['', '2025-01-01', ''], '{ archived_at: null }'],
    ['merged_into_id', ['', '1', ''], '{ merged_into_id: null }'],
    ['merged_into_id', ['0', '1', '0'], '{ merged_into_id: [ null, "0" ] }'],
    ['MasterRecordId', ['', '0031', ''], '{ MasterRecordId: null }'],
    ['Merged Into', ['', '1', ''], '{ Merged Into: null }'],
    ['Record Status', ['Available', 'Trash', 'Available'], '{ Record Status: { not: Trash } }'],
    ['status', ['active', 'deleted', 'Archived'], '{ status: { not: [ deleted, Archived ] } }'],
    ['Статус', ['Активен', 'Удалён', 'Активен'], '{ Статус: { not: Удалён } }'],
    ['deleted', ['1', '1', '1'], '{ deleted: { not: "1" } }'],
  ])('are imported, and named with what leaves them out: "%s" %j', async (column, cells, where) => {
    const made = await drafted(people(column, ...cells));
    expect(made.draft.options).not.toHaveProperty('where');
    expect(made.draft.filtered).toEqual({ rows: 0, of: 3 });
    const notes = made.draft.notes.filter((note) =>
      note.includes('may be deleted, archived, merged or inactive'),
    );
    expect(notes).toEqual([expect.stringContaining(`write where: ${where} under the source`)]);
    expect(notes[0]).toContain(`"${column}"`);
    expect((await checked(made, { '': 'null' })).wrong).toEqual([]);
    const text = made.draft.pipeline.text.replace(/^( *)path: .*$/m, `$&\n$1where: ${where}`);
    const leftOut = { ...made, draft: { ...made.draft, pipeline: { ...made.draft.pipeline, text } } };
    expect((await checked(leftOut, { '': 'null' })).wrong).toEqual([]);
  });

  it.each([
    ['archived', ['false', 'false', '']],
    ['merged_into_id', ['', '', '']],
    ['merged_into_id', ['1', '2', '3']],
    ['Merged Contact IDs', ['', '7;8', '']],
    ['Email Status', ['ok', 'removed', 'ok']],
    ['Status', ['active', 'customer', 'active']],
    ['photo.archived', ['false', 'true', 'false']],
  ])('are not named where nothing says so: "%s" %j', async (column, cells) => {
    const { draft } = await drafted(people(column, ...cells));
    expect(draft.pipeline.text).not.toContain('where');
  });

  it('are named each, beside the rows that are certainly deleted', async () => {
    const text = `id,first name,email,deleted,archived,merged_into_id
1,Ada,ada@example.com,0,0,
2,Bob,bob@example.com,1,0,
3,Cy,cy@example.com,0,1,
4,Di,di@example.com,0,0,1`;
    const { draft } = await drafted(text);
    expect(draft.filtered).toEqual({ rows: 1, of: 4 });
    expect(draft.notes.slice(1)).toEqual([
      '1 of 4 rows may be deleted, archived, merged or inactive, and is imported: "archived" is "1". To leave it out, write where: { deleted: { not: "1" }, archived: { not: "1" } } under the source of the pipeline.',
      '1 of 4 rows may be deleted, archived, merged or inactive, and is imported: "merged_into_id" is filled. To leave it out, write where: { deleted: { not: "1" }, merged_into_id: null } under the source of the pipeline.',
    ]);
  });
});
