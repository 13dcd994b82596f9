import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { figure, rounded } from '../report.mjs';
import { longshore, node, withFolder } from '../run/command.mjs';
import { allCreated, importPeople } from '../run/import.mjs';
import { emailOf } from '../run/people.mjs';
import { withServer } from '../server/start-server.mjs';

const limits = { concurrency: 64, settle: '0s' };
const shared = { workspace: 'shared', lookup: 'single' };

/** The commands that read or change the work dir of an import, in an order in which each finds what it needs. */
const commands = [
  { name: 'status', args: () => ['status'], perRow: false },
  { name: 'verify', args: ({ run }) => ['verify', run], perRow: true },
  { name: 'forget one person', args: ({ rows }) => ['forget', emailOf(rows >> 1), '--yes'], perRow: true },
  { name: 'undo', args: ({ run }) => ['undo', run, '--yes'], perRow: true },
  { name: 'prune', args: () => ['prune', '--older', '0d', '--yes'], perRow: true },
];

/**
 * The size of a work dir per row, and how long the commands take on it, by the rows of its import. How they grow is measured in
 * processor time: the time of verify and undo is that of their requests.
 */
export async function measureWorkDir({ workDir: { rows, policy = shared } }) {
  const measured = [];
  for (const count of rows) measured.push({ count, ...(await measureOne(count, policy)) });
  const [first] = measured;
  const last = measured.at(-1);
  return [
    ...measured.flatMap(({ count, bytes, importSeconds, peakMiB, files }) => [
      figure({
        name: `work dir per row at ${rounded(count)} rows`,
        rounds: [bytes / count],
        unit: ' bytes',
        digits: 0,
        note: files,
      }),
      figure({
        name: `import of ${rounded(count)} rows`,
        rounds: [count / importSeconds],
        unit: ' rows/s',
        digits: 0,
        note: `without latency, ${peakMiB.toFixed(0)} MiB`,
      }),
    ]),
    ...measured.flatMap(({ count, took, nodeMs }) =>
      took.map(({ name, seconds, cpuSeconds, peakMiB }) =>
        name === 'status'
          ? figure({
              name: `status at ${rounded(count)} rows, beyond node -e 0`,
              rounds: [seconds * 1_000 - nodeMs],
              unit: ' ms',
              digits: 0,
              atMost: 300,
            })
          : figure({
              name: `${name} at ${rounded(count)} rows`,
              rounds: [seconds],
              unit: ' s',
              digits: 1,
              note: `${cpuSeconds.toFixed(1)} s of processor time, ${peakMiB.toFixed(0)} MiB`,
            }),
      ),
    ),
    ...commands
      .filter(({ perRow }) => perRow && measured.length > 1)
      .map(({ name }) =>
        figure({
          name: `${name}: processor time per row at ${rounded(last.count)} ÷ at ${rounded(first.count)} rows`,
          rounds: [cpuOf(last, name) / last.count / (cpuOf(first, name) / first.count)],
          atMost: 1.1,
        }),
      ),
  ];
}

function cpuOf({ took }, name) {
  return took.find((each) => each.name === name).cpuSeconds;
}

async function measureOne(rows, policy) {
  return await withFolder((folder) =>
    withServer({ people: 'remembered', listAtOnce: true }, async ({ origin }) => {
      const imported = allCreated(
        await importPeople({
          folder,
          origin,
          rows,
          name: 'work',
          limits,
          policy,
        }),
        rows,
      );
      const work = join(folder, 'work');
      const { bytes, files } = sizeOf(work);
      const nodeMs = (await node(['-e', '0'])).seconds * 1_000;
      const took = [];
      for (const { name, args } of commands) {
        const given = args({ run: imported.summary.run, rows });
        // 3: no call deletes a contact, so the undo keeps the created ones.
        const { seconds, cpuMs, peakMiB } = await longshore([...given, '--work-dir', work], {
          codes: [0, 3],
        });
        took.push({ name, seconds, cpuSeconds: cpuMs / 1_000, peakMiB });
      }
      return { bytes, files, nodeMs, took, importSeconds: imported.seconds, peakMiB: imported.peakMiB };
    }),
  );
}

/** The bytes of all files of a folder, and its largest ones in words. */
function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name, size: statSync(join(entry.parentPath, entry.name)).size }))
    .sort((a, b) => b.size - a.size);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const largest = files.slice(0, 3).map(({ name, size }) => `${name} ${(size / 2 ** 20).toFixed(1)} MiB`);
  return { bytes, files: largest.join(', ') };
}
