import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, it } from 'vitest';
import { openJournalDatabase } from '../../src/journal/index.ts';
import type { SandboxOptions } from '../../src/sandbox/index.ts';
import { run } from './in-process.ts';
import { atScene, contactWith, edit, type InputRow, type Report, type Scene } from './scene.ts';

const mapping = `mapping: same
key: ID
contact:
  firstName: { from: First, default: Unknown }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
`;

const [P, Q, R] = ['+12015550101', '+12015550102', '+12015550103'];

interface Who {
  readonly id?: number;
  readonly first?: string;
  readonly last?: string;
  readonly email?: string;
  readonly phone?: string;
}

const row = (id: string, { first = '', last = '', email = '', phone = '' }: Who): InputRow => ({
  ...{ ID: id, First: first, Last: last, Email: email, Phone: phone },
});

const contact = ({ id = 7, first = '', last, email, phone }: Who) => ({
  id,
  firstName: first,
  ...(last !== undefined && { lastName: last }),
  ...(email !== undefined && { email }),
  ...(phone !== undefined && { phone }),
});

function scene(rows: readonly InputRow[], contacts: readonly Who[], policy: Record<string, string> = {}) {
  const settings = { policy: { maxErrors: '100%', ...policy }, limits: { settle: '1s' } };
  return { mapping, rows, seed: { contacts: contacts.map(contact) }, settings };
}

const standing = ({ sandbox }: Scene) =>
  sandbox.contacts().map(({ id, firstName, lastName, email, phone }) => ({
    ...{ id, first: firstName ?? '', last: lastName ?? '', email: email ?? '', phone: phone ?? '' },
  }));

/** What became of the first row: its outcome, and the codes of its problems. */
function fate(report: Report, line = 2): string {
  const lists = ['rejects.csv', 'dropped.csv'].flatMap((name) => report.csv(name) ?? []);
  const codes = lists.filter(({ _line }) => _line === String(line)).map(({ _code }) => _code);
  return [report.outcomes().get(line), ...codes].join(' ');
}

/** A row and a contact, and what becomes of them. */
const table: readonly (readonly [name: string, there: Who, said: Who, fate: string])[] = [
  [
    'e-mail equal, a name in common',
    { first: 'Anna', last: 'Meier', email: 'a@x.test' },
    { first: 'Anna', last: 'Kurz', email: 'a@x.test' },
    'updated',
  ],
  [
    'e-mail equal, a name missing',
    { first: 'Anna', email: 'a@x.test' },
    { email: 'a@x.test', phone: P },
    'updated',
  ],
  [
    'e-mail equal, the contact named as the mapping names who has no name',
    { first: 'Unknown', email: 'a@x.test' },
    { first: 'Anna', email: 'a@x.test' },
    'updated',
  ],
  [
    'e-mail equal, names with nothing in common',
    { first: 'Anna', last: 'Meier', email: 'a@x.test' },
    { first: 'Ben', last: 'Smith', email: 'a@x.test' },
    'proposed identity.ask',
  ],
  [
    'e-mail equal, names of two scripts',
    { first: 'Анна', last: 'Мейер', email: 'a@x.test' },
    { first: 'Anna', last: 'Meier', email: 'a@x.test' },
    'proposed identity.ask',
  ],
  [
    'phone equal, a contact with nothing else, any names',
    { first: 'Sunny', phone: P },
    { first: 'Anna', last: 'Meier', email: 'a@x.test', phone: P },
    'updated identity.byPhoneAlone',
  ],
  [
    'phone equal, first names match, a family name missing',
    { first: 'Anna', email: 'old@x.test', phone: P },
    { first: 'Anna', last: 'Meier', email: 'a@x.test', phone: P },
    'updated',
  ],
  [
    'phone equal, a side without a name, an identifier missing',
    { first: 'Anna', email: 'a@x.test', phone: P },
    { phone: P },
    'unchanged',
  ],
  [
    'phone equal, a side without a name, other e-mails',
    { first: 'Anna', email: 'a@x.test', phone: P },
    { email: 'b@x.test', phone: P },
    'proposed identity.ask',
  ],
  [
    'phone equal, first names match, family names differ',
    { first: 'Anna', last: 'Meier', email: 'a@x.test', phone: P },
    { first: 'Anna', last: 'Smith', email: 'b@x.test', phone: P },
    'proposed identity.ask',
  ],
  [
    'phone equal, names of two scripts',
    { first: 'Анна', email: 'a@x.test', phone: P },
    { first: 'Ben', email: 'b@x.test', phone: P },
    'proposed identity.ask',
  ],
  [
    'phone equal, first names and e-mails differ',
    { first: 'Anna', last: 'Meier', email: 'a@x.test', phone: P },
    { first: 'Ben', last: 'Meier', email: 'b@x.test', phone: P },
    'created phone.shared',
  ],
  [
    'phone equal, first names differ, the row has no e-mail',
    { first: 'Anna', email: 'a@x.test', phone: P },
    { first: 'Ben', phone: P },
    'proposed identity.ask',
  ],
  [
    'the address of a role equal, first names and phones differ',
    { first: 'Anna', email: 'info@x.test', phone: P },
    { first: 'Ben', email: 'info@x.test', phone: Q },
    'created email.shared',
  ],
];

