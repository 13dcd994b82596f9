import { expect, test } from 'vitest';
import { atHostile } from './hostile-workspace.ts';

const settings = { contacts: { format: 'ndjson', incremental: true }, messages: { format: 'ndjson' } };
const ids = (lines: readonly Readonly<Record<string, unknown>>[]) => lines.map(({ id }) => id);

/** JSON that is nested that deep. */
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const contact = (id: number, more = '') => `{"id":${id},"firstName":"P${id}"${more}}`;
const page = (items: readonly string[], next = '') =>
  `{"items":[${items.join(',')}],"pagination":{"next":"${next}"}}`;
const message = (messageId: number, contactId: number, text = 'hello', more = '') =>
  `{"messageId":${messageId},"contactId":${contactId},"channelId":1,"traffic":"incoming","message":{"type":"text","text":"${text}"${more}},"status":[]}`;

test.each([500, 5_000, 200_000])(
  'a contact that is nested %i deep is named, cut, and the others are whole',
  async (deep) => {
    const listed = page([contact(1), contact(2, `,"extra":${nested(deep)}`), contact(3)]);
    await atHostile({ settings, answers: { '/contact/list': () => listed } }, async (scene) => {
      const ended = await scene.export();
      expect(ended).toMatchObject({
        exitCode: 3,
        manifest: {
          unreadable: [{ contactId: 2, reason: 'it was nested deeper than 100 levels and cut there' }],
        },
      });
      expect(ids(scene.lines(ended.folder, 'contacts.ndjson'))).toEqual([1, 2, 3]);
    });
  },
);

test('a contact whose text is not valid UTF-8 is named, and the others are whole', async () => {
  const listed = page([contact(1), contact(2, ',"lastName":"M\xfcller"'), contact(3, ',"lastName":"Ok"')]);
  const answers = { '/contact/list': () => Buffer.from(listed, 'latin1') };
  await atHostile({ settings, answers }, async (scene) => {
    const ended = await scene.export();
    expect(ended).toMatchObject({
      exitCode: 3,
      manifest: { unreadable: [{ contactId: 2, reason: expect.stringContaining('not valid UTF-8') }] },
    });
    expect(scene.lines(ended.folder, 'contacts.ndjson')).toMatchObject([
      { id: 1 },
      { id: 2, lastName: 'M\ufffdller' },
      { id: 3, lastName: 'Ok' },
    ]);
    expect(ended.notes.join()).toContain('the item 2 was damaged');
  });
});

test('messages that are damaged or without end are the trouble of their contact', async () => {
  let cursor = 0;
  const answers = {
    '/contact/list': () => page([1, 2, 3, 4].map((id) => contact(id))),
    '/contact/id:1/message/list': () => Buffer.from(page([message(11, 1, 'M\xfcller')]), 'latin1'),
    '/contact/id:2/message/list': () => {
      cursor += 1;
      return page([message(21, 2)], `/x?cursorId=${cursor}`);
    },
    '/contact/id:3/message/list': () => page([message(31, 3)]),
    '/contact/id:4/message/list': () => page([message(41, 4, 'hi', `,"extra":${nested(5_000)}`)]),
  };
  await atHostile({ settings, answers }, async (scene) => {
    const ended = await scene.export();
    expect(ended).toMatchObject({
      exitCode: 3,
      manifest: {
        unreadable: [
          { contactId: 1, reason: expect.stringContaining('messages: it was not valid UTF-8') },
          { contactId: 2, reason: expect.stringContaining('does not end') },
          { contactId: 4, reason: expect.stringContaining('nested deeper') },
        ],
      },
    });
    expect(ids(scene.lines(ended.folder, 'messages.ndjson'))).toEqual([11, 21, 31, 41]);
    expect(cursor).toBeLessThan(5);
  });
});

test('a contact list that comes again and again publishes nothing', async () => {
  let cursor = 0;
  const answers = {
    '/contact/list': () => {
      cursor += 1;
      return page([contact(1), contact(2)], `/x?cursorId=${cursor}`);
    },
  };
  await atHostile({ settings, answers }, async (scene) => {
    const ended = await scene.export();
    expect(ended).toMatchObject({ exitCode: 1, folder: undefined });
    expect(ended.message).toContain('does not end');
    expect(cursor).toBe(3);
  });
});

test('messages that nobody may read stop the export with 5; one contact of others is named', async () => {
  const contacts = { '/contact/list': () => page([1, 2, 3, 4, 5, 6, 7].map((id) => contact(id))) };
  await atHostile({ settings, answers: { ...contacts, '/message/list': () => 403 } }, async (scene) => {
    const ended = await scene.export();
    expect(ended).toMatchObject({ exitCode: 5, folder: undefined });
    expect(ended.message).toBe(
      '403: the token lacks permission for GET /contact/{identifier}/message/list (no message).',
    );
    expect(scene.requests().filter((path) => path.includes('/message/list'))).toHaveLength(5);
  });
  const one = { '/contact/id:1/message/list': () => 403 };
  await atHostile({ settings, answers: { ...contacts, ...one } }, async (scene) => {
    expect(await scene.export()).toMatchObject({
      exitCode: 3,
      manifest: { unreadable: [{ contactId: 1, reason: 'no message' }] },
    });
  });
});
