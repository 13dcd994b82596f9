import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { draftFromInput } from '../../../src/app/draft/draft.ts';
import { formatDraftResult } from '../../../src/app/draft/report/draft-text.ts';
import { writeRunFiles } from '../../../src/app/import/report/run-files.ts';
import { renderSummary } from '../../../src/app/import/report/terminal.ts';
import { renderRunList } from '../../../src/app/status/report/run-list.ts';
import { createRunStatus } from '../../../src/app/status/report/run-status.ts';
import { renderRunStatus } from '../../../src/app/status/report/run-status-text.ts';
import { usualInvocation } from '../../invocation.ts';
import { asItIs, JournalOfARun } from '../../report/journal-of-a-run.ts';

const opened: JournalOfARun[] = [];

afterEach(() => {
  for (const made of opened.splice(0)) made.remove();
});

describe('on a terminal of 60 columns', () => {
  const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

  test('runs are listed one below the other', () => {
    const run = new JournalOfARun(1_234);
    opened.push(run);
    run.now += 65_000;
    run.end('stopped', 4);
    const text = renderRunList(run.file, [run.run], {
      invocation: usualInvocation,
      colour: false,
      columns: 60,
    });
    expect(text).toBe(
      `20260301-100000-import-acme
  stopped
  2026-03-01 10:00 +00:00, 1,234 rows, 1 min 5 s, exit code
  4, all rows
`,
    );
    expect(widest(text)).toBeLessThanOrEqual(60);
    expect(
      renderRunList(run.file, [run.run], { invocation: usualInvocation, colour: false, columns: 100 }),
    ).toMatch(/^run +state/);
  });

  test('the status of a run wraps what it says', () => {
    const run = new JournalOfARun(10);
    opened.push(run);
    const machine = { host: 'another host', alive: () => true };
    const text = renderRunStatus(
      createRunStatus(run.file, run.run, { invocation: usualInvocation, machine }),
      {
        colour: false,
        columns: 60,
      },
    );
    expect(text).toContain('whether it is still running');
    const prose = text.split('\n').filter((line) => !line.startsWith('    '));
    expect(widest(prose.join('\n'))).toBeLessThanOrEqual(60);
  });

  test('the problems of a summary go below their codes', async () => {
    const run = new JournalOfARun(1_000);
    opened.push(run);
    const problem = { code: 'comments.uncertain', column: null, reason: 'no answer' };
    for (let seq = 0; seq < 1_000; seq += 1) run.finish(seq, 'uncertain', { problems: [problem] });
    run.end('finished', 3);
    const made = await writeRunFiles({
      invocation: usualInvocation,
      file: run.file,
      run: run.run,
      runDir: run.runDir,
      scrub: asItIs,
    });
    const view = { colour: false, pipelineFile: run.run.file, invocation: usualInvocation };
    const text = renderSummary(made.summary, made.problems, { ...view, columns: 40 });
    expect(text).toContain(`
    1,000  comments.uncertain
           row uncertain, lines 2, 3, 4 …
`);
    const wide = renderSummary(made.summary, made.problems, { ...view, columns: 120 });
    expect(wide).toContain('    1,000  comments.uncertain  row uncertain, lines 2, 3, 4 …\n');
  });

  test('the columns of a draft keep their names as far as there is room', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'longshore-'));
    try {
      const path = join(folder, 'people.csv');
      writeFileSync(
        path,
        'Preferred e-mail address of the contact,Favourite colour of the whole family\nada@example.com,deep blue\n',
      );
      const drafted = await draftFromInput({
        path,
        out: folder,
        home: folder,
        spoolDir: join(folder, 'spool'),
        signal: new AbortController().signal,
      });
      const view = { next: 'next', shown: (file: string) => file };
      const table = (columns?: number) =>
        formatDraftResult(drafted, { ...view, columns })
          .split('\n')
          .filter((line) => line.includes('100 %'));
      expect(widest(table(60).join('\n'))).toBeLessThanOrEqual(60);
      expect(table(60)[0]).toMatch(/^ {2}Preferred e-mail.*… {2}100 % {2}email {5}contact\.email$/);
      expect(table(60)[1]).toMatch(/^ {2}Favourite colour.*… {2}100 % {2}text {6}customFields\.F.*…$/);
      expect(table()[1]).toContain('1 distinct');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
