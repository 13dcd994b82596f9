import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { folder, open, readingOf } from '../reading.ts';

/** A folder of these files. */
function dump(files: Readonly<Record<string, string>>): string {
  const path = folder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return path;
}

test('to one, to many, through a link table, and on from there', async () => {
  const path = dump({
    'contacts.csv': 'id,name,account_id\n1,Ada,a1\n2,Bob,\n3,Cleo,a9\n',
    'accounts.csv': 'id,name,owner_id\na1,Engines,u1\na2,Looms,u2\n',
    'users.csv': 'id,email\nu1,una@example.com\nu2,udo@example.com\n',
    'notes.csv': 'id,parent,author,body\nn1,1,u2,First\nn2,2,u1,Other\nn3,1,,Second\n',
    'emails.csv': 'id,address\ne1,ada@example.com\ne2,ada@example.test\n',
    'rel.csv': 'bean,email,primary,deleted\n1,e1,0,0\n1,e2,1,0\n2,e1,1,1\n',
  });
  const source = open(
    path,
    {
      table: 'contacts',
      join: {
        company: { table: 'accounts', on: { account_id: 'id' } },
        owner: { table: 'users', on: { 'company.owner_id': 'id' } },
        email: {
          table: 'emails',
          via: { table: 'rel', on: { id: 'bean' }, to: { email: 'id' }, where: { deleted: '0' } },
          pick: { primary: 1 },
        },
        notes: {
          table: 'notes',
          on: { id: 'parent' },
          many: true,
          join: { author: { table: 'users', on: { author: 'id' } } },
        },
      },
    },
    'dump',
  );
  const { facts, rows } = await readingOf(source);
  expect(facts.columns).toEqual([
    'id',
    'name',
    'account_id',
    'company.id',
    'company.name',
    'company.owner_id',
    'owner.id',
    'owner.email',
    'email.id',
    'email.address',
  ]);
  expect(facts.lists).toEqual([
    { name: 'notes', columns: ['id', 'parent', 'author', 'body', 'author.id', 'author.email'] },
  ]);
  expect(facts.notes).toEqual([]);
  const cells = ['name', 'company.name', 'owner.email', 'email.address'];
  expect(rows.map((row) => cells.map((column) => row.cell(column)))).toEqual([
    ['Ada', 'Engines', 'una@example.com', 'ada@example.test'],
    ['Bob', null, null, null],
    ['Cleo', null, null, null],
  ]);
  expect(
    rows.map((row) => row.list?.('notes')?.map((note) => [note.cell('body'), note.cell('author.email')])),
  ).toEqual([
    [
      ['First', 'udo@example.com'],
      ['Second', null],
    ],
    [['Other', 'una@example.com']],
    [],
  ]);
});