describe('a row and a contact', () => {
  it.concurrent.each(table)('%s', async (_, there, said, expected) => {
    await atScene(scene([row('K1', said)], [there]), async (at) => {
      const before = standing(at);
      const report = await at.import();
      expect(fate(report)).toBe(expected);
      const [own, ...others] = standing(at);
      if (!expected.startsWith('updated')) expect(own).toEqual(before[0]);
      else expect(own).toMatchObject({ id: 7, ...said });
      if (!expected.startsWith('created')) expect(others).toEqual([]);
      else {
        const without = expected.includes('phone') ? { phone: '' } : { email: '' };
        expect(others).toMatchObject([{ ...said, ...without }]);
      }
      expect(report.code).toBe(expected.startsWith('proposed') ? 3 : 0);
      expect(report.csv('same-person.csv')?.length ?? 0).toBe(expected.startsWith('proposed') ? 1 : 0);
      // What was decided is decided: a second import sends nothing, and looks nobody up whose row was applied.
      const sent = at.sandbox.log.length;
      const again = await at.import();
      expect(again.outcomes().get(2)).toBe(expected.startsWith('proposed') ? 'proposed' : 'unchanged');
      const asked = at.sandbox.log.slice(sent).filter(({ path }) => path.startsWith('/contact/'));
      if (!expected.startsWith('proposed')) expect(asked).toEqual([]);
    });
  });

  it('a question shows both sides and why it is asked', async () => {
    const said = { first: 'Anna', last: 'Smith', email: 'b@x.test', phone: P };
    const there = { first: 'Anna', last: 'Meier', email: 'a@x.test', phone: P };
    await atScene(scene([row('K1', said)], [there]), async (at) => {
      const report = await at.import();
      expect(report.csv('same-person.csv')).toEqual([
        {
          ...{ answer: '', _line: '2', _key: 'K1' },
          evidence: 'same phone; the first names match, the family names differ',
          ...{ other: 'contact', other_line: '', other_key: '', other_contact: '7' },
          ...{
            'row.firstName': 'Anna',
            'row.lastName': 'Smith',
            'row.email': 'b@x.test',
            'row.phone': P,
            'row.further': '',
            'row.birthDate': '',
          },
          ...{ 'other.firstName': 'Anna', 'other.lastName': 'Meier', 'other.email': 'a@x.test' },
          ...{ 'other.phone': P, 'other.further': '', 'other.birthDate': '' },
        },
      ]);
    });
  });
});

const withFurther = mapping.replace(
  'phone: { from: Phone }',
  'phone: { from: [Phone, Mobile], also: { field: Mobile, create: true } }',
);

