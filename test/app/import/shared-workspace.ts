import fc from 'fast-check';
import { expect } from 'vitest';
import { countRunRows, listRowsWithProblems } from '../../../src/journal/index.ts';
import type { SandboxOptions } from '../../../src/sandbox/index.ts';
import { naiveGroups } from '../../identity/naive-groups.ts';
import { type RealImport, realImport } from './real-import.ts';
import { anEmail, aPhone, bin, byOthers, type Deed, deeds, SomebodyElse } from './somebody-else.ts';

/** An import, who is there before it, and what somebody else does meanwhile. */
export interface Company {
  readonly rows: readonly { readonly email: string; readonly phone: string }[];
  readonly there: readonly { readonly email: string; readonly phone: string }[];
  readonly deeds: readonly Deed[];
  readonly existing: 'refuse' | 'duplicate';
  readonly lookup: 'single' | 'snapshot';
  readonly onMatch: 'update' | 'fill' | 'skip';
  readonly onConflict: 'review' | 'merge' | 'prefer-email';
  readonly concurrency: number;
}

const identity = fc.record({
  email: fc.oneof({ weight: 4, arbitrary: anEmail }, { weight: 1, arbitrary: fc.constant('') }),
  phone: aPhone,
});

export const companies: fc.Arbitrary<Company> = fc.record({
  rows: fc.array(identity, { minLength: 4, maxLength: 14 }),
  there: fc.array(identity, { minLength: 0, maxLength: 5 }),
  deeds,
  existing: fc.constantFrom('refuse', 'duplicate'),
  lookup: fc.constantFrom('single', 'snapshot', 'snapshot'),
  onMatch: fc.constantFrom('update', 'update', 'fill', 'skip'),
  onConflict: fc.constantFrom('review', 'merge', 'prefer-email'),
  concurrency: fc.constantFrom(1, 1, 6),
});

/** How often something was met. */
export type Tally = Map<string, number>;

const mapping = `mapping: people
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
  phone: { from: Phone, country: US }
`;

/** Everybody whom the input describes, by the line of the row that carries them. */
function peopleOf(rows: Company['rows']): ReadonlyMap<string, ReadonlySet<string>> {
  const { groups } = naiveGroups(
    rows.map(({ email, phone }, seq) => ({
      ...{ seq, line: seq + 2, key: String(seq), person: String(seq), first: null, family: null },
      email: email || null,
      phone: phone || null,
    })),
    100,
  );
  const alone = rows.map((_, n) => n).filter((n) => !groups.some((group) => group.includes(n)));
  return new Map(
    [...groups, ...alone.map((n) => [n])].map((group) => {
      const texts = group.flatMap((n) => [rows[n]?.email ?? '', rows[n]?.phone ?? '']);
      return [`Row${(group.at(-1) ?? 0) + 1}`, new Set(texts.filter((text) => text !== ''))] as const;
    }),
  );
}

/** The contacts that one of the identifiers leads to. */
function holders(real: RealImport, identifiers: ReadonlySet<string>): readonly number[] {
  const has = (value: string | null) => value !== null && identifiers.has(value);
  return real.sandbox.contacts().flatMap(({ id, email, phone }) => (has(email) || has(phone) ? [id] : []));
}

interface Created {
  readonly name: string;
  /** Who had one of their identifiers when the create arrived. */
  readonly before: readonly number[];
}

/** Sees every request of an import, and lets somebody else act between them: outside the windows where `polite`. */
class Watch {
  readonly created: Created[] = [];
  readonly others: SomebodyElse;
  readonly #people: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #polite: boolean;
  readonly #before = new Map<number, readonly number[]>();
  /** Identifiers whose look-up was answered, until their create has arrived or their row has ended. */
  readonly #open = new Set<string>();
  #lists = 0;

  constructor({ rows, deeds: all }: Company, polite: boolean) {
    this.others = new SomebodyElse(all);
    this.#people = peopleOf(rows);
    this.#polite = polite;
  }

  identifiersOf(name: string): ReadonlySet<string> {
    return this.#people.get(name) ?? new Set();
  }

  rowEnded(name: string): void {
    for (const each of this.identifiersOf(name)) this.#open.delete(each);
  }

