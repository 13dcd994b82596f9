import { describe, expect, it } from 'vitest';
import { realImport } from '../import/real-import.ts';
import { edit, verify } from './real-verify.ts';

const mapping = `mapping: proof
key: Id
contact:
  firstName: { from: Name }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone, country: MY }
customFields:
  Plan: { from: Plan, type: text }
  Score: { from: Score, type: number }
`;

const seed = {
  customFields: [
    { id: 1, name: 'Plan', dataType: 'text' as const },
    { id: 2, name: 'Score', dataType: 'number' as const },
  ],
};

const header = 'Id,Name,Last,Email,Phone,Plan,Score';

function row(n: number): string {
  const phone = `+6012345${String(n).padStart(4, '0')}`;
  return `${n},Name${n},Last${n},p${n}@example.test,${phone},plan ${n},${n}`;
}

const rows = (count: number) => [header, ...Array.from({ length: count }, (_, n) => row(n + 1))];

const others = Array.from({ length: 250 }, (_, n) => ({
  id: n + 1_000,
  firstName: `Other${n}`,
  email: `o${n}@example.test`,
}));

it.each([
  ['as the list is longer than they are', [], 'Every contact is read by itself'],
  ['as the list turns out to be longer', ['  policy: { lookup: single }'], 'It is longer'],
])('reads contacts by themselves, %s', async (_, settings, why) => {
  const real = await realImport(mapping, rows(12), settings, '', { seed: { ...seed, contacts: others } });
  await real.import();
  const { verification } = await verify(real);
  expect(verification).toMatchObject({ exitCode: 0, method: { way: 'single' }, contacts: { matched: 12 } });
  expect(verification.method.why).toContain(why);
});

it('finds everything as it was written, by the list', async () => {
  const real = await realImport(mapping, rows(12), [], '', { seed });
  await real.import();
  const first = await verify(real);
  expect(first.verification).toMatchObject({
    exitCode: 0,
    method: { way: 'list' },
    contacts: { written: 12, matched: 12, different: 0, missing: 0 },
    values: { matched: 72, different: 0 },
    files: { verification: null },
  });
  expect(first.page).toContain('12 contacts are as written');
});

it('does not call contacts as written to which nothing was written but comments', async () => {
  const noted = `${mapping}comments: [{ name: note, text: "{Note}" }]\n`;
  const real = await realImport(noted, [`${header},Note`, `${row(1)},`], [], '', { seed });
  await real.import();
  real.write([`${header},Note`, `${row(1)},Call her`]);
  await real.import();
  const { page, verification } = await verify(real, {}, 1);
  expect(verification).toMatchObject({ exitCode: 0, values: { matched: 0 }, cannotVerify: { comments: 1 } });
  expect(page).toContain('1 contact is there; nothing that can be read back was written to it');
});

describe('of 50 fields that were tampered with', () => {
  it('finds all, and nothing else', async () => {
    const real = await realImport(mapping, rows(60), [], '', { seed });
    await real.import();
    const ids = real.sandbox.contacts().map(({ id }) => id);
    const tampered: string[] = [];
    for (let n = 0; n < 25; n += 1) {
      const id = ids[n * 2] ?? 0;
      const own = n % 3 === 0 ? { lastName: `Other ${n}` } : { email: `other${n}@example.test` };
      await edit(real, id, own, n % 2 === 0 ? { Plan: `other ${n}` } : { Score: 1_000 + n });
      tampered.push(`${id} ${Object.keys(own)[0]}`, `${id} customFields.${n % 2 === 0 ? 'Plan' : 'Score'}`);
    }
    const { verification, lines } = await verify(real);
    const found = lines.map(({ contactId, field }) => `${contactId} ${field}`);
    expect(found.sort()).toEqual(tampered.sort());
    expect(lines.every(({ verdict, cause }) => verdict === 'different' && cause === 'edited')).toBe(true);
    expect(verification).toMatchObject({
      exitCode: 3,
      contacts: { different: 25, matched: 35, missing: 0 },
      causes: { edited: 50, lost: 0, normalised: 0 },
    });
  });
});
