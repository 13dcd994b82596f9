import { describe, expect, it } from 'vitest';
import { importRows } from '../../../src/app/import/rows.ts';
import { listRejects } from '../../../src/journal/index.ts';
import { FatalError } from '../../../src/model/fatal-error.ts';
import type { TransportResponse } from '../../../src/model/ports.ts';
import type { Source } from '../../../src/model/row.ts';
import { ended, row as finished } from '../../journal/work-dir.ts';
import { answer, errorAnswer } from '../../workspace/open.ts';
import { type Scene, scene, stepsOf } from './context.ts';
import { rowOf as row, sourceOf } from './input.ts';
import { outcomesOf, rowsOptions, walkRows } from './walk.ts';

const created = answer(201, { code: '201', message: 'being created' });
const absent = errorAnswer(404, 'Contact not found');

const ada = { firstName: 'Ada', email: 'ada@example.test' };

/** A workspace in which Ada can be read from her n-th look-up on. */
function adaAppearsAt(nth: number, change: TransportResponse = created) {
  const asked = { count: 0 };
  return scene((request) => {
    if (request.startsWith('POST')) return change;
    if (request.startsWith('PUT')) return answer(200, { contactId: 7 });
    asked.count += 1;
    return asked.count >= nth ? answer(200, { id: 7, ...ada }) : absent;
  });
}

