import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { atExport } from './exporting.ts';

const whole = {
  contacts: { format: 'ndjson', incremental: true },
  messages: { format: 'ndjson', incremental: true, refresh: '7d' },
};

const now = Math.floor(Date.now() / 1_000);
const long = now - 30 * 86_400;

function message(messageId: number, contactId: number, timestamp = long, value = 'sent') {
  const text = `message ${messageId}`;
  return { messageId, contactId, message: { type: 'text', text }, status: [{ value, timestamp }] };
}

const people = Array.from({ length: 5 }, (_, index) => ({
  id: index + 1,
  firstName: `P${index + 1}`,
  email: `p${index + 1}@example.com`,
}));

/** 120 for the first, so that they are three pages; 3 for the second; none for the others. */
const messages = [
  ...Array.from({ length: 120 }, (_, index) => message(1_000 + index, 1)),
  ...[2_000, 2_001, 2_002].map((id) => message(id, 2)),
];

describe.each(['newest', 'oldest'] as const)(
  'increments where the %s messages come first',
  (messageOrder) => {
    const options = { messageOrder, settings: whole, seed: { contacts: people, messages } };

    test('hold what is new, and ask each contact once where there is nothing', async () => {
      await atExport(options, async ({ export: exportAll, sandbox, lines, requests }) => {
        const first = await exportAll();
        expect(first.manifest).toMatchObject({
          full: true,
          follows: null,
          counts: { contacts: 5, messages: 123 },
        });
        requests();
        sandbox.add({ messages: [message(3_000, 1, now), message(3_001, 1, now), message(3_002, 4, now)] });
        const second = await exportAll();
        expect(second.manifest).toMatchObject({
          full: false,
          follows: { run: first.run, folder: first.folder },
        });
        expect(lines(second.folder, 'messages.ndjson').map(({ id }) => id)).toEqual([3_000, 3_001, 3_002]);
        const asked = requests().filter((each) => each.includes('/message/list'));
        expect(asked).toHaveLength(5);
        expect(lines(second.folder, 'changes.ndjson')).toEqual([]);
      });
    });

    test('have statuses of the last days again, where they changed', async () => {
      await atExport(options, async ({ export: exportAll, sandbox, lines, editMessage }) => {
        sandbox.add({ messages: [message(3_000, 1, now), message(3_001, 1, now)] });
        await exportAll();
        editMessage(3_000, { status: [{ value: 'read', timestamp: now }] });
        editMessage(1_001, { status: [{ value: 'read', timestamp: long }] });
        const { folder, manifest } = await exportAll();
        expect(manifest?.counts).toMatchObject({ messages: 0, messageUpdates: 1 });
        expect(lines(folder, 'message-updates.ndjson')).toMatchObject([{ id: 3_000, status: 'read' }]);
        // What has changed once is not told again.
        expect((await exportAll()).manifest?.counts).toMatchObject({ messages: 0, messageUpdates: 0 });
      });
    });

    test('put together are what a full export of today is', async () => {
      await atExport(options, async ({ export: exportAll, sandbox, lines }) => {
        await exportAll();
        sandbox.add({
          contacts: [{ id: 9, firstName: 'New', email: 'new@example.com' }],
          messages: [message(4_000, 9, now), message(4_001, 2, now)],
        });
        await exportAll();
        sandbox.add({ messages: Array.from({ length: 70 }, (_, index) => message(5_000 + index, 3, now)) });
        await exportAll();
        const compacted = await exportAll({ compact: true });
        expect(compacted.manifest).toMatchObject({ full: true, follows: null });
        expect(compacted.manifest?.compacted).toHaveLength(3);
        const full = await exportAll({ full: true });
        for (const name of ['contacts.ndjson', 'messages.ndjson']) {
          expect(lines(compacted.folder, name)).toEqual(lines(full.folder, name));
        }
        expect(lines(full.folder, 'messages.ndjson')).toHaveLength(195);
      });
    });
  },
);

test('a contact that cannot be read to its end is named, and read again from where it was known', async () => {
  const settings = { ...whole, limits: { attempts: 1 } };
  await atExport({ settings, seed: { contacts: people, messages } }, async (scene) => {
    const list = { path: '/contact/id:1/message/list' };
    scene.sandbox.scriptFault({ ...list, kind: '500', skip: 1, times: 1 });
    const first = await scene.export();
    expect(first).toMatchObject({ exitCode: 3, manifest: { unreadable: [{ contactId: 1 }] } });
    expect(scene.lines(first.folder, 'messages.ndjson')).toHaveLength(53);
    const second = await scene.export();
    expect(second).toMatchObject({ exitCode: 0, manifest: { unreadable: [], counts: { messages: 120 } } });
    const compacted = await scene.export({ compact: true });
    expect(scene.lines(compacted.folder, 'messages.ndjson')).toHaveLength(123);
  });
});

