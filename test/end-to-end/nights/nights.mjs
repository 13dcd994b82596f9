// Twenty nights of one nightly export, played with the real command: kills, an overlapping start, a workspace that is down, tokens
// that expire, a guard, a contact that cannot be read. Prints what a person would see, and fails where a message is exported twice
// or never. Needs a build. Usage: node test/end-to-end/nights/nights.mjs
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWatch } from './night-watch.mjs';

const people = 120;
const seed = {
  contacts: Array.from({ length: people }, (_, n) => ({
    id: n + 1,
    firstName: `P${n + 1}`,
    email: `p${n + 1}@example.com`,
  })),
  messages: Array.from({ length: people }, (_, n) => message(1_000 + n, n + 1, '2026-10-31T12:00:00Z')),
};
const settings = {
  keep: 7,
  contacts: { format: 'ndjson', incremental: true },
  messages: { format: 'ndjson', incremental: true, refresh: '7d' },
  workspaceObjects: ['users', 'customFields'],
  expect: { contacts: { min: 1, dropMax: '20%' } },
  timeout: '3h',
  limits: { outage: '2s', concurrency: 8 },
};

const folder = mkdtempSync(join(tmpdir(), 'longshore-nights-'));
const watch = await startWatch(folder, seed, settings);
/** Every message that any export has told, and every one that there is. */
const told = [];
const there = seed.messages.map(({ messageId }) => messageId);
const seenFolders = new Set();
let night = 0;

try {
  await play();
} finally {
  await watch.end();
  rmSync(folder, { recursive: true, force: true });
}

async function play() {
  await ordinary('the first one, whole');
  await ordinary('an increment');

  begin('killed while it fetches; systemd starts it again after ten minutes');
  await ends('SIGKILL', { kill: { call: 'sql', subject: '^INSERT INTO message', nth: 2, when: 'after' } });
  await at('02:10', () => ends(0));

  begin('nothing new', { news: 0 });
  await ends(0);

  begin('killed between the rename and the last lines; nobody starts it again');
  await ends('SIGKILL', { kill: { call: 'renameSync', subject: '\\.part → .*\\d$', when: 'after' } });
  await ordinary('the night after');

  begin('a second start while the first is at work');
  await overlapping();

  begin('the workspace is down');
  await watch.takeDown();
  await ends(7);
  await watch.bringBack();
  await ordinary('it is there again');

  begin('the token has expired');
  watch.sandbox.revokeToken('first-token');
  await ends(5);
  begin('it still has');
  await ends(5);
  await show(['runs', '--last', '2']);
  watch.token = 'second-token';
  watch.sandbox.acceptToken('second-token');
  await ordinary('somebody has set a new one');

  begin('the token expires in the middle; somebody sets a new one in the morning and resumes');
  watch.holdAt(({ path }) => {
    if (path === '/contact/id:60/message/list') watch.sandbox.revokeToken('second-token');
  });
  await ends(5);
  watch.holdAt(undefined);
  watch.token = 'third-token';
  watch.sandbox.acceptToken('third-token');
  await at('08:30', () => ends(0, {}, ['resume']));

  begin('half of the contacts are gone from the workspace: the guard');
  watch.sql('CREATE TABLE gone AS SELECT * FROM contacts WHERE id > 60; DELETE FROM contacts WHERE id > 60');
  await ends(4);
  watch.sql('INSERT INTO contacts SELECT * FROM gone; DROP TABLE gone');
  await ordinary('somebody has put them back');

  begin('killed in the middle of the marks; started again');
  await ends('SIGKILL', { kill: { call: 'sql', subject: 'INSERT INTO contact \\(id', when: 'after' } });
  await at('02:10', () => ends(0));

  begin('a Sunday: the export, then a compaction');
  await ends(0);
  await at('04:00', async () => {
    await ends(0, {}, undefined, ['--compact']);
  });

  begin('the machine goes down (SIGTERM) and comes back');
  await terminated();
  await at('02:20', () => ends(0));

  begin('the messages of one contact cannot be read');
  watch.sandbox.setFaults({ path: '/contact/id:5/message/list', rates: { 500: 1 } });
  await ends(3);
  watch.sandbox.setFaults([]);
  await ordinary('the last one');

  await show(['runs', '--last', '40']);
  await show(['status']);
  say(`\nThe folder: ${watch.folders().join('  ')}`);
  for (const name of watch.folders().filter((each) => each !== 'latest')) {
    const { full, follows, compacted, counts } = watch.manifest(name);
    say(
      `  ${name}  ${full ? 'full' : `follows ${follows.folder}`}${compacted ? `, put together from ${compacted.length}` : ''}  ${JSON.stringify(counts)}`,
    );
  }
  say(`  latest → ${watch.latest()}`);
  say('\nThe alerts:');
  for (const alert of watch.alerts) say(`  ${JSON.stringify(alert)}`);
  assert.deepEqual([...told].sort(), [...there].sort(), 'every message once in all increments');
  say(`\n${there.length} messages, each told once in ${night} nights.`);
}

