import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, describe, expect, test } from 'vitest';
import {
  formatProposalsCsv,
  type ProposalDecision,
  type ProposedPair,
  readProposalDecisions,
  readProposalPage,
} from '../../../src/app/import/report/merge-proposals.ts';
import {
  formatRejectsCsv,
  type RejectedRow,
  readInputColumnsOfRejects,
  readRejectedRowsPage,
} from '../../../src/app/import/report/rejects-csv.ts';
import {
  formatUncertainCsv,
  type ListedUncertainComment,
  readUncertainCommentsPage,
} from '../../../src/app/import/report/uncertain-csv.ts';
import { JournalOfARun } from '../../report/journal-of-a-run.ts';

const opened: JournalOfARun[] = [];

function journal(items: number): JournalOfARun {
  const made = new JournalOfARun(items);
  opened.push(made);
  return made;
}

afterEach(() => {
  for (const made of opened.splice(0)) made.remove();
});

/** Everything that pages of two give, each page after the last of the one before. */
function allOf<T>(page: (after: T | undefined) => readonly T[]): T[] {
  const all: T[] = [];
  for (;;) {
    const next = page(all.at(-1));
    expect(next.length).toBeLessThanOrEqual(2);
    if (next.length === 0) return all;
    all.push(...next);
  }
}

async function linesOf(chunks: AsyncIterable<string>, delimiter = ','): Promise<Record<string, string>[]> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return parse<Record<string, string>>(text, { columns: true, delimiter, bom: true });
}

describe('merge proposals as pairs', () => {
  const cells = (line: number, newer: number): [string, string][] => [
    ['_line', String(line)],
    ['_key', `r-${line}`],
    ['contact_1_id', '1'],
    ['contact_2_id', String(newer)],
    ...['firstName=Ann|Ann|ann|ann', 'email=Ann@x.org|ann@x.org||Ann@x.org', 'phone=+1|+2|+2|+2'].flatMap(
      four,
    ),
    ...['language=en|||en', 'lastName=|Doe||Doe', 'customFields.Plan=||gold|gold'].flatMap(four),
  ];
  const four = (text: string): [string, string][] => {
    const [field = '', values = ''] = text.split('=');
    const sides = ['contact_1', 'contact_2', 'row', 'result'];
    return values.split('|').map((value, n) => [`${sides[n]}.${field}`, value]);
  };

  function proposed(count: number): JournalOfARun {
    const run = journal(count);
    for (let seq = 0; seq < count; seq += 1) {
      const contacts = [1, 10 + seq] as const;
      const proposals = [{ seq, pair: 0, contacts, cells: cells(seq + 2, 10 + seq) }];
      run.finish(seq, 'proposed', {}, { proposals });
    }
    run.end('finished', 3);
    return run;
  }

  const pairs = ({ file, run }: JournalOfARun) =>
    allOf<ProposedPair>((after) => readProposalPage(file, run, after?.at, 2));

  test('show the fields side by side, and where the two agree', () => {
    const all = pairs(proposed(5));
    expect(all.map(({ line, key, contacts }) => ({ line, key, contacts }))).toEqual(
      [2, 3, 4, 5, 6].map((line) => ({ line, key: `r-${line}`, contacts: [1, line + 8] })),
    );
    expect(all[0]?.fields.map(({ field, agreement }) => [field, agreement])).toEqual([
      ['firstName', 'equal'],
      // Compared as the field is: without regard to case.
      ['email', 'equal'],
      ['phone', 'differs'],
      ['language', 'onlyOlder'],
      ['lastName', 'onlyNewer'],
      ['customFields.Plan', 'neither'],
    ]);
    expect(all[0]?.fields[2]).toEqual({
      field: 'phone',
      older: '+1',
      newer: '+2',
      row: '+2',
      result: '+2',
      agreement: 'differs',
    });
  });

  test('are written with the decisions, which are read back as they were', async () => {
    const run = proposed(4);
    const [one, two, three] = pairs(run).map(({ id }) => id);
    const decisions = new Map<string, ProposalDecision>([
      [one ?? '', { answer: 'yes', result: { phone: '+12015550399', 'customFields.Plan': '' } }],
      [two ?? '', { answer: 'no' }],
      [three ?? '', { answer: '', result: { firstName: 'Anne' } }],
    ]);
    const lines = await linesOf(formatProposalsCsv(run.file, run.run, decisions));
    expect(lines.map(({ approve }) => approve)).toEqual(['yes', 'no', '', '']);
    expect(lines[0]).toMatchObject({
      'result.phone': '+12015550399',
      'result.customFields.Plan': '',
      'row.phone': '+2',
    });
    expect(Object.keys(lines[0] ?? {}).slice(0, 3)).toEqual(['approve', '_line', '_key']);
    const path = join(run.workDir, 'merge-proposals.csv');
    const text: string[] = [];
    for await (const chunk of formatProposalsCsv(run.file, run.run, decisions)) text.push(chunk);
    writeFileSync(path, text.join(''));
    expect(await readProposalDecisions(run.file, run.run, path)).toEqual(decisions);
  });
});