async function setStage({ baseUrl }: Sandbox, contact: number, name: string | null): Promise<void> {
  const answer = await fetch(`${baseUrl}/contact/id:${contact}/lifecycle/update`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  expect(answer.status).toBe(200);
}

test('a contact that the filter left out for a time comes back with what is new, and with no message twice', async () => {
  const settings = {
    contacts: { format: 'ndjson', filter: { lifecycle: { isEqualTo: 'Customer' } } },
    messages: { format: 'ndjson', incremental: true },
  };
  const customers = people.map((each) => ({ ...each, lifecycle: 'Customer' }));
  await atExport({ settings, seed: { contacts: customers, messages } }, async (scene) => {
    const { sandbox, lines } = scene;
    const ids = async () => lines((await scene.export()).folder, 'messages.ndjson').map(({ id }) => id);
    expect(await ids()).toHaveLength(123);
    await setStage(sandbox, 2, null);
    sandbox.add({ messages: [message(3_000, 2, now)] });
    expect(await ids()).toEqual([]);
    expect(await ids()).toEqual([]);
    sandbox.add({ messages: [message(3_001, 2, now)] });
    await setStage(sandbox, 2, 'Customer');
    expect(await ids()).toEqual([3_000, 3_001]);
    expect(await ids()).toEqual([]);
  });
});

test('messages that the pipeline leaves out for a time come back with what is new, and none twice', async () => {
  await atExport({ settings: whole, seed: { contacts: people, messages } }, async (scene) => {
    await scene.export();
    scene.setPipeline({ contacts: whole.contacts });
    await scene.export();
    scene.sandbox.add({ messages: [message(3_000, 2, now)] });
    scene.setPipeline(whole);
    const { folder } = await scene.export();
    expect(scene.lines(folder, 'messages.ndjson').map(({ id }) => id)).toEqual([3_000]);
  });
});

test('while a contact waits for the pace of its path, the messages of others are read', async () => {
  const settings = { messages: { format: 'ndjson' }, limits: { concurrency: 1 } };
  await atExport({ settings, seed: { contacts: people, messages } }, async (scene) => {
    scene.sandbox.scriptFault({ path: '/contact/id:1/message/list', kind: '429', skip: 2, times: 1 });
    const { folder } = await scene.export();
    expect(scene.lines(folder, 'messages.ndjson')).toHaveLength(123);
    const asked = scene.requests().filter((each) => each.includes('/message/list'));
    expect(asked).toHaveLength(8);
    const first = 'GET /contact/id:1/message/list';
    const [refused = -1, repeated = -1] = asked.flatMap((each, n) => (each === first ? [n] : [])).slice(2);
    expect(asked.slice(refused + 1, repeated).filter((each) => each !== first)).not.toEqual([]);
  });
});

test('times of statuses that are no whole seconds stop no export', async () => {
  const odd = [message(1, 1, long + 0.5), message(2, 1, 1e300)];
  const settings = { messages: { format: 'ndjson' } };
  await atExport({ settings, seed: { contacts: people, messages: odd } }, async (scene) => {
    const { folder } = await scene.export();
    const at = new Date(long * 1_000).toISOString().replace('.000', '');
    const lines = scene.lines(folder, 'messages.ndjson');
    expect(lines.map(({ id, created }) => [id, created]).sort()).toEqual([
      [1, at],
      [2, null],
    ]);
  });
});

test('templates of a channel that is not there are an error that names it', async () => {
  await atExport({ settings: { templates: { channels: [77] } } }, async (scene) => {
    const { exitCode, message } = await scene.export();
    expect({ exitCode, message }).toEqual({
      exitCode: 2,
      message: expect.stringContaining('the workspace does not list the templates of channel 77'),
    });
  });
});

describe('what changed of contacts', () => {
  test('is told with the fields, and who is gone', async () => {
    const settings = { contacts: { format: 'ndjson', incremental: true } };
    await atExport(
      { settings, seed: { contacts: people } },
      async ({ export: exportAll, sandbox, lines }) => {
        await exportAll();
        const headers = { authorization: 'Bearer sandbox', 'content-type': 'application/json' };
        const put = { firstName: 'Changed', language: 'en' };
        await fetch(`${sandbox.baseUrl}/contact/id:2`, { method: 'PUT', headers, body: JSON.stringify(put) });
        const merge = { contactIds: [3, 4], firstName: 'P3' };
        await fetch(`${sandbox.baseUrl}/contact/merge`, {
          method: 'POST',
          headers,
          body: JSON.stringify(merge),
        });
        sandbox.add({ contacts: [{ id: 7, firstName: 'Late', email: 'late@example.com' }] });
        const { folder } = await exportAll();
        const changes = lines(folder, 'changes.ndjson');
        expect(changes.map(({ change, id }) => `${change} ${id}`)).toEqual([
          'changed 2',
          'added 7',
          'gone 4',
        ]);
        expect(changes[0]).toMatchObject({
          fields: { firstName: { from: 'P2', to: 'Changed' }, language: { from: null, to: 'en' } },
        });
        expect((await exportAll()).manifest?.counts).toMatchObject({ changes: 0, contacts: 5 });
      },
    );
  });
});
