// Makes left-behind.tar.gz: a project as version 0.1.0 (commit 161a163) left it, with its work dir, its exports and the
// workspace that it worked on. Played once, on that commit, after a build:
//
//   node test/old-work-dir/made-by.mjs
//
// Nothing of it was changed afterwards. Its journal names the folder, the host and the base URL of that day; the test that
// plays it replaces them by its own. The last run was killed, so that the journal's -wal is as a kill leaves it. It all
// happened on 2 June 2025 by the clock, so that no machine finds a work dir from its future.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create } from 'tar';
import { startSandbox } from '../../dist/sandbox/index.js';

const project = '/tmp/old-project';
const main = fileURLToPath(new URL('../../dist/command/main.js', import.meta.url));
const target = fileURLToPath(new URL('left-behind.tar.gz', import.meta.url));

const that = new Date('2025-06-02T02:00:00Z');
process.env.CLOCK_SHIFT = String(that.getTime() - Date.now());
const clock = new URL('../end-to-end/nights/shifted-clock.mjs', import.meta.url).href;
await import(clock);

// The journal names the host of a session: not that of whoever makes this.
const elsewhere = `data:text/javascript,${encodeURIComponent(`
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
os.hostname = () => 'old-host';
syncBuiltinESMExports();`)}`;

const mappingOf = (name) => `mapping: ${name}
key: ID
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
customFields:
  City: { from: City, type: text, create: true }
tags: { from: Tags, split: ";", attach: file }
lifecycle: { from: Stage, stages: [New Lead, Hot Lead, Customer] }
assignee: { from: Owner }
conversation: { status: closed, category: Migrated, summary: "Imported {ID}", existing: true }
comments:
  existing: send
  entries:
    - { name: origin, text: "Legacy record {ID}" }
    - { name: city, text: "{ID} was last seen in {City}" }
`;

const person = (id, more = {}) => ({
  ID: id,
  First: `First ${id}`,
  Last: `Last ${id}`,
  Email: `${id.toLowerCase()}@example.com`,
  Phone: '',
  City: `City ${id}`,
  Tags: 'blue;green',
  Stage: 'Hot Lead',
  Owner: 'max@example.org',
  ...more,
});

const people = (letter, count) => Array.from({ length: count }, (_, n) => person(`${letter}${n + 1}`));

const write = (name, text) => writeFileSync(`${project}/${name}`, text);

function writeImport(name, rows, format, settings) {
  const isJson = format.startsWith('{ format: ndjson');
  const cells = (row) => Object.values(row).join(',');
  const csv = () => [Object.keys(rows[0]).join(','), ...rows.map(cells)].join('\n');
  write(
    `${name}.${isJson ? 'ndjson' : 'csv'}`,
    isJson ? rows.map((row) => JSON.stringify(row)).join('\n') : csv(),
  );
  write(`${name}-mapping.yaml`, mappingOf(name));
  write(
    `${name}.yaml`,
    `pipeline: ${name}\nimport:\n  source: ${format}\n  mapping: ${name}-mapping.yaml\n${settings}`,
  );
}

const csv = (name) => `{ format: csv, path: ${name}.csv }`;
const pace = '  limits: { concurrency: 2, settle: 2s }\n';

function writeProject() {
  rmSync(project, { recursive: true, force: true });
  mkdirSync(`${project}/.longshore`, { recursive: true, mode: 0o700 });
  // So that hints say npx longshore, and name no checkout.
  mkdirSync(`${project}/node_modules`);
  symlinkSync(fileURLToPath(new URL('../..', import.meta.url)), `${project}/node_modules/longshore`);
  // Three people of one phone, two rows of one person, one who is there, one that is two contacts, one without an e-mail.
  const switchboard = { Phone: '+12015550199' };
  const finished = [
    ...['F1', 'F2', 'F3'].map((id) => person(id, switchboard)),
    person('F4'),
    person('F5', { Email: 'f4@example.com', City: 'City F4' }),
    person('F6'),
    person('F7', { Email: 'not-an-address' }),
    person('F8', { Phone: '+12015550108' }),
  ];
  writeImport('finished', finished, csv('finished'), `  policy: { switchboard: 2 }\n${pace}`);
  writeImport('cut-at-create', people('C', 5), csv('cut-at-create'), pace);
  writeImport('cut-at-comment', people('M', 5), csv('cut-at-comment'), pace);
  writeImport('uncertain', people('U', 4), csv('uncertain'), pace);
  const hold = `  phases: { hold: [lifecycle, assignee, conversation] }\n${pace}`;
  const json = (name) => `{ format: ndjson, path: ${name}.ndjson, halfSigns: replace }`;
  const cut = person('D1', { City: 'City D1 \ud83d' });
  writeImport('deferred', [cut, ...people('D', 3).slice(1)], json('deferred'), hold);
  writeImport('deferred-begun', people('B', 4), json('deferred-begun'), hold);
  writeImport(
    'rehearsed',
    people('R', 4),
    csv('rehearsed'),
    `  workspace: { sandbox: { seed: seed.json } }\n${pace}`,
  );
  write('seed.json', JSON.stringify({ users, closingNotes, customFields, contacts: [] }));
  const messages = '  messages: { format: ndjson, incremental: true }\n  contacts: { format: csv }\n';
  write('nightly.yaml', `pipeline: nightly\nexport:\n  to: exports/{date}\n  timezone: UTC\n${messages}`);
  write('weekly.yaml', `pipeline: weekly\nexport:\n  to: weekly/{date}\n  timezone: UTC\n${messages}`);
}

