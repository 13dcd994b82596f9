import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, it } from 'vitest';
import { run } from './in-process.ts';
import { ProcessKiller } from './process-killer.ts';
import { atScene, type InputRow, type Report, type Scene } from './scene.ts';

const mapping = `mapping: people
key: ID
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
`;

const [P, Q] = ['+12015550101', '+12015550102'];

const row = (ID: string, First: string, Last: string, Email: string, Phone: string): InputRow => ({
  ...{ ID, First, Last, Email, Phone },
});

function scene(rows: readonly InputRow[], policy: Record<string, string> = {}) {
  const settings = { policy: { maxErrors: '100%', ...policy }, limits: { settle: '1s' } };
  return { mapping, rows, seed: { contacts: [] }, settings };
}

const contacts = ({ sandbox }: Scene) =>
  sandbox
    .contacts()
    .map(({ firstName, email, phone }) => [firstName, email ?? '', phone ?? ''].join(' '))
    .sort();

/** The outcome and the problems of each row, in the input's order. */
function fates(report: Report): readonly string[] {
  const lists = ['rejects.csv', 'dropped.csv'].flatMap((name) => report.csv(name) ?? []);
  return [...report.outcomes()]
    .sort(([a], [b]) => a - b)
    .map(([line, outcome]) => {
      const codes = lists.filter(({ _line }) => _line === String(line)).map(({ _code }) => _code);
      return [outcome, ...codes].join(' ');
    });
}

function answered(at: Scene, report: Report, answer: 'same' | 'different'): string {
  const path = join(at.path, 'answers.csv');
  const lines = (report.csv('same-person.csv') ?? []).map((line) => ({ ...line, answer }));
  writeFileSync(path, stringify(lines, { header: true }));
  return path;
}

const mother = row('1', 'Anna', 'Meyer', 'anna@x.test', P);
const son = row('2', 'Tom', 'Meyer', 'tom@x.test', P);
const sonWithoutEmail = row('2', 'Tom', 'Meyer', '', P);

describe('mother and son with one phone', () => {
  it.each([
    ['in this order', [mother, son], ['created', 'created phone.shared']],
    ['the son first', [son, mother], ['created phone.shared', 'created']],
  ])('are two contacts, %s, and the phone is with the lowest key', async (_order, rows, expected) => {
    await atScene(scene(rows), async (at) => {
      const report = await at.import();
      expect(report.code).toBe(0);
      expect(fates(report)).toEqual(expected);
      expect(contacts(at)).toEqual([`Anna anna@x.test ${P}`, 'Tom tom@x.test ']);
      // Once more: neither takes the other's contact.
      expect(fates(await at.import('--full')).map((fate) => fate.split(' ')[0])).toEqual([
        'unchanged',
        'unchanged',
      ]);
    });
  });

  it('are imported by a plan as the plan says', async () => {
    await atScene(scene([mother, son]), async (at) => {
      const file = join(at.path, 'kept.db');
      const flags = ['--workspace', at.sandbox.baseUrl, '--work-dir', join(at.path, 'work'), '--json'];
      const pipeline = join(at.path, 'pipeline.yaml');
      const planned = await run(['plan', pipeline, '--out', file, ...flags], { LONGSHORE_TOKEN: 'sandbox' });
      const report = await at.import('--plan', file);
      expect(JSON.parse(planned.stdout).rows).toMatchObject({ created: 2, stale: 0 });
      expect(fates(report)).toEqual(['created', 'created phone.shared']);
      expect(contacts(at)).toEqual([`Anna anna@x.test ${P}`, 'Tom tom@x.test ']);
    });
  });

  it('are one contact under samePerson: identifier, as before', async () => {
    await atScene(scene([mother, son], { samePerson: 'identifier' }), async (at) => {
      expect(fates(await at.import())).toEqual([
        'folded identity.folded firstName.folded email.folded',
        'created',
      ]);
      expect(contacts(at)).toHaveLength(1);
    });
  });
});