  onPhase(real: RealImport): NonNullable<SandboxOptions['onPhase']> {
    return async (phase, request) => {
      if (request.query === byOthers || phase === 'answered') return;
      const { method, path, query } = request;
      const [, identifier] = /^\/contact\/(?:email|phone):(.+)$/.exec(path) ?? [];
      const isCreate = method === 'POST' && identifier !== undefined;
      if (isCreate) this.#create(real, phase, request);
      if (path === '/contact/list' && !query.includes('cursorId')) this.#lists += 1;
      // The second reading of the list is the closing pass: who comes after it is nobody's to see.
      if (this.#lists > 1 || (this.#polite && isCreate && phase === 'received')) return;
      await this.others.step(real, (each) => !this.#polite || !this.#open.has(each));
      if (method === 'GET' && identifier !== undefined) this.#open.add(identifier);
    };
  }

  #create(
    real: RealImport,
    phase: string,
    { n, body }: { readonly n: number; readonly body?: unknown },
  ): void {
    const name = nameIn(body);
    if (phase === 'received') {
      this.#before.set(n, holders(real, this.identifiersOf(name)));
      return;
    }
    this.created.push({ name, before: this.#before.get(n) ?? [] });
    this.rowEnded(name);
  }
}

/** Imports while somebody else is at work. */
async function importedInCompany(company: Company, workspace: 'shared' | 'exclusive', tally: Tally) {
  const watch = new Watch(company, workspace === 'shared');
  const { lookup, onMatch, onConflict, concurrency, existing } = company;
  const settings = [
    `  policy: { workspace: ${workspace}, lookup: ${lookup}, onMatch: ${onMatch}, onConflict: ${onConflict}, samePerson: identifier, maxPeoplePerPhone: 100, maxErrors: 100% }`,
    `  limits: { settle: 100ms, concurrency: ${concurrency} }`,
  ];
  const lines = company.rows.map(({ email, phone }, n) => `${n + 1},Row${n + 1},${email},${phone}`);
  const there = company.there.map((contact, n) => ({
    ...{ id: 10 + n, firstName: 'There' },
    ...(contact.email && { email: contact.email }),
    ...(contact.phone && { phone: contact.phone }),
  }));
  const seed = { contacts: [bin, ...there] };
  let onPhase: SandboxOptions['onPhase'];
  const real = await realImport(mapping, ['Id,Name,Email,Phone', ...lines], settings, '', {
    ...{ seed, existing },
    onPhase: (phase, request) => onPhase?.(phase, request),
  });
  onPhase = watch.onPhase(real);
  let doubled: readonly string[] = [];
  await real.import(
    {
      listen(event) {
        if (event.kind === 'row') watch.rowEnded(`Row${event.key}`);
      },
    },
    ({ file, run }) => {
      const counts = countRunRows(file, run);
      const { read, ...each } = counts;
      expect(Object.values(each).reduce((sum, n) => sum + n, 0)).toBe(read);
      expect(counts.notReached).toBe(0);
      for (const [outcome, n] of Object.entries(each)) count(tally, outcome, n);
      const found = listRowsWithProblems(file, run.number, 0, 100);
      doubled = found
        .filter(({ problems }) => problems.some(({ code }) => code === 'identity.doubled'))
        .map(({ line }) => `Row${line - 1}`);
    },
  );
  for (const what of watch.others.done) count(tally, `others ${what}`, 1);
  return { real, watch, doubled };
}

/** Nobody is created who is there, unless they came between the look-up and the create. */
export async function createsNobodyTwice(company: Company, tally: Tally): Promise<void> {
  const { watch } = await importedInCompany(company, 'shared', tally);
  expect(watch.created.filter(({ before }) => before.length > 0)).toEqual([]);
  expectOnce(watch);
}

/** Of those whom the import created the closing pass names each whose identifiers lead to several contacts, and nobody else. */
export async function namesWhoeverIsDoubled(company: Company, tally: Tally): Promise<void> {
  const { real, watch, doubled } = await importedInCompany(company, 'exclusive', tally);
  expectOnce(watch);
  const twice = watch.created
    .map(({ name }) => name)
    .filter((name) => holders(real, watch.identifiersOf(name)).length > 1);
  expect([...doubled].sort()).toEqual(company.lookup === 'snapshot' ? twice.sort() : []);
  count(tally, 'doubled', doubled.length);
}

/** However often its contact was touched meanwhile, a person of the input is created once. */
function expectOnce({ created }: Watch): void {
  const names = created.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
}

function count(tally: Tally, what: string, n: number): void {
  tally.set(what, (tally.get(what) ?? 0) + n);
}

function nameIn(body: unknown): string {
  return typeof body === 'object' && body !== null && 'firstName' in body ? String(body.firstName) : '';
}