describe('a row', () => {
  it('whose create is refused is rejected at once: nobody is waited for', async () => {
    const it = adaAppearsAt(99, errorAnswer(400, 'Validation error.'));
    await it.run(walkRows(it, it.context, [row(2, ada)]));
    expect(outcomesOf(it, it.context)).toEqual(['rejected']);
    expect(it.elapsed()).toBeLessThan(2_000);
    expect(listRejects(it.file, it.journal.run.number, -1, 5)).toMatchObject([
      {
        line: 2,
        problems: [{ code: 'workspace.refused', reason: expect.stringContaining('Validation error.') }],
      },
    ]);
  });

  it('whose create is refused because somebody was faster is an update', async () => {
    const it = adaAppearsAt(2, errorAnswer(400, 'there is such a contact'));
    await it.run(walkRows(it, it.context, [row(2, { ...ada, lastName: 'Byron' })]));
    expect(outcomesOf(it, it.context)).toEqual(['updated']);
    expect(it.sent.at(-1)).toBe('PUT /contact/id:7');
  });

  it('of somebody just created waits until they can be read, and only with what belongs to them', async () => {
    const it = adaAppearsAt(6);
    const bob = { firstName: 'Bob', email: 'bob@example.test' };
    await it.run(walkRows(it, it.context, [row(2, { ...ada, Stage: 'Customer' }), row(3, bob)]));
    expect(outcomesOf(it, it.context)).toEqual(['created', 'created']);
    const [create, second, ...later] = it.sent.filter((request) => request.startsWith('POST'));
    expect([create, second]).toEqual([
      'POST /contact/email:ada@example.test',
      'POST /contact/email:bob@example.test',
    ]);
    expect(later).toEqual(['POST /contact/id:7/lifecycle/update']);
  });

  it('of a person who stands in several rows is sent once, with the last of them', async () => {
    const it = adaAppearsAt(99);
    await it.run(walkRows(it, it.context, [row(2, ada), row(3, { ...ada, lastName: 'Byron' })]));
    expect(outcomesOf(it, it.context)).toEqual(['folded', 'created']);
    expect(it.sent.filter((request) => request.startsWith('POST'))).toHaveLength(1);
  });

  it('whose create was acknowledged is never created again, whatever has become of the contact', async () => {
    const it = adaAppearsAt(99);
    const body = { firstName: 'Ada' };
    const intent = { identifiers: [{ kind: 'email', value: ada.email }], body };
    const step = {
      seq: 0,
      name: 'create',
      item: '',
      state: 'acked',
      intent,
      before: null,
      sentAt: 0,
    } as const;
    await it.run(it.journal.intend(step, []));
    await it.run(walkRows(it, it.context, [row(2, ada)]));
    expect(outcomesOf(it, it.context)).toEqual(['failed']);
    expect(it.sent.filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  it.each([
    ['acknowledged', 'acked', []],
    ['sent, and stands', 'sent', []],
    ['taken back', 'planned', ['POST /contact/id:7/conversation/status']],
  ] as const)('whose last step was %s before a crash is updated by it', async (_what, state, writes) => {
    const there = answer(200, { id: 7, ...ada, status: 'closed' });
    const done = answer(200, { contactId: 7 });
    const steps = stepsOf({ conversation: { status: 'closed', existing: true } });
    const it = scene((request) => (request.startsWith('GET') ? there : done), { steps });
    const intent = { contactId: 7, status: 'closed', category: 'Migrated', summary: 'imported' };
    const step = { seq: 0, name: 'conversation', item: '', state, intent, before: null, sentAt: 0 };
    await it.run(it.journal.intend(step, []));
    const again = it.again();
    // That it was closed like this cannot be read: if planned again it would be sent again.
    await it.run(walkRows(it, again, [row(2, { ...ada, Conversation: 'closed Migrated' })]));
    expect(outcomesOf(it, again)).toEqual(['updated']);
    expect(it.sent.filter((request) => !request.startsWith('GET'))).toEqual(writes);
  });

  it('whose create had waited for long before it left is waited for after a crash all the same', async () => {
    const it = adaAppearsAt(6);
    const intent = { identifiers: [{ kind: 'email', value: ada.email }], body: { firstName: 'Ada' } };
    const sentAt = it.journal.begunAt;
    const step = { seq: 0, name: 'create', item: '', state: 'sent', intent, before: null, sentAt } as const;
    await it.run(it.journal.intend(step, []));
    await it.world.pass(600_000);
    const again = it.again();
    await it.run(walkRows(it, again, [row(2, ada)]));
    expect(outcomesOf(it, again)).toEqual(['created']);
    expect(it.sent.filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  it('half of whose look-up was held up believes nobody absent by the half that was not', async () => {
    const asked = { count: 0 };
    const it = scene((request) => {
      if (request.startsWith('POST')) return created;
      if (request.startsWith('PUT')) return answer(200, { contactId: 7 });
      if (request.includes('email')) return it.elapsed() > 3_000 ? answer(200, { id: 7, ...ada }) : absent;
      asked.count += 1;
      return asked.count === 1 ? answer(429, { code: 429, message: 'Too Many Requests' }, 150) : absent;
    });
    it.journal.mayArriveLate(['email:ada@example.test']);
    await it.run(walkRows(it, it.context, [row(2, { ...ada, phone: '+60123456789' })]));
    expect(outcomesOf(it, it.context)).toEqual(['updated']);
    expect(it.sent.filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  it('of a contact on whom an earlier update may still arrive waits for that', async () => {
    const it = adaAppearsAt(1);
    it.journal.mayArriveLate(['id:7']);
    await it.run(walkRows(it, it.context, [row(2, { ...ada, lastName: 'Byron' })]));
    expect(outcomesOf(it, it.context)).toEqual(['updated']);
    expect(it.elapsed()).toBeGreaterThanOrEqual(120_000);
    // What was decided before the wait is looked at once more after it.
    expect(it.sent.slice(-2)).toEqual(['GET /contact/email:ada@example.test', 'PUT /contact/id:7']);
  });

  it('that cannot be looked up has failed, and the others go on', async () => {
    const it = scene((request) => {
      if (request.startsWith('POST')) return created;
      return request.includes('ada') ? errorAnswer(500, 'Unexpected error occurred') : absent;
    });
    const bob = { firstName: 'Bob', email: 'bob@example.test' };
    await it.run(walkRows(it, it.context, [row(2, ada), row(3, bob)]));
    expect(outcomesOf(it, it.context)).toEqual(['failed', 'created']);
  });
});

describe('a walk through the rows', () => {
  const people = Array.from({ length: 7 }, (_, n) =>
    row(n + 2, { firstName: 'P', email: `p${n}@example.test` }),
  );
  const creates = ({ sent }: Scene) => sent.filter((request) => request.startsWith('POST'));
  const everybodyNew = () => scene((request) => (request.startsWith('POST') ? created : absent));

  it('ends at the limit and goes on from there', async () => {
    const it = everybodyNew();
    await it.run(walkRows(it, it.context, people, { limit: 3 }));
    expect(outcomesOf(it, it.context)).toHaveLength(3);
    const again = it.again();
    await it.run(walkRows(it, again, people));
    expect(outcomesOf(it, again)).toHaveLength(7);
    expect(new Set(creates(it)).size).toBe(7);
    expect(creates(it)).toHaveLength(7);
  });

  it('skips what is done, also in the middle', async () => {
    const it = everybodyNew();
    it.journal.finish(ended(...[0, 1, 3, 6].map((seq) => finished(seq))));
    it.journal.flush();
    await it.run(walkRows(it, it.context, people));
    expect(creates(it).map((request) => request.slice(20, 22))).toEqual(['p2', 'p4', 'p5']);
  });

  it('stops when the error budget is used up, with what is under way still written down', async () => {
    const it = scene((request) => (request.startsWith('POST') ? errorAnswer(400, 'no') : absent));
    await expect(it.run(walkRows(it, it.context, people, { maxErrors: 1, batch: 1 }))).rejects.toMatchObject({
      reason: 'budget',
    });
    expect(outcomesOf(it, it.context).length).toBeGreaterThanOrEqual(2);
    expect(outcomesOf(it, it.context).length).toBeLessThan(7);
  });

  it('stopped in the middle of waits ends at once, and throws why', async () => {
    const it = adaAppearsAt(99);
    const waiting = people.map((_, n) =>
      row(n + 2, { ...ada, email: `w${n}@example.test`, origin: 'hello' }),
    );
    const working = walkRows(it, it.context, waiting);
    const why = new FatalError('interrupted', 'interrupted.');
    it.world.after(5_000, null, () => it.stop.abort(why));
    await expect(it.run(working)).rejects.toBe(why);
    expect(it.elapsed()).toBe(5_000);
    expect(it.context.pool.counts).toEqual({ active: 0, waiting: 0 });
  });

  it.each([
    ['the source', new Error('the file is gone')],
    ['the token', new FatalError('unauthorized', 'The workspace refused the token.')],
  ])('broken off by %s throws that, when nothing is under way any more', async (_what, error) => {
    const it = everybodyNew();
    const source: Source = {
      ...sourceOf(people),
      async *read() {
        yield people.slice(0, 2);
        throw error;
      },
    };
    const working = importRows(it.context, it.file, { ...rowsOptions(it, it.context, people), source });
    await expect(it.run(working)).rejects.toMatchObject({ message: expect.stringContaining(error.message) });
    expect(it.context.pool.counts).toEqual({ active: 0, waiting: 0 });
  });

  it('whose journal breaks sends nothing more and says so', async () => {
    const it = everybodyNew();
    it.file.pragma('query_only = true');
    await expect(it.run(walkRows(it, it.context, people))).rejects.toMatchObject({
      reason: 'unexpected',
      message: expect.stringContaining('the journal could not be written'),
    });
    expect(creates(it)).toEqual([]);
  });
});