describe('a contact with a phone that two people of the file say', () => {
  const daughter = row('3', 'Ida', 'Meyer', 'ida@x.test', P);
  it.each([
    [
      'the name of the one who has it',
      { firstName: 'Anna' },
      [mother, son],
      [`Anna anna@x.test ${P}`, 'Tom tom@x.test '],
    ],
    [
      'the name of the other one',
      { firstName: 'Tom' },
      [mother, son],
      ['Anna anna@x.test ', `Tom tom@x.test ${P}`],
    ],
    [
      'the name of none of them',
      { firstName: 'Sunny' },
      [mother, son],
      [`Anna anna@x.test ${P}`, 'Tom tom@x.test '],
    ],
    ['no name', { firstName: '' }, [mother, son], [`Anna anna@x.test ${P}`, 'Tom tom@x.test ']],
    [
      'the name of the last of three',
      { firstName: 'Ida', lastName: 'Meyer' },
      [mother, son, daughter],
      ['Anna anna@x.test ', `Ida ida@x.test ${P}`, 'Tom tom@x.test '],
    ],
    [
      'an e-mail and the name of the other one',
      { firstName: 'Tom', lastName: 'Meyer', email: 'old@x.test' },
      [mother, son],
      ['Anna anna@x.test ', `Tom tom@x.test ${P}`],
    ],
  ] as const)('and %s goes to one of them, in either order', async (_name, there, rows, expected) => {
    for (const given of [rows, [...rows].reverse()]) {
      const seed = { contacts: [{ id: 7, phone: P, ...there }] };
      await atScene({ ...scene(given), seed }, async (at) => {
        const report = await at.import();
        expect(report.code).toBe(0);
        expect(contacts(at)).toEqual(expected);
        const again = await at.import('--full');
        expect(new Set(again.outcomes().values())).toEqual(new Set(['unchanged']));
        expect(contacts(at)).toEqual(expected);
      });
    }
  });
});

describe('a son without an e-mail', () => {
  it('is asked about with both sides, again by a retry, and nothing of him is written', async () => {
    await atScene(scene([sonWithoutEmail, mother]), async (at) => {
      const report = await at.import();
      expect(report.code).toBe(3);
      expect(fates(report)).toEqual(['proposed identity.ask', 'created']);
      expect(contacts(at)).toEqual([`Anna anna@x.test ${P}`]);
      expect(report.csv('same-person.csv')).toMatchObject([
        {
          ...{ answer: '', _line: '2', _key: '2', other: 'row', other_line: '3', other_key: '1' },
          evidence: 'same phone; the first names differ, the family names match',
          ...{ 'row.firstName': 'Tom', 'other.firstName': 'Anna', 'other.email': 'anna@x.test' },
        },
      ]);
      expect(fates(await at.import())).toEqual(['proposed identity.ask', 'unchanged']);
    });
  });

  it('is his mother where that is answered, and the answer is remembered', async () => {
    await atScene(scene([mother, sonWithoutEmail]), async (at) => {
      const list = answered(at, await at.import(), 'same');
      const report = await at.import('--approve', list);
      expect(report.code).toBe(0);
      expect(report.outcomes().get(3)).toBe('updated');
      expect(contacts(at)).toEqual([`Tom anna@x.test ${P}`]);
      expect((await at.import()).code).toBe(0);
    });
  });

  it('that is another person has nothing left, and says so', async () => {
    await atScene(scene([mother, sonWithoutEmail]), async (at) => {
      const list = answered(at, await at.import(), 'different');
      expect(fates(await at.import('--approve', list))).toEqual(['rejected identity.missing']);
      expect(contacts(at)).toEqual([`Anna anna@x.test ${P}`]);
    });
  });
});

describe('two people with one key', () => {
  it('are not written, and are listed with both', async () => {
    const rows = [mother, row('1', 'Otto', 'Schulz', 'otto@x.test', Q)];
    await atScene(scene(rows), async (at) => {
      const report = await at.import();
      expect(fates(report)).toEqual(['rejected key.reused', 'rejected key.reused']);
      expect(contacts(at)).toEqual([]);
      const reasons = (report.csv('rejects.csv') ?? []).map(({ _reason }) => _reason ?? '');
      // Each names its own person, and where the other one is.
      expect(reasons).toEqual([
        expect.stringMatching(/is Anna Meyer here and another person in line 3/),
        expect.stringMatching(/is Otto Schulz here and another person in line 2/),
      ]);
    });
  });
});

describe('rows of one person', () => {
  it('say by what they are one', async () => {
    const rows = [mother, row('2', 'Anna', 'Meyer', 'other@x.test', P)];
    await atScene(scene(rows), async (at) => {
      const report = await at.import();
      expect(fates(report)[0]).toBe('folded identity.folded email.folded');
      const [note] = (report.csv('dropped.csv') ?? []).filter(({ _line }) => _line === '2');
      expect(note?._reason).toBe('the same person as in line 3: same phone; the names match');
    });
  });
});

