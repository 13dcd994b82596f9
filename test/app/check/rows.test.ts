import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CheckReport, checkImport } from '../../../src/app/check/check.ts';
import { isReadyToImport, type RowCheckCounts } from '../../../src/app/check/rows.ts';
import { countProblemsByOutcome, countRunRows } from '../../../src/journal/index.ts';
import { formatLeftBehindTitle } from '../../../src/model/left-behind.ts';
import type { RowCounts } from '../../../src/model/outcome.ts';
import { loadImportPipeline } from '../../../src/pipeline/index.ts';
import { type RealImport, realImport } from '../import/real-import.ts';

const mapping = `mapping: rows
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
  phone: { from: Phone, country: US, onInvalid: drop }
customFields:
  Plan: { from: Plan, type: list }
tags: { from: Tags, split: ";", attach: file }
assignee: { from: Owner, unknown: reject }
`;

const header = 'Id,Name,Email,Phone,Plan,Tags,Owner';
const eleven = Array.from({ length: 11 }, (_, n) => `t${n}`).join(';');
const desk = '+12015550100';

async function checked(it: RealImport, online = false): Promise<CheckReport> {
  const pipeline = await loadImportPipeline(it.pipelineFile);
  const signal = new AbortController().signal;
  const workspace = online ? it.open(signal) : undefined;
  const found = await checkImport({ pipeline, workDir: join(it.folder, 'work'), workspace, signal });
  await workspace?.close(0);
  return found;
}

async function rowsOf(lines: readonly string[], settings: readonly string[] = []): Promise<RowCheckCounts> {
  const { rows, findings } = await checked(await realImport(mapping, [header, ...lines], settings));
  if (rows === null) throw new Error(JSON.stringify(findings));
  return rows;
}

const codes = (counts: RowCheckCounts['rejects']) =>
  counts.map(({ code, n, examples }) => [code, n, examples.map(({ line }) => line)]);

