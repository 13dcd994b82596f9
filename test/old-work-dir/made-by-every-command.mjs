// Makes every-command.tar.gz: a project as commit d901839 left it, with a run of each kind, its plan, its drafts, its
// exports, its local workspace and the workspace that it worked on. Played once, on that commit, after a build:
//
//   node test/old-work-dir/made-by-every-command.mjs
//
// then/ has what that version itself said about the runs. Nothing was changed afterwards; as with left-behind.tar.gz the
// test puts its own folder, host and base URL into the journal.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create } from 'tar';
import { startSandbox } from '../../dist/sandbox/index.js';

const project = '/tmp/old-project';
const main = fileURLToPath(new URL('../../dist/command/main.js', import.meta.url));
const target = fileURLToPath(new URL('every-command.tar.gz', import.meta.url));

const that = new Date('2026-11-23T02:00:00Z');
process.env.CLOCK_SHIFT = String(that.getTime() - Date.now());
const clock = new URL('../end-to-end/nights/shifted-clock.mjs', import.meta.url).href;
await import(clock);

const elsewhere = `data:text/javascript,${encodeURIComponent(`
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
os.hostname = () => 'old-host';
syncBuiltinESMExports();`)}`;

const write = (name, text) => writeFileSync(`${project}/${name}`, text);
rmSync(project, { recursive: true, force: true });
for (const folder of ['.longshore', 'node_modules', 'then'])
  mkdirSync(`${project}/${folder}`, { recursive: true, mode: 0o700 });
