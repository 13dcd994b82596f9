import { describe, expect, it } from 'vitest';
import {
  type GatherOptions,
  type GatherResult,
  type IndexedRowFacts,
  PersonGatherer,
  readRowFacts,
} from '../../../../src/app/import/person/gather.ts';
import type { Person } from '../../../../src/app/import/person/person.ts';
import type { InputIndex } from '../../../../src/identity/input-index/index.ts';
import type { StepRecord } from '../../../../src/journal/index.ts';
import { indexOf, rowOf } from '../input.ts';
import { mapRow } from '../simulation/map-row.ts';

type Cells = Readonly<Record<string, string>>;

const ada = { firstName: 'Ada', email: 'ada@example.test' };
const step: StepRecord = {
  seq: 1,
  name: 'create',
  item: '',
  state: 'sent',
  intent: {},
  before: null,
  sentAt: 5,
};

/** Hands rows to a gathering in order, as the walk through the rows does. */
class Rows {
  readonly #rows: readonly Cells[];
  readonly #index: InputIndex;
  readonly #gathering: PersonGatherer;

  constructor(rows: readonly Cells[], more: Partial<GatherOptions> = {}, switchboard = 5) {
    this.#rows = rows;
    this.#index = indexOf(
      rows.map((cells, n) => rowOf(n + 2, cells)),
      { switchboard },
    );
    this.#gathering = new PersonGatherer({
      index: this.#index,
      duplicates: 'merge',
      identify: ['email', 'phone'],
      keep: { contact: {}, customFields: {} },
      settleTags: (draft) => ({ ok: true, draft }),
      ...more,
    });
  }

  take(seq: number, open: readonly StepRecord[] = []): GatherResult {
    const row = rowOf(seq + 2, this.#rows[seq] ?? {});
    const mapped = mapRow(row);
    if (!mapped.ok) throw new Error('this row does not map');
    const { draft } = mapped;
    return this.#gathering.take(
      { row: { seq, line: row.line, key: draft.key, cells: row.entries(), hash: null }, draft },
      this.#facts(seq),
      open,
    );
  }

  all(): readonly GatherResult[] {
    return this.#rows.map((_, seq) => this.take(seq));
  }

  #facts(seq: number): IndexedRowFacts {
    return readRowFacts(this.#index, 0, this.#rows.length)(seq);
  }
}

function personOf(gathered: GatherResult | undefined): Person {
  if (gathered?.kind !== 'person') throw new Error(`this is no person but ${gathered?.kind}`);
  return gathered.person;
}

describe('a row of its own', () => {
  it('is a person at once, with what an interrupted run left of it', () => {
    const person = personOf(new Rows([{ ...ada, Key: 'K', origin: 'hello' }]).take(0, [step]));
    expect(person).toMatchObject({
      rows: [{ seq: 0, line: 2, key: 'K' }],
      carrier: { seq: 0 },
      keys: ['key:K'],
      identifiers: [{ kind: 'email', value: ada.email }],
      comments: [{ id: 'origin', item: 'origin', text: 'hello', under: 'key:K' }],
      open: [step],
    });
  });

  it.each([
    ['its e-mail', { email: ada.email, phone: '+60123456789' }, 'email:ada@example.test'],
    ['its phone', { phone: '+60123456789' }, 'phone:+60123456789'],
  ])('without a key is remembered under %s, whatever the order of identifying', (_what, who, key) => {
    for (const identify of [
      ['email', 'phone'],
      ['phone', 'email'],
    ] as const)
      expect(personOf(new Rows([{ firstName: 'Ada', ...who }], { identify }).take(0)).keys).toEqual([key]);
  });
});

