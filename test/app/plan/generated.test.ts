import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLong } from '../../long.ts';
import { caseSeed } from '../../source-seed.ts';
import { realImport } from '../import/real-import.ts';
import { cases, everyDecision } from './cases.ts';
import { planAndImport, plansWhatIsSent, type Tally } from './generated.ts';
import { Creations } from './writes.ts';

const seed = caseSeed();
const numRuns = isLong ? 50 : 5;

it('a continued import plans as new a person who shares a phone with one that it has created itself', async () => {
  const mapping = `mapping: generated
contact:
  firstName: { from: name, default: Unknown }
  email: { from: email }
  phone: { from: phone, country: MY, onInvalid: drop }
`;
  const settings = [
    '  policy: { onMatch: update, onConflict: merge, duplicates: last, lookup: single, maxErrors: 100% }',
    '  limits: { settle: 2s, concurrency: 1 }',
  ];
  const rows = [
    'name,email,phone',
    'Ann,c@example.test,+60123456785',
    'Bo,f@example.test,+60123456785',
    'Bo,c@example.test,+60123456787',
  ];
  const creations = new Creations();
  const real = await realImport(mapping, rows, settings, '', { seed: {}, onPhase: creations.onPhase });
  creations.watch(real.sandbox);
  await planAndImport(real, creations, { limit: 1 });
  await planAndImport(real, creations);
});

it(`a plan has the writes that the import then sends (${numRuns} cases, seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const tally: Tally = new Map();
  const sends = fc.asyncProperty(cases, (one) => plansWhatIsSent(one, tally));
  await fc.assert(sends, { seed, numRuns, examples: [[everyDecision]], endOnFailure: true });
  // The same person, a question, two people with one value, a contact of which one phone is known, and a key of two people.
  const decisions = ['identity.ask', 'phone.shared', 'identity.byPhoneAlone', 'key.reused'];
  for (const what of ['created', 'updated', 'unchanged', 'folded', 'rejected', 'proposed', ...decisions])
    expect(tally.get(what) ?? 0, `${what} in ${JSON.stringify([...tally])}`).toBeGreaterThan(0);
});
