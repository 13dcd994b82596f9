import { existsSync } from 'node:fs';
import { z } from 'zod';
import { rowSelectionSchema } from '../../journal/index.ts';
import { type Hint, hint, toCommand } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { anyJsonColumn, textColumn } from '../../storage/columns.ts';
import { formatDidYouMeanPath } from '../../storage/path-meant.ts';
import { prepareQuery } from '../../storage/sql.ts';
import {
  createScratchDatabase,
  isSqliteError,
  openSqlite,
  type SqliteConnection,
} from '../../storage/sqlite.ts';

/** "LSHP": marks a SQLite file as a Longshore plan. */
const applicationId = 0x4c534850;
const version = 2;

/** The SQL for a value of a change; SQLite takes the booleans of JSON for 1 and 0, while a workspace writes true and false. */
function textInJson(side: 'from' | 'to'): string {
  const path = `'$.${side}'`;
  return `CASE WHEN json_type(c.value, ${path}) IN ('true', 'false') THEN json_type(c.value, ${path}) ELSE c.value ->> ${path} END`;
}

const tables = `
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;   -- JSON: what the plan was made from

CREATE TABLE row (                             -- the planned outcome of each row of the input
  seq        INTEGER PRIMARY KEY,              -- 0 is the first row of the input
  line       INTEGER NOT NULL,
  sheet      TEXT,                             -- set where several sheets are one input
  outcome    TEXT NOT NULL,
  key        TEXT,
  contact    INTEGER,                          -- null for one that would be created
  problems   TEXT                              -- JSON
) STRICT;
CREATE INDEX row_outcome ON row (outcome, seq);

CREATE TABLE step (                            -- every change, in the form in which the import's journal records it
  n          INTEGER PRIMARY KEY,              -- the order in which they were planned
  seq        INTEGER NOT NULL,                 -- the row; below 0 for steps of the run itself
  name       TEXT NOT NULL,
  item       TEXT NOT NULL,
  contact    INTEGER,                          -- null for one that would be created
  intent     TEXT NOT NULL,                    -- JSON: what would be sent
  before     TEXT                              -- JSON: what is there now
) STRICT;
CREATE UNIQUE INDEX step_row ON step (seq, name, item);

CREATE VIEW change AS                          -- the changed fields of all updates
  SELECT step.seq, row.line, row.sheet, row.key, step.contact, c.value ->> '$.name' AS field,
         ${textInJson('from')} AS old, ${textInJson('to')} AS new
    FROM step JOIN row ON row.seq = step.seq, json_each(step.intent, '$.changes') AS c
   WHERE step.name = 'update';

CREATE TABLE request (                         -- every write, in the order in which it was planned
  n          INTEGER PRIMARY KEY,
  method     TEXT NOT NULL,
  path       TEXT NOT NULL,                    -- encoded; contacts that would be created have ids from ${9e15} on
  body       TEXT,                             -- JSON
  template   TEXT NOT NULL,
  perhaps    INTEGER NOT NULL                  -- 1 where the answer to the previous request decides whether it is sent
) STRICT;

CREATE TABLE reads (template TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;   -- method and path

CREATE TABLE user (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;   -- the names of assignees, where they were read

CREATE TABLE seen (contact INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL) STRICT;   -- contacts as they were read

CREATE TABLE contact (                         -- contacts as they would be afterwards
  id         INTEGER PRIMARY KEY,
  email      TEXT,                             -- email and phone as they are compared
  phone      TEXT,
  after      TEXT                              -- JSON; null for one that was merged into another
) STRICT;
CREATE INDEX contact_email ON contact (email) WHERE email IS NOT NULL;
CREATE INDEX contact_phone ON contact (phone) WHERE phone IS NOT NULL;
`;

/** The first id of contacts, custom fields and tags that a plan would create; no workspace has ids this large. */
export const firstPlannedId = 9e15;

