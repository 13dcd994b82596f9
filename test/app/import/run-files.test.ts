import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, describe, expect, test } from 'vitest';
import { buildSummary } from '../../../src/app/import/report/build-summary.ts';
import { writeRunFiles } from '../../../src/app/import/report/run-files.ts';
import type { Problem } from '../../../src/model/problem.ts';
import { createSecretScrubber } from '../../../src/report/scrub.ts';
import { usualInvocation } from '../../invocation.ts';
import { liveBytes } from '../../live-bytes.ts';
import { isLong } from '../../long.ts';
import { asItIs, JournalOfARun } from '../../report/journal-of-a-run.ts';

const opened: JournalOfARun[] = [];

function journal(items: number): JournalOfARun {
  const made = new JournalOfARun(items);
  opened.push(made);
  return made;
}

afterEach(() => {
  for (const made of opened.splice(0)) made.remove();
});

function problem(code: string, column: string | null = null, reason = `${code} is wrong.`): Problem {
  return { code, column, reason };
}

function write(of: JournalOfARun, scrub = asItIs) {
  return writeRunFiles({ invocation: usualInvocation, file: of.file, run: of.run, runDir: of.runDir, scrub });
}

function read(of: JournalOfARun, name: string): string {
  return readFileSync(join(of.runDir, name), 'utf8');
}

function table(of: JournalOfARun, name: string): Record<string, string>[] {
  return parse<Record<string, string>>(read(of, name), { columns: true });
}

