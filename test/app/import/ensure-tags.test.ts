import { describe, expect, it } from 'vitest';
import { ensureTags } from '../../../src/app/import/ensure.ts';
import { listStepsOfUnfinishedItems } from '../../../src/journal/index.ts';
import type { Mapping } from '../../../src/mapping/index.ts';
import type { TransportResponse } from '../../../src/model/ports.ts';
import { answer, errorAnswer } from '../../workspace/open.ts';
import { scene } from './context.ts';

const rule: NonNullable<Mapping['tags']> = { from: 'Tags', attach: 'extension' };

/** A workspace with these tags, in lower case. */
function spaceWith(tags: Set<string>, lost: string[] = []) {
  const bodies: string[] = [];
  const it = scene((request, { body = '' }): TransportResponse => {
    bodies.push(`${request} ${body}`);
    const sent: { currentName?: string; name?: string } = JSON.parse(body);
    const name = (sent.currentName ?? sent.name ?? '').toLowerCase();
    if (request.startsWith('PUT'))
      return tags.has(name) ? answer(200, { id: 1, name }) : errorAnswer(404, 'Contact not found');
    if (tags.has(name)) return errorAnswer(422, 'taken');
    tags.add(name);
    return lost.includes(name) ? errorAnswer(500, 'Unexpected error occurred') : answer(201, { id: 2, name });
  });
  const ensure = (names: readonly string[], more: Partial<typeof rule> = {}) =>
    it.run(ensureTags(it.context, it.file, names, { ...rule, ...more }));
  return { it, bodies, ensure };
}

const put = (name: string) => `PUT /space/tag ${JSON.stringify({ currentName: name })}`;
const post = (name: string) => `POST /space/tag ${JSON.stringify({ name })}`;

describe('the tags of the input', () => {
  it('are asked for, and created where they are not there', async () => {
    const { ensure, bodies } = spaceWith(new Set(['vip']));
    await ensure(['VIP', 'new']);
    expect(bodies).toEqual([put('VIP'), put('new'), post('new')]);
  });

  it('that were seen to are not asked for again, not even by another run', async () => {
    const { it, ensure, bodies } = spaceWith(new Set());
    await ensure(['VIP']);
    await ensure(['vip']);
    await it.run(ensureTags(it.next(), it.file, ['Vip'], rule));
    expect(bodies).toEqual([put('VIP'), post('VIP')]);
  });

  it('get their definitions when they are created, and only then', async () => {
    const { ensure, bodies } = spaceWith(new Set(['vip']));
    await ensure(['vip', 'new'], { define: { VIP: { emoji: '*' }, new: { colorCode: '#fff' } } });
    expect(bodies).toEqual([put('vip'), put('new'), 'POST /space/tag {"name":"new","colorCode":"#fff"}']);
  });

  it('that are to be overwritten are, in every run, and no others', async () => {
    const { ensure, bodies } = spaceWith(new Set(['vip', 'old']));
    const more = { define: { VIP: { emoji: '*' } }, overwrite: true };
    await ensure(['vip', 'old'], more);
    await ensure(['vip', 'old'], more);
    const overwritten = 'PUT /space/tag {"currentName":"vip","emoji":"*"}';
    expect(bodies).toEqual([overwritten, put('old'), overwritten]);
  });

  it('whose create lost its answer are there once, and remembered', async () => {
    const tags = new Set<string>();
    const { it, ensure, bodies } = spaceWith(tags, ['vip']);
    await ensure(['vip']);
    expect(bodies.filter((each) => each.startsWith('POST'))).toHaveLength(1);
    await ensure(['vip']);
    expect(bodies.at(-1)).toBe(put('vip'));
    expect(bodies).toHaveLength(3);
    it.journal.flush();
    expect(listStepsOfUnfinishedItems(it.file, it.journal.run.number, -1, 0)).toMatchObject([
      { item: 'vip', state: 'acked' },
    ]);
  });

  it('that cannot be created stop the run before its rows, and say what to do', async () => {
    const it = scene((request) => errorAnswer(request.startsWith('PUT') ? 404 : 400, 'no such luck'));
    await expect(it.run(ensureTags(it.context, it.file, ['vip'], rule))).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringMatching(/the tag "vip".*no such luck.*No row was sent/),
      next: expect.stringContaining('tags.values'),
    });
  });
});
