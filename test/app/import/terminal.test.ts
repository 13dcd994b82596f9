import { afterEach, describe, expect, test } from 'vitest';
import { writeRunFiles } from '../../../src/app/import/report/run-files.ts';
import { renderSummary } from '../../../src/app/import/report/terminal.ts';
import { listRowFilterOptions } from '../../../src/app/run/input.ts';
import { renderRunList } from '../../../src/app/status/report/run-list.ts';
import { createRunStatus } from '../../../src/app/status/report/run-status.ts';
import { renderRunStatus } from '../../../src/app/status/report/run-status-text.ts';
import { toTerminalText } from '../../../src/report/layout.ts';
import { usualInvocation } from '../../invocation.ts';
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

const invalid = { code: 'email.invalid', column: 'Email', reason: 'no @' };
const gone = { host: 'here', alive: () => false };
const there = { host: 'here', alive: () => true };

async function summary(run: JournalOfARun, colour = false, filters?: readonly string[]): Promise<string> {
  const made = await writeRunFiles({
    invocation: usualInvocation,
    file: run.file,
    run: run.run,
    runDir: run.runDir,
    scrub: asItIs,
    filters,
  });
  const view = { colour, invocation: usualInvocation, pipelineFile: run.run.file, message: run.run.message };
  return renderSummary(made.summary, made.problems, view).replaceAll(run.runDir, 'DIR');
}

