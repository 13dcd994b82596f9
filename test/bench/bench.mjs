// npm run bench: an import against a bare loop of the same requests, its memory, and the pace on one path.
// `npm run bench -- 5000` measures with so many rows only, and leaves the pace out.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { benchImport } from './import.mjs';

const [rows] = process.argv.slice(2).map(Number);
if (rows !== undefined) await benchImport({ compareRows: rows, memoryRows: [rows], rounds: 1 });
else {
  await benchImport();
  console.log('\nPace on one path over real HTTP');
  spawnSync(process.execPath, [fileURLToPath(new URL('throttle.mjs', import.meta.url))], {
    stdio: 'inherit',
  });
}
