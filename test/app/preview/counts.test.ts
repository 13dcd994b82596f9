import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { checkImport } from '../../../src/app/check/check.ts';
import { countMappingResults, type RowCountsProgress } from '../../../src/app/preview/counts.ts';
import type { PreviewInput } from '../../../src/app/preview/given-input.ts';
import type { UnsavedMapping } from '../../../src/app/preview/mapping-text.ts';
import { listMatchingRows, type RowsPage, type RowsQuery } from '../../../src/app/preview/matching-rows.ts';
import { isLiveWorkspaceInput } from '../../../src/app/run/input.ts';
import { isNoteOnly, type ProblemCount } from '../../../src/model/problem.ts';
import { loadImportPipeline, readPipelineKind } from '../../../src/pipeline/index.ts';
import { some } from '../../long.ts';
import { removeInputs, there, unstopped, written } from './given.ts';

afterAll(removeInputs);

const pipelines = fileURLToPath(new URL('../../../pipelines', import.meta.url));
const imports = readdirSync(pipelines).filter(
  (name) => name.endsWith('.yaml') && !name.startsWith('export-'),
);

async function counted(given: PreviewInput, mapping: UnsavedMapping): Promise<readonly RowCountsProgress[]> {
  const told: RowCountsProgress[] = [];
  await countMappingResults(given, mapping, (soFar) => told.push(soFar), unstopped);
  return told;
}

/** The pages of rows that are sent for a query, the last one last. */
async function pagesOf(
  given: PreviewInput,
  query: Partial<RowsQuery>,
  mapping = simple,
): Promise<readonly RowsPage[]> {
  const told: RowsPage[] = [];
  const any = { problem: null, cell: null, search: '', from: 0, limit: 50 };
  const whole = { ...any, ...query };
  await listMatchingRows(given, mapping, whole, (page) => told.push(structuredClone(page)), unstopped);
  return told;
}

const simple: UnsavedMapping = {
  file: 'unsaved.yaml',
  text: `mapping: rows
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
  phone: { from: Phone, country: US, onInvalid: drop }
tags: { from: Tags, split: ";", attach: file }
customFields:
  Plan: { from: Plan, type: text, default: none }
`,
};
const header = 'Id,Name,Email,Phone,Plan,Tags';
const eleven = Array.from({ length: 11 }, (_, n) => `t${n}`).join(';');

const comparedWhole: string[] = [];

describe('the counts of a mapping', () => {
  it('are by target and by reason, with the first lines', async () => {
    const lines = [
      '1,Ada,ada@example.com,12,Gold,a;b',
      '2,Bob,nothing,,,',
      '3,,cyd@example.com,,,',
      '4,Dee',
      `5,Eve,eve@example.com,,,${eleven}`,
    ];
    const told = await counted(written('counts.csv', [header, ...lines].join('\n')), simple);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({
      ...{ rows: 5, share: 1, done: true },
      ...{ pass: 2, rejected: 3, rejectedIfNew: 1, loseValue: 1, filtered: 0 },
      filled: { 'contact.firstName': 1, 'contact.email': 2, 'customFields.Plan': 2, tags: 1 },
    });
    const reasons = told[0]?.reasons.map(({ code, effect, target, n, examples }) => {
      return [code, effect, target, n, examples.map(({ line }) => line)];
    });
    expect(reasons).toHaveLength(5);
    expect(reasons).toEqual(
      expect.arrayContaining([
        ['email.invalid', 'rejected', 'contact.email', 1, [3]],
        ['firstName.missing', 'rejectedIfNew', 'contact.firstName', 1, [4]],
        ['row.ragged', 'rejected', 'file', 1, [5]],
        ['tags.tooMany', 'rejected', 'tags', 1, [6]],
        ['phone.invalid', 'dropped', 'contact.phone', 1, [2]],
      ]),
    );
    expect(JSON.parse(JSON.stringify(told))).toEqual(told);
  });

  it('have no lost value for a comment that is sent in several parts', async () => {
    const mapping = { ...simple, text: `${simple.text}comments:\n  - { name: note, text: "{Plan}" }\n` };
    const row = `1,Ada,ada@example.com,,${'x'.repeat(1_500)},`;
    const told = await counted(written('long-comment.csv', `${header}\n${row}\n`), mapping);
    expect(told).toMatchObject([{ pass: 1, loseValue: 0, reasons: [], filled: { comments: 1 } }]);
  });

  it.each(some(imports, 7))('are those of check for %s', async (name) => {
    const file = join(pipelines, name);
    if ((await readPipelineKind(file)) !== 'import') return;
    const pipeline = await loadImportPipeline(file);
    if (isLiveWorkspaceInput(pipeline)) return;
    const { path, format, options } = pipeline.import.source;
    const given = there(path ?? '', { as: { format, options } });
    const { file: mappingFile } = pipeline.import.mapping;
    const told = await counted(given, { file: mappingFile, text: readFileSync(mappingFile, 'utf8') });
    const counts = told.at(-1);
    const { rows } = await checkImport({
      pipeline,
      workDir: given.spoolDir,
      workspace: undefined,
      signal: unstopped,
    });
    if (rows === null || counts === undefined) throw new Error('not looked at');
    const reasons = (effect: string) => counts.reasons.filter((reason) => reason.effect === effect);
    expect([counts.rows, counts.filtered]).toEqual([rows.read, rows.filtered]);
    // Only what several rows are together is judged otherwise.
    const together = rows.people.several > 0 || rows.skipped > 0;
    const ofRows = (counts: readonly ProblemCount[]) =>
      codes(counts, together ? /^(?:identity|tags)\./ : /^$/);
    expect(ofRows(reasons('rejected'))).toEqual(ofRows(rows.rejects));
    if (together) return;
    comparedWhole.push(name);
    expect([counts.pass, counts.rejected]).toEqual([rows.pass, rows.rejected]);
    expect(codes(reasons('dropped'))).toEqual(codes(rows.dropped.filter((problem) => !isNoteOnly(problem))));
    expect(codes(reasons('rejectedIfNew'))).toEqual(codes(rows.rejectsOfNew));
  });

  it('were compared whole for inputs without people in several rows', () => {
    expect(comparedWhole.length).toBeGreaterThan(0);
  });

  it('refuse a mapping that reads what the input lacks, with its place', async () => {
    const given = written('lacking.csv', 'Id,Name,Email,Phone,Tags\n1,Ada,ada@example.com,,\n');
    await expect(counted(given, simple)).rejects.toMatchObject({
      reason: 'usage',
      place: { file: 'unsaved.yaml', line: 9 },
    });
  });
});