describe('the end of an import', () => {
  test('with rejects: counts that add up, the problems, the files, and what to type', async () => {
    const run = journal(2_000);
    for (let seq = 0; seq < 1_993; seq += 1) {
      run.finish(seq, 'created', seq === 5 ? { problems: [{ ...invalid, code: 'phone.invalid' }] } : {});
    }
    for (let seq = 1_993; seq < 2_000; seq += 1) run.finish(seq, 'rejected', { problems: [invalid] });
    run.now += 4_000;
    run.beat({}, { active: 0, waiting: 0, concurrency: 212, waitedMs: 0 });
    run.end('finished', 3);
    expect(await summary(run)).toBe(`! Finished: 1,993 of 2,000 rows done, 7 need a look.

  created   1,993
  rejected      7
  ───────────────
  read      2,000

  What this import leaves behind
    Rows rejected: 7
      email.invalid (7)
      line 1995: Email: no @
      Listed in rejects.csv of the run. Fix the cells in the file, or the rules of the mapping; "onInvalid: drop" imports a row without the value.
    Phones left out: 1
      line 7: Email: no @
      Listed in dropped.csv of the run. Fix them in the file, or set contact.phone.country in the mapping.

  2,000 rows in 4 s, 500 rows/s, 212 requests at once

  rejects   DIR/rejects.csv
  dropped   DIR/dropped.csv
  contacts  DIR/contacts.csv
  report    DIR/report.html
  summary   DIR/summary.json

  Fix the 7 rows in the file, or fix the mapping; then retry only these rows:
    npx longshore retry 20260301-100000-import-acme
  Or correct the rows in rejects.csv (a spreadsheet will do; keep its columns, save it as CSV UTF-8), then:
    npx longshore retry 20260301-100000-import-acme --from DIR/rejects.csv
`);
  });

  test.each([
    ['finished', 0, 'unchanged', 3, '✔ Finished: nothing to change in 3 rows.'],
    ['finished', 0, 'created', 3, '✔ Finished: all 3 rows are done.'],
    ['interrupted', 130, 'created', 2, '! Interrupted after 2 of 3 rows; 1 still to do.'],
    ['stopped', 4, 'failed', 2, '! Stopped after 2 of 3 rows, 2 need a look; 1 still to do.'],
    ['failed', 1, 'created', 2, '✖ Failed after 2 of 3 rows; 1 still to do.'],
    [
      'stopped',
      0,
      'created',
      2,
      '✔ Stopped by --limit: 2 rows processed; the same command without --limit continues.',
    ],
    [
      'stopped',
      3,
      'rejected',
      1,
      '! Stopped by --limit: 1 row processed, 1 needs a look; the same command without --limit continues.',
    ],
  ] as const)('%s with exit code %i says what happened', async (state, exitCode, outcome, n, line) => {
    const run = journal(3);
    for (let seq = 0; seq < n; seq += 1) run.finish(seq, outcome);
    run.end(state, exitCode, state === 'finished' ? null : 'why\u001b[31m it ended');
    const text = toTerminalText(await summary(run));
    expect(text.split('\n')[0]).toBe(line);
    const isLimited = state === 'stopped' && exitCode < 4;
    expect(text.includes(`npx longshore resume ${run.run.id}`)).toBe(state !== 'finished' && !isLimited);
    expect(text.includes(`npx longshore import ${run.run.file}\n`)).toBe(isLimited);
    expect(text.includes('  why\\u001b[31m it ended')).toBe(state !== 'finished');
    expect(text).not.toContain('\u001b');
  });

  test.each([
    [{ where: { A: '1' } }, 'where'],
    [{ skipEmpty: true }, 'skipEmpty'],
    [{ tables: { people: { file: 'people.csv', skipEmpty: true } } }, 'skipEmpty'],
    [{ where: { A: '1' }, skipEmpty: true }, 'where or skipEmpty'],
  ] as const)('rows that %j leaves out are left out by %s', async (options, name) => {
    const run = journal(3);
    for (let seq = 0; seq < 3; seq += 1) run.finish(seq, seq < 1 ? 'created' : 'filtered');
    run.end('finished', 0);
    const text = toTerminalText(await summary(run, false, listRowFilterOptions({ options })));
    expect(text.split('\n')[0]).toBe(`✔ Finished: 1 row is done; 2 were left out by the source's ${name}.`);
  });

  test.each([
    ['created', 1, "✔ Finished: 1 row is done; 2 were left out by the source's where or skipEmpty."],
    ['created', 2, "✔ Finished: 2 rows are done; 1 was left out by the source's where or skipEmpty."],
    [
      'unchanged',
      2,
      "✔ Finished: nothing to change in 2 rows; 1 was left out by the source's where or skipEmpty.",
    ],
    [
      'rejected',
      1,
      "! Finished: 0 of 1 row done, 1 needs a look; 2 were left out by the source's where or skipEmpty.",
    ],
    ['created', 0, "! Finished: no row is done; 3 were left out by the source's where or skipEmpty."],
  ] as const)('rows that the source leaves out are not called done: %s, %i', async (outcome, n, line) => {
    const run = journal(3);
    for (let seq = 0; seq < 3; seq += 1) run.finish(seq, seq < n ? outcome : 'filtered');
    run.end('finished', 0);
    expect(toTerminalText(await summary(run)).split('\n')[0]).toBe(line);
  });

  test('an unfinished run is continued; fixed rows need a new run, and come first where errors stopped it', async () => {
    const commands = async (exitCode: number) => {
      const run = journal(3);
      run.finish(0, 'rejected', { problems: [invalid] });
      run.end('stopped', exitCode);
      return (await summary(run)).match(/longshore \w+( p\S+ --fresh)?/g);
    };
    expect(await commands(4)).toEqual([
      'longshore import pipelines/import-acme.yaml --fresh',
      'longshore resume',
    ]);
    expect(await commands(7)).toEqual([
      'longshore resume',
      'longshore import pipelines/import-acme.yaml --fresh',
    ]);
  });

  test('colours only where they are wanted', async () => {
    const run = journal(1);
    run.finish(0, 'rejected', { problems: [invalid] });
    run.end('finished', 3);
    expect(toTerminalText(await summary(run, true))).toContain('\u001b[31m');
  });

  test('a command names the work dir where it is not the usual one, quoted where a shell needs it', async () => {
    const run = journal(2);
    run.end('interrupted', 130);
    const made = await writeRunFiles({
      invocation: usualInvocation,
      file: run.file,
      run: run.run,
      runDir: run.runDir,
      scrub: asItIs,
    });
    const invocation = { ...usualInvocation, workDir: "it's here" };
    const view = { colour: false, invocation, pipelineFile: 'p.yaml' };
    const text = renderSummary(made.summary, made.problems, view);
    expect(text).toContain(`npx longshore resume ${run.run.id} --work-dir 'it'\\''s here'`);
  });
});

