import { describe, expect, it } from 'vitest';
import { FatalError } from '../../src/model/fatal-error.ts';
import type { WorkspaceEvent } from '../../src/workspace/index.ts';
import { answer, errorAnswer, openOn } from './open.ts';

const user = { id: 1, firstName: 'Ada', lastName: 'L', email: 'ada@example.com', role: 'owner', team: null };

/** Serves a chain of pages: each key is a cursor, each value what stands in `next` there. */
function serving(chain: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const opened = openOn(async ({ query }) => {
    asked.push(query);
    const cursor = new URLSearchParams(query).get('cursorId') ?? 'start';
    const pagination = cursor in chain ? { previous: '', next: chain[cursor] } : { previous: '' };
    return answer(200, { items: [user], pagination });
  });
  return { ...opened, asked };
}

async function pagesOf({ workspace, clock }: ReturnType<typeof serving>): Promise<number> {
  const read = async () => {
    let pages = 0;
    for await (const page of workspace.paginate(workspace.users.list)) pages += page.items.length;
    return pages;
  };
  return clock.run(read());
}

const link = (cursor: string) => `https://elsewhere.test/v1/space/user?limit=9&cursorId=${cursor}`;

describe('paging', () => {
  it.each([
    ['an empty next', { start: link('2'), 2: '' }, 2],
    ['a next that is null', { start: link('2'), 2: null }, 2],
    ['a next that is absent', { start: link('2') }, 2],
    ['a link without a cursor', { start: link('2'), 2: '/space/user?limit=9' }, 2],
    ['a link with an empty cursor', { start: link('2'), 2: '/space/user?limit=9&cursorId=' }, 2],
    ['a cursor that repeats itself', { start: link('2'), 2: link('2') }, 2],
    ['a cursor that was there two pages before', { start: link('2'), 2: link('3'), 3: link('2') }, 3],
    ['relative links', { start: '/v1/space/user?cursorId=2&limit=9', 2: '?cursorId=3', 3: '' }, 3],
  ])('ends after %s', async (_name, chain, pages) => {
    expect(await pagesOf(serving(chain))).toBe(pages);
  });

  it('ends where there is no pagination at all', async () => {
    const { workspace, clock } = openOn(async () => answer(200, { items: [user] }));
    const list = await clock.run(workspace.users.list({}));
    expect(list).toMatchObject({ kind: 'ok', value: { next: null } });
  });

  it('takes nothing but the cursor of a link, encoded again', async () => {
    const served = serving({
      start: 'https://evil.test/steal?limit=1&cursorId=a%26b%2Fc&search=x',
      'a&b/c': '',
    });
    expect(await pagesOf(served)).toBe(2);
    expect(served.asked).toEqual(['limit=100', 'limit=100&cursorId=a%26b%2Fc']);
  });

  it('starts where it is told to, and keeps the page size', async () => {
    const { workspace, clock, asked } = serving({ 7: link('8'), 8: '' });
    const pages = workspace.paginate(workspace.users.list, { cursor: '7', limit: 3 });
    expect((await clock.run(pages.next())).value).toMatchObject({ next: '8' });
    expect((await clock.run(pages.next())).value).toMatchObject({ next: null });
    expect(asked).toEqual(['limit=3&cursorId=7', 'limit=3&cursorId=8']);
  });

  it('asks for 99 contacts, 50 messages, and 100 of everything else', async () => {
    const asked: string[] = [];
    const { workspace, clock } = openOn(async ({ path, query }) => {
      asked.push(`${path}?${query}`);
      return answer(200, { items: [] });
    });
    await clock.run(workspace.contacts.list({}));
    await clock.run(workspace.messages.list({ kind: 'id', value: '1' }, {}));
    await clock.run(workspace.customFields.list({}));
    await clock.run(workspace.users.list({}));
    await clock.run(workspace.closingNotes.list({}));
    await clock.run(workspace.templates.list(5, {}));
    expect(asked).toEqual([
      '/contact/list?limit=99',
      '/contact/id:1/message/list?limit=50',
      '/space/custom_field?limit=100',
      '/space/user?limit=100',
      '/space/closing_notes?limit=100',
      '/space/channel/5/template?limit=100',
    ]);
  });

  it('stops the run where a page cannot be read', async () => {
    const { workspace, clock } = openOn(async ({ query }) =>
      query.includes('cursorId')
        ? errorAnswer(400, 'Validation error.')
        : answer(200, { items: [user], pagination: { next: link('2') } }),
    );
    const pages = workspace.paginate(workspace.users.list);
    await clock.run(pages.next());
    const second = clock.run(pages.next());
    await expect(second).rejects.toThrow(FatalError);
    await expect(second).rejects.toThrow(/cursor 2.*400 Validation error/);
  });

  it('is worth another try later where a page keeps failing while the workspace answers others', async () => {
    const { workspace, clock } = openOn(async ({ query }) =>
      query.includes('cursorId')
        ? errorAnswer(500, 'Unexpected error occurred')
        : answer(200, { items: [user], pagination: { next: link('2') } }),
    );
    const pages = workspace.paginate(workspace.users.list);
    await clock.run(pages.next());
    const second = clock.run(
      (async () => {
        // Meanwhile the workspace answers other requests: it is there, and this list is what fails.
        const others = (async () => {
          for (let n = 0; n < 40; n += 1) {
            await workspace.users.list({});
            await clock.sleep(1_000);
          }
        })();
        const [read] = await Promise.allSettled([pages.next(), others]);
        return read;
      })(),
    );
    expect(await second).toMatchObject({
      reason: {
        reason: 'unreachable',
        message: expect.stringContaining('the workspace answered 500'),
        next: expect.stringContaining('run the same command again'),
      },
    });
  });

  /** Serves pages by their number, each of which names another one. */
  function endless(items: (page: number) => readonly number[]) {
    let pages = 0;
    const opened = openOn(async () => {
      pages += 1;
      const found = items(pages).map((id) => ({ ...user, id }));
      return answer(200, { items: found, pagination: { next: link(String(1_000 + pages)) } });
    });
    return { ...opened, pages: () => pages };
  }

  it.each([
    ['the same page', () => [1, 2, 3], 3],
    ['two pages in turn', (page: number) => [page % 2], 4],
    ['what was on 300 pages before', (page: number) => [page % 300, (page + 1) % 300], 301],
    ['anybody of twelve thousand', (page: number) => [(page * 7_919) % 12_000], 12_002],
  ])('stops after two pages in a row that hold nothing new: %s', async (_name, items, most) => {
    const list = endless(items);
    await expect(list.clock.run(countAll(list.workspace))).rejects.toThrow('does not end');
    expect(list.pages()).toBeLessThanOrEqual(most);
  });

  it('takes two empty pages in a row for the end', async () => {
    const list = endless((page) => (page < 3 ? [page] : []));
    expect(await list.clock.run(countAll(list.workspace))).toBe(2);
    expect(list.pages()).toBe(4);
  });

  it('goes on through a page that was seen, where the next one holds something new', async () => {
    const list = endless((page) => (page < 20 ? [Math.ceil(page / 2)] : []));
    expect(await list.clock.run(countAll(list.workspace))).toBe(19);
  });

  it('says which item was damaged, and gives it', async () => {
    const body = JSON.stringify({ items: [user, { ...user, id: 7, lastName: '\ufffd' }] });
    const events: WorkspaceEvent[] = [];
    const { workspace, clock } = openOn(async () => ({ ...answer(200, {}), body, damaged: true }), {
      onEvent: (event) => events.push(event),
    });
    expect(await clock.run(countAll(workspace))).toBe(2);
    expect(events).toEqual([{ kind: 'warning', text: expect.stringContaining('the item 7 was damaged') }]);
  });
});

async function countAll(workspace: ReturnType<typeof openOn>['workspace']): Promise<number> {
  let count = 0;
  for await (const { items } of workspace.paginate(workspace.users.list)) count += items.length;
  return count;
}
