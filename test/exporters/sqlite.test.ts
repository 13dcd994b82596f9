import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { sqliteExporter } from '../../src/exporters/sqlite/sqlite-exporter.ts';
import { toContactRecord } from '../../src/model/contact-record.ts';
import type { ExportRecord, ExportTable } from '../../src/model/export-record.ts';
import { samples } from './records.ts';
import { readBack, written } from './writing.ts';

const contacts: ExportTable = {
  kind: 'contacts',
  columns: [
    { name: 'id', type: 'integer', path: ['id'] },
    { name: 'assignee.email', type: 'text', path: ['assignee', 'email'] },
    { name: 'tags', type: 'texts', path: ['tags'] },
    { name: 'customFields.Score', type: 'number', path: ['customFields', 'Score'] },
    { name: 'customFields.Plan', type: 'text', path: ['customFields', 'Plan'] },
    { name: 'more', type: 'text', path: ['more', 'deep'] },
  ],
};

function contact(id: number, more: object = {}): ExportRecord {
  const given = {
    ...{ id, firstName: 'Ada', lastName: null, email: `ada${id}@example.com`, phone: '+12025550143' },
    ...{ language: 'en', countryCode: 'US', profilePic: null, lifecycle: 'Lead', status: 'open' },
    ...{ isBlocked: false, created_at: 1_767_323_045, tags: ['vip', 'new'] },
    assignee: { id: 12, firstName: 'Mei', lastName: 'Tan', email: 'mei@example.com' },
    custom_fields: [{ name: 'Score', value: '4.5' }],
    ...more,
  };
  return { given, normal: toContactRecord(given, ['Score', 'Plan']) };
}

function message(contactId: number, id: number): ExportRecord {
  const given = {
    ...{ messageId: id, contactId, channelId: 3, message: { type: 'text', text: 'hello' } },
    status: [
      { value: 'sent', timestamp: 1_767_323_045 },
      { value: 'failed', message: 'no route' },
    ],
  };
  const names = ['pendingAt', 'deliveredAt', 'readAt', 'failedAt', 'messageTag', 'channelMessageId'];
  const empty = Object.fromEntries([...names, 'senderTeamId'].map((name) => [name, null]));
  const sent = '2026-01-02T03:04:05Z';
  const normal = {
    ...{ id, contactId, created: sent, direction: 'outgoing', sender: 'workflow', type: 'text' },
    ...{ text: 'hello', channelId: 3, status: 'failed', senderSource: 'user', senderUserId: '12' },
    ...{ ...empty, sentAt: sent, failure: 'no route', message: null },
  };
  return { given, normal };
}

async function database(...kinds: readonly { table: ExportTable; records: readonly ExportRecord[] }[]) {
  const place = await written(sqliteExporter, kinds);
  expect(readdirSync(place.folder)).toEqual(['workspace.db']);
  const path = join(place.folder, 'workspace.db');
  const file = new Database(path, { readonly: true });
  const rows = (sql: string) => file.prepare<[], Record<string, unknown>>(sql).all();
  return { path, rows };
}

test('contacts, their tags and the values of their fields are asked as tables and as one view', async () => {
  const { rows } = await database({ table: contacts, records: [contact(2), contact(1)] });
  expect(rows('SELECT id, email, assigneeEmail, isBlocked, created FROM contacts LIMIT 1')).toEqual([
    {
      ...{ id: 2, email: 'ada2@example.com', assigneeEmail: 'mei@example.com', isBlocked: 0 },
      created: '2026-01-02T03:04:05Z',
    },
  ]);
  expect(rows("SELECT contactId FROM contact_tags WHERE tag = 'vip'")).toEqual([
    { contactId: 1 },
    { contactId: 2 },
  ]);
  expect(rows('SELECT * FROM contact_fields WHERE contactId = 1')).toEqual([
    { contactId: 1, field: 'Score', value: '4.5', number: 4.5 },
  ]);
  expect(rows('SELECT * FROM contacts_flat WHERE id = 1')).toEqual([
    {
      ...{ id: 1, 'assignee.email': 'mei@example.com', tags: '["vip","new"]', 'customFields.Score': 4.5 },
      ...{ 'customFields.Plan': null, more: null },
    },
  ]);
});

