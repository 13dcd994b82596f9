import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { atOldProject, deferredFlags, renamedKeys } from './old-project.ts';

const finished = '20250602-020001-finished';
const uncertain = '20250602-020004-uncertain';
const rehearsed = '20250602-020008-rehearsed';
const cutExport = '20250602-020012-weekly';
const cutAtDeferred = '20250602-020016-deferred-begun';
const cutAtCreate = '20250602-020018-cut-at-create';
const cutAtComment = '20250602-020019-cut-at-comment';

it('lists the runs that it left, each as it ended', async () => {
  await atOldProject(async ({ longshore }) => {
    const { code, stdout, stderr } = await longshore('runs', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const runs = z.array(z.looseObject({ run: z.string() })).parse(JSON.parse(stdout));
    expect(runs.map(({ run, state, rows, open }) => [run, state, rows, open])).toEqual([
      [cutAtComment, 'interrupted', 5, 0],
      [cutAtCreate, 'interrupted', 5, 0],
      [cutAtDeferred, 'interrupted', 4, 0],
      ['20250602-020014-deferred-begun', 'finished', 4, 0],
      [cutExport, 'interrupted', 0, 0],
      ['20250602-020011-nightly', 'finished', 0, 0],
      ['20250602-020010-nightly', 'finished', 0, 0],
      [rehearsed, 'finished', 4, 0],
      ['20250602-020006-deferred', 'finished', 3, 0],
      [uncertain, 'finished', 4, 2],
      ['20250602-020003-finished', 'finished', 1, 1],
      [finished, 'finished', 8, 1],
    ]);
  });
});

it.each([
  [finished, { created: 4, updated: 1, folded: 1, proposed: 1, rejected: 1 }, {}],
  [uncertain, { updated: 2, uncertain: 2 }, {}],
  [cutAtCreate, { notReached: 5 }, { create: 3 }],
  [cutAtComment, { notReached: 5 }, { comment: 3 }],
  [cutAtDeferred, { notReached: 4 }, { lifecycle: 3 }],
])('says where %s stands', async (run, rows, sent) => {
  await atOldProject(async ({ json }) => {
    const status = await json(0, 'status', run);
    expect(status).toMatchObject({ run, rows });
    expect(sum(rows)).toBe(sum({ ...z.record(z.string(), z.number()).parse(status.rows), read: 0 }));
    expect(status.inFlight).toEqual(sent);
  });
});

it('resumes an import that was killed while people were created, and makes nobody twice', async () => {
  await atOldProject(async ({ sandbox, json, writes }) => {
    const report = await json(0, 'resume', cutAtCreate);
    expect(report).toMatchObject({ run: cutAtCreate, rows: { read: 5, created: 5, notReached: 0 } });
    // Three of them were there, and nobody knew.
    expect(writes().filter((write) => write.includes('email:'))).toEqual([
      'POST /contact/email:c4@example.com',
      'POST /contact/email:c5@example.com',
    ]);
    for (const n of [1, 2, 3, 4, 5]) expectWhole(sandbox, `C${n}`);
    expectNothingTwice(sandbox);
  });
});

it('resumes an import that was killed while comments were sent, and sends none twice', async () => {
  await atOldProject(async ({ sandbox, json, writes }) => {
    const before = commentsOf(sandbox, 'M');
    expect(await json(3, 'resume', cutAtComment)).toMatchObject({
      rows: { read: 5, created: 2, uncertain: 3, notReached: 0 },
    });
    const sent = writes().filter((write) => write.endsWith('/comment'));
    expect(commentsOf(sandbox, 'M')).toHaveLength(before.length + sent.length);
    expectNothingTwice(sandbox);
    for (const n of [4, 5]) expectWhole(sandbox, `M${n}`);
  });
});

it('resumes deferred steps that were killed in the middle', async () => {
  await atOldProject(async ({ sandbox, json, writes }) => {
    const report = await json(0, 'resume', cutAtDeferred);
    expect(report).toMatchObject({ run: cutAtDeferred, rows: { read: 4, updated: 4, notReached: 0 } });
    expect(writes().filter((write) => write.endsWith('/lifecycle/update'))).toHaveLength(2);
    for (const n of [1, 2, 3, 4]) expectWhole(sandbox, `B${n}`);
    expectNothingTwice(sandbox);
  });
});

it('resumes an export', async () => {
  await atOldProject(async ({ path, json }) => {
    const report = await json(0, 'resume', cutExport);
    const folder = join(path, 'weekly', '2025-06-02');
    expect(report).toMatchObject({ run: cutExport, folder, counts: { contacts: 14, messages: 4 } });
    expect(messagesIn(folder)).toEqual([1, 2, 3, 4]);
  });
});

it('retries the row that was rejected, once it is corrected, and no other', async () => {
  await atOldProject(async ({ sandbox, json, edit, writes }) => {
    edit('finished.csv', 'not-an-address', 'f7@example.com');
    const report = await json(0, 'retry', finished);
    expect(report).toMatchObject({ rows: { read: 1, created: 1 }, open: 0 });
    expect(writes().filter((write) => !write.includes('/id:'))).toEqual([
      'POST /contact/email:f7@example.com',
    ]);
    expectWhole(sandbox, 'F7');
    expectNothingTwice(sandbox);
    expect(await json(0, 'status', finished)).toMatchObject({ rows: { rejected: 1 }, open: 0 });
  });
});

it('retries uncertain comments only where it is told to resend them', async () => {
  await atOldProject(async ({ json, writes }) => {
    expect(await json(3, 'retry', uncertain)).toMatchObject({ rows: { read: 2, uncertain: 2 } });
    expect(writes()).toEqual([]);
    expect(await json(0, 'retry', uncertain, '--resend')).toMatchObject({ rows: { read: 2, updated: 2 } });
    expect(writes()).toEqual(['POST /contact/id:22/comment', 'POST /contact/id:23/comment']);
    expect(await json(0, 'status', uncertain)).toMatchObject({ open: 0 });
  });
});

it('imports a newer file on top: what is the same is not sent again', async () => {
  await atOldProject(async ({ sandbox, json, edit, writes }) => {
    const again = ['import', 'finished.yaml', '--workspace', sandbox.baseUrl];
    // The two of one e-mail, whose names differ, were one person without a question in the version that left it.
    const same = { read: 8, folded: 0, proposed: 3, rejected: 1 };
    expect(await json(3, ...again)).toMatchObject({ rows: { ...same, unchanged: 4 } });
    expect(writes()).toEqual([]);
    edit('finished.csv', 'Last F1', 'Newer F1');
    expect(await json(3, ...again)).toMatchObject({ rows: { ...same, updated: 1, unchanged: 3 } });
    expect(writes()).toEqual([`PUT /contact/id:${contact(sandbox, 'F1').id}`]);
    // The three of one phone stay three.
    expect(contact(sandbox, 'F1').lastName).toBe('Newer F1');
    expect(contact(sandbox, 'F2').lastName).toBe('Last F2');
    expectNothingTwice(sandbox);
  });
});

it('takes the deferred steps of a finished import, once', async () => {
  await atOldProject(async ({ sandbox, json, writes }) => {
    const deferred = ['import', 'deferred.yaml', ...deferredFlags, '--workspace', sandbox.baseUrl];
    expect(await json(0, ...deferred)).toMatchObject({ rows: { read: 3, updated: 3 } });
    const steps = ['conversation/assignee', 'conversation/status', 'lifecycle/update'];
    const ids = [1, 2, 3].map((n) => contact(sandbox, `D${n}`).id);
    expect(writes()).toEqual(ids.flatMap((id) => steps.map((step) => `POST /contact/id:${id}/${step}`)));
    expect(await json(0, ...deferred)).toMatchObject({ rows: { read: 3, unchanged: 3 } });
    expect(writes()).toEqual([]);
    for (const n of [2, 3]) expectWhole(sandbox, `D${n}`);
  });
});

it('takes the next increment of an export, and makes one of all', async () => {
  await atOldProject(async ({ sandbox, json }) => {
    const message = { type: 'text', text: 'Message 5' };
    sandbox.add({ messages: [{ messageId: 5, contactId: 6, traffic: 'incoming', message }] });
    const nightly = ['export', 'nightly.yaml', '--workspace', sandbox.baseUrl];
    const increment = folderOf(await json(0, ...nightly));
    expect(messagesIn(increment)).toEqual([5]);
    const whole = folderOf(await json(0, ...nightly, '--compact'));
    expect(messagesIn(whole)).toEqual([1, 2, 3, 4, 5]);
  });
});

it('goes on with the local workspace', async () => {
  await atOldProject(async ({ json, edit }) => {
    const again = ['import', 'rehearsed.yaml', '--workspace', 'sandbox'];
    expect(await json(0, ...again)).toMatchObject({ rows: { read: 4, unchanged: 4 } });
    edit('rehearsed.csv', 'Last R1', 'Newer R1');
    const report = await json(0, ...again);
    expect(report).toMatchObject({ rows: { read: 4, updated: 1, unchanged: 3 } });
    expect(report.requests).toMatchObject({ 'PUT /contact/{identifier}': { sent: 1, ok: 1 } });
    expect(report.requests).not.toHaveProperty('POST /contact/{identifier}');
  });
});

it.each([...renamedKeys])('refuses $was of $pipeline, and names $name', async ({ pipeline, name }) => {
  await atOldProject(async ({ longshore }) => {
    const { code, stderr } = await longshore('check', `${pipeline}.yaml`);
    expect(code).toBe(2);
    expect(stderr).toContain(`did you mean "${name}"?`);
  }, []);
});

type Contact = ReturnType<Sandbox['contacts']>[number];

/** The only contact of a row, by its e-mail. */
function contact(sandbox: Sandbox, id: string): Contact {
  const email = `${id.toLowerCase()}@example.com`;
  const [found, ...others] = sandbox.contacts().filter((each) => each.email === email);
  if (found === undefined || others.length > 0) throw new Error(`${email}: ${others.length} others, or none`);
  return found;
}

/** Every step of the row has taken effect. */
function expectWhole(sandbox: Sandbox, id: string): void {
  const { firstName, lastName, lifecycle, assignee, closing, comments } = contact(sandbox, id);
  expect({ firstName, lastName, lifecycle, closing, assignee: assignee?.email }).toEqual({
    firstName: `First ${id}`,
    lastName: `Last ${id}`,
    lifecycle: 'Hot Lead',
    closing: { category: 'Migrated', summary: `Imported ${id}` },
    assignee: 'max@example.org',
  });
  expect(comments.map(({ text }) => text)).toEqual([
    `Legacy record ${id}`,
    `${id} was last seen in City ${id}`,
  ]);
}

function expectNothingTwice(sandbox: Sandbox): void {
  const emails = sandbox.contacts().flatMap(({ email }) => email ?? []);
  expect(emails).toEqual([...new Set(emails)]);
  for (const { comments } of sandbox.contacts()) {
    const texts = comments.map(({ text }) => text);
    expect(texts).toEqual([...new Set(texts)]);
  }
}

function commentsOf(sandbox: Sandbox, letter: string): string[] {
  return sandbox
    .contacts()
    .filter(({ firstName }) => firstName?.startsWith(`First ${letter}`))
    .flatMap(({ comments }) => comments.map(({ text }) => text));
}

function messagesIn(folder: string): number[] {
  const lines = readFileSync(join(folder, 'messages.ndjson'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => z.object({ id: z.number() }).parse(JSON.parse(line)).id).sort();
}

function folderOf(report: Readonly<Record<string, unknown>>): string {
  return z.string().parse(report.folder);
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, n) => total + n, 0);
}