/** A row whose second phone is a contact's, and what becomes of the row. */
const further: readonly (readonly [name: string, there: Who, said: Who, fate: string])[] = [
  [
    'a contact with nothing else, any names',
    { first: 'Sunny', phone: Q },
    { first: 'Anna', last: 'Meier', email: 'a@x.test', phone: P },
    'updated identity.byPhoneAlone',
  ],
  [
    'the names match',
    { first: 'Anna', last: 'Meier', email: 'old@x.test', phone: Q },
    { first: 'Anna', last: 'Meier', email: 'a@x.test', phone: P },
    'updated',
  ],
  [
    'first names match, family names differ',
    { first: 'Anna', last: 'Smith', email: 'old@x.test', phone: Q },
    { first: 'Anna', last: 'Meier', email: 'a@x.test', phone: P },
    'proposed identity.ask',
  ],
  [
    'first names and e-mails differ',
    { first: 'Ben', last: 'Meier', email: 'old@x.test', phone: Q },
    { first: 'Anna', last: 'Meier', email: 'a@x.test', phone: P },
    'created',
  ],
];

describe.each(['shared', 'exclusive'])(
  'a row whose further phone is that of a contact, in a workspace that is %s',
  (workspace) => {
    it.concurrent.each(further)('%s', async (_, there, said, expected) => {
      const rows = [{ ...row('K1', said), Mobile: Q }];
      const given = { ...scene(rows, [there], { workspace }), mapping: withFurther };
      await atScene(given, async (at) => {
        const report = await at.import();
        expect(fate(report)).toBe(expected);
        const [own, ...others] = standing(at);
        expect(own).toMatchObject({ id: 7, ...(expected.startsWith('updated') ? said : there) });
        // The row keeps the phone that it sends: only the further one is the contact's.
        expect(others).toMatchObject(expected === 'created' ? [said] : []);
      });
    });
  },
);

describe.each([
  ['phone', 'phone: { from: Phone }', 'phone: { from: [Phone, More] }', Q],
  ['e-mail', 'email: { from: Email }', 'email: { from: [Email, More] }', 'team@x.test'],
] as const)('a second %s', (_, rule, withMore, shared) => {
  it.each([
    [5, 5, 'is looked up if no more people have it than may share a phone', true],
    [6, 6, 'is not looked up if more people have it', false],
    [6, 1, 'is looked up if they are few people', true],
  ])('of %i rows of %i people %s', async (count, people, _what, isRead) => {
    const rows = Array.from({ length: count }, (_each, n) => {
      const who = n % people;
      const [first, last] = [`First${'abcdef'[who]}`, `Last${'abcdef'[who]}`];
      return {
        ...row(`K${n}`, { first, last, email: `p${who}@x.test`, phone: `+1201555020${who}` }),
        More: shared,
      };
    });
    await atScene({ ...scene(rows, []), mapping: mapping.replace(rule, withMore) }, async (at) => {
      expect((await at.import()).rows).toMatchObject({ created: people });
      const paths = at.sandbox.log.map(({ path }) => decodeURIComponent(path));
      expect(paths.some((path) => path.endsWith(`:${shared}`))).toBe(isRead);
    });
  });
});

const withFurtherEmail = mapping.replace(
  '{ from: Email }',
  '{ from: [Email, Other], also: { field: Other, create: true } }',
);

/** A row whose second e-mail is a contact's, and what becomes of the row. */
const furtherEmail: readonly (readonly [name: string, there: Who, said: Who, fate: string])[] = [
  [
    'the names match',
    { first: 'Anna', last: 'Meier', email: 'other@x.test' },
    { first: 'Anna', last: 'Meier', email: 'a@x.test' },
    'updated',
  ],
  [
    'the contact has no name',
    { first: 'Unknown', email: 'other@x.test' },
    { first: 'Anna', last: 'Meier', email: 'a@x.test' },
    'updated',
  ],
  [
    'the first names differ, and the contact has no phone',
    { first: 'Ben', last: 'Meier', email: 'other@x.test' },
    { first: 'Anna', last: 'Meier', email: 'a@x.test' },
    'created',
  ],
  [
    'the family names differ',
    { first: 'Anna', last: 'Kurz', email: 'other@x.test' },
    { first: 'Anna', last: 'Meier', email: 'a@x.test' },
    'proposed identity.ask',
  ],
];