const problemCounts = z
  .array(
    z.object({
      code: z.string(),
      n: z.int(),
      examples: z
        .array(z.object({ line: z.int(), column: z.string().nullable(), reason: z.string() }))
        .readonly(),
      values: z
        .array(z.object({ value: z.string(), n: z.int() }))
        .readonly()
        .exactOptional(),
    }),
  )
  .readonly();

const factsSchema = z.object({
  pipeline: z.string(),
  target: z.string(),
  place: z.string(),
  /** The fingerprint of the input. */
  input: z.string(),
  /** The fingerprint of the mapping. */
  mapping: z.string(),
  selection: rowSelectionSchema,
  full: z.boolean(),
  fresh: z.boolean(),
  /** The maximum number of rows to import; null for no limit. */
  limit: z.number().nullable(),
  /** The unfinished run that the import would continue. */
  continues: z.string().nullable(),
  /** The number of the last session that had imported into the workspace when the plan was made. */
  session: z.int(),
  /** Milliseconds since 1970. */
  madeAt: z.number(),
  /** The time before the first row, in ms: scanning the input, and reading the workspace's settings. */
  beginMs: z.number(),
  /** The time that planning took, in ms. */
  tookMs: z.number(),
  /** The part of `tookMs` in which this process was busy, in ms. */
  busyMs: z.number().default(0),
  /**
   * The number of reads that the workspace answered; the plan itself answers reads of contacts that it would create.
   */
  sentReads: z.int().default(0),
  /** The losses that the first pass over the input found. */
  leftBehind: problemCounts.default([]),
  /** The number of contacts whose tags would be in contact-tags.csv. */
  tagged: z.int().exactOptional(),
});

/** The facts about a plan: what it was made from, how long planning took, and the losses found in the input. */
export type PlanFacts = z.output<typeof factsSchema>;

/** Writes the facts of a plan into its file. Call it once per file. */
export function writePlanFacts(file: SqliteConnection, facts: PlanFacts): void {
  const write = file.prepare('INSERT INTO fact VALUES (?, ?)');
  for (const [name, value] of Object.entries(facts)) write.run(name, JSON.stringify(value));
}

/** Returns the facts of a plan from its file. */
export function loadPlanFacts(file: SqliteConnection): PlanFacts {
  const rows = prepareQuery(
    file,
    { name: textColumn, value: anyJsonColumn },
    'SELECT name, value FROM fact',
  ).all();
  return factsSchema.parse(Object.fromEntries(rows.map(({ name, value }) => [name, value])));
}

/** Creates an empty plan file (0600). */
export function createPlanFile(path: string): SqliteConnection {
  const file = createScratchDatabase(path);
  file.exec(tables);
  file.pragma(`application_id = ${applicationId}`);
  file.pragma(`user_version = ${version}`);
  return file;
}

/** Returns true if `head`, the first 100 bytes of a file, is the header of a Longshore plan. */
export function isPlanHeader(head: Buffer): boolean {
  return head.toString('latin1', 0, 15) === 'SQLite format 3' && head.readUInt32BE(68) === applicationId;
}

/**
 * Opens a plan file, read-only by default. Throws a FatalError (usage) if the file is missing, or is not a plan of this
 * version.
 */
export function openPlanFile(path: string, { readonly = true } = {}): SqliteConnection {
  if (!existsSync(path))
    throw new FatalError('usage', `there is no such plan${formatDidYouMeanPath(path) || '.'}`, {
      place: { file: path },
      next: makeOne(path),
    });
  const file = openSqlite(path, { readonly });
  try {
    const id = Number(file.pragma('application_id', { simple: true }));
    const found = Number(file.pragma('user_version', { simple: true }));
    if (id === applicationId && found === version) return file;
  } catch (error) {
    if (!isSqliteError(error)) throw error;
  }
  file.close();
  throw new FatalError('usage', 'this file is not a plan that this version can read.', {
    place: { file: path },
    next: makeOne(path),
  });
}

function makeOne(path: string): Hint {
  return hint`Make one: ${toCommand('plan', 'PIPELINE', '--out', path)}`;
}
