// What a plan says of three imports' durations against what they take: at the rate limit of tags, at that of merges, and at the
// answers' latency; each after an import of the first rows has timed the answers. `likely` is to be within 10%, `least` never above.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '../../../dist/sandbox/index.js';
import { longshore, withFolder } from '../run/command.mjs';

const quick = { min: 5, max: 15 };

const cases = {
  tags: {
    first: 60,
    latency: quick,
    seed: {},
    rows: many(300, (n) => [n, `A${n}`, `a${n}@x.test`, '', `tag${n}`]),
  },
  merges: {
    first: 60,
    latency: quick,
    seed: {
      contacts: many(320, (n) => [
        { id: 1_000 + n, firstName: `M${n}`, email: `m${n}@x.test` },
        { id: 5_000 + n, firstName: `P${n}`, phone: phone(n) },
      ]).flat(),
    },
    rows: many(320, (n) => [n, `M${n}`, `m${n}@x.test`, phone(n), '']),
  },
  latency: {
    first: 200,
    latency: { min: 100, max: 300 },
    seed: {},
    rows: many(5_000, (n) => [n, `A${n}`, `a${n}@x.test`, '', '']),
  },
};

export async function benchPlan() {
  console.log('Durations that a plan says, against the import');
  for (const [name, one] of Object.entries(cases)) {
    const sandbox = await startSandbox({ seed: one.seed, faults: { latency: one.latency } });
    try {
      const { least, likely, took, kind } = await withFolder((folder) => compare(folder, sandbox, one));
      const off = ((100 * (likely - took)) / took).toFixed(1);
      console.log(
        `  ${name.padEnd(8)} least ${least.toFixed(1)} s, likely ${likely.toFixed(1)} s (${kind}), took ${took.toFixed(1)} s: ${off}%`,
      );
    } finally {
      await sandbox.close();
    }
  }
}

async function compare(folder, sandbox, { first, rows }) {
  const lines = [['Id', 'Name', 'Email', 'Phone', 'Tags'], ...rows].map((cells) => cells.join(','));
  writeFileSync(join(folder, 'rows.csv'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'mapping.yaml'), mapping);
  const pipeline = join(folder, 'pipeline.yaml');
  writeFileSync(pipeline, settings);
  const where = ['--workspace', sandbox.baseUrl, '--work-dir', join(folder, 'work')];
  await longshore(['import', pipeline, '--limit', String(first), ...where]);
  const { time } = (await longshore(['plan', pipeline, ...where], { codes: [0, 3] })).summary;
  const { seconds: took } = await longshore(['import', pipeline, ...where]);
  return { least: time.leastSeconds, likely: time.likelySeconds, kind: time.bottleneck.kind, took };
}

function many(count, row) {
  return Array.from({ length: count }, (_, n) => row(n));
}

function phone(n) {
  return `+6012345${1_000 + n}`;
}

const mapping = `mapping: bench
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
  phone: { from: Phone, country: MY }
tags: { from: Tags, attach: file }
comments: [{ name: origin, text: "Record {Id}" }]
`;

const settings = `pipeline: bench
import:
  source: { format: csv, path: rows.csv }
  mapping: mapping.yaml
  policy: { onConflict: merge }
`;
