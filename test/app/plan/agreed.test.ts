import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyBoundPlans, openBoundPlan } from '../../../src/app/import/agreed-plan.ts';
import { toCommand } from '../../../src/model/command.ts';
import type { Contact } from '../../../src/model/contact.ts';
import { FatalError } from '../../../src/model/fatal-error.ts';
import { contactSchema } from '../../../src/workspace/index.ts';
import { isWrite, type RealImport, realImport } from '../import/real-import.ts';
import { Creations, plannedWrites, sentWrites } from './writes.ts';

const mapping = `mapping: agreed
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
customFields:
  Plan: { from: Plan, type: text }
lifecycle: { from: Stage }
comments: [{ name: origin, text: "Record {Id}" }]
`;

const lines = [
  'Id,Name,Email,Plan,Stage',
  '1,Ada,ada@example.test,gold,Customer',
  '2,Bob,bob@example.test,gold,Customer',
  '3,Cy,cy@example.test,gold,Customer',
  '4,Di,di@example.test,silver,New Lead',
];

const seed = {
  customFields: [{ id: 1, name: 'Plan', dataType: 'text' as const }],
  contacts: [
    { id: 7, firstName: 'Ada', email: 'ada@example.test' },
    { id: 8, firstName: 'Bob', email: 'bob@example.test' },
    { id: 9, firstName: 'Cy', email: 'cy@example.test' },
  ],
};

/** A plan in a file, as somebody keeps it. */
async function planned(real: RealImport): Promise<string> {
  const plan = await real.plan();
  const path = join(real.folder, 'plan.db');
  copyFileSync(plan.path, path);
  await plan.remove();
  return path;
}

/** Another contact than the plan has seen. */
function contactWith(id: number): Contact {
  return contactSchema.parse({ id, firstName: 'Somebody else' });
}

