import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PaceRecorder, parsePaceSamples } from '../../src/journal/pace.ts';

it('however long a session is, its samples are few, in order, and end with the latest', () => {
  const property = fc.property(fc.integer({ min: 1, max: 3_000 }), (seconds) => {
    const pace = new PaceRecorder();
    for (let second = 1; second <= seconds; second += 1) {
      pace.note({ at: second * 1_000, done: second * 2, waitedMs: second });
    }
    const samples = parsePaceSamples(pace.toJson());
    expect(samples.length).toBeLessThanOrEqual(121);
    expect(samples[0]).toEqual({ at: 0, done: 0, waitedMs: 0 });
    expect(samples.at(-1)).toEqual({ at: seconds * 1_000, done: seconds * 2, waitedMs: seconds });
    for (const { at, done } of samples) expect(done * 500).toBe(at);
    expect(pace.perSecond()).toBe(2);
  });
  fc.assert(property, { numRuns: 30 });
});

it('what cannot be read has no samples', () => {
  expect(parsePaceSamples(null)).toEqual([]);
  expect(parsePaceSamples('{"later": true}')).toEqual([]);
});
