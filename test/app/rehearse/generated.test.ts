import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatProposalsCsv } from '../../../src/app/import/report/merge-proposals.ts';
import { isLong } from '../../long.ts';
import { caseSeed } from '../../source-seed.ts';
import { realImport } from '../import/real-import.ts';
import { type Case, cases, everyDecision } from '../plan/cases.ts';
import { approvals, interrupted } from '../plan/generated.ts';
import { rehearsesWhatIsDone } from './real-rehearsal.ts';

const seed = caseSeed();
const numRuns = isLong ? 30 : 2;

it(`a rehearsal leaves the contacts that the import then leaves (${numRuns} cases, seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  let created = 0;
  let changed = 0;
  const leaves = fc.asyncProperty(cases, async (one) => {
    for (const { rows } of await played(one)) {
      created += rows.created;
      changed += rows.updated + rows.merged;
    }
  });
  await fc.assert(leaves, { seed, numRuns, examples: [[everyDecision]], endOnFailure: true });
  expect(created).toBeGreaterThan(0);
  expect(changed).toBeGreaterThan(0);
});

async function played(one: Case) {
  const real = await realImport(one.mapping, one.rows, one.settings, '', {
    seed: one.seed,
    extensions: { attachTags: true },
    ...one.sandbox,
  });
  let proposals = '';
  const first = await rehearsesWhatIsDone(real, { limit: one.cut });
  const rest = await rehearsesWhatIsDone(real, {}, async ({ file, run }) => {
    for await (const text of formatProposalsCsv(file, run)) proposals += text;
  });
  const all = [first, rest];
  if (proposals !== '') all.push(await rehearsesWhatIsDone(real, await approvals(real, proposals)));
  if (one.deferred.length > 0) all.push(await rehearsesWhatIsDone(real, { selection: { kind: 'deferred' } }));
  real.write(one.later);
  await interrupted(real, one.cut);
  all.push(await rehearsesWhatIsDone(real), await rehearsesWhatIsDone(real, { full: true, fresh: true }));
  return all;
}
