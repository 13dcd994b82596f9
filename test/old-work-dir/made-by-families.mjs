// Makes families.tar.gz: a project as commit c7cf4d5 left it, the last one under which whoever shares a phone was one person.
// Played once, on that commit, after a build: node test/old-work-dir/made-by-families.mjs
// Nothing of it was changed afterwards; as with left-behind.tar.gz the test puts its own folder, host and base URL into the journal.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create } from 'tar';
import { startSandbox } from '../../dist/sandbox/index.js';

const project = '/tmp/old-project';
const main = fileURLToPath(new URL('../../dist/command/main.js', import.meta.url));
const target = fileURLToPath(new URL('families.tar.gz', import.meta.url));

const that = new Date('2026-11-20T02:00:00Z');
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
mkdirSync(`${project}/.longshore`, { recursive: true, mode: 0o700 });
mkdirSync(`${project}/node_modules`);
symlinkSync(fileURLToPath(new URL('../..', import.meta.url)), `${project}/node_modules/longshore`);

const mapping = (name) => `mapping: ${name}
key: ID
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
comments: [{ name: origin, text: "Legacy record {ID}" }]
`;
// Mother and son under one phone, one who is there, a new one, one whose e-mail is none.
const rows = (letter) => [
  'ID,First,Last,Email,Phone',
  `${letter}1,Maria,Roth,maria.${letter}@example.com,+12015550101`,
  `${letter}2,Tim,Roth,tim.${letter}@example.com,+12015550101`,
  `${letter}3,Ines,Newname,ines.${letter}@example.com,`,
  `${letter}4,Paul,Weber,paul.${letter}@example.com,`,
  `${letter}5,Kurt,Kern,not-an-address,`,
];
for (const [name, letter] of [
  ['family', 'f'],
  ['cut', 'c'],
]) {
  const phone = (line) => (letter === 'c' ? line.replace('0101', '0102') : line);
  write(`${name}.csv`, `${rows(letter).map(phone).join('\n')}\n`);
  write(`${name}-mapping.yaml`, mapping(name));
  write(
    `${name}.yaml`,
    `pipeline: ${name}\nimport:\n  source: { format: csv, path: ${name}.csv }\n  mapping: ${name}-mapping.yaml\n  policy: { maxErrors: 100% }\n  limits: { concurrency: 1, settle: 2s }\n`,
  );
}

let victim;
let strikes = 0;
const there = (letter, id) => ({
  ...{
    id,
    firstName: 'Ines',
    lastName: 'Oldname',
    email: `ines.${letter}@example.com`,
    created_at: 1_700_000_000,
  },
});
const sandbox = await startSandbox({
  file: `${project}/workspace.db`,
  seed: { contacts: [there('f', 6), there('c', 7)] },
  ...{ strict: true, rate: 'off', port: 4710 },
  onPhase(phase, { method, template }) {
    if (
      victim === undefined ||
      phase !== 'applied' ||
      `${method} ${template}` !== 'POST /contact/{identifier}'
    )
      return;
    strikes += 1;
    if (strikes === 2) victim.kill('SIGKILL');
  },
});

async function longshore(args, wanted, isVictim = false) {
  const env = { ...process.env, LONGSHORE_TOKEN: 'sandbox', NO_COLOR: '1', TZ: 'UTC' };
  const child = spawn(process.execPath, ['--import', clock, '--import', elsewhere, main, ...args], {
    ...{ cwd: project, env, stdio: ['ignore', 'inherit', 'inherit'] },
  });
  victim = isVictim ? child : undefined;
  const ended = await new Promise((resolve) =>
    child.once('close', (code, signal) => resolve(signal ?? code)),
  );
  if (ended !== wanted)
    throw new Error(`longshore ${args.join(' ')} ended with ${ended}, not with ${wanted}`);
}

try {
  await longshore(['import', 'family.yaml', '--workspace', sandbox.baseUrl], 3);
  await longshore(['import', 'cut.yaml', '--workspace', sandbox.baseUrl], 'SIGKILL', true);
} finally {
  await sandbox.close();
}
const filter = (path) => !path.startsWith('./node_modules');
await create({ gzip: true, portable: true, mtime: that, file: target, cwd: project, filter }, ['.']);
