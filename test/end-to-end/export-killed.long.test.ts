import { mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Manifest, readManifest } from '../../src/app/export/folder/manifest.ts';
import { atKilling, type Finished, type Instant, linesOf, type Nightly } from './export/killing.ts';

const now = Math.floor(Date.now() / 1_000);

function message(messageId: number, contactId: number, value = 'sent', timestamp = now - 86_400) {
  const text = `message ${messageId}, "quoted", of ${contactId}`;
  return { messageId, contactId, message: { type: 'text', text }, status: [{ value, timestamp }] };
}

/** Five pages of the contact list, or two; three pages of messages for each of the first few, few for others. */
const size = { contacts: 420, talkative: 6, pages: 5 };
const contacts = Array.from({ length: size.contacts }, (_, index) => ({
  id: index + 1,
  firstName: `P${index + 1}`,
  email: `p${index + 1}@example.com`,
  tags: index % 3 === 0 ? ['vip', 'late'] : ['late'],
}));
const messages = contacts.flatMap(({ id }) =>
  Array.from({ length: id <= size.talkative ? 120 : id % 5 === 0 ? 2 : 0 }, (_, n) =>
    message(id * 1_000 + n, id),
  ),
);
const seed = { contacts, messages };

const list = 'POST /contact/list';
const messageList = 'GET /contact/{identifier}/message/list';

/** The folder is in its place, and nothing else is. */
const renamed: Instant = { call: 'renameSync', subject: '\\.part → .*\\d$', when: 'after' };

/** In the order in which an export meets them; each is met by the one that goes on after the kill before. */
const instantsOfFetching: readonly Instant[] = [
  { request: 'GET /space/user', when: 'asked' },
  { call: 'mkdirSync', subject: 'runs/[^/]+$', when: 'after' },
  { call: 'sql', subject: 'CREATE TABLE contact', when: 'after' },
  { request: 'GET /space/closing_notes', when: 'answered' },
  { request: list, when: 'asked' },
  { call: 'sql', subject: '^INSERT INTO contact', nth: 150, when: 'after' },
  { request: list, nth: 2, when: 'answered' },
  { call: 'sql', subject: '^UPDATE contact SET cursor', nth: 3, when: 'before' },
  { call: 'sql', subject: '^INSERT INTO message', nth: 130, when: 'after' },
  { request: messageList, nth: 20, when: 'answered' },
  { request: messageList, nth: 90, when: 'asked' },
  { call: 'sql', subject: '^UPDATE contact SET cursor', nth: 150, when: 'after' },
];

function instantsOfWriting({
  contacts,
  messages,
}: Readonly<Record<'contacts' | 'messages', string>>): readonly Instant[] {
  return [
    { call: 'mkdirSync', subject: '\\.part$', when: 'after' },
    { call: 'open', subject: `messages\\.${messages}$`, when: 'after' },
    { call: 'handle.writeFile', subject: `contacts\\.${contacts}$`, when: 'after' },
    { call: 'handle.sync', subject: `messages\\.${messages}$`, when: 'before' },
    { call: 'open', subject: 'manifest\\.json$', when: 'before' },
    { call: 'handle.sync', subject: 'manifest\\.json$', when: 'after' },
    { call: 'renameSync', subject: '\\.part → .*\\d$', when: 'before' },
    renamed,
    { call: 'symlinkSync', subject: 'latest', when: 'after' },
    { call: 'renameSync', subject: '→ .*latest$', when: 'after' },
    { call: 'sql', subject: '^UPDATE run SET counts', when: 'after' },
  ];
}

const instantsOfAnIncrement: readonly Instant[] = [
  { request: messageList, nth: 2, when: 'asked' },
  { call: 'handle.writeFile', subject: 'changes\\.ndjson$', when: 'after' },
  { call: 'sql', subject: 'INSERT INTO contact \\(id', when: 'after' },
  { call: 'sql', subject: 'journal_mode = DELETE', nth: 2, when: 'after' },
  renamed,
  { call: 'sql', subject: '^UPDATE run SET counts', when: 'after' },
];

async function killedAtAll(nightly: Nightly, instants: readonly Instant[]): Promise<Finished> {
  for (const instant of instants) await nightly.killedAt(instant);
  return await nightly.export();
}

/** What a manifest says of the export and not of its run. */
function saysOf(manifest: Manifest | undefined) {
  const { run: _run, startedAt: _startedAt, finishedAt: _finishedAt, ...rest } = { ...manifest };
  return rest;
}

const allInstants = [...instantsOfFetching, ...instantsOfWriting({ contacts: 'csv', messages: 'ndjson' })];

/** Beside a killed export of the other formats only what it is killed at while it writes differs. */
const otherInstants = instantsOfWriting({ contacts: 'ndjson', messages: 'csv' }).slice(1, 4);