describe.each(['shared', 'exclusive'] as const)(
  'a row whose second e-mail is that of a contact, in a workspace that is %s',
  (workspace) => {
    it.concurrent.each(furtherEmail)('%s', async (_, there, said, expected) => {
      const rows = [{ ...row('K1', said), Other: 'other@x.test' }];
      const given = { ...scene(rows, [there], { workspace }), mapping: withFurtherEmail };
      await atScene(given, async (at) => {
        const report = await at.import();
        expect(fate(report)).toBe(expected);
        const [own, ...others] = standing(at);
        expect(own).toMatchObject({ id: 7, ...(expected === 'updated' ? said : there) });
        expect(others).toMatchObject(expected === 'created' ? [said] : []);
      });
    });
  },
);

/** What a key was, and what it is in the next file. */
const keys: readonly (readonly [name: string, was: Who, is: Who, fate: string])[] = [
  [
    'a name in common',
    { first: 'Anna', last: 'Meier', email: 'a@x.test' },
    { first: 'Anna', last: 'Kurz', email: 'b@x.test' },
    'updated',
  ],
  [
    'the e-mail equal, all names changed',
    { first: 'Anna', last: 'Meier', email: 'a@x.test' },
    { first: 'Ben', last: 'Kurz', email: 'a@x.test' },
    'updated',
  ],
  [
    'nothing in common but the phone',
    { first: 'Anna', email: 'a@x.test', phone: P },
    { first: 'Ben', email: 'b@x.test', phone: P },
    'proposed identity.ask',
  ],
  [
    'nothing in common',
    { first: 'Anna', email: 'a@x.test', phone: P },
    { first: 'Ben', email: 'b@x.test', phone: Q },
    'rejected key.reused',
  ],
  [
    'only a placeholder in common',
    { first: 'N/A', last: 'Anna', email: 'a@x.test', phone: P },
    { first: 'N/A', last: 'Ben', email: 'b@x.test', phone: Q },
    'rejected key.reused',
  ],
];

describe('a key that an earlier import has met', () => {
  it.concurrent.each(keys)('with %s', async (_, was, is, expected) => {
    await atScene(scene([row('K1', was)], []), async (at) => {
      await at.import();
      const before = standing(at);
      at.writeRows([row('K1', is)]);
      const report = await at.import();
      expect(fate(report)).toBe(expected);
      if (expected === 'updated') expect(standing(at)).toMatchObject([is]);
      else expect(standing(at)).toEqual(before);
      if (expected.includes('reused')) {
        const [reject] = report.csv('rejects.csv') ?? [];
        // Names of another person stay where forgetting that person looks: in the workspace and on their own rows.
        expect(reject?._reason).toMatch(/^key K1 is contact \d+, and the row is (N\/A )?Ben:/);
        expect(reject?._reason).not.toContain('Anna');
      }
    });
  });
});

