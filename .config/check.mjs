// The four checks, two at a time; shows what a check says when it ends, and fails where one of them does.
import { spawn } from 'node:child_process';

// The longest first.
const open = ['types', 'format', 'layers', 'dead'];
const atOnce = 2;

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