function codes(counts: readonly ProblemCount[], but = /^$/) {
  const byCode = (one: { code: string }, other: { code: string }) => (one.code < other.code ? -1 : 1);
  return counts.flatMap(({ code, n }) => (but.test(code) ? [] : [{ code, n }])).sort(byCode);
}

describe('the counts of a large file', () => {
  const count = 20_000;
  const lines = Array.from({ length: count }, (_, n) => {
    return `${n},Person,${n % 100 === 7 ? 'nothing' : `p${n}@example.com`},,,`;
  });
  const given = written('large.csv', `${header}\n${lines.join('\n')}\n`);

  it('come soon, and say how much of it they are of', async () => {
    const told = await counted(given, simple);
    expect(told.length).toBeGreaterThan(3);
    expect(told[0]?.rows).toBeLessThan(3_000);
    const shares = told.map(({ share }) => share);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    for (const { share, rows, done } of told.slice(0, -1)) {
      expect(done).toBe(false);
      // A chunk of the file is read before its rows are counted.
      expect(Math.abs(share - rows / count)).toBeLessThan(0.4);
    }
    expect(told.at(-1)).toMatchObject({ rows: count, rejected: count / 100, pass: count * 0.99 });
  });

  it('stop as soon as they are not wanted', async () => {
    const stop = new AbortController();
    const told: RowCountsProgress[] = [];
    const counting = countMappingResults(
      given,
      simple,
      (soFar) => {
        told.push(soFar);
        stop.abort(new Error('edited'));
      },
      stop.signal,
    );
    await expect(counting).rejects.toThrow('edited');
    expect(told).toHaveLength(1);
  });

  it('lead to the rows of a reason, page by page', async () => {
    const problem = { code: 'email.invalid', effect: 'rejected' as const };
    const numbers: number[] = [];
    const sizes: number[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const found: RowsPage | undefined = (await pagesOf(given, { problem, limit: 90, from })).at(-1);
      if (found?.done !== true) throw new Error('not done');
      numbers.push(...found.rows.map(({ number }) => number));
      sizes.push(found.rows.length);
      const [row] = found.rows;
      expect(row).toMatchObject({ line: (row?.number ?? 0) + 2, raw: null });
      expect(row?.cells).toContainEqual(['Email', 'nothing']);
      expect(row?.problems).toMatchObject([{ code: 'email.invalid', column: 'Email' }]);
      from = found.next;
    }
    expect(sizes).toEqual([90, 90, 20]);
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, n) => n * 100 + 7));
  });

  it('lead to rows as they are found, with the share of the file that was searched', async () => {
    const lines = Array.from({ length: 60_000 }, (_, n) => `${n},Person,p${n}@example.com,,,`);
    const larger = written('larger.csv', `${header}\n${lines.join('\n')}\n`);
    const pages = await pagesOf(larger, { search: 'P3@Example' });
    expect(pages.map(({ rows, done }) => [rows.length, done])).toEqual([
      [1, false],
      [1, false],
      [1, true],
    ]);
    expect(pages[0]?.share).toBeGreaterThan(0.2);
    expect(pages[0]?.share).toBeLessThan(0.9);
    expect(pages.at(-1)).toMatchObject({ next: null, share: 1 });
    const [first] = (await pagesOf(larger, { limit: 3 })).slice(-1);
    expect(first).toMatchObject({ next: 3, done: true });
    expect(first?.share).toBeLessThan(0.5);
  });
});

