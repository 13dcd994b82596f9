import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, describe, expect, test } from 'vitest';
import { readAnswerListDecisions } from '../../../src/app/import/approvals.ts';
import { writeRunFiles } from '../../../src/app/import/report/run-files.ts';
import type { RowSelection } from '../../../src/journal/index.ts';
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

async function write(of: JournalOfARun) {
  const { summary } = await writeRunFiles({
    invocation: usualInvocation,
    file: of.file,
    run: of.run,
    runDir: of.runDir,
    scrub: asItIs,
  });
  return summary;
}

function text(of: JournalOfARun, name: string): string {
  return readFileSync(join(of.runDir, name), 'utf8');
}

function table(of: JournalOfARun, name: string): Record<string, string>[] {
  return parse<Record<string, string>>(text(of, name), { columns: true });
}

function comment(id: string, part: { number: number; of: number }, words: string) {
  const item = part.of === 1 ? id : `${id} (${part.number}/${part.of})`;
  return { item, intent: { contactId: 7, comment: id, part, text: words } };
}

test('lists for people have the delimiter and the byte order mark of the input; contact-tags.csv has its own', async () => {
  const writing = { delimiter: ';', encoding: 'windows-1252', bom: false, lineEnds: 'CRLF' } as const;
  const made = new JournalOfARun(3, { writing });
  opened.push(made);
  await made.send(1, 'comment', 'uncertain', comment('origin', { number: 1, of: 1 }, 'a, b'));
  const problems = [{ code: 'email.invalid', column: 'E-mail', reason: 'no @, and no domain' }];
  made.finish(0, 'created', { key: 'r-1', contact: 7, problems });
  made.finish(1, 'uncertain', { key: 'r-2', contact: 8 });
  const tagged = { seq: 2, contact: 9, email: 'a@x.test', phone: null, tags: ['vip'] };
  made.finish(2, 'created', { contact: 9 }, { tagged });
  made.end('finished', 3);
  await write(made);
  expect(text(made, 'dropped.csv')).toBe(
    '\uFEFF_line;_key;_code;_column;_reason\n2;r-1;email.invalid;E-mail;no @, and no domain\n',
  );
  expect(text(made, 'contacts.csv')).toMatch(/^\uFEFF_line;_key;contactId;identifier;outcome\n2;r-1;7;/);
  expect(text(made, 'uncertain.csv')).toMatch(/^\uFEFFresend;_run;_line;/);
  expect(text(made, 'contact-tags.csv')).toMatch(/^contactId,email,phone,tags\n/);
});

describe('uncertain.csv', () => {
  test('holds what may have been sent, with its text, whom it was about, and when', async () => {
    const run = journal(4);
    await run.send(1, 'comment', 'uncertain', comment('origin', { number: 1, of: 1 }, '=Legacy "record" 9'));
    await run.send(2, 'comment', 'acked', comment('notes:3', { number: 1, of: 3 }, '(1/3) a'));
    run.now += 1_500;
    await run.send(2, 'comment', 'uncertain', comment('notes:3', { number: 2, of: 3 }, '(2/3) b\nc'));
    await run.send(3, 'comment', 'uncertain', comment('x', { number: 1, of: 1 }, 'no outcome yet'));
    run.finish(1, 'uncertain', { key: 'r-1', contact: 7 });
    run.finish(2, 'uncertain', { contact: 7 });
    run.end('stopped', 4);
    const { files } = await write(run);
    expect(files.uncertain).toBe(join(run.runDir, 'uncertain.csv'));
    expect(text(run, 'uncertain.csv').split('\n')[0]).toBe(
      'resend,_run,_line,_key,contactId,identifier,step,text,sentAt',
    );
    const whom = { resend: '', _run: run.run.id, contactId: '7', identifier: 'id:7' };
    expect(table(run, 'uncertain.csv')).toEqual([
      {
        ...whom,
        _line: '3',
        _key: 'r-1',
        step: 'comment origin',
        text: '\'=Legacy "record" 9',
        sentAt: '2026-03-01T10:00:00.000Z',
      },
      {
        ...whom,
        _line: '4',
        _key: '',
        step: 'comment notes:3 (2/3)',
        text: '(2/3) b\nc',
        sentAt: '2026-03-01T10:00:01.500Z',
      },
      { ...whom, _line: '', _key: '', step: 'comment x', text: 'no outcome yet', sentAt: expect.any(String) },
    ]);
  });

  test('names a step whose intent says nothing of a comment', async () => {
    const run = journal(1);
    await run.send(0, 'other', 'uncertain', { item: 'it', intent: 'odd' });
    run.finish(0, 'uncertain');
    run.end('finished', 3);
    await write(run);
    expect(table(run, 'uncertain.csv')).toMatchObject([{ step: 'other it', contactId: '', identifier: '' }]);
  });
});