/** Questions about rows and a contact, shared values, reused keys, duplicates: who is who is the same however it is run. */
const everyone = [
  son,
  mother,
  row('3', 'Ida', '', '', P),
  row('4', 'Otto', 'Schulz', 'otto@x.test', '+12015550104'),
  row('5', 'Uwe', 'Lang', 'uwe@x.test', '+12015550105'),
  row('5', 'Eva', 'Kurz', 'eva@x.test', '+12015550106'),
  row('6', 'Max', 'Abel', 'info@x.test', '+12015550107'),
  row('7', 'Rosa', 'Bach', 'info@x.test', '+12015550108'),
  row('8', 'Lena', 'Wolf', 'lena@x.test', Q),
  row('9', 'Lena', 'Wolf', '', Q),
  row('10', 'Paul', 'Vogt', 'paul@x.test', '+12015550109'),
];
const there = {
  contacts: [
    { id: 7, firstName: 'Tom', phone: P },
    { id: 8, firstName: 'Hans', lastName: 'Schulz', email: 'otto@x.test' },
    { id: 9, firstName: 'Rosa', lastName: 'Bach', email: 'info@x.test' },
    { id: 10, firstName: 'Paul', lastName: 'Klein', email: 'klein@x.test', phone: '+12015550109' },
  ],
};
const whole = (rows: readonly InputRow[] = everyone) => {
  const { settings, ...rest } = scene(rows);
  return { ...rest, seed: there, settings: { ...settings, limits: { settle: '1s', concurrency: 1 } } };
};

/** What an import at one go ends with; without what a plan sees otherwise. */
async function atOneGo(): Promise<{
  readonly contacts: readonly string[];
  readonly fates: readonly string[];
}> {
  let ended: Awaited<ReturnType<typeof atOneGo>> | undefined;
  await atScene(whole(), async (at) => {
    const report = await at.import();
    ended = { contacts: contacts(at), fates: fates(report) };
  });
  if (ended === undefined) throw new Error('the import has not ended');
  return ended;
}

describe('a file with questions, shared values and a key of two people', () => {
  it('has of each kind', async () => {
    const codes = new Set((await atOneGo()).fates.flatMap((fate) => fate.split(' ')));
    for (const code of [
      'identity.ask',
      'phone.shared',
      'email.shared',
      'key.reused',
      'folded',
      'updated',
      'created',
    ])
      expect(codes).toContain(code);
  });

  it('gives the same contacts and outcomes from the last row to the first', async () => {
    const expected = await atOneGo();
    await atScene(whole([...everyone].reverse()), async (at) => {
      const report = await at.import();
      expect(contacts(at)).toEqual(expected.contacts);
      const { rows } = report;
      await atScene(whole(), async (other) => expect((await other.import()).rows).toEqual(rows));
    });
  });

  it('gives the same in chunks as at one go', async () => {
    const expected = await atOneGo();
    await atScene(whole(), async (at) => {
      for (let n = 0; n < 5; n += 1) await at.import('--limit', '2');
      const report = await at.import();
      expect(contacts(at)).toEqual(expected.contacts);
      expect(fates(report)).toEqual(expected.fates);
    });
  });

  it.each([
    { method: 'PUT', template: '/contact/{identifier}', nth: 1 },
    { method: 'POST', template: '/contact/{identifier}', nth: 1 },
    { method: 'POST', template: '/contact/{identifier}', nth: 3 },
  ] as const)('ends as without it after a kill: %j', async (stroke) => {
    const expected = await atOneGo();
    const killer = new ProcessKiller('applied', [stroke]);
    await atScene({ ...whole(), onPhase: killer.onPhase }, async (at) => {
      const victim = at.start('import', join(at.path, 'pipeline.yaml'));
      killer.watch(victim);
      expect(await victim.ended).toMatchObject({ signal: 'SIGKILL' });
      const report = await at.import();
      expect(contacts(at)).toEqual(expected.contacts);
      expect(fates(report)).toEqual(expected.fates);
    });
  });

  it('is planned as it is imported, and may be imported by the plan', async () => {
    await atScene(whole(), async (at) => {
      const file = join(at.path, 'kept.db');
      const flags = ['--workspace', at.sandbox.baseUrl, '--work-dir', join(at.path, 'work'), '--json'];
      const pipeline = join(at.path, 'pipeline.yaml');
      const planned = await run(['plan', pipeline, '--out', file, ...flags], { LONGSHORE_TOKEN: 'sandbox' });
      const plan = JSON.parse(planned.stdout);
      const report = await at.import('--plan', file);
      expect(report.rows).toMatchObject(plan.rows);
      expect(plan.questions.count).toBe(report.csv('same-person.csv')?.length);
      const expected = await atOneGo();
      expect([contacts(at), fates(report)]).toEqual([expected.contacts, expected.fates]);
    });
  });
});
