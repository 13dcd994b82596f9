import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { isLong } from '../long.ts';
import { endWithPeak, tellsPeakMemory } from './peak-memory.ts';
import { atScene, customField, type InputRow } from './scene.ts';

const mapping = `mapping: duplicates
key: ID
contact:
  firstName: { from: First }
  email: { from: Email }
  phone: { from: Phone }
customFields:
  Rows: { from: ID, type: text, keep: union, join: " " }
`;

const seed = { customFields: [{ name: 'Rows', dataType: 'text' as const }] };

const perChain = 4;

const email = (n: number) => `person${n}@example.com`;
const phone = (n: number) => `+1201${5_550_000 + n}`;

/** People of one row each, and chains of four rows: a phone, then an e-mail, then a phone links each with the next. */
function people(singles: number, chains: number): { rows: InputRow[]; groups: string[] } {
  const rows: InputRow[] = [];
  const groups: string[] = [];
  for (let n = 0; n < singles + chains; n += 1) {
    const [one, other] = [2 * n, 2 * n + 1];
    const First = `Person${n}`;
    const members: InputRow[] =
      n < singles
        ? [{ ID: `S${n}`, First, Email: email(one), Phone: phone(one) }]
        : [
            { ID: `C${n}a`, First, Email: '', Phone: phone(one) },
            { ID: `C${n}b`, First, Email: email(one), Phone: phone(one) },
            { ID: `C${n}c`, First, Email: email(one), Phone: phone(other) },
            { ID: `C${n}d`, First, Email: '', Phone: phone(other) },
          ];
    rows.push(...members);
    groups.push(idsOf(members));
  }
  return { rows, groups: groups.sort() };
}

function idsOf(rows: readonly InputRow[]): string {
  return rows
    .map(({ ID }) => ID)
    .sort()
    .join(' ');
}

/** Who is one contact with whom, as the workspace has it. */
function groupsIn(sandbox: Sandbox): string[] {
  return sandbox
    .contacts()
    .map((contact) => (customField(contact, 'Rows') ?? '').split(' ').sort().join(' '))
    .sort();
}

/** Another order of the same rows, the same one in every run. */
function shuffled(rows: readonly InputRow[]): InputRow[] {
  const order = (n: number) => (n * 2_654_435_761) % 4_294_967_296;
  return rows
    .map((row, n) => ({ row, place: order(n + 1) }))
    .sort((a, b) => a.place - b.place)
    .map(({ row }) => row);
}

describe('rows of one person', () => {
  const { rows, groups } = people(60, 60);
  const orders = {
    'as they stand': rows,
    'the other way round': [...rows].reverse(),
    shuffled: shuffled(rows),
  };

  it.concurrent.each(Object.entries(orders))('are the same rows, %s', async (_, input) => {
    await atScene({ mapping, rows: input, seed }, async (scene) => {
      const report = await scene.import();
      expect(groupsIn(scene.sandbox)).toEqual(groups);
      const folded = rows.length - groups.length;
      expect(report).toMatchObject({ code: 0, rows: { read: rows.length, created: groups.length, folded } });
    });
  });
});

describe('a person whose rows have two e-mails', () => {
  const rows: InputRow[] = [
    { ID: 'a', First: 'Ann', Email: email(1), Phone: phone(1) },
    { ID: 'b', First: 'Anna', Email: email(2), Phone: phone(1) },
  ];
  const contact = (n: number) => ({ id: n, firstName: 'ANNA', email: email(n) });

  it.concurrent.each([1, 2])('is found by each of them: by number %i', async (n) => {
    await atScene({ mapping, rows, seed: { ...seed, contacts: [contact(n)] } }, async (scene) => {
      expect(await scene.import()).toMatchObject({ code: 0, rows: { created: 0, updated: 1, folded: 1 } });
      const contacts = scene.sandbox.contacts().map(({ id, firstName, phone }) => ({ id, firstName, phone }));
      expect(contacts).toEqual([{ id: n, firstName: 'Anna', phone: phone(1) }]);
      expect(groupsIn(scene.sandbox)).toEqual(['a b']);
    });
  });

  it.concurrent('is proposed for a merge where they are two contacts', async () => {
    const contacts = [contact(1), contact(2)];
    await atScene({ mapping, rows, seed: { ...seed, contacts } }, async (scene) => {
      expect(await scene.import()).toMatchObject({ code: 3, rows: { proposed: 2 } });
      expect(scene.writes()).toEqual([]);
    });
  });
});

if (isLong) {
  describe.skipIf(!tellsPeakMemory)('memory', () => {
    it('is no more for 10,000 rows with 3,000 duplicates in chains than for 10,000 without', async () => {
      const without = await peakOf(people(10_000, 0));
      const chains = 1_000;
      const withChains = await peakOf(people(10_000 - perChain * chains, chains));
      expect(withChains).toBeLessThan(without * 1.25);
    }, 1_200_000);
  });
}

async function peakOf({ rows, groups }: ReturnType<typeof people>): Promise<number> {
  let peak = 0;
  await atScene({ mapping, rows: shuffled(rows), seed, logSize: 0 }, async (scene) => {
    const ended = await endWithPeak(scene.start('import', join(scene.path, 'pipeline.yaml')));
    const folded = rows.length - groups.length;
    expect(scene.report(ended)).toMatchObject({
      code: 0,
      rows: { read: 10_000, created: groups.length, folded },
    });
    expect(groupsIn(scene.sandbox)).toEqual(groups);
    peak = ended.peak;
  });
  return peak;
}