const users = [
  { id: 1, firstName: 'Olive', lastName: 'Owner', email: 'olive@example.org' },
  { id: 2, firstName: 'Max', lastName: 'Manager', email: 'max@example.org' },
];
const closingNotes = [{ category: 'Migrated' }];
const customFields = [{ name: 'City', dataType: 'text' }];
const before = (id, email, more = {}) => ({
  id,
  firstName: 'Before',
  email,
  created_at: 1_700_000_000,
  ...more,
});
const contacts = [
  before(6, 'f6@example.com'),
  before(8, 'f8@example.com'),
  { id: 9, firstName: 'Other half', phone: '+12015550108', created_at: 1_700_000_001 },
  ...[1, 2, 3, 4].map((n) => before(20 + n, `u${n}@example.com`)),
];
const message = (messageId, contactId) => ({
  messageId,
  contactId,
  traffic: 'incoming',
  message: { type: 'text', text: `Message ${messageId}` },
});

let victim;
let strike;

/** Runs the command to its end, which is that of a kill where `at` names a request. */
async function longshore(args, wanted, at) {
  strike = at && { ...at, left: at.nth };
  const env = { ...process.env, LONGSHORE_TOKEN: 'sandbox', NO_COLOR: '1', TZ: 'UTC' };
  const child = spawn(process.execPath, ['--import', clock, '--import', elsewhere, main, ...args], {
    cwd: project,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  victim = child;
  const ended = await new Promise((resolve) =>
    child.once('close', (code, signal) => resolve(signal ?? code)),
  );
  if (ended !== wanted)
    throw new Error(`longshore ${args.join(' ')} ended with ${ended}, not with ${wanted}`);
}

function onPhase(phase, { method, template }) {
  if (strike === undefined || phase !== strike.phase || `${method} ${template}` !== strike.request) return;
  strike.left -= 1;
  if (strike.left === 0) victim.kill('SIGKILL');
}

writeProject();
const sandbox = await startSandbox({
  file: `${project}/workspace.db`,
  seed: { users, closingNotes, customFields, contacts, messages: [1, 2, 3].map((n) => message(n, 6)) },
  strict: true,
  rate: 'off',
  port: 4710,
  onPhase,
});
const there = ['--workspace', sandbox.baseUrl];
try {
  await longshore(['import', 'finished.yaml', ...there], 3);
  await longshore(['retry', ...there], 3);
  sandbox.scriptFault({ method: 'POST', path: '/contact/id:22/comment', kind: 'dropAfter' });
  sandbox.scriptFault({ method: 'POST', path: '/contact/id:23/comment', kind: 'dropBefore' });
  await longshore(['import', 'uncertain.yaml', ...there], 3);
  await longshore(['import', 'deferred.yaml', ...there], 0);
  await longshore(['import', 'rehearsed.yaml', '--workspace', 'sandbox'], 0);
  await longshore(['export', 'nightly.yaml', ...there], 0);
  sandbox.add({ messages: [message(4, 6)] });
  await longshore(['export', 'nightly.yaml', ...there], 0);
  const read = { request: 'GET /contact/{identifier}/message/list', phase: 'received', nth: 4 };
  await longshore(['export', 'weekly.yaml', ...there], 'SIGKILL', read);
  await longshore(['import', 'deferred-begun.yaml', ...there], 0);
  const lifecycle = { request: 'POST /contact/{identifier}/lifecycle/update', phase: 'applied', nth: 2 };
  await longshore(['import', 'deferred-begun.yaml', '--phase', 'held', ...there], 'SIGKILL', lifecycle);
  const created = { request: 'POST /contact/{identifier}', phase: 'applied', nth: 3 };
  await longshore(['import', 'cut-at-create.yaml', ...there], 'SIGKILL', created);
  const commented = { request: 'POST /contact/{identifier}/comment', phase: 'applied', nth: 3 };
  await longshore(['import', 'cut-at-comment.yaml', ...there], 'SIGKILL', commented);
} finally {
  await sandbox.close();
}
const filter = (path) => !path.startsWith('./node_modules');
await create({ gzip: true, portable: true, mtime: that, file: target, cwd: project, filter }, ['.']);
