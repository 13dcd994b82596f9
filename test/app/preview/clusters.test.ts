import '../../fixed-seed.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterSpellings, fingerprint, ngramFingerprint } from '../../../src/app/preview/clusters.ts';

/** The clusters of values that each occur in one row more than the next. */
function clustersOf(...values: readonly string[]): readonly (readonly string[])[] {
  const counted = values.map((value, at) => ({ value, n: values.length - at }));
  return clusterSpellings(counted).map(({ spellings }) => spellings.map(({ value }) => value));
}

describe('the fingerprint of a value', () => {
  it.each([
    ['  Gold   Tier ', 'gold tier'],
    ['tier, GOLD', 'gold tier'],
    ['Gold-Gold', 'goldgold'],
    ['gold gold', 'gold'],
    ['Müller & Söhne GmbH.', 'gmbh muller sohne'],
    ['Straße Łódź Ørsted', 'lodz orsted strasse'],
    ['ﬁle 1.5 (v2)', '1.5 file v2'],
    ['カ\u3099', 'ガ'],
    ['Jane\tDoe\u200b', 'doe jane'],
  ])('of %j is %j', (value, expected) => {
    expect(fingerprint(value)).toBe(expected);
  });

  it.each(['', '  ', '1.5', '+49 170 123', '2024-01-31', 'ada.b@example.com', 'https://example.com/a-b'])(
    'is none for %j, in which punctuation has a meaning',
    (value) => {
      expect(fingerprint(value)).toBeUndefined();
    },
  );

  it('of pairs of letters leaves out blanks, and keeps the digits', () => {
    expect(ngramFingerprint('South Africa')).toBe(ngramFingerprint('SouthAfrica'));
    expect(ngramFingerprint('Store 11')).not.toBe(ngramFingerprint('Store 111'));
    expect(ngramFingerprint('é')).toBe('e');
  });
});

describe('clusters of spellings', () => {
  it('have the same words, or only the same pairs of letters, the most frequent first', () => {
    const clusters = clusterSpellings([
      { value: 'gold-tier', n: 2 },
      { value: 'Gold tier', n: 40 },
      { value: 'tier gold', n: 1 },
      { value: 'silver', n: 9 },
      { value: 'Sílver!', n: 3 },
      { value: 'bronze', n: 5 },
    ]);
    expect(clusters).toEqual([
      {
        by: 'letters',
        spellings: [
          { value: 'Gold tier', n: 40 },
          { value: 'gold-tier', n: 2 },
          { value: 'tier gold', n: 1 },
        ],
      },
      {
        by: 'words',
        spellings: [
          { value: 'silver', n: 9 },
          { value: 'Sílver!', n: 3 },
        ],
      },
    ]);
  });

  it('keep apart what differs by a number, a symbol or a word', () => {
    expect(clustersOf('Plan 1', 'Plan 11', 'Plan 1.1', 'C', 'C++', 'Anna Berg', 'Anna Berger')).toEqual([]);
  });

  const value = fc.string({ unit: fc.constantFrom('a', 'B', 'é', 'ß', '1', ' ', '-', '.', 'か', '@') });
  const counts = fc.uniqueArray(fc.record({ value, n: fc.integer({ min: 1, max: 9 }) }), {
    selector: (each) => each.value,
  });

  it('have two values or more, each value once, and all values of a fingerprint', () => {
    fc.assert(
      fc.property(counts, (values) => {
        const clusters = clusterSpellings(values);
        const clustered = clusters.flatMap(({ spellings }) => spellings.map((each) => each.value));
        expect(new Set(clustered).size).toBe(clustered.length);
        for (const { spellings } of clusters) expect(spellings.length).toBeGreaterThan(1);
        const clusterOf = new Map(
          clusters.flatMap((cluster, at) => cluster.spellings.map((each) => [each.value, at])),
        );
        for (const one of values)
          for (const other of values) {
            const print = fingerprint(one.value);
            if (one === other || !print || print !== fingerprint(other.value)) continue;
            expect(clusterOf.get(one.value)).toBeDefined();
            expect(clusterOf.get(one.value)).toBe(clusterOf.get(other.value));
          }
      }),
    );
  });

  it('do not depend on the order of the values', () => {
    fc.assert(
      fc.property(counts, fc.infiniteStream(fc.nat()), (values, order) => {
        const shuffled = values
          .map((each) => ({ each, at: order.next().value }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ each }) => each);
        expect(clusterSpellings(shuffled)).toEqual(clusterSpellings(values));
      }),
    );
  });

  it('look at each value a fixed number of times', () => {
    const looksAt = (size: number): number => {
      let looks = 0;
      const counted = Array.from({ length: size }, (_, n) => ({
        n: 1,
        get value() {
          looks += 1;
          return `Name ${'x'.repeat(n % 40)} ${n}`;
        },
      }));
      clusterSpellings(counted);
      return looks / (size * Math.log2(size));
    };
    expect(looksAt(4_000)).toBeLessThan(2 * looksAt(500));
  });
});