describe('several contacts', () => {
  const said = { first: 'Anna', last: 'Meier', email: 'a@x.test', phone: P };
  const byEmail = { id: 7, first: 'Anna', email: 'a@x.test', phone: Q };

  it('of whom one is somebody else: the phone stays there', async () => {
    const other = { id: 8, first: 'Ben', email: 'b@x.test', phone: P };
    await atScene(scene([row('K1', said)], [byEmail, other]), async (at) => {
      expect(fate(await at.import())).toBe('updated phone.shared');
      expect(standing(at)).toMatchObject([
        { last: 'Meier', phone: Q },
        { first: 'Ben', phone: P },
      ]);
    });
  });

  it('that are one person among themselves are merged under onConflict: merge', async () => {
    const other = { id: 8, first: 'Anna', last: 'Meier', phone: P };
    await atScene(scene([row('K1', said)], [byEmail, other], { onConflict: 'merge' }), async (at) => {
      expect(fate(await at.import())).toBe('merged');
    });
  });

  it('that are not are proposed, not merged', async () => {
    const other = { id: 8, first: 'Sunny', phone: P };
    await atScene(scene([row('K1', said)], [byEmail, other], { onConflict: 'merge' }), async (at) => {
      const report = await at.import();
      expect(report.outcomes().get(2)).toBe('proposed');
      expect(report.csv('merge-proposals.csv')).toHaveLength(1);
    });
  });

  it('that have nothing but one phone are not merged where their names differ', async () => {
    const [ben, tom] = [
      { id: 7, first: 'Ben', phone: P },
      { id: 8, first: 'Tom', phone: P },
    ];
    const policy = { onConflict: 'merge', lookup: 'snapshot' };
    await atScene(scene([row('K1', said)], [ben, tom], policy), async (at) => {
      const report = await at.import();
      expect(report.outcomes().get(2)).toBe('proposed');
      expect(report.csv('merge-proposals.csv')).toHaveLength(1);
      expect(standing(at)).toMatchObject([{ first: 'Ben' }, { first: 'Tom' }]);
    });
  });
});

const unclear: readonly [Who, Who] = [
  { first: 'Anna', last: 'Meier', email: 'a@x.test', phone: P },
  { first: 'Anna', last: 'Smith', email: 'b@x.test', phone: P },
];

describe('the policy', () => {
  it.each([
    ['unsure: same', { unsure: 'same' }, unclear, 'updated', 1],
    ['unsure: different', { unsure: 'different' }, unclear, 'created phone.shared', 2],
    ['samePerson: identifier', { samePerson: 'identifier' }, unclear, 'updated', 1],
    [
      'samePerson: identifier, two strangers',
      { samePerson: 'identifier' },
      [
        { first: 'Anna', email: 'a@x.test' },
        { first: 'Ben', email: 'a@x.test' },
      ],
      'updated',
      1,
    ],
    ['onMatch: skip, of one who is in question', { onMatch: 'skip' }, unclear, 'proposed identity.ask', 1],
    [
      'onMatch: skip, of another person',
      { onMatch: 'skip' },
      [unclear[0], { first: 'Ben', email: 'b@x.test', phone: P }],
      'created phone.shared',
      2,
    ],
    [
      'onMatch: reject, of the same person',
      { onMatch: 'reject' },
      [unclear[0], unclear[0]],
      'rejected identity.exists',
      1,
    ],
  ] as const)('%s', async (_, policy, [there, said], expected, contacts) => {
    await atScene(scene([row('K1', said)], [there], policy), async (at) => {
      expect(fate(await at.import())).toBe(expected);
      expect(standing(at)).toHaveLength(contacts);
    });
  });

  it('unsure: different rejects whom nothing is left of', async () => {
    const there = { first: 'Anna', email: 'a@x.test', phone: P };
    const rows = [row('K1', { first: 'Ben', phone: P })];
    await atScene(scene(rows, [there], { unsure: 'different' }), async (at) => {
      expect(fate(await at.import())).toBe('rejected phone.shared');
    });
  });
});

/** Answers the questions of a run in its list, as a person in a spreadsheet would; gives the file's path. */
function answer(at: Scene, report: Report, ...answers: readonly string[]): string {
  const lines = report.csv('same-person.csv') ?? [];
  const path = join(at.path, 'same-person.csv');
  writeFileSync(
    path,
    stringify(
      lines.map((line, n) => ({ ...line, answer: answers[n] ?? '' })),
      { header: true },
    ),
  );
  return path;
}