describe('status', () => {
  test('a killed run: its process is gone, what is in the air, how to continue', async () => {
    const run = journal(10);
    run.finish(0, 'created');
    run.finish(1, 'rejected', { problems: [invalid] });
    await run.send(2, 'createContact');
    run.now += 3_000;
    run.beat();
    const machine = {
      ...gone,
      host: createRunStatus(run.file, run.run, { invocation: usualInvocation }).process?.host ?? '',
    };
    expect(createRunStatus(run.file, run.run, { invocation: usualInvocation, machine })).toMatchObject({
      state: 'interrupted',
      seconds: 3,
      exitCode: null,
      finishedAt: null,
      rows: { read: 10, created: 1, rejected: 1, notReached: 8 },
      inFlight: { createContact: 1 },
      problems: [{ consequence: 'rejected', code: 'email.invalid', n: 1 }],
      process: { pid: process.pid, lastSeenAt: '2026-03-01T10:00:03.000Z' },
    });
    const text = renderRunStatus(
      createRunStatus(run.file, run.run, { invocation: usualInvocation, machine }),
      { colour: false },
    );
    expect(text).toContain('2 of 10 rows processed (20.0%)');
    // The lists of a run are written when it ends.
    expect(text).toContain('Rows rejected: 1');
    expect(text).not.toContain('Listed in rejects.csv');
    expect(text).toContain(`Process ${process.pid} died unexpectedly`);
    expect(text).toContain('Sent, not answered yet: 1 × createContact; resume checks the workspace');
    expect(text).toContain(`npx longshore resume ${run.run.id}`);
  });

  test('a run under way says who works on it, and asks for nothing', () => {
    const run = journal(10);
    run.finish(0, 'created');
    run.flush();
    const machine = {
      ...there,
      host: createRunStatus(run.file, run.run, { invocation: usualInvocation }).process?.host ?? '',
    };
    const text = renderRunStatus(
      createRunStatus(run.file, run.run, { invocation: usualInvocation, machine }),
      { colour: false },
    );
    expect(text).toContain(`Run by process ${process.pid} on `);
    expect(text).not.toContain('longshore resume');
  });

  test('a run of another machine: only that one can tell', () => {
    const run = journal(10);
    const machine = { ...there, host: 'another host' };
    expect(createRunStatus(run.file, run.run, { invocation: usualInvocation, machine }).state).toBe(
      'elsewhere',
    );
    expect(
      renderRunStatus(createRunStatus(run.file, run.run, { invocation: usualInvocation, machine }), {
        colour: false,
      }),
    ).toContain('Check on that machine whether it is still running');
  });

  test('the processes of this machine are known', () => {
    const run = journal(10);
    expect(createRunStatus(run.file, run.run, { invocation: usualInvocation }).state).toBe('running');
    run.file.prepare('UPDATE session SET pid = ?').run(2 ** 22 + 1);
    expect(createRunStatus(run.file, run.run, { invocation: usualInvocation }).state).toBe('interrupted');
  });
});

test('runs are a table, newest as they come, and coloured without losing its columns', () => {
  const run = journal(1_234);
  run.now += 65_000;
  run.end('stopped', 4);
  const plain = renderRunList(run.file, [run.run], { invocation: usualInvocation, colour: false });
  expect(plain).toBe(
    `run                          state    began (+00:00)     rows     worked  exit  scope
20260301-100000-import-acme  stopped  2026-03-01 10:00  1,234  1 min 5 s     4  all rows
`,
  );
  const marks = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
  const coloured = toTerminalText(
    renderRunList(run.file, [run.run], { invocation: usualInvocation, colour: true }),
  );
  expect(coloured).toContain('\u001b[33mstopped\u001b[0m');
  expect(coloured.replace(marks, '')).toBe(plain);
  expect(renderRunList(run.file, [], { invocation: usualInvocation, colour: false })).toContain(
    'No runs yet',
  );
});
