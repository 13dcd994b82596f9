import { expect, it } from 'vitest';
import { forgetRulesByTextColumn } from '../../src/journal/index.ts';
import { openFile, workDir } from './work-dir.ts';

it('every text of every table says what becomes of it when a person is forgotten', () => {
  const file = openFile(workDir());
  const there = file
    .prepare<[], { table: string; column: string }>(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND c.type = 'TEXT'`,
    )
    .all();
  const declared = Object.entries(forgetRulesByTextColumn).flatMap(([table, columns]) =>
    Object.keys(columns).map((column) => ({ table, column })),
  );
  const inOrder = (columns: readonly { table: string; column: string }[]) =>
    columns.map(({ table, column }) => `${table}.${column}`).sort();
  expect(inOrder(declared)).toEqual(inOrder(there));
});