symlinkSync(fileURLToPath(new URL('../..', import.meta.url)), `${project}/node_modules/longshore`);

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
comments: { existing: send, entries: [{ name: origin, text: "Legacy record {ID}" }] }
`;
const person = (id, more = {}) => ({
  ...{
    ID: id,
    First: `First ${id}`,
    Last: `Last ${id}`,
    Email: `${id.toLowerCase()}@example.com`,
    Phone: '',
  },
  ...{ City: `City ${id}`, Tags: 'blue;green', Stage: 'Hot Lead', ...more },
});
const people = (letter, count) => Array.from({ length: count }, (_, n) => person(`${letter}${n + 1}`));
const csvOf = (rows) =>
  `${[Object.keys(rows[0]), ...rows.map((row) => Object.values(row))].map((cells) => cells.join(',')).join('\n')}\n`;

function writeImport(name, rows, more = '') {
  write(`${name}.csv`, csvOf(rows));
  write(`${name}-mapping.yaml`, mappingOf(name));
  write(
    `${name}.yaml`,
    `pipeline: ${name}\nimport:\n  source: { format: csv, path: ${name}.csv }\n  mapping: ${name}-mapping.yaml\n${more}  policy: { maxErrors: 100% }\n  limits: { concurrency: 1, settle: 2s }\n`,
  );
}

// Two rows of one person, one who is there, one that is two contacts, one whose e-mail is none.
writeImport('people', [
  ...people('P', 3),
  person('P4', { Email: 'p3@example.com', First: 'First P3', Last: 'Last P3', City: 'City P3' }),
  person('P5'),
  person('P6', { Phone: '+12015550108' }),
  person('P7', { Email: 'not-an-address' }),
]);
writeImport('planned', people('Q', 3));
writeImport('cut', people('C', 5));
writeImport('deferred', people('D', 3), '  deferred: [lifecycle]\n');
writeImport('uncertain', people('U', 2));
writeImport('undone', people('X', 3));
writeImport('half-undone', people('Y', 3));
writeImport('local', people('L', 3));
const messages = '  messages: { format: ndjson, incremental: true }\n  contacts: { format: csv }\n';
for (const [name, folder] of [
  ['nightly', 'exports'],
  ['weekly', 'weekly'],
])
  write(`${name}.yaml`, `pipeline: ${name}\nexport:\n  to: ${folder}/{date}\n  timezone: UTC\n${messages}`);

const users = [{ id: 1, firstName: 'Olive', lastName: 'Owner', email: 'olive@example.org' }];
const before = (id, email, more = {}) => ({
  ...{ id, firstName: 'Before', lastName: 'Before', email, created_at: 1_700_000_000, ...more },
});
const named = (id) => ({ firstName: `First ${id}`, lastName: `Last ${id}` });
const contacts = [
  before(6, 'p5@example.com', named('P5')),
  before(7, 'p6@example.com', named('P6')),
  { id: 8, ...named('P6'), phone: '+12015550108', created_at: 1_700_000_001 },
  before(11, 'u1@example.com', named('U1')),
  before(12, 'u2@example.com', named('U2')),
  ...[1, 2, 3].flatMap((n) => [
    before(20 + n, `x${n}@example.com`, { firstName: `Before X${n}`, lastName: `Last X${n}` }),
    before(30 + n, `y${n}@example.com`, { firstName: `Before Y${n}`, lastName: `Last Y${n}` }),
  ]),
];
const message = (messageId, contactId) => ({
  ...{ messageId, contactId, traffic: 'incoming', message: { type: 'text', text: `Message ${messageId}` } },
});

let victim;
let strike;
async function longshore(args, wanted, { at, out } = {}) {
  strike = at && { ...at, left: at.nth };
  const env = { ...process.env, LONGSHORE_TOKEN: 'sandbox', NO_COLOR: '1', TZ: 'UTC' };
  const stdio = ['ignore', out === undefined ? 'inherit' : 'pipe', 'inherit'];
  const child = spawn(process.execPath, ['--import', clock, '--import', elsewhere, main, ...args], {
    ...{ cwd: project, env, stdio },
  });
  victim = child;
  let said = '';
  child.stdout?.on('data', (piece) => {
    said += piece;
  });
  const ended = await new Promise((resolve) =>
    child.once('close', (code, signal) => resolve(signal ?? code)),
  );
  if (ended !== wanted)
    throw new Error(`longshore ${args.join(' ')} ended with ${ended}, not with ${wanted}`);
  if (out !== undefined) write(`then/${out}.json`, said);
}

function onPhase(phase, { method, template }) {
  if (strike === undefined || phase !== strike.phase || `${method} ${template}` !== strike.request) return;
  strike.left -= 1;
  if (strike.left === 0) victim.kill('SIGKILL');
}

const sandbox = await startSandbox({
  file: `${project}/workspace.db`,
  seed: { users, customFields: [{ name: 'City', dataType: 'text' }], contacts, messages: [message(1, 6)] },
  ...{ strict: true, rate: 'off', port: 4710, onPhase },
});
const there = ['--workspace', sandbox.baseUrl];
const applied = (request, nth) => ({ at: { request, phase: 'applied', nth } });
try {
  await longshore(['draft', 'people.csv', '--out', 'drafted', '--key', 'ID', '--country', 'US'], 0);
  await longshore(['import', 'people.yaml', ...there], 3);
  await longshore(['verify', '--json'], 3, { out: 'verify' });
  await longshore(['import', 'local.yaml', '--workspace', 'sandbox'], 0);
  await longshore(['rehearse', 'planned.yaml', '--keep', ...there], 0);
  await longshore(['import', 'deferred.yaml', ...there], 0);
  sandbox.scriptFault({ method: 'POST', path: '/contact/id:11/comment', kind: 'dropAfter' });
  await longshore(['import', 'uncertain.yaml', ...there], 3);
  await longshore(['export', 'nightly.yaml', ...there], 0);
  sandbox.add({ messages: [message(2, 6)] });
  const read = { at: { request: 'GET /contact/{identifier}/message/list', phase: 'received', nth: 4 } };
  await longshore(['export', 'weekly.yaml', ...there], 'SIGKILL', read);
  await longshore(['import', 'undone.yaml', ...there], 0);
  await longshore(['import', 'half-undone.yaml', ...there], 0);
  await longshore(['runs', '--json'], 0, { out: 'runs-before-undo' });
  const runs = JSON.parse(readFileSync(`${project}/then/runs-before-undo.json`, 'utf8'));
  const runOf = (pipeline) => runs.find((run) => run.pipeline === pipeline).run;
  await longshore(['undo', runOf('undone'), '--yes'], 3);
  await longshore(
    ['undo', runOf('half-undone'), '--yes'],
    'SIGKILL',
    applied('PUT /contact/{identifier}', 2),
  );
  await longshore(['import', 'cut.yaml', ...there], 'SIGKILL', applied('POST /contact/{identifier}', 3));
  // After the last import: a plan holds until the next one.
  await longshore(['plan', 'planned.yaml', '--out', 'planned.plan', ...there], 0);
  await longshore(['runs', '--json'], 0, { out: 'runs' });
  for (const pipeline of ['people', 'deferred', 'uncertain', 'local'])
    await longshore(['status', runOf(pipeline), '--json'], 0, { out: `status-${pipeline}` });
} finally {
  await sandbox.close();
}
const filter = (path) => !path.startsWith('./node_modules');
await create({ gzip: true, portable: true, mtime: that, file: target, cwd: project, filter }, ['.']);
