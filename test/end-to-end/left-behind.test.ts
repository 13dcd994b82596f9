import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { LeftBehindGroup } from '../../src/model/left-behind.ts';
import { escapeHtml } from '../../src/report/page/markup.ts';
import { columns, losing, losingProject, padded } from './losing-project.ts';

const ofRows = [...Object.keys(losing), 'foldedValues', 'tagsByHand'];

const kindsOf = (items: readonly LeftBehindGroup[]) => items.map(({ kind }) => kind);

describe('what an import leaves behind is said in the same words', () => {
  let me: Awaited<ReturnType<typeof losingProject>>;
  const texts: Record<string, string> = {};
  const items: Record<string, readonly LeftBehindGroup[]> = {};
  let page = '';

  beforeAll(async () => {
    me = await losingProject(
      Object.values(losing).flat(),
      '  deferred: [conversation]\n  policy: { maxErrors: 50 }\n',
    );
    texts.check = (await me.types('check p.yaml --online')).stdout;
    items.check = (await me.json('check p.yaml --online')).leftBehind;
    texts.plan = (await me.types('plan p.yaml')).stdout;
    items.plan = (await me.json('plan p.yaml')).leftBehind;
    const rehearsed = await me.types('rehearse p.yaml');
    texts.rehearse = rehearsed.stdout;
    items.rehearse = (await me.json('rehearse p.yaml')).leftBehind;
    const imported = await me.types('import p.yaml');
    texts.import = imported.stdout;
    texts.beforehand = imported.stderr;
    const summary = /summary +(\S+)/.exec(imported.stdout)?.[1] ?? '';
    items.summary = JSON.parse(readFileSync(join(me.folder, summary), 'utf8')).leftBehind;
    page = readFileSync(join(me.folder, summary.replace('summary.json', 'report.html')), 'utf8');
    texts.status = (await me.types('status')).stdout;
    items.status = (await me.json('status')).leftBehind;
    return () => me.close();
  });

  /** What check cannot know: whom the rows meet in the workspace. */
  const met = ['stagesKept', 'commentsForExisting', 'conflicts', 'byPhoneAlone'];

  it.each(ofRows)('%s', (kind) => {
    const found = items.summary?.find((item) => item.kind === kind);
    if (found === undefined) throw new Error(`${kind} is not in ${JSON.stringify(items.summary)}`);
    const { title, fix, file, n } = found;
    // Before the import, rows are counted that may be one contact.
    const titleIn = (where: string) =>
      where === 'check' ? title.replace('Contacts whose tags', 'Rows whose tags') : title;
    for (const [where, of] of Object.entries(items)) {
      if (where === 'check' && met.includes(kind)) continue;
      expect([where, of.find((item) => item.kind === kind)]).toMatchObject([
        where,
        { title: titleIn(where), fix, file, n },
      ]);
    }
    for (const [where, text] of Object.entries(texts)) {
      if (where === 'beforehand' || (where === 'check' && met.includes(kind))) continue;
      const said = `${titleIn(where)}: ${n}`;
      expect([where, text.includes(said), text.includes(fix)]).toEqual([where, true, true]);
    }
    expect(page).toContain(escapeHtml(`${title}: ${n}`));
    expect(page).toContain(escapeHtml(fix));
  });

  it('and is nothing but these kinds', () => {
    const all = new Set(ofRows);
    for (const of of Object.values(items)) expect(kindsOf(of).filter((kind) => !all.has(kind))).toEqual([]);
  });

  it('and owners by name, with how many rows name them', () => {
    for (const of of Object.values(items))
      expect(of.find(({ kind }) => kind === 'owners')?.values).toEqual([{ value: 'Anna Alt', n: 2 }]);
  });

  it('and the fields that lose a value of merged rows', () => {
    for (const [where, of] of Object.entries(items))
      expect([where, of.find(({ kind }) => kind === 'foldedValues')?.values]).toEqual([
        where,
        [{ value: 'email', n: 1 }],
      ]);
  });

  it('and why rows are one person, and which value was left out', () => {
    // A status has lines and columns; the texts are in the files of the run.
    for (const [where, of] of Object.entries(items)) {
      if (where === 'status') continue;
      const text = (name: string) => of.find(({ kind }) => kind === name)?.example?.text;
      expect(text('folded')).toBe('the same person as in line 4: same key; the names match');
      expect(text('foldedValues')).toContain('bob@example.com');
    }
  });

  it('and an example with its line', () => {
    for (const [where, of] of Object.entries(items))
      expect([where, of.find(({ kind }) => kind === 'phones')?.example?.line]).toEqual([where, 5]);
  });

  it('and before the first write, as far as the input shows it', () => {
    expect(texts.beforehand).toMatch(/What this import leaves behind, as far as the input shows it/);
    for (const kind of ['questions', 'keysReused', 'phones'])
      expect(texts.beforehand).toContain(items.check?.find((item) => item.kind === kind)?.title);
    expect(texts.beforehand).toMatch(/\(details: .*check p\.yaml/);
  });

  it('and every file that it names is there and lists the rows', () => {
    const folder = /summary +(\S+)summary\.json/.exec(texts.import ?? '')?.[1] ?? '';
    for (const { kind, file, example } of items.summary ?? []) {
      if (file === null) continue;
      const text = readFileSync(join(me.folder, folder, file), 'utf8');
      if (file === 'dropped.csv')
        expect([kind, text]).toEqual([kind, expect.stringContaining(`\n${example?.line},`)]);
    }
  });
});

describe('tags to attach by hand', () => {
  it('are counted by plan, rehearsal and import for contacts, not for rows that are folded or asked about', async () => {
    const rows = [
      '2,Bob,bob@example.com',
      '2,Bob,bob2@example.com',
      '18,Rex,rex@example.com',
      '19,Sue,rex@example.com',
    ];
    const me = await losingProject(rows.map((row) => `${row},,,,vip`));
    onTestFinished(() => me.close());
    expect((await me.types('check p.yaml')).stdout).toContain(
      'Rows whose tags need to be attached by hand: 4\n',
    );
    for (const command of ['plan', 'rehearse', 'import'])
      expect((await me.types(`${command} p.yaml`)).stdout).toContain(
        'Contacts whose tags need to be attached by hand: 2\n',
      );
  });
});

describe('check', () => {
  it('says offline what only the workspace knows, and "All good" only where nothing is left behind', async () => {
    const me = await losingProject(['7,Gil,gil@example.com,,Anna Alt,,,,,,']);
    onTestFinished(() => me.close());
    const offline = await me.types('check p.yaml');
    expect(offline.code).toBe(0);
    expect(offline.stdout).toContain(
      'Rows whose owner was not compared with the users of the workspace: 1 (known with the workspace)',
    );
    expect(offline.stdout).not.toContain('All good');
    const online = await me.types('check p.yaml --online');
    expect(online.stdout).toContain('Rows whose owner is no user of the workspace: 1\n      Anna Alt\n');
    expect(online.stdout).not.toContain('All good');
    writeFileSync(join(me.folder, 'rows.csv'), `${columns}\n${padded('7,Gil,gil@example.com')}\n`);
    const clean = await me.types('check p.yaml');
    expect(clean.stdout).toContain('All good. Next:');
    expect((await me.json('check p.yaml')).leftBehind).toEqual([]);
  });
});

describe('the error budget', () => {
  const rows = [
    '1,Ada,ada@example.com,,,,,,,,',
    '2,Nobody,,,,,,,,,',
    '3,Nobody,,,,,,,,,',
    '4,Bob,bob@example.com,,,,,,,,',
    '5,Cyd,cyd@example.com,,,,,,,,',
  ];
  const said = 'An import would stop at row 3: 2 of 3 rows were rejected or failed';

  it('is said by check, by plan, and by an import before its first write', async () => {
    const me = await losingProject(rows, '  policy: { maxErrors: 1 }\n');
    onTestFinished(() => me.close());
    for (const command of ['check p.yaml', 'plan p.yaml'])
      expect((await me.types(command)).stdout).toContain(said);
    const { code, stderr, stdout } = await me.types('import p.yaml');
    expect(code).toBe(4);
    expect(stderr).toContain('Rows not reached, because the error budget stops the import: 2');
    expect(stdout).toContain(said);
    const { rows: counts, leftBehind } = await me.json('status');
    expect(leftBehind).toContainEqual(
      expect.objectContaining({
        kind: 'notReached',
        // With the rows that were under way.
        n: counts.notReached,
        example: { line: 4, text: expect.stringContaining(said) },
      }),
    );
  });
});

describe('values that onMatch: fill leaves out, because the contact has another one,', () => {
  const rows = [
    // Another name and another stage; the phone is the same, the score is empty there.
    '1,Janet,jan@example.com,,,Lead,,,,7',
    '2,Pia,pia@example.com,+49 30 23125199,,,,,,',
    '3,Pia,,+49 30 23125116,,,,,,',
    '4,Ada,ada@example.com,,,,,,,3',
  ];

  it('are counted with an example by plan, rehearse and import, and listed in dropped.csv', async () => {
    const me = await losingProject(rows, '  policy: { onMatch: fill }\n');
    onTestFinished(() => me.close());
    const kept = (items: readonly LeftBehindGroup[]) => items.find(({ kind }) => kind === 'kept');
    const two = { n: 2, file: 'dropped.csv', example: { line: 2 } };
    const planned = await me.json('plan p.yaml');
    expect(kept(planned.leftBehind)).toMatchObject(two);
    expect(kept(planned.leftBehind)?.example?.text).toContain('"Janet"');
    expect(kept((await me.json('rehearse p.yaml')).leftBehind)).toMatchObject(two);
    const { stdout } = await me.types('import p.yaml');
    expect(stdout).toContain('Values left out, because the contact has another one (onMatch: fill): 2');
    const folder = /summary +(\S+)summary\.json/.exec(stdout)?.[1] ?? '';
    const read = (name: string) => readFileSync(join(me.folder, folder, name), 'utf8');
    expect(kept(JSON.parse(read('summary.json')).leftBehind)).toMatchObject(two);
    const lines = read('dropped.csv').split('\n');
    expect(
      lines.filter((line) => line.includes('.kept,')).map((line) => line.split(',').slice(0, 3)),
    ).toEqual([
      ['2', '1', 'firstName.kept'],
      ['2', '1', 'lifecycle.kept'],
    ]);
    expect(read('dropped.csv')).toMatch(/"Jan".*"Janet"/);
  });

  it('are none where values are the same, empty, or left out by another note, and none under update', async () => {
    const me = await losingProject(rows.slice(1), '  policy: { onMatch: fill }\n');
    onTestFinished(() => me.close());
    expect(kindsOf((await me.json('plan p.yaml')).leftBehind)).not.toContain('kept');
    const other = await losingProject(rows);
    onTestFinished(() => other.close());
    expect(kindsOf((await other.json('plan p.yaml')).leftBehind)).not.toContain('kept');
  });
});

it('a row that onMatch: skip leaves alone is counted as skipped, and listed with its contact in contacts.csv', async () => {
  const me = await losingProject(
    ['1,Janet,jan@example.com', '2,Ada,ada@example.com'],
    '  policy: { onMatch: skip }\n',
  );
  onTestFinished(() => me.close());
  expect((await me.json('plan p.yaml')).rows).toMatchObject({ skipped: 1, created: 1 });
  const { stdout } = await me.types('import p.yaml');
  const folder = /summary +(\S+)summary\.json/.exec(stdout)?.[1] ?? '';
  expect(readFileSync(join(me.folder, folder, 'contacts.csv'), 'utf8')).toMatch(/^2,1,1,.*,skipped$/m);
});

it('where keys are reused, check, plan, rehearse and import name the row at which the import really stops', async () => {
  const rows = [
    ...['1,Ada,ada@example.com', '10,Vic,vic@example.com', '10,Wes,wes@example.com'],
    // Xia is two rows: what becomes of them is known at the last of them.
    ...[
      '11,Xia,xia@example.com',
      '2,Bob,bob@example.com',
      '11,Yan,yan@example.com',
      '11,Xia,xia@example.com',
    ],
    ...['3,Nobody', '4,Nobody', '5,Nobody', '6,Nobody', '7,Cyd,cyd@example.com', '8,Dee,dee@example.com'],
  ];
  const me = await losingProject(rows, '  policy: { maxErrors: 3 }\n');
  onTestFinished(() => me.close());
  const said = 'An import would stop at row 7: 5 of 7 rows were rejected or failed';
  const atRow = { kind: 'notReached', n: 6, example: { line: 8, text: expect.stringContaining(said) } };
  const lost = (items: readonly LeftBehindGroup[]) => items.find(({ kind }) => kind === 'notReached');
  const checked = await me.json('check p.yaml');
  expect(checked.rows.budget).toMatchObject({ row: 7 });
  expect(lost(checked.leftBehind)).toMatchObject(atRow);
  const planned = await me.json('plan p.yaml');
  expect(planned.error).toContain('5 of 7 rows');
  expect(lost(planned.leftBehind)).toMatchObject(atRow);
  const rehearsed = await me.json('rehearse p.yaml');
  expect(rehearsed.error).toContain('5 of 7 rows');
  expect(lost(rehearsed.leftBehind)).toMatchObject({ ...atRow, n: rehearsed.rows.notReached });
  const imported = await me.types('import p.yaml');
  expect(imported.stderr).toContain('5 of 7 rows were rejected or failed');
  expect(imported.stderr).toContain(`because the error budget stops the import: 6\n`);
  const { rows: counts, leftBehind } = await me.json('status');
  expect(lost(leftBehind)).toMatchObject({ ...atRow, n: counts.notReached });
});

it('where a continued import has gone on beyond the row at which it was stopped, it is not named any more', async () => {
  const rows = [
    '1,Ada,ada@example.com',
    '2,Nobody',
    '3,Nobody',
    '4,Bob,bob@example.com',
    '5,Cyd,cyd@example.com',
  ];
  const me = await losingProject(rows, '  policy: { maxErrors: 1 }\n');
  onTestFinished(() => me.close());
  expect((await me.types('import p.yaml')).code).toBe(4);
  expect((await me.types('import p.yaml --limit 4')).code).toBe(3);
  const { rows: counts, leftBehind } = await me.json('status');
  expect(counts.notReached).toBe(1);
  expect(kindsOf(leftBehind)).not.toContain('notReached');
});

it('an import that was stopped says what the rest of its input leaves behind, also when it is continued', async () => {
  const me = await losingProject(Object.values(losing).flat(), '  policy: { maxErrors: 50 }\n');
  onTestFinished(() => me.close());
  const first = await me.json('import p.yaml --limit 2');
  expect(kindsOf(first.run?.leftBehind ?? first.leftBehind)).toEqual(
    expect.arrayContaining(['phones', 'owners', 'columns', 'tagsByHand']),
  );
  const whole = await me.json('import p.yaml');
  expect(
    (whole.run?.leftBehind ?? whole.leftBehind).find(({ kind }: LeftBehindGroup) => kind === 'owners'),
  ).toMatchObject({
    n: 2,
    values: [{ value: 'Anna Alt', n: 2 }],
  });
});
