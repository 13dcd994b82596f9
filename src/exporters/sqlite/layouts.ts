import type { ExportKind, ExportTable } from '../../model/export-record.ts';
import { uniqueNames } from '../value.ts';
import { recordTable, type SqlColumn, storedValues, type TableLayout } from './column.ts';
import { contactTable } from './contacts.ts';
import { messageTable } from './messages.ts';

/** What tells the objects of a kind apart, where the interface says that something does. */
const keys: { readonly [K in ExportKind]?: string } = { users: 'id', customFields: 'id', tags: 'name' };

const position: SqlColumn = { name: 'position', path: [], type: 'integer' };

/** A table of objects that belong to the workspace: a column for whatever a flat format shows of them. */
function objectTable(kind: ExportKind, table: string): TableLayout {
  return {
    table,
    create(database, shown) {
      const columns = columnsOf(shown);
      const key = columns.find(({ path }) => path.length === 1 && path[0] === keys[kind]);
      const all = key === undefined ? [position, ...columns] : columns;
      // A list that changes while it is read may give one twice; the later one is the newer.
      const insert = recordTable(database, table, all, (key ?? position).name, 'OR REPLACE');
      let count = 0;
      return {
        insert(record) {
          count += 1;
          const place = key === undefined ? [count] : [];
          insert([...place, ...storedValues(columns, record.normal)], record);
        },
        complete() {},
      };
    },
    restore: () => () => {
      throw new Error(`every row of ${table} has its normal form`);
    },
  };
}

/** `team.id` is called `teamId`, whatever heading was chosen. */
function columnsOf({ columns }: ExportTable): readonly SqlColumn[] {
  const names = uniqueNames(
    columns.map(({ path }) =>
      path.reduce((name, step) => name + step.charAt(0).toUpperCase() + step.slice(1)),
    ),
    ['position', 'normal', 'given'],
  );
  return columns.map(({ path, type }, index) => ({ name: names[index] ?? '', path, type }));
}

/** How each kind stands in the database. */
export const layouts: { readonly [K in ExportKind]: TableLayout } = {
  contacts: contactTable,
  changes: objectTable('changes', 'changes'),
  messages: messageTable('messages', 'message_statuses'),
  messageUpdates: messageTable('message_updates', null),
  users: objectTable('users', 'users'),
  customFields: objectTable('customFields', 'custom_fields'),
  closingNotes: objectTable('closingNotes', 'closing_notes'),
  tags: objectTable('tags', 'tags'),
  templates: objectTable('templates', 'templates'),
};
