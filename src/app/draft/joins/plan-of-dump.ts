import { FatalError } from '../../../model/fatal-error.ts';
import { formatNameList, truncateText } from '../../../model/listed.ts';
import { DumpTableSet } from '../../../sources/dump/dump-tables.ts';
import { dumpOptionsSchema } from '../../../sources/dump/options.ts';
import { sourceFormats } from '../../../sources/registry.ts';
import type { SourceInput } from '../../../sources/source-format.ts';
import type { TableFacts } from '../../../sources/tables.ts';
import { findColumnMeaning } from '../columns/header-words.ts';
import type { JoinPlan } from './join-plan.ts';
import { findLikelyJoins } from './likely-joins.ts';
import { findPeopleTable, holdsPeople } from './people-table.ts';
import { type SampledTable, sampleTable } from './sampled-table.ts';
import { findTablesInNestedJson } from './stated-tables.ts';
import { findReferencedTableName } from './table-words.ts';

const mostTables = 40;
const mostSmallTables = 120;
const smallBytes = 64 * 1024 * 1024;

/** Returns the number of tables in an input. */
export async function countTables(
  { part: _part, ...input }: SourceInput,
  signal: AbortSignal,
): Promise<number> {
  return (await tableSet(input, {}).inspect(signal)).tables.length;
}

function tableSet(input: SourceInput, tables: object): DumpTableSet {
  const files = sourceFormats.filter(({ name }) => name !== 'dump');
  return new DumpTableSet(dumpOptionsSchema.parse({ tables }), input, files);
}

/**
 * Finds the table of people in a dump, or uses the stated one, with the tables that belong to it. Throws a
 * FatalError('input') if no table holds people, or none has the stated name.
 */
export async function planDumpJoins(
  input: SourceInput,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<JoinPlan> {
  const stated = await findTablesInNestedJson(input, signal);
  const set = tableSet(input, stated);
  const facts = await set.inspect(signal);
  const tables: SampledTable[] = [];
  const isWanted = ({ name }: { readonly name: string }) => name.toLowerCase() === wanted?.toLowerCase();
  const worth = worthReading(facts.tables, facts.bytes);
  for (const table of new Set([...worth, ...facts.tables.filter(isWanted)]))
    tables.push(await sampleTable(set, table, signal));
  const main = wanted === undefined ? findPeopleTable(tables) : tables.find(isWanted);
  if (main !== undefined) {
    const plan = findLikelyJoins(main, tables);
    const read = new Set([plan.table, ...tablesOf(plan.joins)]);
    const unread = facts.tables.filter(({ name, items }) => items > 0 && !read.has(name));
    const files = Object.fromEntries(Object.entries(stated).filter(([name]) => read.has(name)));
    const filled = facts.tables.flatMap(({ name, items }) => (items === 0 ? [] : [{ name, rows: items }]));
    const morePeople = unread.flatMap(({ name }) =>
      tables.some((table) => table.name === name && holdsPeople(table)) ? [name] : [],
    );
    return { ...plan, files, tables: filled, unread, morePeople };
  }
  const names = formatNameList(facts.tables.map(({ name, items }) => `${truncateText(name, 60)} (${items})`));
  const what = wanted === undefined ? 'no table that looks like people' : `no table "${wanted}" with rows`;
  throw new FatalError('input', `${facts.name} has ${what}; it has ${names}.`, {
    place: { file: facts.name },
    next: 'Choose the table of people with --table.',
  });
}

function tablesOf(joins: JoinPlan['joins']): readonly string[] {
  return Object.values(joins).flatMap(({ table, via, join }) => [
    table,
    ...(via === undefined ? [] : [via.table]),
    ...tablesOf(join ?? {}),
  ]);
}

/** Returns the tables to read: of a large dump only those whose columns suggest people or refer to other tables. */
function worthReading(tables: readonly TableFacts[], bytes: number): readonly TableFacts[] {
  const filled = tables.filter(({ items }) => items > 0);
  if (bytes <= smallBytes && filled.length <= mostSmallTables) return filled;
  return filled
    .map((table) => ({ table, worth: worthOf(table) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, mostTables)
    .map(({ table }) => table);
}

const personal = new Set(['email', 'phone', 'mobile', 'firstName', 'lastName', 'fullName']);

function worthOf({ columns }: TableFacts): number {
  const names = columns ?? [];
  const ofPeople = names.filter((name) => personal.has(findColumnMeaning(name)?.role ?? '')).length;
  const references = names.filter((name) => findReferencedTableName(name) !== null).length;
  return ofPeople * 2 + Math.min(references, 3);
}