describe('merge-proposals.csv', () => {
  const cells = (line: number, more: readonly (readonly [string, string])[] = []) => [
    ['_line', String(line)] as const,
    ['_key', 'r'] as const,
    ['contact_1_id', '1'] as const,
    ['contact_2_id', String(line)] as const,
    ...more,
  ];

  test('holds every pair with a place for a yes, and what a person has written there is read back', async () => {
    const run = journal(2);
    const proposals = [
      { seq: 0, pair: 0, contacts: [1, 2] as const, cells: cells(2, [['row.phone', '+60123456789']]) },
      { seq: 0, pair: 1, contacts: [1, 3] as const, cells: cells(3, [['row.phone', '@x']]) },
    ];
    run.finish(0, 'proposed', {}, { proposals });
    const odd = [
      { seq: 1, pair: 0, contacts: [1, 4] as const, cells: cells(4, [['result.lastName', 'Doe']]) },
    ];
    run.finish(1, 'proposed', {}, { proposals: odd });
    run.end('finished', 3);
    const { files } = await write(run);
    expect(text(run, 'merge-proposals.csv')).toBe(
      `approve,_line,_key,contact_1_id,contact_2_id,row.phone,result.lastName
,2,r,1,2,+60123456789,
,3,r,1,3,'@x,
,4,r,1,4,,Doe
`,
    );
    const path = files.mergeProposals ?? '';
    writeFileSync(path, text(run, 'merge-proposals.csv').replace('\n,3', '\nyes,3'));
    expect(await readAnswerListDecisions(path)).toMatchObject({
      approved: [{ line: 3, key: 'r', contacts: [1, 3], cells: { 'row.phone': '@x' } }],
      left: 2,
    });
  });

  test('is whole beyond one page', async () => {
    const run = journal(1_201);
    for (let seq = 0; seq < 1_201; seq += 1) {
      run.finish(
        seq,
        'proposed',
        {},
        { proposals: [{ seq, pair: 0, contacts: [1, 2], cells: cells(seq + 2) }] },
      );
    }
    run.end('finished', 3);
    await write(run);
    const lines = table(run, 'merge-proposals.csv').map(({ _line }) => Number(_line));
    expect(lines).toEqual(Array.from({ length: 1_201 }, (_, n) => n + 2));
  });
});

test('contact-tags.csv holds a line for each contact with tags', async () => {
  const run = journal(3);
  const tagged = { contact: 5, email: 'a@b.c', phone: '+60123456789', tags: ['vip', '=x'] };
  run.finish(0, 'created', {}, { tagged });
  run.finish(1, 'created');
  run.finish(1, 'updated', {}, { tagged: { ...tagged, tags: ['VIP', 'b'] } });
  const other = { contact: 6, email: null, phone: null, tags: ['=x'] };
  run.finish(2, 'created', {}, { tagged: other });
  run.end('finished', 0);
  await write(run);
  expect(text(run, 'contact-tags.csv')).toBe(
    "contactId,email,phone,tags\n5,a@b.c,+60123456789,vip;'=x;b\n6,,,'=x\n",
  );
});

describe('gone.csv', () => {
  function twoRuns(): JournalOfARun {
    const run = journal(2);
    run.knows('key:r-1', { contact: 11, line: 2 });
    run.knows('key:=r-2', { contact: 12, line: 3 });
    run.knows('key:r-3', { contact: 13, identifiers: ['email:c@d.e', 'phone:+1'], line: 4 });
    run.knows('email:a@b.c', { contact: 14, line: 5 });
    run.finish(0, 'created');
    run.finish(1, 'created');
    run.end('finished', 0);
    return run;
  }

  test('holds the keys of earlier runs that the input has no more', async () => {
    const run = twoRuns();
    expect(await write(run)).toMatchObject({ gone: 0 });
    expect(existsSync(join(run.runDir, 'gone.csv'))).toBe(false);
    run.beginAnother({ items: 1 });
    run.knows('key:r-1', { contact: 11 });
    run.finish(0, 'unchanged');
    run.end('finished', 0);
    const summary = await write(run);
    expect(summary).toMatchObject({ gone: 3, files: { gone: join(run.runDir, 'gone.csv') } });
    expect(text(run, 'gone.csv')).toBe(
      `_key,contactId,identifier,lastLine
,14,email:a@b.c,5
'=r-2,12,id:12,3
r-3,13,email:c@d.e,4
`,
    );
    expect(statSync(join(run.runDir, 'gone.csv')).mode & 0o777).toBe(0o600);
  });

  test('is only about the mapping of the run', async () => {
    const run = twoRuns();
    run.beginAnother({ items: 0, memory: 'another' });
    run.end('finished', 0);
    expect(await write(run)).toMatchObject({ gone: 0 });
  });

  const retry: RowSelection = { kind: 'retry', run: 'r', resend: false };
  test.each([
    ['a run that has not finished', 'stopped', { items: 2 }],
    ['a run that has not reached every row', 'finished', { items: 3 }],
    ['a retry', 'finished', { items: 1, selection: retry }],
    ['answered rows', 'finished', { items: 1, selection: { kind: 'approve', file: 'f', fingerprint: 'p' } }],
    ['deferred steps', 'finished', { items: 1, selection: { kind: 'deferred' } }],
  ] as const)('is not there for %s, which has not seen the whole input', async (_, state, binding) => {
    const run = twoRuns();
    run.beginAnother(binding);
    run.finish(0, 'unchanged');
    run.end(state, 0);
    expect((await write(run)).gone).toBeUndefined();
    expect(existsSync(join(run.runDir, 'gone.csv'))).toBe(false);
  });
});
