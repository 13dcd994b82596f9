import { momentOf } from '../../model/contact-record.ts';
import type { ExportRecord } from '../../model/export-record.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';
import {
  recordTable,
  restored,
  type SqlColumn,
  storedValues,
  type TableLayout,
  wellFormed,
} from './column.ts';

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

/** A table of messages, and one of their delivery statuses beside it where it has a name. */
export function messageTable(table: string, statuses: string | null): TableLayout {
  return {
    table,
    create(database) {
      const insert = recordTable(database, table, columns, 'id');
      const insertStatuses = statuses === null ? () => undefined : statusTable(database, statuses, table);
      return {
        insert(record) {
          const values = storedValues(columns, record.normal);
          insert(values, record, restored(columns, values));
          insertStatuses(record);
        },
        complete() {
          database.exec(`CREATE INDEX ${table}_by_contact ON ${table} (contactId, created)`);
          database.exec(`CREATE INDEX ${table}_by_time ON ${table} (created)`);
        },
      };
    },
    restore: () => (row) =>
      restored(
        columns,
        columns.map(({ name }) => row[name]),
      ),
  };
}

function statusTable(database: SqliteFile, statuses: string, messages: string) {
  database.exec(
    `CREATE TABLE ${statuses} (messageId INT NOT NULL REFERENCES ${messages} (id), position INT NOT NULL, value TEXT, ` +
      'at TEXT, failure TEXT, PRIMARY KEY (messageId, position)) STRICT, WITHOUT ROWID',
  );
  const insert = database.prepare(`INSERT INTO ${statuses} VALUES (?, ?, ?, ?, ?)`);
  return ({ normal, given }: ExportRecord) => {
    if (!Array.isArray(given.status)) return;
    given.status.forEach((status: unknown, position) => {
      const { value, timestamp, message } = partsOf(status);
      const at = momentOf(typeof timestamp === 'number' ? timestamp : null);
      insert.run(normal.id, position, textOrNull(value), at, textOrNull(message));
    });
  };
}

function partsOf(status: unknown): Readonly<Record<string, unknown>> {
  return typeof status === 'object' && status !== null ? Object.fromEntries(Object.entries(status)) : {};
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? wellFormed(value) : null;
}