describe('a row of which each contact has something, told apart from all of them', () => {
  const there = [
    { id: 7, first: 'Anna', email: 'info@x.test', phone: Q },
    { id: 8, first: 'Carl', email: 'c@x.test', phone: P },
  ];
  const rows = [row('K1', { first: 'Ben', email: 'info@x.test', phone: P })];
  it.each([
    ['review', {}, 'proposed identity.ask email.shared phone.shared'],
    ['different', { unsure: 'different' }, 'rejected email.shared | phone.shared'],
    ['same', { unsure: 'same', onConflict: 'prefer-email' }, 'updated phone.leftOut'],
  ] as const)('under unsure: %s', async (_, policy, expected) => {
    await atScene(scene(rows, there, policy), async (at) => {
      expect(fate(await at.import())).toBe(expected);
      expect(standing(at)).toHaveLength(2);
    });
  });
});

describe('an answer', () => {
  const asked = scene([row('K1', unclear[1])], [unclear[0]]);

  it('same applies the row to the contact, and is remembered', async () => {
    await atScene(asked, async (at) => {
      const list = answer(at, await at.import(), 'same');
      const report = await at.import('--approve', list);
      expect(fate(report)).toBe('updated');
      expect(report.code).toBe(0);
      expect(standing(at)).toMatchObject([{ id: 7, ...unclear[1] }]);
      at.writeRows([row('K1', { ...unclear[1], last: 'Kurz' })]);
      expect(fate(await at.import())).toBe('updated');
    });
  });

  it('different makes a contact without the phone, and is remembered', async () => {
    await atScene(asked, async (at) => {
      const list = answer(at, await at.import(), 'Different ');
      expect(fate(await at.import('--approve', list))).toBe('created phone.shared');
      expect(standing(at)).toMatchObject([unclear[0], { ...unclear[1], phone: '' }]);
      at.writeRows([row('K1', { ...unclear[1], phone: R })]);
      expect(fate(await at.import())).toBe('updated');
      expect(standing(at)).toMatchObject([unclear[0], { ...unclear[1], phone: R }]);
      at.writeRows([row('K1', unclear[1])]);
      expect(fate(await at.import('--full'))).toContain('phone.shared');
      expect(standing(at)).toHaveLength(2);
    });
  });

  it('left empty leaves the row alone, and another answer is refused with its line', async () => {
    await atScene(asked, async (at) => {
      const report = await at.import();
      const none = await run(['import', join(at.path, 'pipeline.yaml'), '--approve', answer(at, report, '')]);
      expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing is answered') });
      const other = await run([
        'import',
        join(at.path, 'pipeline.yaml'),
        '--approve',
        answer(at, report, 'maybe'),
      ]);
      expect(other.code).toBe(2);
      expect(other.stderr).toContain('"maybe" under "answer" is neither same nor different');
      expect(other.stderr).toContain('same-person.csv:2:');
    });
  });

  it('about a contact that was edited since is stale', async () => {
    await atScene(asked, async (at) => {
      const list = answer(at, await at.import(), 'same');
      await edit(at.sandbox, 7, { lastName: 'Edited' });
      expect(fate(await at.import('--approve', list))).toBe('stale identity.stale');
      expect(contactWith(at.sandbox, 7).lastName).toBe('Edited');
      expect(fate(await at.import())).toBe('proposed identity.ask');
    });
  });

  it('is found again after a spreadsheet has rewritten the list', async () => {
    const rows = [row('007', unclear[1])];
    await atScene(scene(rows, [unclear[0]]), async (at) => {
      const report = await at.import();
      const [line = {}] = report.csv('same-person.csv') ?? [];
      const path = join(at.path, 'list.csv');
      const rewritten = { ...line, answer: 'same', _key: '7', 'row.phone': '1.2E+10' };
      writeFileSync(path, `\uFEFF${stringify([rewritten], { header: true, delimiter: ';' })}`);
      expect(fate(await at.import('--approve', path))).toBe('updated');
    });
  });
});