describe('check takes every row through the mapping', () => {
  it('and finds nothing where all pass', async () => {
    const rows = await rowsOf(['1,Ada,ada@example.com,,,,', '2,Bob,,+12015550123,,,']);
    expect(rows).toEqual({
      ...{ read: 2, pass: 2, skipped: 0, filtered: 0, rejected: 0, proposed: 0 },
      ...{ rejects: [], rejectsOfNew: [], dropped: [], budget: null },
      people: { several: 0, rows: 0, weakPhones: 0 },
    });
    expect(isReadyToImport(rows)).toBe(true);
  });

  it('and counts rejects by code with example lines, also of lines that cannot be parsed', async () => {
    const bad = Array.from({ length: 5 }, (_, n) => `${n},Ada,no address ${n},,,,`);
    const rows = await rowsOf([...bad, '8,Ada', '9,Ada,ada@example.com,,,,']);
    expect(rows).toMatchObject({ read: 7, pass: 1, rejected: 6 });
    expect(codes(rows.rejects)).toEqual([
      ['email.invalid', 5, [2, 3, 4]],
      ['row.ragged', 1, [7]],
    ]);
    expect(rows.rejects[0]?.examples[0]).toMatchObject({ column: 'Email' });
    expect(isReadyToImport(rows)).toBe(false);
  });

  it('and does not call two rows with one phone two people, where only nothing shows that they are one', async () => {
    const lines = [`1,Ada,ada@example.com,${desk},,,`, `2,Ada,,${desk},,,`];
    const { rejects } = await rowsOf(lines, ['  policy: { maxPeoplePerPhone: 1 }']);
    expect(rejects).toMatchObject([
      {
        code: 'identity.missing',
        examples: [
          {
            line: 3,
            reason: `the row has only the phone ${desk}, which more rows of the input have than policy.maxPeoplePerPhone allows, and nothing shows that they are one person: it is not used for matching`,
          },
        ],
      },
    ]);
  });

  it('and counts values that are left out of rows that pass', async () => {
    const rows = await rowsOf(['1,Ada,ada@example.com,12,,,']);
    expect([rows.pass, codes(rows.dropped)]).toEqual([1, [['phone.invalid', 1, [2]]]]);
    expect(isReadyToImport(rows)).toBe(true);
  });

  it('and sees rows of one person, and what only they have together', async () => {
    const [some, more] = [eleven.split(';').slice(0, 6).join(';'), eleven.split(';').slice(6).join(';')];
    const lines = [
      `1,Ada,ada@example.com,,,${some},`,
      `2,Ada,ada@example.com,,,${more},`,
      '3,Bob,bob@example.com,,,,',
      '4,Bob,bob@example.com,,,,',
    ];
    const rows = await rowsOf(lines);
    expect(rows).toMatchObject({ pass: 2, rejected: 2, people: { several: 2, rows: 4 } });
    expect(codes(rows.rejects)).toEqual([['tags.tooMany', 2, [2, 3]]]);
  });

  it('by the policy of duplicates', async () => {
    const lines = ['1,Ada,ada@example.com,,,,', '2,Ada,ada@example.com,,,,'];
    const first = await rowsOf(lines, ['  policy: { duplicates: first }']);
    expect(first).toMatchObject({ pass: 1, skipped: 1, rejected: 0 });
    const none = await rowsOf(lines, ['  policy: { duplicates: reject }']);
    expect([none.rejected, codes(none.rejects)]).toEqual([2, [['identity.duplicate', 2, [2, 3]]]]);
  });

  it('and sees phones that say nobody’s identity', async () => {
    const rows = await rowsOf([1, 2, 3, 4, 5, 6].map((n) => `${n},P${n},,${desk},,,`));
    expect(rows.people.weakPhones).toBe(1);
    expect(codes(rows.rejects)).toEqual([['identity.missing', 6, [2, 3, 4]]]);
  });

  it('and counts apart what is only rejected where the person is new', async () => {
    const rows = await rowsOf(['1,,ada@example.com,,,,']);
    expect([rows.pass, rows.rejected, codes(rows.rejectsOfNew)]).toEqual([
      1,
      0,
      [['firstName.missing', 1, [2]]],
    ]);
    expect(isReadyToImport(rows)).toBe(false);
  });

  it('and says at which row the error budget would stop the import', async () => {
    const bad = (n: number) => `${n},Ada,no address,,,,`;
    const good = (n: number) => `${n},Ada,a${n}@example.com,,,,`;
    const lines = Array.from({ length: 300 }, (_, n) => (n >= 190 && n < 210 ? bad(n) : good(n)));
    const { budget } = await rowsOf(lines);
    expect(budget).toEqual({
      row: 201,
      message: '11 of 201 rows were rejected or failed, more than policy.maxErrors: 5% allows.',
    });
  });

  it('and leaves out what where leaves out', async () => {
    const it = await realImport(
      mapping,
      [header, '1,Ada,ada@example.com,,,,', '2,Bob,nothing,,,,'],
      [],
      ', where: { Id: "1" }',
    );
    expect((await checked(it)).rows).toMatchObject({ read: 2, pass: 1, filtered: 1, rejected: 0 });
  });

  it('not where there are mistakes that come first', async () => {
    const it = await realImport(mapping, ['Id,Name,Email,Phone,Plan', '1,Ada,ada@example.com,,']);
    const { rows, findings } = await checked(it);
    expect(rows).toBeNull();
    expect(findings.some(({ verdict }) => verdict === 'wrong')).toBe(true);
  });

  it('and leaves nothing behind', async () => {
    const it = await realImport(mapping, [header, '1,Ada,ada@example.com,,,,']);
    await checked(it);
    expect(readdirSync(join(it.folder, 'work', 'spool'))).toEqual([]);
  });
});

it('says how many dates lose their time of day, unless another rule keeps the column', async () => {
  const dated = `mapping: dates
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
customFields:
  Seen: { from: Seen, type: date, formats: [dd.MM.yyyy, yyyy-MM-dd] }
  Born: { from: Born, type: date }
  Born at: { from: Born, type: text }
`;
  const cells = [
    '02.01.2024 09:15',
    '02.01.2024, 0:05 Uhr',
    '2024-01-02T23:59:59Z',
    '01.02.2024 12:00 PM',
    '02.01.2024',
    '02.01.2024 00:00:00',
    '2024-01-02T00:00:00+02:00',
    '01.02.2024 12:00 am',
    '',
  ];
  const rows = cells.map((cell, n) => `${n},Ada,a${n}@example.com,"${cell}",2001-02-03 04:05`);
  const { leftBehind } = await checked(await realImport(dated, ['Id,Name,Email,Seen,Born', ...rows]));
  expect(leftBehind).toMatchObject([{ kind: 'times', n: 4, values: [{ value: 'Seen', n: 4 }] }]);
});

