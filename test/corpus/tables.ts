import type { Difference } from './compare.ts';
import type { SeedResult } from './seed.ts';
import { leastRight, mostNeedless, mostSilent } from './thresholds.ts';
import type { TruePerson, TrueRow } from './truth.ts';

type Cells = readonly (string | number)[];

/** The figures of many seeds: people, what is right, and what is not. */
export interface Figures {
  readonly people: number;
  readonly right: number;
  readonly listed: number;
  readonly due: number;
  readonly silent: number;
  readonly asked: number;
  readonly toAsk: number;
  readonly needless: number;
}

export function figuresOf(results: readonly SeedResult[]): Figures {
  const all = results.map(({ compared }) => compared);
  const differences = all.flatMap((each) => each.differences);
  const sum = (count: (each: (typeof all)[number]) => number) =>
    all.reduce((total, each) => total + count(each), 0);
  return {
    people: sum(({ people }) => people.length),
    right: sum(({ right }) => right.size),
    listed: differences.filter((each) => isListed(each) && !each.isDue).length,
    due: differences.filter((each) => isListed(each) && each.isDue).length,
    silent: differences.filter((each) => !isListed(each)).length,
    asked: sum(({ askedRightly }) => askedRightly.length),
    toAsk: sum(({ askedRightly, notAsked }) => askedRightly.length + notAsked.length),
    needless: sum(({ askedNeedlessly }) => askedNeedlessly.length),
  };
}

/** What the figures miss of what is promised; empty: nothing. */
export function shortfalls(
  { people, right, silent, needless }: Figures,
  least: number = leastRight,
): readonly string[] {
  return [
    ...(silent > mostSilent ? [`${silent} silent differences`] : []),
    ...(right < people * least ? [`${percent(right, people)} of the people are wholly right`] : []),
    ...(needless > people * mostNeedless ? [`${needless} questions asked needlessly`] : []),
  ];
}

const isListed = ({ listedIn }: Difference) => listedIn !== undefined;

/** Two tables: by kind of case, and by kind of difference. */
export function tables(results: readonly SeedResult[]): string {
  return `${byCase(results)}\n\n${byDifference(results)}\n`;
}

/** Counts by the name of a case and a column. */
class Counts {
  readonly #cases = new Map<string, Map<string, number>>();

  add(names: readonly string[], column: string): void {
    for (const name of names) {
      const counts = this.#cases.get(name) ?? new Map<string, number>();
      counts.set(column, (counts.get(column) ?? 0) + 1);
      this.#cases.set(name, counts);
    }
  }

  rows(columns: readonly string[]): readonly Cells[] {
    return [...this.#cases]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, counts]) => [
        name,
        ...columns.map((column) =>
          column === 'right'
            ? percent(counts.get(column) ?? 0, counts.get('people') ?? 0)
            : (counts.get(column) ?? 0),
        ),
      ]);
  }
}

function byCase(results: readonly SeedResult[]): string {
  const counts = new Counts();
  for (const result of results) count(result, counts);
  const columns = ['people', 'right', 'listed', 'silent', 'asked', 'to ask', 'needless'];
  return table([['kind of case', ...columns], ...counts.rows(columns), totals(results)]);
}

function count({ made, compared }: SeedResult, counts: Counts): void {
  const ofAll = [`shape ${made.shape}`, `locale ${made.locale}`];
  if (made.traits.includes('twoLists')) ofAll.push('two lists');
  const namesOf = ({ kind, cases }: TruePerson) => [
    ...ofAll,
    `who: ${kind}`,
    ...cases.map((each) => `has ${each}`),
  ];
  const personOf = (row: TrueRow | undefined) =>
    made.truth.people.find(({ rows }) => row !== undefined && rows.includes(row));
  for (const person of compared.people) {
    counts.add(namesOf(person), 'people');
    if (compared.right.has(person)) counts.add(namesOf(person), 'right');
  }
  for (const difference of compared.differences)
    counts.add(
      difference.person === undefined ? ofAll : namesOf(difference.person),
      isListed(difference) ? 'listed' : 'silent',
    );
  const kindOf = (row: TrueRow | undefined) => [`who: ${personOf(row)?.kind ?? 'unknown'}`];
  for (const { rows } of compared.askedRightly) counts.add(kindOf(rows[0]), 'asked');
  for (const { rows } of [...compared.askedRightly, ...compared.notAsked])
    counts.add(kindOf(rows[0]), 'to ask');
  for (const { row } of compared.askedNeedlessly) counts.add(kindOf(row), 'needless');
}

function totals(results: readonly SeedResult[]): Cells {
  const { people, right, listed, due, silent, asked, toAsk, needless } = figuresOf(results);
  return ['all', people, percent(right, people), listed + due, silent, asked, toAsk, needless];
}

function byDifference(results: readonly SeedResult[]): string {
  const kinds = new Map<string, { silent: number; listed: number; due: number; seeds: Set<number> }>();
  for (const { made, compared } of results)
    for (const difference of compared.differences) {
      const counts = kinds.get(difference.kind) ?? { silent: 0, listed: 0, due: 0, seeds: new Set<number>() };
      if (!isListed(difference)) {
        counts.silent += 1;
        counts.seeds.add(made.seed);
      } else if (difference.isDue) counts.due += 1;
      else counts.listed += 1;
      kinds.set(difference.kind, counts);
    }
  const rows = [...kinds]
    .sort(([, one], [, other]) => other.silent - one.silent)
    .map(
      ([kind, { silent, listed, due, seeds }]): Cells => [
        kind,
        silent,
        listed,
        due,
        [...seeds].slice(0, 6).join(' '),
      ],
    );
  return table([
    ['kind of difference', 'silent', 'listed', 'listed, as it should be', 'silent in seeds'],
    ...rows,
  ]);
}

/** What is different in a seed, one line each. */
export function linesOf({ made, compared, folder }: SeedResult, isKept: boolean): string {
  const head = `seed ${made.seed}: ${made.shape} ${made.locale} ${made.encoding} ${made.traits.join(' ')}, ${compared.right.size} of ${compared.people.length} people right`;
  const differences = compared.differences.map(
    ({ kind, person, detail, listedIn, isDue }) =>
      `  ${listedIn === undefined ? 'SILENT' : `listed in ${listedIn}${isDue ? ', as it should be' : ''}`} · ${kind}${person === undefined ? '' : ` (${person.kind})`} · ${detail}`,
  );
  const notAsked = compared.notAsked.map(
    ({ why, rows, contactId }) =>
      `  not asked · ${why} · ${rows.map(({ list, line }) => `${list}:${line}`).join(', ')}${contactId === undefined ? '' : `, contact ${contactId}`}`,
  );
  const needless = compared.askedNeedlessly.map(({ text }) => `  asked needlessly · ${text}`);
  const failures = compared.failures.map((failure) => `  failed · ${failure}`);
  return [
    head,
    ...(isKept ? [`  in ${folder}`] : []),
    ...failures,
    ...differences,
    ...notAsked,
    ...needless,
  ].join('\n');
}

function percent(part: number, all: number): string {
  return all === 0 ? '' : `${((part / all) * 100).toFixed(1)} %`;
}

function table(rows: readonly Cells[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => String(row[at] ?? '').length)));
  const shown = (cell: string | number, at: number) =>
    at === 0 ? String(cell).padEnd(widths[at] ?? 0) : String(cell).padStart(widths[at] ?? 0);
  return rows.map((row) => row.map(shown).join('  ').trimEnd()).join('\n');
}
