import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LookupPlanInput, planLookup } from '../../src/identity/look-up-plan.ts';

const usual: LookupPlanInput = {
  policy: 'auto',
  lookUps: 10_000,
  identifiersPerRow: 2,
  contacts: 20_000,
  perSecond: 5,
  pageSize: 99,
  concurrency: 64,
  readSeconds: undefined,
  exclusive: true,
};

const plan = (needs: Partial<LookupPlanInput>) => planLookup({ ...usual, ...needs });

describe('people are looked up', () => {
  it.each<[string, Partial<LookupPlanInput>, 'single' | 'snapshot', number]>([
    ['by nothing where nobody has to be', { lookUps: 0 }, 'single', 0],
    ['by nothing, whatever the policy says', { lookUps: 0, policy: 'snapshot' }, 'single', 0],
    ['by a snapshot that is faster', { contacts: 9_900 }, 'snapshot', 197],
    ['by a snapshot that is short', { contacts: 9_900, readSeconds: 0.01 }, 'snapshot', 100],
    [
      'by single reads where two new rows would cost a list of 2,000',
      { lookUps: 2, contacts: 2_000 },
      'single',
      0,
    ],
    ['by a snapshot of as many pages as it replaces reads', { lookUps: 2, contacts: 4 * 99 }, 'snapshot', 4],
    ['by single reads where it is one page more', { lookUps: 2, contacts: 4 * 99 + 1 }, 'single', 0],
    ['by single reads where it lasts longer and is slower', {}, 'single', 0],
    ['by the list where reads were measured to be slow', { readSeconds: 0.3 }, 'snapshot', 234],
    [
      'by single reads where the list would not spare them, because others create contacts, too',
      { exclusive: false, identifiersPerRow: 1, lookUps: 30_000, contacts: 15_000 },
      'single',
      0,
    ],
    [
      'by the list where it spares the second read of many who are there',
      { exclusive: false, lookUps: 30_000, contacts: 15_000 },
      'snapshot',
      292,
    ],
    [
      'by a snapshot that lasts long and is faster',
      { lookUps: 5_000_000, contacts: 5_000_000 },
      'snapshot',
      97_656,
    ],
    ['by a snapshot of an empty workspace', { lookUps: 1, contacts: 0 }, 'snapshot', 2],
    ['by trying a snapshot where nobody has counted', { contacts: undefined }, 'snapshot', 195],
    ['by trying no longer than the reads are worth', { contacts: undefined, lookUps: 7 }, 'snapshot', 7],
    ['by what the policy says: single', { policy: 'single' }, 'single', 0],
    [
      'by what the policy says: snapshot',
      { policy: 'snapshot', contacts: 9_000_000 },
      'snapshot',
      Number.MAX_SAFE_INTEGER,
    ],
  ])('%s', (_how, needs, strategy, mostPages) => {
    expect(plan(needs)).toMatchObject({ strategy, mostPages });
  });

  it('in the time that each way takes', () => {
    expect(plan({ lookUps: 12_800, contacts: 9_900 }).seconds).toEqual({ single: 100, snapshot: 20 });
    expect(plan({ contacts: undefined }).seconds.snapshot).toBeUndefined();
  });
});

describe('the plan says why, in a sentence', () => {
  it.each<[Partial<LookupPlanInput>, string]>([
    [
      { contacts: 9_900 },
      'The contact list is read once (about 100 pages, 20 seconds) instead of 10,100 single reads, which is faster;',
    ],
    [
      { lookUps: 5_000_000, contacts: 5_000_000 },
      'The contact list is read once (about 50,506 pages, 3 hours) instead of 5,000,000 single reads, which is faster;',
    ],
    [
      { contacts: 70_000 },
      'by 20,000 single reads, because the contact list has about 708 pages, which would take 2 minutes;',
    ],
    [{ lookUps: 2 }, 'by 4 single reads, because the contact list has about 203 pages, which is more;'],
    [
      { lookUps: 7, contacts: undefined },
      'unless it is longer than 7 pages (the number of contacts is not known yet);',
    ],
    [
      { contacts: 9_900, readSeconds: 0.01 },
      '(about 100 pages, 20 seconds) instead of 10,100 single reads, which is short enough;',
    ],
    [{ policy: 'single' }, 'by 20,000 single reads, as set by "lookup: single";'],
    [
      { policy: 'snapshot', contacts: 50 },
      '(about 1 page, 1 second) instead of 19,950 single reads, as set by "lookup: snapshot";',
    ],
    [{ lookUps: 0 }, 'No look-ups are needed'],
  ])('where %o', (needs, sentence) => {
    expect(plan(needs).why).toContain(sentence);
  });

  it('and always what single reads cannot see', () => {
    const needs = fc.record({
      policy: fc.constantFrom('auto', 'single', 'snapshot'),
      lookUps: fc.nat(1_000_000),
      identifiersPerRow: fc.constantFrom(1, 1.5, 2),
      contacts: fc.option(fc.nat(1_000_000), { nil: undefined }),
    });
    const property = fc.property(needs, (some) => {
      const { why, strategy, mostPages } = plan(some);
      expect(why).toContain('only the first of several contacts under one identifier');
      expect(why).toMatch(/^[A-Z][^.]*(?:\.\d[^.]*)*\.$/);
      expect(mostPages > 0).toBe(strategy === 'snapshot');
    });
    fc.assert(property);
  });
});
