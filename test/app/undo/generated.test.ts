import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLong } from '../../long.ts';
import { caseSeed } from '../../source-seed.ts';
import { cases, everyDecision } from '../plan/cases.ts';
import { type Tally, undoesWhatWasImported } from './generated.ts';

const seed = caseSeed();
const numRuns = isLong ? 50 : 5;

it(`an undo gives the workspace as it was before the import (${numRuns} cases, seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const tally: Tally = new Map();
  const takesBack = fc.asyncProperty(cases, (one) => undoesWhatWasImported(one, tally));
  await fc.assert(takesBack, { seed, numRuns, examples: [[everyDecision]], endOnFailure: true });
  const rare = isLong ? ['merge', 'contactTags', 'customField'] : [];
  for (const what of ['put back', 'sent again', 'edited', 'contact', 'comment', ...rare])
    expect(tally.get(what) ?? 0, `${what} in ${JSON.stringify([...tally])}`).toBeGreaterThan(0);
});
