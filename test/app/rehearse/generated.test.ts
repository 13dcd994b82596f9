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

const rowsBefore = [
  'Id,name,email,phone,plan,tags,stage,owner,note',
  '1,Bo,c@example.test,+60123456784,,,,1,called',
  '1,Ann,b@example.test,+60123456784,none of these,vip,,,called',
  '3,ANN,f@example.test,+60123456786,gold,old,Customer,1,wrote',
  '5,ANN,d@example.test,+60123456785,,old,New Lead,,',
  '6,Bo,c@example.test,+60123456789,none of these,vip,Customer,1,called',
  '7,Ann,j@example.test,+60123456782,silver,,Customer,2,called',
  '8,Ann,e@example.test,+60123456782,,old,,2,',
  '8,,c@example.test,+60123456789,gold,old,Customer,1,',
];

/** The rehearsal of an interrupted import needs its index: a new scan would find other replaced identifiers. */
const changedAfterInterruption: Case = {
  mapping: `mapping: generated
key: Id
contact:
  firstName: { from: name, default: Unknown }
  email: { from: email, onInvalid: reject }
  phone: { from: phone, country: MY, onInvalid: drop }
customFields:
  Plan: { from: plan, type: list, allowed: [gold, silver], onInvalid: drop }
tags: { from: tags, split: ";", attach: extension }
lifecycle: { from: stage }
assignee: { from: owner }
conversation: { status: closed, existing: false }
comments:
  existing: skip
  entries: [{ name: note, text: "{note}" }]
`,
  settings: [
    '  policy: { onMatch: skip, onConflict: prefer-email, duplicates: merge, lookup: auto, maxErrors: 100% }',
    '  extensions: { attachTags: { method: POST, path: "/contact/{identifier}/tag", body: tags } }',
    '  limits: { settle: 2s, concurrency: 1 }',
  ],
  rows: rowsBefore,
  later: rowsBefore.with(1, '1,,,+60123456787,,,New Lead,,wrote'),
  seed: {
    contacts: [],
    customFields: [{ id: 1, name: 'Plan', dataType: 'list', allowedValues: ['gold', 'silver'] }],
  },
  sandbox: { customFieldArrays: 'merge', existing: 'refuse' },
  deferred: [],
  agreed: true,
  cut: 6,
};

it('a rehearsal counts the rows of an interrupted import whose file has changed as the import does', {
  timeout: 600_000,
}, async () => {
  await played(changedAfterInterruption);
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
