import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './in-process.ts';
import { atScene, type InputRow, type Scene } from './scene.ts';

/** A report that a command left behind. */
export interface LeftReport {
  readonly what: string;
  readonly page: string;
  readonly summary: string;
}

const mapping = `mapping: reported
key: Id
contact:
  firstName: { from: Name, default: Unknown }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone, country: MY, onInvalid: drop }
customFields:
  Score: { from: Score, type: number }
  Plan: { from: Plan, type: text, create: true }
tags: { from: Tags, split: ";", attach: file }
lifecycle: { from: Stage }
comments: { existing: send, entries: [{ name: origin, text: "Record {Id}: {Name}" }] }
`;

const hostile = `<img src=x onerror="alert(1)">${'w'.repeat(300)}\u202e`;

function row(id: number, more: InputRow = {}): InputRow {
  return {
    ...{
      Id: `K${id}`,
      Name: `Person ${id}`,
      Last: id % 3 === 0 ? '' : 'Last',
      Phone: '',
      Score: '',
      Plan: 'gold',
    },
    ...{
      Email: `p${id}@example.test`,
      Tags: id % 2 === 0 ? 'vip' : '',
      Stage: id % 2 === 0 ? 'Customer' : '',
    },
    ...more,
  };
}

const rows: readonly InputRow[] = [
  ...Array.from({ length: 12 }, (_, id) => row(id)),
  row(20, { Email: 'p1@example.test', Name: 'Person 1' }),
  row(21, { Email: 'dee@example.test', Phone: '+60123456789' }),
  row(22, { Score: hostile }),
  row(23, { Score: 'many' }),
  row(24, { Email: 'no address', Phone: hostile }),
  row(25, { Phone: 'none', Name: hostile }),
];

const seed = {
  customFields: [{ id: 1, name: 'Score', dataType: 'number' as const }],
  contacts: [
    { id: 7, firstName: 'Person', email: 'p2@example.test', created_at: 20 },
    { id: 8, firstName: 'Dee', email: 'dee@example.test', created_at: 20 },
    { id: 9, firstName: 'D.', phone: '+60123456789', created_at: 10 },
  ],
};

/** Plays a run of every kind, and gives each report as it is when the command has ended. */
export async function atEveryReport(
  look: (report: LeftReport) => void | Promise<void>,
  others: (page: string) => void | Promise<void> = () => undefined,
): Promise<void> {
  await atScene({ mapping, rows, seed, settings: { policy: { maxErrors: '90%' } } }, async (scene) => {
    const left = async (what: string, folder: string) => {
      const text = (name: string) => readFileSync(join(folder, name), 'utf8');
      await look({ what, page: join(folder, 'report.html'), summary: text('summary.json') });
    };
    const imported = async (what: string, ...flags: readonly string[]) => {
      const { folder, run: id } = await scene.import(...flags);
      await left(what, folder);
      return { folder, id };
    };
    await imported('a run that stopped', '--limit', '4');
    const first = await imported('an import with everything');
    await command(scene, 'verify', first.id);
    await left('an import that was verified', first.folder);
    await others(join(first.folder, 'verification.html'));
    scene.writeRows(rows.map((each) => (each.Score === 'many' ? { ...each, Score: '5' } : each)));
    await left('a retry', (await scene.retry(first.id)).folder);
    await left('an import that was retried', first.folder);
    scene.writeRows([...rows.slice(0, 12), row(30)]);
    await imported('a delta import');
    scene.writeRows([...rows.slice(0, 12), row(31)]);
    const plan = join(scene.path, 'plan.db');
    await command(scene, 'plan', join(scene.path, 'pipeline.yaml'), '--out', plan);
    await imported('an import of a plan', '--plan', plan);
    await left('an export', await exported(scene));
  });
}

async function command(scene: Scene, ...args: readonly string[]) {
  const where = ['--json', '--workspace', scene.sandbox.baseUrl, '--work-dir', join(scene.path, 'work')];
  const ended = await run([...args, ...where], { LONGSHORE_TOKEN: 'sandbox' });
  if (ended.code !== 0 && ended.code !== 3) throw new Error(`${args[0]}: ${ended.stderr}`);
  return JSON.parse(ended.stdout);
}

async function exported(scene: Scene): Promise<string> {
  const pipeline = join(scene.path, 'export.yaml');
  const yaml =
    'pipeline: nightly\nexport:\n  to: out\n  contacts: { format: csv }\n  workspaceObjects: [users, tags]\n';
  writeFileSync(pipeline, yaml);
  const { run: id } = await command(scene, 'export', pipeline);
  return join(scene.path, 'work', 'runs', id);
}