describe('rejects.csv', () => {
  test('holds the rejected and the failed rows in the input’s order, with their cells and all their problems', async () => {
    const run = journal(5);
    run.finish(0, 'created');
    run.finish(3, 'rejected', {
      problems: [problem('email.invalid', 'Email', 'no @'), problem('firstName.missing', null, 'no name')],
      cells: [
        ['Name', ''],
        ['Email', 'ada, "the" countess\nof'],
      ],
    });
    run.finish(1, 'failed', { problems: [problem('workspace.refused')], cells: [['Name', 'Bob']] });
    run.finish(2, 'rejected', { problems: [problem('row.quote')], raw: 'x,"y' });
    run.finish(4, 'rejected', {
      problems: [problem('email.invalid', 'Email')],
      cells: [
        ['Plan', 'gold'],
        ['Name', null],
      ],
    });
    run.end('finished', 3);
    await write(run);
    const row = { Name: '', Email: '', Plan: '', _row: '', _column: '', _raw: '' };
    expect(table(run, 'rejects.csv')).toEqual([
      { ...row, Name: 'Bob', _line: '3', _code: 'workspace.refused', _reason: 'workspace.refused is wrong.' },
      { ...row, _line: '4', _code: 'row.quote', _reason: 'row.quote is wrong.', _raw: 'x,"y' },
      {
        ...row,
        Email: 'ada, "the" countess\nof',
        _line: '5',
        _code: 'email.invalid | firstName.missing',
        _column: 'Email | ',
        _reason: 'no @ | no name',
      },
      {
        ...row,
        Plan: 'gold',
        _line: '6',
        _code: 'email.invalid',
        _column: 'Email',
        _reason: 'email.invalid is wrong.',
      },
    ]);
    expect(read(run, 'rejects.csv').split('\n')[0]).toBe(
      'Name,Email,Plan,_row,_line,_code,_column,_reason,_raw',
    );
  });

  test('an input that is an older rejects.csv gets its columns replaced, not doubled', async () => {
    const run = journal(1);
    const cells = [
      ['Name', 'Ada'],
      ['_line', '900'],
      ['_reason', 'old'],
    ] as const;
    run.finish(0, 'rejected', { problems: [problem('email.invalid')], cells });
    run.end('finished', 3);
    await write(run);
    expect(read(run, 'rejects.csv').split('\n')[0]).toBe('Name,_row,_line,_code,_column,_reason,_raw');
    expect(table(run, 'rejects.csv')[0]).toMatchObject({ _line: '2', _reason: 'email.invalid is wrong.' });
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['+A1', "'+A1"],
    ['-cmd', "'-cmd"],
    ['＝1+1', "'＝1+1"],
    ['\t=1', "'\t=1"],
    [' \u200b=1', "' \u200b=1"],
    ["'quoted", "''quoted"],
    ['-1-2', "'-1-2"],
    ['+60 12-345 6789', '+60 12-345 6789'],
    ['+1 (202) 555-0142 x12', '+1 (202) 555-0142 x12'],
    ['+60123456789', '+60123456789'],
    ['-12.5', '-12.5'],
    ['+1,000', '+1,000'],
    ['-5%', '-5%'],
    ['Ada = Bob', 'Ada = Bob'],
    ['', ''],
  ])('a spreadsheet does not run %j', async (cell, written) => {
    const run = journal(1);
    run.finish(0, 'rejected', {
      problems: [problem('row.ragged', null, cell)],
      cells: [['A', cell]],
      raw: cell,
    });
    run.end('finished', 3);
    await write(run);
    expect(table(run, 'rejects.csv')[0]).toMatchObject({ A: written, _reason: written, _raw: written });
  });

  test('a header that a spreadsheet would run is guarded, too', async () => {
    const run = journal(1);
    run.finish(0, 'rejected', { problems: [problem('x.y')], cells: [['=cmd()', '1']] });
    run.end('finished', 3);
    await write(run);
    expect(read(run, 'rejects.csv')).toMatch(/^'=cmd\(\),_row,_line/);
  });

  test.runIf(isLong)(
    '100,000 rejects are written whole, in memory that does not grow with them',
    async () => {
      const items = 100_000;
      const run = journal(items);
      const cells = Array.from(
        { length: 10 },
        (_, n) => [`column ${n}`, `cell ${n} ${'x'.repeat(20)}`] as const,
      );
      for (let seq = 0; seq < items; seq += 1) {
        run.finish(seq, 'rejected', { problems: [problem('email.invalid', 'Email')], cells });
        if (seq % 10_000 === 0) run.flush();
      }
      run.end('finished', 3);
      const before = liveBytes();
      const held: number[] = [];
      const scrub = (text: string) => {
        held.push(liveBytes() - before);
        return text;
      };
      const { summary, problems } = await write(run, scrub);
      expect(summary.rows.rejected).toBe(items);
      expect(problems).toMatchObject([{ code: 'email.invalid', n: items }]);
      expect(read(run, 'rejects.csv').split('\n')).toHaveLength(items + 2);
      expect(held.length).toBeGreaterThan(100);
      expect(Math.max(...held)).toBeLessThan(30e6);
    },
  );
});

describe('dropped.csv', () => {
  test('holds a line for every value left out of rows that were not rejected', async () => {
    const run = journal(3);
    const problems = [problem('email.invalid', 'E-mail', 'no @'), problem('phone.invalid')];
    run.finish(0, 'created', { key: 'r-1', problems });
    run.finish(1, 'rejected', { key: 'r-2', problems });
    run.finish(2, 'updated', { problems: [problem('phone.invalid', 'Mobile', '=x')] });
    run.end('finished', 3);
    await write(run);
    expect(table(run, 'dropped.csv')).toEqual([
      { _line: '2', _key: 'r-1', _code: 'email.invalid', _column: 'E-mail', _reason: 'no @' },
      { _line: '2', _key: 'r-1', _code: 'phone.invalid', _column: '', _reason: 'phone.invalid is wrong.' },
      { _line: '4', _key: '', _code: 'phone.invalid', _column: 'Mobile', _reason: "'=x" },
    ]);
  });
});

describe('the files of a run', () => {
  test('a list without rows is not written, and an older one is removed', async () => {
    const run = journal(1);
    run.finish(0, 'rejected', { problems: [problem('email.invalid')] });
    run.end('interrupted', 130);
    await write(run);
    expect(existsSync(join(run.runDir, 'rejects.csv'))).toBe(true);
    run.finish(0, 'created');
    run.end('finished', 0);
    const { summary } = await write(run);
    expect(readdirSync(run.runDir).sort()).toEqual(['contacts.csv', 'report.html', 'summary.json']);
    expect(Object.keys(summary.files).sort()).toEqual(['contacts', 'report', 'summary']);
  });

  test('only their owner can read them', async () => {
    const run = journal(2);
    run.finish(0, 'rejected', { problems: [problem('email.invalid')] });
    run.finish(1, 'created', { problems: [problem('phone.invalid')] });
    run.end('finished', 3);
    const { summary } = await write(run);
    expect(statSync(run.runDir).mode & 0o777).toBe(0o700);
    const names = readdirSync(run.runDir);
    expect(names.sort()).toEqual([
      'contacts.csv',
      'dropped.csv',
      'rejects.csv',
      'report.html',
      'summary.json',
    ]);
    for (const name of names) expect(statSync(join(run.runDir, name)).mode & 0o777, name).toBe(0o600);
    expect(Object.values(summary.files).sort()).toEqual(names.map((name) => join(run.runDir, name)).sort());
  });

  test('summary.json is the summary', async () => {
    const run = journal(1);
    run.finish(0, 'created');
    run.end('finished', 0);
    const { summary } = await write(run);
    expect(JSON.parse(read(run, 'summary.json'))).toEqual(summary);
    expect({
      ...buildSummary(run.file, run.run, run.runDir, { problems: [], invocation: usualInvocation }),
      files: {},
    }).toEqual({
      ...summary,
      files: {},
    });
  });

  test('a secret stands in none of them, however it is spelled', async () => {
    const secret = 'tok"en<&>/+0123456789';
    const run = journal(2);
    const reason = `the workspace said: Bearer ${secret} is not known`;
    run.finish(0, 'rejected', { problems: [problem('workspace.refused', null, reason)] });
    run.finish(1, 'created', {
      key: secret,
      problems: [problem('x.y', null, encodeURIComponent(secret))],
    });
    run.end('failed', 1, reason);
    await write(run, createSecretScrubber([` ${secret}\n`]));
    for (const name of readdirSync(run.runDir)) {
      expect(read(run, name), name).not.toContain('0123456789');
      if (name !== 'summary.json') expect(read(run, name), name).toContain('[secret]');
    }
  });
});
