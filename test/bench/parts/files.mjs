import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { figure } from '../report.mjs';
import { longshore, withFolder } from '../run/command.mjs';

/** How long a draft of many files of one row each takes, in a zip and in a folder. */
export async function benchFiles({ files: { count } }) {
  return await withFolder(async (folder) => {
    const figures = [];
    for (const [kind, write] of Object.entries({ zip, folder: plain })) {
      const path = join(folder, `files.${kind}`);
      await write(path, files(count));
      const work = ['--work-dir', join(folder, `work-${kind}`), '--out', join(folder, `out-${kind}`)];
      const { seconds } = await longshore(['draft', path, ...work]);
      figures.push(
        figure({
          name: `draft of ${count} files of one row in a ${kind}`,
          rounds: [seconds],
          unit: ' s',
          digits: 1,
          atMost: 20,
        }),
      );
    }
    return figures;
  });
}

function files(count) {
  return Array.from({ length: count }, (_, n) => ({
    name: `people-${n}.csv`,
    text: `id,first_name,last_name,email\n${n},Ann,Lee ${n},ann${n}@example.com\n`,
  }));
}

async function zip(path, all) {
  const packed = new ZipFile();
  for (const { name, text } of all) packed.addBuffer(Buffer.from(text), name);
  packed.end();
  await pipeline(packed.outputStream, createWriteStream(path));
}

async function plain(path, all) {
  mkdirSync(path);
  for (const { name, text } of all) writeFileSync(join(path, name), text);
}