/** Begins a night at two o'clock, with some news since the one before. */
function begin(title, { news = 3 } = {}) {
  night += 1;
  watch.now = timeOf('02:00');
  say(`\n## Night ${night}, ${watch.now.slice(0, 10)}: ${title}`);
  const ids = Array.from({ length: news }, (_, n) => 10_000 + night * 100 + n);
  watch.sandbox?.add({ messages: ids.map((id) => message(id, (id % people) + 1, watch.now)) });
  there.push(...ids);
}

async function ordinary(title) {
  begin(title);
  await ends(0);
}

async function at(time, work) {
  watch.now = timeOf(time);
  say(`at ${time}:`);
  await work();
}

/** Exports (or what `words` say), shows what was printed, and notes what has appeared. */
async function ends(code, how = {}, words = undefined, flags = []) {
  const ended = words === undefined ? await watch.export(how, ...flags) : await watch.run(words, how);
  print(ended);
  assert.equal(ended.code, code);
  note();
}

async function overlapping() {
  let letGo;
  const held = new Promise((resolve) => {
    letGo = resolve;
  });
  let arrived;
  const there = new Promise((resolve) => {
    arrived = resolve;
  });
  watch.holdAt(({ path }) => {
    if (path !== '/contact/id:30/message/list') return undefined;
    arrived();
    return held;
  });
  const first = watch.startExport();
  await there;
  await at('02:05', () => ends(6));
  letGo();
  watch.holdAt(undefined);
  const ended = await first.ended;
  print(ended);
  assert.equal(ended.code, 0);
  note();
}

async function terminated() {
  let first;
  watch.holdAt(({ path }) => {
    if (path === '/contact/id:30/message/list') first.child.kill('SIGTERM');
  });
  first = watch.startExport();
  const ended = await first.ended;
  watch.holdAt(undefined);
  print(ended);
  assert.equal(ended.code, 143);
}

/** Adds the messages of an export that was not there before. */
function note() {
  for (const name of watch.folders()) {
    if (name === 'latest' || seenFolders.has(name)) continue;
    seenFolders.add(name);
    if (watch.manifest(name).compacted === undefined) told.push(...watch.ids(name, 'messages.ndjson'));
    else
      assert.deepEqual(
        watch.ids(name, 'messages.ndjson').sort(),
        [...there].sort(),
        'a compaction holds everything',
      );
  }
}

async function show(words) {
  say(`\n$ longshore ${words.join(' ')}`);
  const { text } = await watch.run(words);
  say(text);
}

function print({ code, text }) {
  say(text.trimEnd().replace(/^/gm, '  | '));
  say(`  → ${code}`);
}

function timeOf(clock) {
  return `2026-11-${String(night).padStart(2, '0')}T${clock}:00Z`;
}

function message(messageId, contactId, at) {
  const timestamp = Date.parse(at) / 1_000 - 3_600;
  return {
    messageId,
    contactId,
    message: { type: 'text', text: `message ${messageId}` },
    status: [{ value: 'sent', timestamp }],
  };
}

function say(text) {
  process.stdout.write(`${text.replaceAll(folder, '~')}\n`);
}
