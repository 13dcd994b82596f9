import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { connectDatabase } from '../../../dist/fleet/database/connect.js';
import { migrateDatabase } from '../../../dist/fleet/database/migrate.js';
import { figure, median, rounded } from '../report.mjs';
import { script, withFolder } from '../run/command.mjs';
import { writePipeline } from '../run/import.mjs';
import { withPostgres } from '../server/start-postgres.mjs';
import { withServer } from '../server/start-server.mjs';

const job = new URL('../../fleet/processes/import-shipped.mjs', import.meta.url);
const aims = { 200: 3 };

/** What shipping the journal to PostgreSQL costs an import of new people, by the latency of the workspace; and bytes a row. */
export async function measureFleet({ fleet }) {
  return await withPostgres(async (url) => {
    const pool = await connectDatabase(url);
    await migrateDatabase(pool);
    await pool.end();
    const figures = [];
    for (const [latency, rows] of Object.entries(fleet.rows))
      figures.push(...(await measureLatency({ ...fleet, latency: Number(latency), rows, url })));
    return figures;
  });
}

async function measureLatency(size) {
  const { latency, rows, rounds } = size;
  const [alone, shipped] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await imported({ ...size, url: undefined }));
    shipped.push(await imported(size));
  }
  const rate = (runs) => median(runs.map(({ seconds }) => rows / seconds));
  const cpu = (runs) => median(runs.map(({ cpuMs }) => cpuMs / rows));
  const { chunks, parts, bytes } = shipped[0].sent;
  return [
    figure({
      name: `rows/s lost to shipping the journal, ${latency} ms latency`,
      rounds: shipped.map(({ seconds }, round) => 100 * (1 - alone[round].seconds / seconds)),
      unit: ' %',
      digits: 1,
      atMost: aims[latency],
      note: `${rounded(rate(shipped))} rows/s of ${rounded(rate(alone))} without, ${size.concurrency} at once, ${rounded(rows)} rows; processor time per row ${rounded(cpu(shipped), 3)} ms of ${rounded(cpu(alone), 3)} ms`,
    }),
    figure({
      name: `bytes shipped per row, ${latency} ms latency`,
      rounds: shipped.map(({ sent }) => sent.bytes / rows),
      digits: 0,
      note: `${rounded(rows / chunks, 1)} rows a chunk; ${rounded(bytes / 1_000_000, 1)} MB in ${rounded(chunks)} chunks and ${rounded(parts)} parts of bases`,
    }),
  ];
}

async function imported({ latency, rows, concurrency, url }) {
  return await withFolder(async (folder) => {
    return await withServer({ latency }, async ({ origin }) => {
      const limits = { concurrency, settle: '0s' };
      const policy = { workspace: 'exclusive' };
      const pipeline = await writePipeline({ folder, rows, name: 'fleet', limits, policy });
      const workDir = join(folder, 'work');
      const key = randomBytes(32).toString('base64');
      const asked = {
        url,
        workDir,
        workspace: folder,
        key,
        pipeline,
        baseUrl: `${origin}/v1`,
        leaseMs: 30_000,
      };
      const { result } = await script(job, asked);
      if (result.rows?.created !== rows) throw new Error(`not all were created: ${JSON.stringify(result)}`);
      return result;
    });
  });
}