describe('several rows of one person', () => {
  const rows = [
    { ...ada, Key: 'A', lastName: 'Byron', origin: 'one', Tags: 'new' },
    { firstName: 'Bob', email: 'bob@example.test', Key: 'X' },
    { ...ada, Key: 'B', lastName: 'King', origin: 'two', Tags: 'vip' },
  ];

  it('wait for the last of them, which carries the person, and are remembered under all their keys', () => {
    const [first, bob, last] = new Rows(rows).all();
    expect([first?.kind, bob?.kind]).toEqual(['waits', 'person']);
    const person = personOf(last);
    expect(person.rows.map(({ line }) => line)).toEqual([2, 4]);
    expect(person.carrier.line).toBe(4);
    expect(person.keys).toEqual(['key:A', 'key:B']);
    expect(person.draft.values.contact.lastName).toBe('King');
    expect(person.draft.tags).toEqual(['new', 'vip']);
    // Each comment is remembered under the key of its own row.
    expect(person.comments.map(({ under, text }) => `${under} ${text}`)).toEqual(['key:A one', 'key:B two']);
    expect(new Set(person.comments.map(({ item }) => item)).size).toBe(2);
  });

  it('that were handed over twice, because a run went on, are each there once', () => {
    const gathering = new Rows(rows);
    gathering.take(0);
    gathering.take(0);
    expect(personOf(gathering.take(2)).rows).toHaveLength(2);
  });

  it.each([
    ['first', ['person', 'person', 'skipped']],
    ['last', ['skipped', 'person', 'person']],
    ['reject', ['rejected', 'person', 'rejected']],
  ] as const)('under %s are not folded', (duplicates, kinds) => {
    const gathered = new Rows(rows, { duplicates }).all();
    expect(gathered.map(({ kind }) => kind)).toEqual(kinds);
    for (const each of gathered) {
      if (each.kind === 'person') expect(each.person.rows).toHaveLength(1);
      if (each.kind === 'skipped' || each.kind === 'rejected')
        expect(each.problem).toMatchObject({
          code: 'identity.duplicate',
          reason: expect.stringContaining('2 rows'),
        });
    }
  });

  it('are looked up by every identifier that one of them has, and sent with those that stay', () => {
    const chain = [
      { firstName: 'Ada', email: 'old@example.test', phone: '+60123456789' },
      { firstName: 'Ada', email: 'new@example.test', phone: '+60123456789' },
    ];
    const person = personOf(new Rows(chain).all().at(-1));
    expect(person.identifiers.map(({ value }) => value)).toEqual(['new@example.test', '+60123456789']);
    expect(person.lookedUpBy.map(({ value }) => value).sort()).toEqual([
      '+60123456789',
      'new@example.test',
      'old@example.test',
    ]);
  });

  it('with the same comment under one identity have it once, and two texts under one id as two', () => {
    const comments = ['same', 'same', 'other'].map((origin) => ({ ...ada, origin }));
    const person = personOf(new Rows(comments).all().at(-1));
    expect(person.comments.map(({ id, text }) => `${id}: ${text}`)).toEqual([
      'origin: same',
      'origin #2: other',
    ]);
  });
});

describe('nobody is made', () => {
  it('of rows whose tags are too many together, and all of them are rejected', () => {
    const problem = { code: 'tags.tooMany', column: 'Tags', reason: 'too many' };
    const settleTags: GatherOptions['settleTags'] = (draft) =>
      (draft.tags?.length ?? 0) > 1 ? { ok: false, problem } : { ok: true, draft };
    const rows = [
      { ...ada, Tags: 'a' },
      { ...ada, Tags: 'b' },
    ];
    const last = new Rows(rows, { settleTags }).all().at(-1);
    expect(last).toMatchObject({ kind: 'rejected', problem, rows: [{ line: 2 }, { line: 3 }] });
  });

  it('of a row that has nothing but a switchboard', () => {
    const phone = '+60123456789';
    const rows = [
      ...['a', 'b'].map((name) => ({ firstName: name, email: `${name}@example.test`, phone })),
      { firstName: 'c', phone },
    ];
    const [a, b, c] = new Rows(rows, {}, 1).all();
    expect(personOf(a).identifiers).toEqual([{ kind: 'email', value: 'a@example.test' }]);
    // It is kept as a value.
    expect(personOf(b).draft.values.contact.phone).toBe(phone);
    expect(c).toMatchObject({ kind: 'rejected', problem: { code: 'identity.missing' } });
  });
});

describe('what people of the input share', () => {
  const phone = '+60123456789';
  const mother = { Key: '1', firstName: 'Anna', lastName: 'Meyer', email: 'anna@example.test', phone };
  const son = { Key: '2', firstName: 'Tom', lastName: 'Meyer', email: 'tom@example.test', phone };

  it('belongs to the lowest key, and the other person says in which line', () => {
    const [first, second] = new Rows([son, mother]).all();
    expect(personOf(first).shared).toEqual({ phone: { line: 3 } });
    expect(personOf(second).shared).toEqual({});
  });

  it('is asked about where it may be one person, with both sides', () => {
    const { email, ...without } = son;
    const [first, second] = new Rows([without, mother]).all();
    expect(second?.kind).toBe('person');
    expect(first).toMatchObject({
      kind: 'proposed',
      keys: ['key:2'],
      problem: {
        code: 'identity.ask',
        reason: 'is this the person of line 3? same phone; the first names differ, the family names match',
      },
      questions: [
        {
          ...{ seq: 0, n: 0, line: 2, memoryKey: 'key:2', row: { first: 'Tom', email: null, phone } },
          other: { kind: 'row', line: 3, key: '1', memoryKey: 'key:1' },
          otherSide: { first: 'Anna', family: 'Meyer', email: 'anna@example.test' },
        },
      ],
    });
  });

  it('is a key: the rows of both are rejected, each with the other', () => {
    const stranger = { Key: '1', firstName: 'Otto', email: 'otto@example.test' };
    const [first, second] = new Rows([mother, stranger]).all();
    expect([first?.kind, second?.kind]).toEqual(['rejected', 'rejected']);
    expect(first).toMatchObject({
      problem: {
        code: 'key.reused',
        reason: 'the key 1 is Anna Meyer here and another person in line 3: this run sends nothing of either',
      },
    });
  });

  it('is not what a row without a key is remembered under, where it has anything else', () => {
    const info = { email: 'info@example.test' };
    const [, second] = new Rows([
      { firstName: 'Anna', ...info, phone },
      { firstName: 'Otto', ...info, phone: '+60123456790' },
    ]).all();
    expect(personOf(second)).toMatchObject({ shared: { email: { line: 2 } }, keys: ['phone:+60123456790'] });
  });
});