describe('what only the workspace knows', () => {
  const lines = ['1,Ada,ada@example.com,,Gold,,Nobody', '2,Bob,bob@example.com,,Silver,,'];

  it('is not judged offline, and that is said', async () => {
    const { rows, findings } = await checked(await realImport(mapping, [header, ...lines]));
    expect(rows).toMatchObject({ pass: 2, rejected: 0 });
    const notes = findings.filter(({ verdict }) => verdict === 'note').map(({ text }) => text);
    expect(notes.join('\n')).toContain(
      'users and list values not checked against the workspace: use check --online',
    );
  });

  it('is what the import may leave behind: owners, and values of lists that the import does not create', async () => {
    const kinds = async (it: RealImport, online = false) =>
      (await checked(it, online)).leftBehind.map(({ kind, n, values, known }) => [kind, n, values, known]);
    const it = await realImport(mapping, [header, ...lines]);
    expect(await kinds(it)).toEqual([
      ['ownersNotAsked', 1, [{ value: 'Nobody', n: 1 }], 'workspace'],
      [
        ...['listValuesNotAsked', 2],
        [
          { value: 'Plan: Gold', n: 1 },
          { value: 'Plan: Silver', n: 1 },
        ],
        'workspace',
      ],
    ]);
    const created = mapping.replace('type: list', 'type: list, create: true, allowed: [Gold, Silver]');
    expect((await kinds(await realImport(created, [header, ...lines]))).map(([kind]) => kind)).toEqual([
      'ownersNotAsked',
    ]);
    it.sandbox.add({ customFields: [{ name: 'Plan', dataType: 'list', allowedValues: ['Gold', 'Silver'] }] });
    expect((await kinds(it, true)).map(([kind]) => kind)).toEqual(['rejected']);
  });

  it('is judged online, in the same pass', async () => {
    const it = await realImport(mapping, [header, ...lines]);
    it.sandbox.add({ customFields: [{ name: 'Plan', dataType: 'list', allowedValues: ['Gold'] }] });
    const { rows } = await checked(it, true);
    expect(codes(rows?.rejects ?? [])).toEqual([
      ['assignee.unknown', 1, [2]],
      ['customFields.Plan.notAllowed', 1, [3]],
    ]);
  });
});

it('what an import says before its first request counts a row with too many tags, as check does', async () => {
  const lines = [
    `1,Ada,ada@example.com,,,${eleven},`,
    '2,Bob,bob@example,,,t1,',
    '3,Cyd,cyd@example.com,,,t1,',
  ];
  const it = await realImport(mapping.replace(/assignee.*\n/, '').replace(/customFields:\n.*\n/, ''), [
    header,
    ...lines,
  ]);
  const { leftBehind } = await checked(it);
  await it.import();
  const notes = it.events.flatMap((event) => (event.kind === 'note' ? [event.text.trim()] : []));
  for (const title of ['Rows rejected: 2', 'Rows whose tags need to be attached by hand: 1']) {
    expect(notes).toContain(title);
    expect(leftBehind.map(formatLeftBehindTitle)).toContain(title);
  }
});

it('the people whom an import would call by the default first name are named, once for each person', async () => {
  const named = mapping.replace('{ from: Name }', '{ from: Name, default: Unknown }');
  const lines = [
    '1,Ada,ada@example.com,,,,',
    '2,,bob@example.com,,,,',
    '3,,cyd@example.com,,,,',
    // Another row of the person has the name.
    '4,Dora,dora@example.com,,,,',
    '4,,dora@example.com,,,,',
  ];
  const it = await realImport(named, [header, ...lines]);
  const { leftBehind } = await checked(it);
  const found = leftBehind.find(({ kind }) => kind === 'namesDefaulted');
  expect(found).toMatchObject({
    n: 2,
    known: 'workspace',
    example: {
      line: 3,
      text: 'Name: the row has no first name, so its new contact is called "Unknown"',
    },
  });
  expect(found?.fix).toContain('contact.firstName.from');
  it.sandbox.add({ customFields: [{ name: 'Plan', dataType: 'list', allowedValues: ['Gold'] }] });
  let noted: unknown;
  await it.import({}, ({ file, run }) => {
    const problems = countProblemsByOutcome(file, run.number);
    noted = problems.filter(({ code }) => code === 'firstName.default').map(({ n }) => n);
  });
  expect(noted).toEqual([2]);
});

