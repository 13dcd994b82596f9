import { expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { atScene, contactOf, customField, edit, type InputRow } from './scene.ts';

const mapping = `mapping: delta
key: ID
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
customFields:
  City: { from: City, type: text }
  Score: { from: Score, type: number }
lifecycle: { from: Stage, stages: [New Lead, Hot Lead, Customer] }
comments:
  - { name: origin, text: "Legacy record {ID} with a score of {Score}" }
  - { name: note, key: Note ID, text: "{Note}" }
`;

const seed = {
  customFields: [
    { name: 'City', dataType: 'text' as const },
    { name: 'Score', dataType: 'number' as const },
  ],
};

const size = 2_000;

function row(n: number): InputRow {
  return {
    ID: `R${n}`,
    First: `First${n}`,
    Last: `Last${n}`,
    Email: `person${n}@example.com`,
    Phone: `+1201${5_550_000 + n}`,
    City: `City${n % 7}`,
    Score: String(n),
    Stage: 'New Lead',
    'Note ID': `N${n}`,
    Note: `Note ${n}`,
  };
}

const emailOf = (n: number) => `person${n}@example.com`;

/** What the newer file says of thirteen people, by their number. */
const changes: ReadonlyMap<number, InputRow> = new Map([
  // In the field that somebody edits.
  [10, { City: 'Source City' }],
  // Elsewhere than in the field that somebody edits.
  [20, { Score: '1020' }],
  [21, { Last: 'Changed21' }],
  [22, { First: 'Changed22' }],
  [23, { Phone: '+12015569923' }],
  [24, { Score: '1024' }],
  // The e-mail of somebody who is known.
  [30, { Email: 'moved30@example.com' }],
  // No field at all: a stage, and a new note.
  [40, { Stage: 'Hot Lead' }],
  [41, { 'Note ID': 'N41b', Note: 'Another note on 41' }],
  [50, { Last: 'Changed50' }],
  [51, { City: 'Changed51' }],
  [52, { Score: '1052' }],
  [53, { First: 'Changed53', Last: 'Changed53', Score: '1053' }],
]);

/** People whose city somebody has edited; the last two are in no change. */
const edited = [10, 20, 21, 22, 23, 24, 60, 61];
const removed = 1_000;
const added = [size, size + 1];

const isContactRead = ({ method, path }: Sandbox['log'][number]) =>
  method === 'GET' && path.startsWith('/contact/');

it('sends of a newer file what changed and nothing else', async () => {
  const before = Array.from({ length: size }, (_, n) => row(n));
  await atScene({ mapping, rows: before, seed, rate: 'off', logSize: 50_000 }, async (scene) => {
    const { sandbox } = scene;
    const first = await scene.import();
    expect(first).toMatchObject({ code: 0, rows: { read: size, created: size } });
    const ids = new Map(sandbox.contacts().map(({ id, email }) => [email, id]));
    const idOf = (n: number) => ids.get(emailOf(n)) ?? contactOf(sandbox, emailOf(n)).id;
    for (const n of edited) await edit(sandbox, idOf(n), {}, { City: `Edited${n}` });
    const untouched = () => sandbox.contacts().filter(({ id }) => !touched.has(id));
    const touched = new Set([...changes.keys()].map(idOf));
    const others = untouched();

    const after = before.map((each, n) => ({ ...each, ...changes.get(n) }));
    after.splice(removed, 1);
    scene.writeRows([...after, ...added.map(row)]);
    sandbox.resetLog();
    const second = await scene.import();

    expect(second).toMatchObject({
      code: 0,
      rows: { read: size + 1, created: 2, updated: 13, unchanged: size - 14 },
    });
    const id = (n: number) => `/contact/id:${idOf(n)}`;
    const updates = [...changes.keys()].filter((n) => n !== 40 && n !== 41);
    expect(scene.writes().sort()).toEqual(
      [
        ...updates.map((n) => `PUT ${id(n)}`),
        `POST ${id(40)}/lifecycle/update`,
        `POST ${id(41)}/comment`,
        ...added.flatMap((n) => [
          `POST /contact/email:${emailOf(n)}`,
          `POST ${id(n)}/lifecycle/update`,
          `POST ${id(n)}/comment`,
          `POST ${id(n)}/comment`,
        ]),
      ].sort(),
    );
    expect(sandbox.log.filter(({ path }) => path === '/contact/list')).toEqual([]);
    const reads = sandbox.log.filter(isContactRead).map(({ path }) => path);
    const own = ownPaths(after, idOf);
    expect(reads.filter((path) => !own.has(path))).toEqual([]);
    expect(reads.length).toBeLessThanOrEqual(15 * 4);

    for (const n of changes.keys()) expectApplied(sandbox, n, idOf(n));
    for (const n of added) expect(contactOf(sandbox, emailOf(n)).comments).toHaveLength(2);
    const news = new Set(added.map(idOf));
    expect(untouched().filter((contact) => !news.has(contact.id))).toEqual(others);
    expect(second.csv('gone.csv')).toMatchObject([
      { _key: `R${removed}`, contactId: String(idOf(removed)), lastLine: String(removed + 2) },
    ]);
    expect(second.csv('gone.csv')?.[0]?.identifier).toMatch(/^(?:id|email|phone):/);
    expect(Object.keys(second.csv('gone.csv')?.[0] ?? {})).toEqual([
      '_key',
      'contactId',
      'identifier',
      'lastLine',
    ]);

    sandbox.resetLog();
    expect(await scene.import()).toMatchObject({ code: 0, rows: { read: size + 1, unchanged: size + 1 } });
    expect(sandbox.log.filter(({ path }) => path.startsWith('/contact/'))).toEqual([]);
  });
});

/** The paths under which the changed and the new people can be read. */
function ownPaths(after: readonly InputRow[], idOf: (n: number) => number): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const n of [...changes.keys(), ...added]) {
    paths.add(`/contact/id:${idOf(n)}`);
    for (const { Email, Phone } of [row(n), after.find(({ ID }) => ID === `R${n}`) ?? row(n)]) {
      paths.add(`/contact/email:${Email}`);
      paths.add(`/contact/phone:${Phone}`);
    }
  }
  return paths;
}

/** The contact has what its row says, except for what somebody edited where the row said nothing new. */
function expectApplied(sandbox: Sandbox, n: number, id: number): void {
  const contact = sandbox.contacts().find((each) => each.id === id);
  if (contact === undefined) throw new Error(`contact ${id} is gone`);
  const change = changes.get(n) ?? {};
  const wanted = { ...row(n), ...change };
  const isEdited = edited.includes(n) && change.City === undefined;
  const { firstName, lastName, email, phone, lifecycle } = contact;
  const [City, Score] = [customField(contact, 'City'), customField(contact, 'Score')];
  expect({ firstName, lastName, email, phone, lifecycle, City, Score }).toEqual({
    firstName: wanted.First,
    lastName: wanted.Last,
    email: wanted.Email,
    phone: wanted.Phone,
    lifecycle: wanted.Stage,
    City: isEdited ? `Edited${n}` : wanted.City,
    Score: wanted.Score,
  });
  // An origin that would read otherwise now is no new comment.
  const comments = [`Legacy record R${n} with a score of ${n}`, `Note ${n}`];
  if (n === 41) comments.push('Another note on 41');
  expect(contact.comments.map(({ text }) => text)).toEqual(comments);
}
