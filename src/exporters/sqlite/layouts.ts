import { toIsoTimestamp } from '../../model/contact-record.ts';
import type { ExportKind, ExportRecord, ExportTable } from '../../model/export-record.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { makeNamesUnique } from '../value.ts';
import { contactTableLayout } from './contacts.ts';
import {
  createTableWithInserter,
  type RecordTableLayout,
  replaceLoneSurrogates,
  restoreNormalForm,
  type SqlColumn,
  toStoredValues,
} from './record-table.ts';

const texts = [
  ...['created', 'direction', 'sender', 'type', 'text', 'status', 'channelMessageId', 'messageTag'],
  ...['senderSource', 'senderUserId', 'senderTeamId'],
  ...['pendingAt', 'sentAt', 'deliveredAt', 'readAt', 'failedAt', 'failure'],
];

const columns: readonly SqlColumn[] = [
  ...['id', 'contactId', 'channelId'].map((name) => ({ name, path: [name], type: 'integer' }) as const),
  ...texts.map((name) => ({ name, path: [name], type: 'text' }) as const),
  { name: 'message', path: ['message'], type: 'json' },
];

/** Creates the layout of a messages table, with a table of delivery statuses unless `statuses` is null. */
function messageTable(table: string, statuses: string | null): RecordTableLayout {
  return {
    table,
    create(database) {
      const insert = createTableWithInserter(database, table, columns, 'id');
      const insertStatuses = statuses === null ? () => undefined : statusTable(database, statuses, table);
      return {
        insert(record) {
          const values = toStoredValues(columns, record.normal);
          insert(values, record, restoreNormalForm(columns, values));
          insertStatuses(record);
        },
        complete() {
          database.exec(`CREATE INDEX ${table}_by_contact ON ${table} (contactId, created)`);
          database.exec(`CREATE INDEX ${table}_by_time ON ${table} (created)`);
        },
      };
    },
    restore: () => (row) =>
      restoreNormalForm(
        columns,
        columns.map(({ name }) => row[name]),
      ),
  };
}

function statusTable(database: SqliteConnection, statuses: string, messages: string) {
  database.exec(
    `CREATE TABLE ${statuses} (messageId INT NOT NULL REFERENCES ${messages} (id), position INT NOT NULL, value TEXT, ` +
      'at TEXT, failure TEXT, PRIMARY KEY (messageId, position)) STRICT, WITHOUT ROWID',
  );
  const insert = database.prepare(`INSERT INTO ${statuses} VALUES (?, ?, ?, ?, ?)`);
  return ({ normal, given }: ExportRecord) => {
    if (!Array.isArray(given.status)) return;
    given.status.forEach((status: unknown, position) => {
      const { value, timestamp, message } = partsOf(status);
      const at = toIsoTimestamp(typeof timestamp === 'number' ? timestamp : null);
      insert.run(normal.id, position, textOrNull(value), at, textOrNull(message));
    });
  };
}

function partsOf(status: unknown): Readonly<Record<string, unknown>> {
  return typeof status === 'object' && status !== null ? Object.fromEntries(Object.entries(status)) : {};
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? replaceLoneSurrogates(value) : null;
}

/** The field that identifies the objects of a kind, if the interface has one. */
const keys: { readonly [K in ExportKind]?: string } = { users: 'id', customFields: 'id', tags: 'name' };

const position: SqlColumn = { name: 'position', path: [], type: 'integer' };

/**
 * Creates the layout for a kind other than contacts and messages, with the export's columns; adds the column `position`
 * as the key if the objects have none.
 */
function objectTable(kind: ExportKind, table: string): RecordTableLayout {
  return {
    table,
    create(database, shown) {
      const columns = columnsOf(shown);
      const key = columns.find(({ path }) => path.length === 1 && path[0] === keys[kind]);
      const all = key === undefined ? [position, ...columns] : columns;
      // A list that changes while it is read may return an object twice; the later one replaces the earlier.
      const insert = createTableWithInserter(database, table, all, (key ?? position).name, 'OR REPLACE');
      let count = 0;
      return {
        insert(record) {
          count += 1;
          const place = key === undefined ? [count] : [];
          insert([...place, ...toStoredValues(columns, record.normal)], record);
        },
        complete() {},
      };
    },
    restore: () => () => {
      throw new Error(`every row of ${table} has its normal form`);
    },
  };
}

/** Returns the columns of a table, with unique names made from their paths: `team.id` is `teamId`. */
function columnsOf({ columns }: ExportTable): readonly SqlColumn[] {
  const names = makeNamesUnique(
    columns.map(({ path }) =>
      path.reduce((name, step) => name + step.charAt(0).toUpperCase() + step.slice(1)),
    ),
    ['position', 'normal', 'given'],
  );
  return columns.map(({ path, type }, index) => ({ name: names[index] ?? '', path, type }));
}

/** The table layout of each kind. */
export const tableLayouts: { readonly [K in ExportKind]: RecordTableLayout } = {
  contacts: contactTableLayout,
  changes: objectTable('changes', 'changes'),
  messages: messageTable('messages', 'message_statuses'),
  messageUpdates: messageTable('message_updates', null),
  users: objectTable('users', 'users'),
  customFields: objectTable('customFields', 'custom_fields'),
  closingNotes: objectTable('closingNotes', 'closing_notes'),
  tags: objectTable('tags', 'tags'),
  templates: objectTable('templates', 'templates'),
};
