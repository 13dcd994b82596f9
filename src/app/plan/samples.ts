import { z } from 'zod';
import { outcomes } from '../../model/outcome.ts';
import type { RowLine } from '../../model/row-place.ts';
import {
  enumColumn,
  jsonColumn,
  jsonObjectColumn,
  nullableColumn,
  numberColumn,
  optionalColumn,
  type TypedRow,
  textColumn,
} from '../../storage/columns.ts';
import { prepareQuery } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { firstPlannedId } from '../run/plan-file.ts';
import { createUserNameLookup } from './user-names.ts';

/** The rows of a plan that `--only` and `--row` choose. */
export interface PlanRowFilter {
  /** An outcome, such as `updated`. */
  readonly outcome?: string | undefined;
  /** The place of a row in the input. */
  readonly line?: RowLine | undefined;
}

/** A row of a plan, with the values that would be sent for it. */
export interface PlannedRow {
  /** From 0, in the order of the input. */
  readonly seq: number;
  readonly line: number;
  /** The row's sheet, if several are read as one input. */
  readonly sheet?: string | undefined;
  readonly key: string | null;
  readonly outcome: (typeof outcomes)[number];
  readonly contact: number | null;
  readonly problems: readonly { readonly code: string; readonly reason: string }[];
  readonly changes: readonly PlannedChange[];
}

/** A value that would change; `from` is undefined if the current value is unknown, or nothing is replaced. */
export interface PlannedChange {
  readonly step: string;
  readonly field: string;
  readonly from?: unknown;
  readonly to: unknown;
}

const problems = optionalColumn(jsonColumn(z.array(z.object({ code: z.string(), reason: z.string() }))));
const storedRow = {
  seq: numberColumn,
  line: numberColumn,
  sheet: optionalColumn(textColumn),
  key: nullableColumn(textColumn),
  outcome: enumColumn(outcomes),
  contact: nullableColumn(numberColumn),
  problems: (value: unknown) => problems(value) ?? [],
};

const storedStep = {
  name: textColumn,
  item: textColumn,
  intent: jsonObjectColumn,
  before: optionalColumn(jsonObjectColumn),
};

/** The number of rows read at a time; no statement stays open between pages, so that the caller may write. */
const pageSize = 200;

/** Yields the rows of a plan that pass the filter, in order, with their changes. */
export function* readPlannedRows(
  file: SqliteConnection,
  { outcome, line }: PlanRowFilter,
): Generator<PlannedRow, void, undefined> {
  const rows = prepareQuery(
    file,
    storedRow,
    'SELECT * FROM row WHERE seq > ? AND (? IS NULL OR outcome = ?) AND (? IS NULL OR line = ?) ORDER BY seq LIMIT ?',
  );
  const complete = completing(file);
  const [wanted, at] = [outcome ?? null, line ?? null];
  for (let last = -1; ; ) {
    const page = rows.all(last, wanted, wanted, at, at, pageSize);
    for (const row of page) yield complete(row);
    if (page.length < pageSize) return;
    last = page.at(-1)?.seq ?? last;
  }
}

/** Reads a row of a plan with its changes; undefined if there is none. */
export function readPlannedRow(file: SqliteConnection, seq: number): PlannedRow | undefined {
  const found = prepareQuery(file, storedRow, 'SELECT * FROM row WHERE seq = ?').get(seq);
  return found && completing(file)(found);
}

function completing(file: SqliteConnection): (row: TypedRow<typeof storedRow>) => PlannedRow {
  const steps = prepareQuery(
    file,
    storedStep,
    'SELECT name, item, intent, before FROM step WHERE seq = ? ORDER BY n',
  );
  const nameOf = createUserNameLookup(file);
  return (row) => ({ ...row, changes: steps.all(row.seq).flatMap((step) => changesOf(step, nameOf)) });
}

const body = z.looseObject({
  custom_fields: z.array(z.object({ name: z.string(), value: z.unknown() })).optional(),
});
const updated = z.object({
  changes: z.array(z.object({ name: z.string(), from: z.unknown(), to: z.unknown() })),
});

const assigned = z.object({ userId: z.number().nullable() });

/** Returns the values that a step sets, with those that it replaces as far as they are known. */
function changesOf(
  { name, item, intent: effect, before: was = {} }: TypedRow<typeof storedStep>,
  nameOf: (userId: number) => string,
): readonly PlannedChange[] {
  switch (name) {
    case 'create':
      return bodyChanges(name, effect.body);
    case 'update':
      return updated
        .parse(effect)
        .changes.map(({ name: field, from, to }) => ({ step: name, field, from, to }));
    case 'merge':
      return [{ step: name, field: 'contacts', to: contactsOf(effect) }, ...bodyChanges(name, effect.body)];
    case 'assignee': {
      const [from, to] = [assigned.safeParse(was).data, assigned.parse(effect)].map(
        (each) => each && (each.userId === null ? null : nameOf(each.userId)),
      );
      return [{ step: name, field: 'user', ...(from !== undefined && { from }), to }];
    }
    default: {
      const { contactId: _, comment: _id, part: _part, ...values } = effect;
      return Object.entries(values).map(([field, to]) => ({
        step: name,
        field: item === '' ? field : `${item} ${field}`,
        ...(Object.hasOwn(was, field) && { from: was[field] }),
        to,
      }));
    }
  }
}

function bodyChanges(step: string, sent: unknown): readonly PlannedChange[] {
  const { custom_fields: custom = [], ...fields } = body.parse(sent);
  const values = [...Object.entries(fields), ...custom.map(({ name, value }) => [name, value] as const)];
  return values.map(([field, to]) => ({ step, field, to }));
}

function contactsOf({ contactIds }: Readonly<Record<string, unknown>>): string {
  const ids = z.array(z.number()).parse(contactIds);
  return ids.map((id) => (id >= firstPlannedId ? 'a new one' : String(id))).join(' and ');
}
