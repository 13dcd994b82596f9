import { join } from 'node:path';
import Database from 'better-sqlite3';
import { nameOf } from './csv.ts';
import { plainText } from './plain-text.ts';
import type { Reader } from './reader.ts';

export const sqliteReader: Reader = {
  shown({ value, is }, type, { kind }) {
    if (value === undefined || value === null) return null;
    if (type === 'boolean') return typeof is === 'boolean' ? BigInt(is) : null;
    if (type === 'text' || type === 'number' || type === 'integer') return is;
    if (type === 'moment' || type === 'date') return String(value);
    if (type === 'texts') return JSON.stringify(value);
    return kind === 'contacts' ? (plainText(value, type)?.replace(/^'/, '') ?? null) : JSON.stringify(value);
  },
  async read(folder, { kind, columns }) {
    const database = new Database(join(folder, 'workspace.db'), { readonly: true });
    try {
      database.defaultSafeIntegers();
      const isContact = kind === 'contacts';
      const names = columns.map(({ path }) => path.at(-1));
      const list = isContact ? '*' : names.map((name) => `"${name}"`).join(', ');
      const table = isContact ? 'contacts_flat' : nameOf(kind).replace('-', '_');
      const sql = `SELECT ${list} FROM ${table}`.replaceAll(
        /"((?:text|integer|number|boolean|moment|date|texts|json))"/g,
        (whole, name: string) =>
          kind === 'messages' || kind === 'messageUpdates'
            ? whole
            : `"values${name[0]?.toUpperCase()}${name.slice(1)}"`,
      );
      const select = database.prepare<[], unknown[]>(sql).raw();
      const headings = isContact ? select.columns().map(({ name }) => name) : null;
      return { headings, rows: select.all() };
    } finally {
      database.close();
    }
  },
};
