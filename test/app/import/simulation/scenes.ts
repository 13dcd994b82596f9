import { rowOf } from '../input.ts';
import { fieldsOf } from './map-row.ts';
import type { Scene } from './people.ts';
import { plain } from './plain.ts';

type Cells = Readonly<Record<string, string>>;

const ada = { email: 'ada@example.test', phone: '+60123456789' };

/** Everything that can belong to a contact; the story is sent in two parts. */
const everything = {
  Stage: 'Customer',
  Owner: '2',
  Conversation: 'closed Migrated',
  Tags: 'new;vip',
  origin: 'where she comes from',
  story: Array.from({ length: 240 }, (_, n) => `word${n}`).join(' '),
  farewell: 'and where she went',
};

function sceneOf(rows: readonly Cells[], there: readonly Cells[] = []): Scene {
  return {
    items: rows.map((cells, n) => rowOf(n + 2, { Key: `K${n}`, ...cells })),
    there: there.map((cells) => plain(fieldsOf(Object.entries(cells)))),
  };
}

/** Two new people, each in two rows, and what little belongs to them. */
export const twiceTwo = sceneOf([
  { firstName: 'Ada', email: ada.email, origin: 'Ada, first row' },
  { firstName: 'Bob', email: 'bob@example.test', Tags: 'new' },
  { firstName: 'Ada', ...ada, Score: '42', origin: 'Ada, second row' },
  { firstName: 'Bob', email: 'bob@example.test', lastName: 'Stone', VIP: 'true' },
]);

/** A new person with everything. */
export const somebodyNew = sceneOf([{ firstName: 'Ada', ...ada, Score: '42', ...everything }]);

/** Somebody who is there, with everything. */
export const somebodyKnown = sceneOf(
  [{ firstName: 'Ada', ...ada, Score: '42', ...everything }],
  [{ firstName: 'A.', ...ada, Note: 'kept' }],
);

/** Two contacts who are one person, with everything. */
export const twoThatAreOne = sceneOf(
  [{ firstName: 'Ada', ...ada, Score: '42', ...everything }],
  [
    { firstName: 'A.', email: ada.email, Note: 'kept' },
    { firstName: 'Ada', phone: ada.phone, lastName: 'Lovelace' },
  ],
);

/** Two rows that share nothing and lead to one contact. */
export const twoRowsOneContact = sceneOf(
  [
    { firstName: 'Ada', email: ada.email, Score: '42', Tags: 'new' },
    { firstName: 'Ada', phone: ada.phone, Note: 'hello', Tags: 'vip' },
  ],
  [{ firstName: 'Ada', ...ada }],
);

/** Somebody new, and who has her phone. */
export const phoneOfAnother = sceneOf(
  [{ firstName: 'Ada', ...ada, Score: '42', Tags: 'new' }],
  [{ firstName: 'Bob', email: 'bob@example.test', phone: ada.phone }],
);
