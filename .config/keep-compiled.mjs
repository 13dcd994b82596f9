// Imports a few people into a local workspace, and keeps what V8 has compiled of the command by then: each command starts
// with it. A build without it is whole, too; its commands only start later.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const command = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist/command');
const keeping = `process.on('exit', require(${JSON.stringify(join(command, 'load.js'))}).keepCompiledCode);
require(${JSON.stringify(join(command, 'main.js'))});`;

const pipeline = `pipeline: people
import:
  source: { format: csv, path: people.csv }
  mapping: people.yaml
`;
const mapping = `mapping: people
key: Record ID
identify: [email, phone]
contact:
  firstName: { from: Name, part: given }
  lastName: { from: Name, part: family }
  email: { from: Email }
  phone: { from: Phone, country: DE }
comments: [{ name: note, text: "{Note}" }]
`;
const people = Array.from(
  { length: 20 },
  (_, n) => `${n},Anna Berg,a${n}@example.com,030 12345${n + 10},Note ${n}\n`,
);

const folder = mkdtempSync(join(tmpdir(), 'longshore-'));
writeFileSync(join(folder, 'pipeline.yaml'), pipeline);
writeFileSync(join(folder, 'people.yaml'), mapping);
writeFileSync(join(folder, 'people.csv'), `Record ID,Name,Email,Phone,Note\n${people.join('')}`);
// `longshore` is in the place of the path of the program.
const words = ['longshore', 'import', 'pipeline.yaml', '--workspace', 'sandbox'];
const options = { cwd: folder, env: { ...process.env, NODE_OPTIONS: '' }, encoding: 'utf8' };
const { status, stderr } = spawnSync(process.execPath, ['-e', keeping, '--', ...words], options);
rmSync(folder, { recursive: true, force: true });
if (status !== 0) console.error(`The compiled code of the command was not kept: ${stderr}`);