test('a property that has no column is in the normal form, and in the view', async () => {
  const { rows } = await database({
    table: contacts,
    records: [contact(1, { more: { deep: 'x' } }), contact(2)],
  });
  expect(rows('SELECT id, more FROM contacts_flat')).toEqual([
    { id: 1, more: 'x' },
    { id: 2, more: null },
  ]);
  expect(rows('SELECT id FROM contacts WHERE normal IS NULL')).toEqual([{ id: 2 }]);
});

test('messages have their statuses beside them, and nothing is stored twice', async () => {
  const table: ExportTable = { kind: 'messages', columns: [] };
  const updates: ExportTable = { kind: 'messageUpdates', columns: [] };
  const { rows, path } = await database(
    { table: contacts, records: [contact(1)] },
    { table, records: [message(1, 70), message(1, 60)] },
    { table: updates, records: [message(1, 50)] },
  );
  expect(rows('SELECT id, text, senderUserId, normal FROM messages')).toEqual([
    { id: 70, text: 'hello', senderUserId: '12', normal: null },
    { id: 60, text: 'hello', senderUserId: '12', normal: null },
  ]);
  expect(rows('SELECT value, at, failure FROM message_statuses WHERE messageId = 60')).toEqual([
    { value: 'sent', at: '2026-01-02T03:04:05Z', failure: null },
    { value: 'failed', at: null, failure: 'no route' },
  ]);
  expect(rows('SELECT id FROM message_updates')).toEqual([{ id: 50 }]);
  expect((await readBack(sqliteExporter, path, 'messages')).map(({ id }) => id)).toEqual([70, 60]);
});

test('every table has a key and is strict, foreign keys hold, and what is asked often has an index', async () => {
  const { rows } = await database(...samples);
  const tables = rows("SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'");
  const own = tables.filter(({ name }) => !String(name).startsWith('sqlite_'));
  expect(own.map(({ name }) => name).sort()).toEqual(
    [
      ...['contacts', 'contact_tags', 'contact_fields', 'contact_field_names', 'changes', 'messages'],
      ...[
        'message_statuses',
        'message_updates',
        'users',
        'custom_fields',
        'closing_notes',
        'tags',
        'templates',
      ],
    ].sort(),
  );
  for (const { name, strict } of own) {
    expect({ name, strict }).toEqual({ name, strict: 1 });
    expect(rows(`SELECT name FROM pragma_table_info('${name}') WHERE pk > 0`)).not.toEqual([]);
  }
  expect(rows('PRAGMA foreign_key_check')).toEqual([]);
  expect(rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  const plan = (sql: string) => JSON.stringify(rows(`EXPLAIN QUERY PLAN ${sql}`));
  expect(plan("SELECT * FROM contacts WHERE email = 'x'")).toContain('contacts_by_email');
  expect(plan("SELECT * FROM contacts WHERE phone = 'x'")).toContain('contacts_by_phone');
  expect(plan('SELECT * FROM messages WHERE contactId = 1 ORDER BY created')).toContain(
    'messages_by_contact',
  );
  expect(plan("SELECT * FROM messages WHERE created > '2026'")).toContain('messages_by_time');
});

test('of an object that is given twice the later one stays', async () => {
  const columns = ['id', 'name'].map((name) => ({ name, type: 'text', path: [name] }) as const);
  const records = ['Ada', 'Mei', 'Olu'].map((name, index) => ({
    normal: { id: index % 2, name },
    given: {},
  }));
  const place = await written(sqliteExporter, [{ table: { kind: 'users', columns }, records }]);
  expect(place.files).toEqual([{ name: 'workspace.db', kind: 'users', rows: 2 }]);
  const read = await readBack(sqliteExporter, join(place.folder, 'workspace.db'), 'users');
  expect(read.map(({ name }) => name)).toEqual(['Mei', 'Olu']);
});

test('a column that was changed to invalid JSON is an error with its record', async () => {
  const { path } = await database({
    table: { kind: 'messages', columns: [] },
    records: [message(1, 1), message(1, 2)],
  });
  const file = new Database(path);
  file.prepare("UPDATE messages SET message = '{' WHERE id = 2").run();
  file.close();
  await expect(readBack(sqliteExporter, path, 'messages')).rejects.toMatchObject({
    reason: 'input',
    message: expect.stringContaining('record 2 has a column that is not JSON'),
    place: { file: path, line: 2 },
  });
});