describe('an export that is killed again and again', () => {
  it.concurrent.each([
    { contacts: 'ndjson', messages: 'csv', instants: otherInstants },
    { contacts: 'csv', messages: 'ndjson', instants: allInstants },
  ])('gives the same files in the end, contacts as $contacts, messages as $messages', async (given) => {
    await atKilling({ seed }, async ({ nightly, sandbox }) => {
      const settings = {
        contacts: { format: given.contacts },
        messages: { format: given.messages },
        workspaceObjects: ['users', 'customFields', 'closingNotes', 'tags'],
        limits: { concurrency: 4 },
      };
      const undisturbed = await nightly('undisturbed', settings).export();
      sandbox.resetLog();
      const killed = nightly('killed', settings);
      const end = await killedAtAll(killed, given.instants);
      expect(end).toMatchObject({ outcome: 'finished', exitCode: 0 });
      expect(linesOf(end.folder)).toEqual(linesOf(undisturbed.folder));
      expect(saysOf(end.manifest)).toEqual(saysOf(undisturbed.manifest));
      // One folder, nothing aside, nothing left of the staging.
      const [name] = killed.standing().exports;
      expect(killed.standing()).toEqual({ exports: [name, 'latest'], staged: [] });
      expect(name).toBe(basename(end.folder ?? ''));
      // It went on each time: the pages, and one again for a kill while they were read.
      expect(sandbox.counts()[list]?.requests).toBeLessThanOrEqual(size.pages + 6);
    });
  });

  it.concurrent('is an increment as if nobody had disturbed it, and so is the one behind it', async () => {
    await atKilling({ seed }, async ({ nightly, sandbox }) => {
      const settings = {
        contacts: { format: 'ndjson', incremental: true },
        messages: { format: 'ndjson', incremental: true, refresh: '7d' },
        keep: 2,
        limits: { concurrency: 4 },
      };
      const twins = { calm: nightly('calm', settings), killed: nightly('killed', settings) };
      await twins.calm.export();
      await twins.killed.export();
      sandbox.add({
        contacts: [{ id: 901, firstName: 'New' }],
        messages: [message(900_001, 1, 'read'), message(900_002, 7), message(900_003, 901)],
      });
      const calm = await twins.calm.export();
      const killed = await killedAtAll(twins.killed, instantsOfAnIncrement);
      expect(killed).toMatchObject({ outcome: 'finished', exitCode: 0, manifest: { full: false } });
      expect(linesOf(killed.folder)).toEqual(linesOf(calm.folder));
      expect(idsIn(killed, 'messages.ndjson')).toEqual([900_001, 900_002, 900_003]);
      sandbox.add({ contacts: [{ id: 902, firstName: 'Newer' }], messages: [message(900_004, 902)] });
      // Killed when the journal knows that it is finished: what comes behind it is another increment.
      await twins.killed.killedAt({ call: 'sql', subject: 'UPDATE run SET state = \\?', when: 'after' });
      await twins.calm.export();
      sandbox.add({ contacts: [{ id: 903, firstName: 'Newest' }], messages: [message(900_005, 902)] });
      const [calmEnd, killedEnd] = [await twins.calm.export(), await twins.killed.export()];
      expect(linesOf(killedEnd.folder)).toEqual(linesOf(calmEnd.folder));
      expect(idsIn(killedEnd, 'messages.ndjson')).toEqual([900_005]);
      expect(idsIn(killedEnd, 'changes.ndjson')).toEqual([903]);
      expect(twins.killed.standing()).toEqual(twins.calm.standing());
    });
  });

  it.concurrent('is closed before a compaction begins, and a compaction before an export', async () => {
    await atKilling(
      { seed: { contacts: contacts.slice(0, 5), messages: messages.slice(0, 9) } },
      async (scene) => {
        const { sandbox } = scene;
        const settings = { messages: { format: 'ndjson', incremental: true }, keep: 1 };
        const nightly = scene.nightly('killed', settings);
        const first = idsIn(await nightly.export(), 'messages.ndjson');
        sandbox.add({ messages: [message(900_001, 2)] });
        await nightly.killedAt(renamed);
        const compacted = await nightly.export('--compact');
        expect(compacted.manifest?.compacted).toHaveLength(2);
        expect(idsIn(compacted, 'messages.ndjson')).toEqual([...first, 900_001]);
        expect(nightly.standing().exports).toEqual([basename(compacted.folder ?? ''), 'latest']);

        sandbox.add({ messages: [message(900_002, 2)] });
        await nightly.export();
        await nightly.killedAt(renamed, '--compact');
        sandbox.add({ messages: [message(900_003, 2)] });
        const last = await nightly.export();
        expect(idsIn(last, 'messages.ndjson')).toEqual([900_003]);
        const follows = last.manifest?.follows?.folder ?? '';
        const kept = [follows, basename(last.folder ?? ''), 'latest'].sort();
        expect(nightly.standing()).toEqual({ exports: kept, staged: [] });
        expect(readManifest(join(nightly.exports, follows))?.compacted).toHaveLength(2);
        expect(readlinkSync(join(nightly.exports, 'latest'))).toBe(basename(last.folder ?? ''));
      },
    );
  });

  it.concurrent('leaves nothing of what it was removing when it was killed', async () => {
    await atKilling({ seed: { contacts: contacts.slice(0, 5) } }, async (scene) => {
      const nightly = scene.nightly('killed', { contacts: { format: 'csv' }, keep: 1 });
      await nightly.export();
      mkdirSync(join(nightly.exports, '.theirs.removed'));
      writeFileSync(join(nightly.exports, '.theirs.removed', 'notes'), '');
      await nightly.killedAt({ call: 'rmSync', subject: '\\.removed', when: 'after' });
      const { exitCode, folder } = await nightly.export();
      expect(exitCode).toBe(0);
      expect(nightly.standing().exports).toEqual(['.theirs.removed', basename(folder ?? ''), 'latest']);
    });
  });
});

function idsIn({ folder }: Finished, name: string): readonly unknown[] {
  const lines = linesOf(folder)[name] ?? [];
  return lines
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).id)
    .sort();
}
