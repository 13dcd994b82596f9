// The length of each source file, then the four checks, two at a time; shows what a check says when it ends, and fails where one of them does.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// The longest first.
const open = ['types', 'format', 'layers', 'dead'];
const atOnce = 2;

const mostLines = 500;

const tooLong = readdirSync('src', { recursive: true })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({
    file: join('src', name),
    lines: readFileSync(join('src', name), 'utf8').split('\n').length - 1,
  }))
  .filter(({ lines }) => lines > mostLines);
for (const { file, lines } of tooLong) {
  console.error(
    `${file} has ${lines} lines, more than ${mostLines}: give what is a subject of its own a file.`,
  );
  process.exitCode = 1;
}

await Promise.all(Array.from({ length: atOnce }, goOn));

async function goOn() {
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    const { code, said } = await check(name);
    process.stdout.write(said);
    if (code === 0) continue;
    console.error(`\`npm run check:${name}\` failed.`);
    process.exitCode = 1;
  }
}

function check(name) {
  return new Promise((resolve, reject) => {
    const pieces = [];
    const child = spawn('npm', ['run', '--silent', `check:${name}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => pieces.push(piece));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said: Buffer.concat(pieces).toString() }));
  });
}
