import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readAnswerListDecisions } from '../../../src/app/import/approvals.ts';
import { formatProposalsCsv } from '../../../src/app/import/report/merge-proposals.ts';
import type { PlanRequest } from '../../../src/app/plan/plan.ts';
import { FatalError } from '../../../src/model/fatal-error.ts';
import { type RealImport, realImport } from '../import/real-import.ts';
import type { Case } from './cases.ts';
import { Creations, plannedWrites, sentWrites } from './writes.ts';

/** How often each outcome was planned, and each code of a row occurred. */
export type Tally = Map<string, number>;

/** Plans what the generated case imports, each import of it, and compares with what is sent. */
export async function plansWhatIsSent(one: Case, tally: Tally): Promise<void> {
  const creations = new Creations();
  const real = await realImport(one.mapping, one.rows, one.settings, '', {
    seed: one.seed,
    extensions: { attachTags: true },
    onPhase: creations.onPhase,
    ...one.sandbox,
  });
  creations.watch(real.sandbox);
  const compared = async (more: Partial<PlanRequest>) => {
    const { run, rows, proposals } = await planAndImport(real, creations, more, one.agreed);
    for (const [outcome, n] of Object.entries(rows)) tally.set(outcome, (tally.get(outcome) ?? 0) + n);
    for (const event of real.events) {
      if (event.kind !== 'row') continue;
      for (const { code } of event.problems) tally.set(code, (tally.get(code) ?? 0) + 1);
    }
    return { run, proposals };
  };
  const { run, proposals } = await compared({ limit: one.cut });
  await compared({});
  if (proposals !== '') await compared(await approvals(real, proposals));
  if (one.deferred.length > 0) await compared({ selection: { kind: 'deferred' } });
  await compared({ selection: { kind: 'retry', run: run.id, resend: false } });
  real.write(one.later);
  await interrupted(real, one.cut);
  await compared({});
  await compared({ full: true, fresh: true });
}

/** Plans an import and runs it, `agreed` with its plan; what was sent is what was planned. */
export async function planAndImport(
  real: RealImport,
  creations: Creations,
  more: Partial<PlanRequest> = {},
  agreed = false,
) {
  const plan = await real.plan(more);
  const from = real.sandbox.log.length;
  const path = join(real.folder, 'plan.db');
  copyFileSync(plan.path, path);
  const asked = agreed ? { ...more, plan: path } : more;
  let proposals = '';
  const end = await real.import(asked, async ({ file, run }) => {
    for await (const text of formatProposalsCsv(file, run)) proposals += text;
  });
  const planned = plannedWrites(plan, creations);
  const sent = sentWrites(real.sandbox, from, creations);
  expect({ ...planned, tags: [] }).toEqual({ ...sent, tags: [] });
  // A tag is asked about with a PUT, and created where the answer is no.
  for (const tag of sent.tags) expect(planned.tags).toContain(tag);
  expect(plan.exitCode).toBe(end.exitCode);
  const { rows } = plan;
  await plan.remove();
  return { run: end.run, rows, proposals };
}

/** All proposals, approved by a person. */
export async function approvals(real: RealImport, proposals: string): Promise<Partial<PlanRequest>> {
  const path = join(real.folder, 'merge-proposals.csv');
  const [header = '', ...lines] = proposals.trimEnd().split('\n');
  writeFileSync(path, [header, ...lines.map((line) => `yes${line}`)].join('\n'));
  const read = await readAnswerListDecisions(path);
  const { file, fingerprint } = read;
  return { selection: { kind: 'approve', file, fingerprint }, approvals: read };
}

/** An import that is stopped after some rows, with whatever it has in flight. */
export async function interrupted(real: RealImport, rows: number): Promise<void> {
  const stop = new AbortController();
  let ended = 0;
  await real.import({
    stop,
    listen: (event) => {
      if (event.kind === 'row') ended += 1;
      if (ended >= rows && !stop.signal.aborted)
        stop.abort(new FatalError('interrupted', 'interrupted by SIGTERM.', { signal: 'SIGTERM' }));
    },
  });
}