describe('the rows of an input', () => {
  it('are counted once for a problem that several of their cells have', async () => {
    const phones = { ...simple, text: simple.text.replace('from: Phone', 'from: [Phone, Plan]') };
    const twice = written('twice.csv', `${header}\n1,Ada,ada@example.com,no,none,\n`);
    const counts = (await counted(twice, phones)).at(-1);
    expect(counts).toMatchObject({ pass: 1, loseValue: 1 });
    expect(counts?.reasons.map(({ code, n }) => [code, n])).toEqual([['phone.invalid', 1]]);
  });

  it('with a value have its texts counted in the whole file, however few of them are shown', async () => {
    const plans = ['Gold', ' gold', 'Silver', '', 'GOLD'];
    const lines = Array.from({ length: 1_000 }, (_, n) => `${n},Ann,ann${n}@example.com,,${plans[n % 5]},`);
    const many = written('plans.csv', `${header}\n${lines.join('\n')}\n`);
    const cell = { column: 'Plan', text: 'gold' };
    const [shown, last] = await pagesOf(many, { cell, limit: 2 });
    expect(shown).toMatchObject({ next: 4, texts: null, done: true });
    expect(last).toEqual({ ...shown, texts: ['Gold', ' gold', 'GOLD'].map((value) => ({ value, n: 200 })) });
    const textsOf = async (query: Partial<RowsQuery>) => (await pagesOf(many, query)).at(-1)?.texts;
    expect(await textsOf({ cell: { column: 'Plan', text: '' } })).toEqual([{ value: '', n: 200 }]);
    for (const others of [{}, { cell, search: 'ann1' }, { cell, from: 3 }])
      expect(await textsOf(others)).toBe(null);
  });

  const given = written(
    'searched.csv',
    `${[header, '1,Ada,ada@example.com,12,Gold,a', '2,Bob,nothing,, gold ,', '3,Cyd,cyd@example.com,,,', '4,Dee'].join('\n')}\n`,
  );
  const linesOf = async (query: Partial<RowsQuery>) =>
    (await pagesOf(given, query)).at(-1)?.rows.map(({ line }) => line);

  it('are found by problem, by the value of a column and by a text, together', async () => {
    expect(await linesOf({})).toEqual([2, 3, 4, 5]);
    expect(await linesOf({ search: 'EXAMPLE' })).toEqual([2, 4]);
    expect(await linesOf({ search: 'dee' })).toEqual([5]);
    expect(await linesOf({ cell: { column: 'Plan', text: 'GOLD' } })).toEqual([2, 3]);
    expect(await linesOf({ cell: { column: 'Plan', text: '' } })).toEqual([4]);
    expect(await linesOf({ cell: { column: 'Plan', text: 'gol' } })).toEqual([]);
    const problem = { code: 'email.invalid', effect: 'rejected' as const };
    expect(await linesOf({ problem, cell: { column: 'Plan', text: 'gold' }, search: 'bo' })).toEqual([3]);
    expect(await linesOf({ problem: { ...problem, effect: 'dropped' } })).toEqual([]);
  });

  it('have all of their problems, with the columns and the effects', async () => {
    const page = (await pagesOf(given, {})).at(-1);
    expect(page?.rows).toMatchObject([
      { problems: [{ code: 'phone.invalid', column: 'Phone', effect: 'dropped' }], raw: null },
      { problems: [{ code: 'email.invalid', column: 'Email', effect: 'rejected' }], raw: null },
      { problems: [] },
      { problems: [{ code: 'row.ragged', column: null, effect: 'rejected' }], raw: '4,Dee', cells: [] },
    ]);
  });
});