describe('an answer about two rows', () => {
  const [one, other]: readonly [Who, Who] = [
    { first: 'Anna', last: 'Meier', email: 'a@x.test', phone: P },
    { first: 'Anna', last: 'Smith', email: 'b@x.test', phone: P },
  ];
  // The phone is with the lowest key, wherever its row is.
  const [first, last] = [
    scene([row('K2', other), row('K1', one)], []),
    scene([row('K1', one), row('K2', other)], []),
  ];

  async function answered(at: Scene, given: string, line: number): Promise<Report> {
    const report = await at.import();
    expect([fate(report, line), fate(report, 5 - line)]).toEqual(['proposed identity.ask', 'created']);
    expect(report.csv('same-person.csv')).toMatchObject([{ _key: 'K2', other: 'row', other_key: 'K1' }]);
    return await at.import('--approve', answer(at, report, given));
  }

  it('same applies the row to the contact of the other one', async () => {
    await atScene(last, async (at) => {
      const report = await answered(at, 'same', 3);
      expect(report).toMatchObject({ code: 0, rows: { read: 1, updated: 1 } });
      expect(standing(at)).toMatchObject([other]);
      const sent = at.writes().length;
      const again = await at.import();
      expect(again.rows).toMatchObject({ proposed: 0 });
      expect(at.writes()).toHaveLength(sent);
    });
  });

  it('different makes a contact of its own, without the phone', async () => {
    await atScene(first, async (at) => {
      expect(fate(await answered(at, 'different', 2))).toBe('created phone.shared');
      expect(standing(at)).toMatchObject([one, { ...other, phone: '' }]);
      const sent = at.writes().length;
      expect((await at.import()).rows).toMatchObject({ unchanged: 2 });
      expect(at.writes()).toHaveLength(sent);
    });
  });
});

describe('a create that is refused as existing', () => {
  it.each([
    ['the same person', { first: 'Benjamin', email: 'b@x.test' }, 'updated', 1],
    ['one who is in question', { first: 'Anna', email: 'b@x.test' }, 'proposed identity.ask', 1],
    ['another person', { first: 'Anna', email: 'info@x.test', phone: Q }, 'created email.shared', 2],
  ] as const)('is judged again: %s', async (_, theirs, expected, contacts) => {
    const email = theirs.email;
    const rows = [row('K1', { first: 'Ben', last: 'Smith', email, phone: P })];
    let add: Scene['sandbox']['add'] | undefined;
    const onPhase: NonNullable<SandboxOptions['onPhase']> = (phase, { method, path }) => {
      if (phase !== 'received' || method !== 'POST' || !path.startsWith('/contact/email:')) return;
      add?.({ contacts: [contact({ id: 900, ...theirs })] });
      add = undefined;
    };
    await atScene({ ...scene(rows, []), existing: 'refuse', onPhase }, async (at) => {
      add = at.sandbox.add;
      expect(fate(await at.import())).toBe(expected);
      expect(standing(at)).toHaveLength(contacts);
    });
  });
});

describe('a plan', () => {
  it('has the questions and the same outcomes as the import', async () => {
    const rows = [row('K1', unclear[1]), row('K2', { first: 'Ben', email: 'c@x.test', phone: Q })];
    await atScene(scene(rows, [unclear[0]]), async (at) => {
      const flags = ['--workspace', at.sandbox.baseUrl, '--work-dir', join(at.path, 'work'), '--json'];
      const planned = await run(['plan', join(at.path, 'pipeline.yaml'), ...flags], {
        LONGSHORE_TOKEN: 'sandbox',
      });
      const plan = JSON.parse(planned.stdout);
      expect(plan.questions).toMatchObject({ count: 1, examples: [{ line: 2 }] });
      const report = await at.import();
      expect(plan.rows).toMatchObject({ proposed: 1, created: 1 });
      expect(report.rows).toMatchObject({ proposed: 1, created: 1 });
    });
  });
});

