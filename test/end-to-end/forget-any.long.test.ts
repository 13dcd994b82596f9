import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLong } from '../long.ts';
import { longshore, placesOf, workOf } from './forgotten-person.ts';
import { atScene, type InputRow } from './scene.ts';
import { wholeMapping, wholeSeed } from './whole-person.ts';

interface RandomPerson {
  readonly name: string;
  readonly rows: readonly InputRow[];
  /** What is theirs alone. */
  readonly words: readonly string[];
  readonly email: string;
}

const spelling = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => ` ${text} `,
);

const trait = fc.record({
  hasPhone: fc.boolean(),
  sharesPhone: fc.boolean(),
  isBad: fc.boolean(),
  isTwice: fc.boolean(),
  changes: fc.boolean(),
  isThere: fc.boolean(),
  spell: spelling,
  tags: fc.constantFrom('', 'blue', 'blue;green'),
});

type Trait = typeof trait extends fc.Arbitrary<infer T> ? T : never;

const hasKeys = fc.boolean();

/** The nth person: every value has a name that nobody else has. */
function personOf({ hasPhone, sharesPhone, isBad, isTwice, spell, tags }: Trait, n: number): RandomPerson {
  const name = `Qv${String.fromCharCode(97 + n).repeat(3)}x`;
  const email = `${name.toLowerCase()}@example.com`;
  const phone = sharesPhone ? '+12015550199' : `+1201555012${n}`;
  const row = {
    ID: `K-${name}`,
    First: name,
    Last: `${name}sson`,
    Email: spell(email),
    Phone: hasPhone ? phone : '',
    City: `${name} Town`,
    Tags: tags,
    Stage: isBad ? `${name} stage` : 'Hot Lead',
    Owner: '',
    Story: `${name} wrote a story.`,
  };
  const rows = isTwice ? [row, { ...row, ID: `L-${name}`, City: `${name} Village` }] : [row];
  const own = hasPhone && !sharesPhone ? [phone.slice(1)] : [];
  return { name, rows, words: [name, ...own], email };
}

const cases = fc.record({
  people: fc.array(trait, { minLength: 3, maxLength: 6 }),
  whom: fc.nat(),
  hasKeys,
  deferred: fc.constantFrom([], ['lifecycle']),
  onConflict: fc.constantFrom('review', 'prefer-email'),
});

it(
  'no byte of a person stays, and those of the others do, whatever was imported',
  async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ people, whom, hasKeys: keyed, deferred, onConflict }) => {
        const all = people.map((each, n) => personOf(each, n));
        const gone = all[whom % all.length];
        if (gone === undefined) throw new Error('nobody');
        const mapping = wholeMapping.replace('attach: extension', 'attach: file');
        const there = all.flatMap(({ email, name }, n) =>
          people[n]?.isThere === true ? [{ id: 50 + n, firstName: name, email }] : [],
        );
        const scene = {
          mapping: keyed ? mapping : mapping.replace('key: ID\n', ''),
          rows: all.flatMap(({ rows }) => rows),
          settings: { deferred, policy: { maxErrors: 100, onConflict }, limits: { settle: '1s' } },
          seed: { ...wholeSeed, contacts: there },
        };
        await atScene(scene, async (site) => {
          await site.import();
          site.writeRows(
            all.flatMap(({ rows, name }, n) =>
              people[n]?.changes === true ? rows.map((row) => ({ ...row, City: `${name} Hill` })) : rows,
            ),
          );
          const before = await site.import();
          const others = all.filter((each) => each !== gone);
          const kept = others.flatMap(({ email }) => placesOf(workOf(site), [email]));
          const ended = await longshore(site, 'forget', gone.email, '--yes');
          expect(ended).toMatchObject({ code: 0, stderr: '' });
          expect(placesOf(workOf(site), gone.words)).toEqual([]);
          expect(others.flatMap(({ email }) => placesOf(workOf(site), [email]))).toEqual(kept);
          const { rows } = JSON.parse((await longshore(site, 'status', before.run, '--json')).stdout);
          expect(rows).toEqual(before.rows);
          site.sandbox.resetLog();
          const next = await site.import();
          expect(next.rows.skipped).toBe(gone.rows.length);
          expect(placesOf(workOf(site), gone.words)).toEqual([]);
          expect(site.writes().filter((write) => /POST \/contact\/(email|phone)/.test(write))).toEqual([]);
          expect(placesOf(join(site.path, 'work', 'spool'), gone.words)).toEqual([]);
        });
      }),
      { numRuns: isLong ? 60 : 3, endOnFailure: true },
    );
  },
  isLong ? 600_000 : 120_000,
);
