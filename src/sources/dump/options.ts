import { z } from 'zod';
import { encodingOption } from '../encoding/text-file.ts';
import { createMaxRowBytesOption, nullTextsSchema, unendedOption } from '../options.ts';
import { whereOption } from '../where.ts';

const tableName = z.string().min(1);
const keys = z
  .record(z.string().min(1), z.string().min(1))
  .refine((pairs) => Object.keys(pairs).length > 0, 'at least one column is expected here');

const joinName = z.string().regex(/^[^.[\]]+$/, 'the name of a join is one word, without dots and brackets');

const via = z.strictObject({
  table: tableName.describe('The link table.'),
  on: keys.describe('Columns of the row, each with the column of the link table that is equal to it.'),
  to: keys.describe(
    'Columns of the link table, each with the column of the joined table that is equal to it.',
  ),
  where: whereOption.optional().describe('Which rows of the link table count.'),
});

/** The options of a join; `on`, `via` or both are set. */
export interface JoinOptions {
  readonly table: string;
  readonly on?: z.output<typeof keys> | undefined;
  readonly split?: string | undefined;
  readonly via?: z.output<typeof via> | undefined;
  readonly where?: z.output<typeof whereOption> | undefined;
  readonly pick?: z.output<typeof whereOption> | undefined;
  readonly many: boolean;
  readonly optional: boolean;
  readonly join?: JoinsByName | undefined;
}

export type JoinsByName = Readonly<Record<string, JoinOptions>>;

const join: z.ZodType<JoinOptions, unknown> = z
  .lazy(() =>
    z.strictObject({
      table: tableName.describe('The joined table.'),
      on: keys
        .optional()
        .describe(
          'Columns of the row, each with the column of the joined table that is equal to it; a column of an earlier join to one is "join.column", "tags[].id" is every id of a list.',
        ),
      split: z
        .string()
        .min(1)
        .optional()
        .describe(
          'The text between several ids in a cell of "on", such as ";": each of them counts. A join to one takes the row of the first id, or the one of "pick".',
        ),
      via: via
        .optional()
        .describe(
          'The link table between the two, in place of "on". With both, "on" counts where the link table is missing.',
        ),
      where: whereOption.optional().describe('Which rows of the joined table count.'),
      pick: whereOption
        .optional()
        .describe(
          'Which of several rows is taken: the first that is so (looked up in the link table, then in the joined one), else the first of all.',
        ),
      many: z.boolean().default(false).describe('Whether all rows are taken, as a list, or one.'),
      optional: z
        .boolean()
        .default(false)
        .describe(
          'Whether its tables, its columns and those of "pick" may be missing: then nothing is joined, or the first row is picked.',
        ),
      join: z
        .record(joinName, join)
        .optional()
        .describe('What is joined to these rows in turn: the author of a note.'),
    }),
  )
  .superRefine((given, context) => {
    if (given.on === undefined && given.via === undefined)
      context.addIssue({ code: 'custom', message: '"on" or "via" is expected here' });
    const refuse = (message: string, key: string) =>
      context.addIssue({ code: 'custom', message, path: [key] });
    if (given.split !== undefined && Object.keys(given.on ?? {}).length !== 1)
      refuse('"split" is for an "on" of one column', 'split');
    if (given.many && given.pick !== undefined) refuse('"pick" is for one row; "many" takes all', 'pick');
    if (given.many && hasMany(given)) refuse('a list cannot hold a list: "many" within "many"', 'join');
  });

function hasMany({ join: inner = {} }: JoinOptions): boolean {
  return Object.values(inner).some((each) => each.many || hasMany(each));
}

/** Returns the names of the lists that joins add to a row: `notes`, or `company.notes` of a join to one. */
export function listJoinedLists(joins: JoinsByName): readonly string[] {
  return Object.entries(joins).flatMap(([name, { many, join: inner = {} }]) =>
    many ? [name] : listJoinedLists(inner).map((list) => `${name}.${list}`),
  );
}

const tableFile = z
  .looseObject({
    file: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
      .describe(
        'The file in the folder or archive, or several names: the first that is there; * stands for anything.',
      ),
    format: z.string().min(1).optional().describe('Its format, if its name does not tell.'),
  })
  .describe('The file of a table, and options of its format.');

/** The options of a dump besides `format` and `path`. */
export const dumpOptionsSchema = z.strictObject({
  table: tableName
    .optional()
    .describe('The table whose rows are imported. Needed where the dump has several.'),
  join: z
    .record(joinName, join)
    .default({})
    .describe('Rows of other tables that belong to a row: {company.name} is a column of the join "company".'),
  tables: z
    .record(z.string().min(1), tableFile)
    .default({})
    .describe(
      'Which file a table is and how it is read, if that is not clear: contacts: { file: Contact.csv, delimiter: ";" }.',
    ),
  encoding: encodingOption,
  nulls: nullTextsSchema
    .optional()
    .describe(
      'Cells with exactly one of these texts are null, in every table. Left out: the default of each format.',
    ),
  unended: unendedOption.optional(),
  maxRowBytes: createMaxRowBytesOption('A row with more bytes, also in its lists together, is a broken row.'),
});

export type DumpOptions = z.output<typeof dumpOptionsSchema>;

/** Returns the names of all tables that joins read, link tables included. */
export function listJoinedTables(joins: JoinsByName): readonly string[] {
  return Object.values(joins).flatMap(({ table, via, join = {} }) => [
    table,
    ...(via === undefined ? [] : [via.table]),
    ...listJoinedTables(join),
  ]);
}

/**
 * Returns the tables whose files may be missing: those that only optional joins read and, if `table` is set, those in
 * `tables` that nothing reads.
 */
export function listTablesWithOptionalFiles({ table, join, tables }: DumpOptions): Set<string> {
  const optional = listTablesOfOptionalJoins(join);
  if (table === undefined) return optional;
  const read = new Set([table, ...listJoinedTables(join)]);
  return new Set([...optional, ...Object.keys(tables).filter((name) => !read.has(name))]);
}

/** Returns the paths of the joins that need a table, such as `notes.author`; none of optional joins. */
export function listJoinsNeeding(table: string, joins: JoinsByName, around = ''): readonly string[] {
  return Object.entries(joins).flatMap(([name, { optional, join = {}, ...of }]) => {
    if (optional) return [];
    const reads = of.table === table || (of.on === undefined && of.via?.table === table);
    return [...(reads ? [around + name] : []), ...listJoinsNeeding(table, join, `${around}${name}.`)];
  });
}

/** Returns the tables that only optional joins read, and the link tables that "on" can replace. */
export function listTablesOfOptionalJoins(joins: JoinsByName): Set<string> {
  const needed = new Set(listJoinedTables(withoutOptional(joins)));
  return new Set(listJoinedTables(joins).filter((name) => !needed.has(name)));
}

function withoutOptional(joins: JoinsByName): JoinsByName {
  return Object.fromEntries(
    Object.entries(joins)
      .filter(([, { optional }]) => !optional)
      .map(([name, { via, ...options }]) => [
        name,
        { ...options, ...(options.on === undefined && { via }), join: withoutOptional(options.join ?? {}) },
      ]),
  );
}
