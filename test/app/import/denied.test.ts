import { describe, expect, it } from 'vitest';
import { AccessDeniedError } from '../../../src/model/fatal-error.ts';
import { answer, errorAnswer } from '../../workspace/open.ts';
import { type Scene, scene, stepsOf } from './context.ts';
import { rowOf as row } from './input.ts';
import { outcomesOf, walkRows } from './walk.ts';

const denied = errorAnswer(403, 'Forbidden');

/** A workspace where everybody is there, and a comment is refused for whom `refuses` says so. */
function commenting(refuses: (contact: number) => boolean): Scene {
  return scene(
    (request) => {
      const id = Number(/(?:id:|p)(\d+)/.exec(request)?.[1]);
      if (request.startsWith('GET')) return answer(200, { id, firstName: 'P', email: `p${id}@example.test` });
      if (!request.endsWith('/comment')) return answer(200, { contactId: id });
      return refuses(id) ? denied : answer(201, { contactId: id, text: 'x', created_at: 1 });
    },
    { steps: stepsOf({ comments: { existing: 'send', entries: [] } }) },
  );
}

const people = (n: number) =>
  Array.from({ length: n }, (_, p) =>
    row(p + 2, { firstName: 'P', email: `p${p}@example.test`, origin: `comment of ${p}` }),
  );

const comments = ({ sent }: Scene) => sent.filter((request) => request.endsWith('/comment'));

describe('403 on what was never let through', () => {
  it('stops after five rows; they stay open, and their comments unsent', async () => {
    const it = commenting(() => true);
    await expect(it.run(walkRows(it, it.context, people(20)))).rejects.toMatchObject({
      reason: 'unauthorized',
      final: true,
      message: '403: the token lacks permission for POST /contact/{identifier}/comment (Forbidden).',
    });
    expect(comments(it)).toHaveLength(5);
    expect(outcomesOf(it, it.context)).toEqual([]);
    // Nothing of them is in flight: what is open is sent by whoever continues.
    expect(new Set(it.open().map(({ state }) => state))).toEqual(new Set(['planned']));
  });

  it('stops at the end of an input of fewer rows, and leaves them open', async () => {
    const it = commenting(() => true);
    await expect(it.run(walkRows(it, it.context, people(2)))).rejects.toBeInstanceOf(AccessDeniedError);
    expect(outcomesOf(it, it.context)).toEqual([]);
  });
});

it('403 on a row is its own failure once others passed, also where it was the first of all', async () => {
  const it = commenting((id) => id === 0);
  await it.run(walkRows(it, it.context, people(12)));
  expect(outcomesOf(it, it.context)).toEqual(['failed', ...Array.from({ length: 11 }, () => 'updated')]);
  expect(comments(it)).toHaveLength(13);
});
