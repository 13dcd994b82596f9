import { expect, it } from 'vitest';
import { compileMapping } from '../../src/mapping/index.ts';
import type { Row } from '../../src/model/row.ts';
import { workbook } from '../sources/builders/xlsx.ts';
import { file, open, readingOf } from '../sources/reading.ts';
import { mappingWith } from './drafts.ts';

const rules = (more = '') => `customFields:
  Born: { from: Born, type: date, formats: [d.M.yyyy]${more} }
`;

async function rowsOf(...cells: readonly (string | { readonly xml: string })[]): Promise<readonly Row[]> {
  const sheet = [['E', 'Born'], ...cells.map((cell) => ['ada@example.test', cell])];
  const content = workbook({ sheets: { People: sheet }, styles: [14, 22] });
  return (await readingOf(open(file(content, 'people.xlsx'), {}, 'xlsx'))).rows;
}

it('a cell that is a date is read whatever the formats of its field are, and a text only by them', async () => {
  const rows = await rowsOf(
    { xml: '<c s="1"><v>45000</v></c>' },
    { xml: '<c s="2"><v>45000.5</v></c>' },
    { xml: '<c t="d"><v>2023-03-15T00:00:00Z</v></c>' },
    '15.3.2023',
    '2023-03-15',
  );
  for (const mapping of [rules(), `empty: [n/a]\n${rules()}`, rules(', onInvalid: reject')]) {
    const map = compileMapping(mappingWith(mapping));
    const read = rows.map((row) => {
      const result = map(row);
      return result.ok ? result.draft.values.customFields.Born : result.problems[0]?.code;
    });
    const day = '2023-03-15';
    expect(read).toEqual([day, day, day, day, 'customFields.Born.invalid']);
  }
});