async function changed(real: RealImport, id: number, body: object): Promise<void> {
  const answer = await fetch(`${real.sandbox.baseUrl}/contact/id:${id}`, {
    method: 'PUT',
    headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}

it('an import of a plan sends exactly the plan', async () => {
  const creations = new Creations();
  const real = await realImport(mapping, lines, [], '', { seed, onPhase: creations.onPhase });
  creations.watch(real.sandbox);
  const plan = await real.plan();
  const wanted = plannedWrites(plan, creations);
  const path = join(real.folder, 'plan.db');
  copyFileSync(plan.path, path);
  const end = await real.import({ plan: path });
  expect([end.exitCode, end.run.plan]).toEqual([0, path]);
  expect(sentWrites(real.sandbox, 0, creations)).toEqual(wanted);
});

it('a contact that somebody has changed since is stale: nothing is sent for it', async () => {
  const real = await realImport(mapping, lines, [], '', { seed });
  const path = await planned(real);
  await changed(real, 8, { firstName: 'Bob', lastName: 'Ross' });
  const from = real.sandbox.log.length;
  const end = await real.import({ plan: path }, ({ file, run }) => {
    const stale = file.prepare('SELECT seq, problems FROM row WHERE run = ? AND outcome = ?');
    expect(stale.all(run.number, 'stale')).toMatchObject([
      { seq: 1, problems: expect.stringContaining('contact 8 is not as it was when the plan was made') },
    ]);
  });
  expect(end.exitCode).toBe(3);
  const about = real.sandbox.log
    .slice(from)
    .filter(isWrite)
    .map(({ path: asked }) => asked);
  expect(about.filter((asked) => asked.includes('id:8') || asked.includes('bob'))).toEqual([]);
  expect(about.filter((asked) => asked.includes('id:7'))).not.toEqual([]);
});

it('somebody who was not there when the plan was made, and one who is gone, are stale', async () => {
  const real = await realImport(mapping, lines, [], '', { seed });
  const path = await planned(real);
  real.sandbox.add({ contacts: [{ id: 20, firstName: 'Di', email: 'di@example.test' }] });
  await changed(real, 9, { firstName: 'Cy', email: 'elsewhere@example.test' });
  const from = real.sandbox.log.length;
  await real.import({ plan: path }, ({ file, run }) => {
    const stale = file.prepare('SELECT seq FROM row WHERE run = ? AND outcome = ? ORDER BY seq');
    expect(stale.all(run.number, 'stale')).toEqual([{ seq: 2 }, { seq: 3 }]);
  });
  const about = real.sandbox.log
    .slice(from)
    .filter(isWrite)
    .map(({ path: asked }) => asked);
  expect(about.filter((asked) => /id:9|cy@|id:20|di@/.test(asked))).toEqual([]);
});

it('interrupted and continued, its own writes are not stale', async () => {
  const creations = new Creations();
  const real = await realImport(mapping, lines, ['  limits: { concurrency: 1 }'], '', {
    seed,
    onPhase: creations.onPhase,
  });
  creations.watch(real.sandbox);
  const plan = await real.plan();
  const wanted = plannedWrites(plan, creations);
  const path = join(real.folder, 'plan.db');
  copyFileSync(plan.path, path);
  const stop = new AbortController();
  let writes = 0;
  const interrupted = await real.import({
    plan: path,
    stop,
    listen: () => {
      writes = real.sandbox.log.filter(isWrite).length;
      if (writes >= 4 && !stop.signal.aborted)
        stop.abort(new FatalError('interrupted', 'interrupted by SIGTERM.', { signal: 'SIGTERM' }));
    },
  });
  expect(interrupted.run.state).toBe('interrupted');
  // Without the plan on the command line: the run does it all the same.
  const end = await real.import();
  expect([end.exitCode, end.run.id]).toEqual([0, interrupted.run.id]);
  expect(sentWrites(real.sandbox, 0, creations)).toEqual(wanted);
});

it('killed before its copy of the plan was whole, it takes the plan again', async () => {
  const creations = new Creations();
  const real = await realImport(mapping, lines, [], '', { seed, onPhase: creations.onPhase });
  creations.watch(real.sandbox);
  const plan = await real.plan();
  const wanted = plannedWrites(plan, creations);
  const path = join(real.folder, 'plan.db');
  copyFileSync(plan.path, path);
  const { run } = await real.import({ plan: path, limit: 1 });
  const kept = join(real.folder, 'work', 'spool', `${run.id}.plan.db`);
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${kept}${suffix}`, { force: true });
  writeFileSync(`${kept}.part`, 'half a plan');
  await expect(real.import()).rejects.toThrow(`run ${run.id} applies a plan`);
  const end = await real.import({ plan: path });
  expect([end.exitCode, end.run.id]).toEqual([0, run.id]);
  expect(sentWrites(real.sandbox, 0, creations)).toEqual(wanted);
});

it('what it has changed is known in the copy that a plan of its rest works on, also after a kill', async () => {
  const real = await realImport(mapping, lines, [], '', { seed });
  const path = await planned(real);
  const { run } = await real.import({ plan: path, limit: 1 });
  const workDir = join(real.folder, 'work');
  // Never closed, as after a kill.
  const open = openBoundPlan(workDir, run, toCommand);
  const step = { seq: 1, name: 'lifecycle', item: '' };
  expect(open.takes(step, { contactId: 8, name: 'Customer' })).toBe(true);
  const other = join(real.folder, 'other');
  await copyBoundPlans(workDir, other);
  const copied = openBoundPlan(other, run, toCommand);
  expect(copied.isAsSeen(contactWith(8))).toBe(true);
  expect(copied.isAsSeen(contactWith(9))).toBe(false);
  copied.close();
  open.close();
});

it.each([
  ['the input has changed', async (real: RealImport) => real.write(lines.slice(0, 3))],
  ['another import has run', async (real: RealImport) => void (await real.import())],
])('a plan is refused after %s', async (why, change) => {
  const real = await realImport(mapping, lines, [], '', { seed });
  const path = await planned(real);
  await change(real);
  const from = real.sandbox.log.length;
  await expect(real.import({ plan: path })).rejects.toThrow(`this plan cannot be used: ${why}`);
  expect(real.sandbox.log.slice(from).filter(isWrite)).toEqual([]);
});
