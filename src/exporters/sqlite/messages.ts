import { isDeepStrictEqual } from 'node:util';
import { momentOf } from '../../model/contact-record.ts';
import type { ExportRecord } from '../../model/export-record.ts';
import {
  declaredColumns,
  insertInto,
  restored,
  type SqlColumn,
  type SqlDatabase,
  storedValues,
  wellFormed,
} from './column.ts';
import type { TableLayout } from './layout.ts';

const text = ['created', 'direction', 'sender', 'type', 'text', 'status', 'messageTag', 'senderSource'];
const moments = ['pendingAt', 'sentAt', 'deliveredAt', 'readAt', 'failedAt', 'failure'];

const columns: readonly SqlColumn[] = [
  ...['id', 'contactId', 'channelId'].map((name) => ({ name, path: [name], as: 'integer' }) as const),
  ...[...text, ...moments].map((name) => ({ name, path: [name], as: 'text' }) as const),
  // The interface gives some as numbers and some as texts.
  ...['channelMessageId', 'senderUserId', 'senderTeamId'].map(
    (name) => ({ name, path: [name], as: 'any' }) as const,
  ),
];

/** A table of messages, and one of their delivery statuses beside it where it has a name. */
export function messageTable(table: string, statuses: string | null): TableLayout {
  return {
    table,
    create(database) {
      database.exec(`CREATE TABLE ${table} (${declaredColumns(columns, ['contactId', 'id'])}) STRICT`);
      const insert = database.prepare(insertInto(table, columns));
      const insertStatuses = statuses === null ? () => undefined : statusTable(database, statuses, table);
      return {
        insert(record) {
          const values = storedValues(columns, record.normal);
          const enough = isDeepStrictEqual(whole(values, record.given), record.normal);
          const normal = enough ? null : JSON.stringify(record.normal);
          insert.run(...values, normal, JSON.stringify(record.given));
          insertStatuses(record);
        },
        complete() {
          database.exec(`CREATE INDEX ${table}_by_contact ON ${table} (contactId, created)`);
          database.exec(`CREATE INDEX ${table}_by_time ON ${table} (created)`);
        },
      };
    },
    restore: () => (row, given) =>
      whole(
        columns.map(({ name }) => row[name]),
        given,
      ),
  };
}

/** The content of a message stands in what the interface gave, and not once more. */
function whole(values: readonly unknown[], given: ExportRecord['given']): Readonly<Record<string, unknown>> {
  return { ...restored(columns, values), message: given.message };
}

function statusTable(database: SqlDatabase, statuses: string, messages: string) {
  database.exec(
    `CREATE TABLE ${statuses} (contactId INT NOT NULL, messageId INT NOT NULL, position INT NOT NULL, value TEXT, ` +
      'at TEXT, failure TEXT, PRIMARY KEY (contactId, messageId, position), ' +
      `FOREIGN KEY (contactId, messageId) REFERENCES ${messages} (contactId, id)) STRICT, WITHOUT ROWID`,
  );
  const insert = database.prepare(`INSERT INTO ${statuses} VALUES (?, ?, ?, ?, ?, ?)`);
  return ({ normal, given }: ExportRecord) => {
    if (!Array.isArray(given.status)) return;
    given.status.forEach((status: unknown, position) => {
      const { value, timestamp, message } = partsOf(status);
      insert.run(
        ...[normal.contactId, normal.id, position],
        ...[
          textOrNull(value),
          momentOf(typeof timestamp === 'number' ? timestamp : null),
          textOrNull(message),
        ],
      );
    });
  };
}

function partsOf(status: unknown): Readonly<Record<string, unknown>> {
  return typeof status === 'object' && status !== null ? Object.fromEntries(Object.entries(status)) : {};
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? wellFormed(value) : null;
}