describe('rejected rows as a grid', () => {
  const problem = (column: string | null, code: string) => ({ code, column, reason: `${code} is wrong` });

  function rejected(): JournalOfARun {
    const run = journal(5);
    const row = (seq: number) =>
      [
        ['Mail', `m${seq}`],
        ['Name', '=n'],
        ['_code', 'old'],
      ] as const;
    for (const seq of [0, 2, 3]) {
      const problems = [
        problem('Mail', 'email.invalid'),
        problem('Mail', 'email.odd'),
        problem(null, 'identity.missing'),
      ];
      run.finish(seq, seq === 3 ? 'failed' : 'rejected', {
        key: `k${seq}`,
        cells: row(seq),
        problems,
        hash: `h${seq}`,
      });
    }
    run.finish(1, 'created');
    run.finish(4, 'rejected', { raw: 'a,"b', problems: [problem(null, 'row.malformed')], hash: 'h4' });
    run.end('finished', 3);
    return run;
  }

  test('come page by page with what is wrong by column', () => {
    const { file, run } = rejected();
    const all = allOf<RejectedRow>((after) => readRejectedRowsPage(file, run, after?.seq, 2));
    expect(all.map(({ seq, outcome }) => [seq, outcome])).toEqual([
      [0, 'rejected'],
      [2, 'rejected'],
      [3, 'failed'],
      [4, 'rejected'],
    ]);
    expect(all[0]).toMatchObject({
      key: 'k0',
      cells: { Mail: 'm0', Name: '=n' },
      problems: { Mail: [{ code: 'email.invalid' }, { code: 'email.odd' }] },
      ofRow: [{ code: 'identity.missing' }],
      raw: null,
    });
    expect(all[3]).toMatchObject({ cells: {}, problems: {}, raw: 'a,"b' });
  });

  test('are written with the corrected cells in their places', async () => {
    const { file, run } = rejected();
    expect(await readInputColumnsOfRejects(file, run)).toEqual(['Mail', 'Name']);
    const corrected = new Map([
      [2, { Mail: 'm2@x.org' }],
      [4, { Mail: 'a@x.org', Name: '@b' }],
    ]);
    const lines = await linesOf(formatRejectsCsv(file, run, corrected));
    expect(lines.map(({ Mail, Name, _row }) => [Mail, Name, _row])).toEqual([
      ['m0', "'=n", `${run.id}:h0`],
      ['m2@x.org', "'=n", `${run.id}:h2`],
      ['m3', "'=n", `${run.id}:h3`],
      ['a@x.org', "'@b", `${run.id}:h4`],
    ]);
  });
});

test('uncertain comments come page by page, and are written with the answers', async () => {
  const made = journal(3);
  for (const seq of [0, 1, 2]) {
    const intent = { contactId: 7, comment: 'x', part: { number: 1, of: 1 }, text: `text ${seq}` };
    await made.send(seq, 'comment', 'uncertain', { item: 'x', intent });
    made.finish(seq, 'uncertain', { contact: 7 });
  }
  made.end('finished', 3);
  const { file, run } = made;
  const all = allOf<ListedUncertainComment>((after) => readUncertainCommentsPage(file, run, after?.at, 2));
  expect(all.map(({ line, contact, step, text }) => [line, contact, step, text])).toEqual([
    [2, 7, 'comment x', 'text 0'],
    [3, 7, 'comment x', 'text 1'],
    [4, 7, 'comment x', 'text 2'],
  ]);
  const answers = new Map([
    [all[0]?.id ?? '', 'yes'],
    [all[2]?.id ?? '', 'no'],
  ] as const);
  const lines = await linesOf(formatUncertainCsv(file, run, answers));
  expect(lines.map(({ resend, text }) => [resend, text])).toEqual([
    ['yes', 'text 0'],
    ['', 'text 1'],
    ['no', 'text 2'],
  ]);
});
