import type { JoinOptions } from './options.ts';

type Joins = Readonly<Record<string, JoinOptions>>;

/** The names of all tables that joins read. */
export function joinedTables(joins: Joins): readonly string[] {
  return Object.values(joins).flatMap(({ table, via, join = {} }) => [
    table,
    ...(via === undefined ? [] : [via.table]),
    ...joinedTables(join),
  ]);
}

/** The names of the tables that only optional joins read. */
export function optionalTables(joins: Joins): Set<string> {
  const needed = new Set(joinedTables(withoutOptional(joins)));
  return new Set(joinedTables(joins).filter((name) => !needed.has(name)));
}

function withoutOptional(joins: Joins): Joins {
  return Object.fromEntries(
    Object.entries(joins)
      .filter(([, { optional }]) => !optional)
      .map(([name, options]) => [name, { ...options, join: withoutOptional(options.join ?? {}) }]),
  );
}