describe('to forget a person', () => {
  it('takes them out of same-person.csv, questions and answers', async () => {
    const rows = [row('K1', unclear[1]), row('K2', { first: 'Carl', email: 'c@x.test' })];
    await atScene(scene(rows, [unclear[0]]), async (at) => {
      const report = await at.import();
      const list = join(report.folder, 'same-person.csv');
      expect(readFileSync(list, 'utf8')).toContain('b@x.test');
      const flags = ['--yes', '--work-dir', join(at.path, 'work'), '--json'];
      const ended = await run(['forget', 'b@x.test', ...flags]);
      expect(JSON.parse(ended.stdout)).toMatchObject({ counts: { questions: 1 } });
      expect(report.csv('same-person.csv')).toBeUndefined();
    });
  });

  it.each([
    ['the one who is in question', 'b@x.test', 3],
    ['the one who is written', 'a@x.test', 2],
  ])('takes out a question about two rows with both sides: %s', async (_, named, line) => {
    const rows = [
      row('K1', { first: 'Anna', last: 'Meier', email: 'a@x.test', phone: P }),
      row('K2', { first: 'Anna', last: 'Smith', email: 'b@x.test', phone: P }),
    ];
    await atScene(scene(rows, []), async (at) => {
      const report = await at.import();
      expect(report.csv('same-person.csv')).toHaveLength(1);
      const flags = ['--yes', '--work-dir', join(at.path, 'work')];
      expect(await run(['forget', named, ...flags])).toMatchObject({ code: 0 });
      expect(report.csv('same-person.csv')).toBeUndefined();
      expect(countOf(at, 'question')).toBe(0);
      expect((await at.import()).outcomes().get(line)).toBe('skipped');
    });
  });

  it.each([
    ['of a mapping with keys', mapping, 'K1'],
    ['of a mapping without keys', mapping.replace('key: ID\n', ''), 'a@x.test'],
  ])('takes out answers about two rows that have one key or one e-mail, %s', async (_, used, named) => {
    const rows = [
      row('K1', { first: 'Anna', last: 'Meier', email: 'a@x.test', phone: P }),
      row('K1', { first: 'Ben', last: 'Smith', email: 'a@x.test', phone: Q }),
      row('K1', { first: 'Ben', last: 'Smith', email: 'b@x.test', phone: P }),
    ].filter((_row, n) => n !== (used === mapping ? 1 : 2));
    await atScene({ ...scene(rows, []), mapping: used }, async (at) => {
      await at.import('--approve', answer(at, await at.import(), 'different'));
      expect(countOf(at, 'answer')).toBe(1);
      const flags = ['--yes', '--work-dir', join(at.path, 'work')];
      expect(await run(['forget', named, ...flags])).toMatchObject({ code: 0 });
      expect([countOf(at, 'answer'), countOf(at, 'question')]).toEqual([0, 0]);
    });
  });

  it('takes them out of what an unfinished run has found out of its input, which is found out again', async () => {
    const rows = [
      row('K1', { first: 'Anna', last: 'Meier', email: 'a@x.test', phone: P }),
      row('K2', { first: 'Zenobia', phone: P }),
      row('K3', { first: 'Carl', email: 'c@x.test' }),
    ];
    await atScene(scene(rows, []), async (at) => {
      await at.import('--limit', '2');
      const spool = join(at.path, 'work', 'spool');
      const found = () =>
        readdirSync(spool).filter((name) => readFileSync(join(spool, name)).includes('Zenobia'));
      expect(found()).toMatchObject([expect.stringContaining('index.db')]);
      expect(await run(['forget', 'K2', '--yes', '--work-dir', join(at.path, 'work')])).toMatchObject({
        code: 0,
      });
      expect(found()).toEqual([]);
      const report = await at.import();
      expect(report.outcomes().get(4)).toBe('created');
    });
  });
});

function countOf(at: Scene, table: 'answer' | 'question'): unknown {
  const journal = openJournalDatabase(join(at.path, 'work'));
  try {
    return journal.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  } finally {
    journal.close();
  }
}