describe('what check says of the error budget is where the import stops', () => {
  const people = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `${from + n},P${from + n},p${from + n}@example.com,,,,`);
  const rejected: Readonly<Record<string, readonly string[]>> = {
    'the mapping': ['1,Ada,no address,,,,', '2,Bob,,,,,'],
    'a key of two people': ['1,Ada,ada@example.com,,,,', '1,Bob,bob@example.com,,,,'],
    'rows of one person': ['1,Ada,ada@example.com,,,,', '1,Ada,ada@example.com,,,,'],
    'a key of two people, one of them in two rows': [
      ...['1,Ada,ada@example.com,,,,', '1,Bob,bob@example.com,,,,'],
      ...[...people(100, 103), '1,Ada,ada@example.com,,,,'],
    ],
    'a phone of too many people': [11, 12, 13, 14, 15, 16, 17].map((n) => `${n},P${n},,${desk},,,`),
    'too many tags': [`1,Ada,ada@example.com,,,${eleven},`, `2,Bob,bob@example.com,,,${eleven},`],
    'a line that cannot be read': ['1,Ada', '2,Bob'],
  };

  it.each(['merge', 'first', 'last', 'reject'])('duplicates: %s', async (duplicates) => {
    for (const [why, lines] of Object.entries(rejected)) {
      const it = await realImport(
        mapping.replace(/assignee.*\n/, '').replace(/customFields:\n.*\n/, ''),
        [header, ...people(50, 54), ...lines, ...people(60, 64)],
        [`  policy: { duplicates: ${duplicates}, maxErrors: 0 }`],
      );
      const { rows } = await checked(it);
      const said: (string | null)[] = [rows?.budget?.message ?? null];
      await it.import({}, ({ run }) => void said.push(run.message));
      expect([why, said[1]]).toEqual([why, said[0]]);
    }
  });
});

it('what check counts is what the import then does', async () => {
  const lines = [
    ...['1,Ada,ada@example.com,12,,,', '2,Ada,ada@example.com,,,,', '3,Bob,no address,,,,', '4,Bob'],
    ...[`5,Cyd,cyd@example.com,,,${eleven},`, '6,,dee@example.com,,,,'],
    ...[7, 8, 9, 10, 11, 12].map((n) => `${n},P${n},,${desk},,,`),
  ];
  const it = await realImport(mapping.replace(/assignee.*\n/, '').replace(/customFields:\n.*\n/, ''), [
    header,
    ...lines,
  ]);
  const { rows } = await checked(it);
  if (rows === null) throw new Error('not looked at');
  let counts: Partial<RowCounts> = {};
  let problems: ReturnType<typeof countProblemsByOutcome> = [];
  await it.import({}, ({ file, run }) => {
    counts = countRunRows(file, run);
    problems = countProblemsByOutcome(file, run.number);
  });
  const { created = 0, updated = 0, folded = 0, rejected } = counts;
  const unnamed = rows.rejectsOfNew.reduce((sum, { n }) => sum + n, 0);
  expect([rows.pass - unnamed, rows.rejected + unnamed]).toEqual([created + updated + folded, rejected]);
  const expected = [...rows.rejects, ...rows.rejectsOfNew].map(({ code, n }) => ({
    outcome: 'rejected',
    code,
    n,
  }));
  const byCode = (a: { code: string }, b: { code: string }) => (a.code < b.code ? -1 : 1);
  const rejects = problems.filter(({ outcome }) => outcome === 'rejected');
  expect(rejects.sort(byCode)).toEqual(expected.sort(byCode));
});

it('says how many timestamps in seconds or milliseconds lose their time of day', async () => {
  const dated = `mapping: dates
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
customFields:
  Seen: { from: Seen, type: date, formats: [yyyyMMdd, epoch] }
  Born: { from: Born, type: date, formats: [epochMillis] }
`;
  const cells = [
    ['1711846200', '1711846200000'],
    ['1711843200', '1711843200000'],
    ['20240503', '1711843200001'],
    ['', ''],
  ];
  const rows = cells.map(([seen, born], n) => `${n},Ada,a${n}@example.com,${seen},${born}`);
  const { leftBehind } = await checked(await realImport(dated, ['Id,Name,Email,Seen,Born', ...rows]));
  const values = [
    { value: 'Born', n: 2 },
    { value: 'Seen', n: 1 },
  ];
  expect(leftBehind).toMatchObject([{ kind: 'times', n: 2, values }]);
});
