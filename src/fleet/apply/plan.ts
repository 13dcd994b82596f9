import { createHash } from 'node:crypto';
import { dirname, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Pool, PoolClient } from 'pg';
import * as z from 'zod';
import { currentCommand, hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { selectRows } from '../database/rows.ts';
import type { Assignment, Fleet, FleetWorkspace } from '../fleet-file/fleet.ts';
import type { StorageLocation } from '../fleet-file/places-schema.ts';
import type { Schedule } from '../fleet-file/schema.ts';
import { assignmentIdSchema } from '../queue/dead.ts';
import { scheduleRowSchema } from '../schedule/next-time.ts';

/** A workspace as a row of the database. */
export interface WorkspaceRow {
  readonly name: string;
  readonly base_url: string;
  readonly settings: Pick<FleetWorkspace, 'token' | 'values'>;
}

/** An assignment as a row of the database. */
export interface AssignmentRow extends Pick<Assignment, 'workspace' | 'pipeline' | 'kind' | 'priority'> {
  readonly schedule: Schedule | null;
  /**
   * `file` is the pipeline file, relative to the folder of fleet.yaml; `contents` is the hash of its contents and those
   * of its mapping, absent in rows of an older version. The other settings are absent if they have their defaults;
   * `lateAfter` is in ms.
   */
  readonly settings: { readonly file: string } & Partial<
    Pick<Assignment, 'contents' | 'onChangedInput' | 'inputBy' | 'lateAfter'>
  >;
}

/** The default of `lateAfter` (ms). */
export const defaultLateAfter = 15 * 60_000;

// Unknown keys of another version are kept and count as a difference.
export const workspaceSettingsSchema = z.looseObject({
  token: z.union([
    z.strictObject({ env: z.string() }),
    z.strictObject({ file: z.string(), shared: z.string().exactOptional() }),
  ]),
  values: z.record(z.string(), z.string()),
});

export const assignmentSettingsSchema = z.looseObject({
  file: z.string(),
  contents: z.string().exactOptional(),
  onChangedInput: z.enum(['delta', 'wait', 'fail']).exactOptional(),
  inputBy: z.object({ time: z.string(), timezone: z.string() }).exactOptional(),
  lateAfter: z.number().exactOptional(),
});

const workspaceRow = z.object({ name: z.string(), base_url: z.string(), settings: workspaceSettingsSchema });

const assignmentRow = assignmentIdSchema.extend({
  kind: z.enum(['import', 'export']),
  schedule: z.looseObject(scheduleRowSchema.shape).nullable(),
  priority: z.int(),
  settings: assignmentSettingsSchema,
});

const fleetRow = z.object({ name: z.string(), limits: z.record(z.string(), z.number()) });

/** The change of one row by an apply. */
export interface RowChange<Row> {
  readonly row: Row;
  readonly what: 'added' | 'changed' | 'removed';
  /** The changed columns; empty for an added or removed row. */
  readonly columns: readonly string[];
}

/** A changed limit, with its values before and after: durations in milliseconds, null for no limit. */
export interface LimitChange {
  readonly limit: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** The changes that make the database match a fleet file. */
export interface ApplyPlan {
  readonly workspaces: readonly RowChange<WorkspaceRow>[];
  readonly assignments: readonly RowChange<AssignmentRow>[];
  /** The number of assignments without a change. */
  readonly unchanged: number;
  /** The changed limits; empty if no fleet was applied before. */
  readonly limits: readonly LimitChange[];
  /** The fleet that was applied before; undefined for none. */
  readonly before: { readonly name: string } | undefined;
}

/** Returns the changes between the applied fleet and this one. */
export async function createApplyPlan(client: Pool | PoolClient, fleet: Fleet): Promise<ApplyPlan> {
  const workspaces = await selectRows<WorkspaceRow>(
    client,
    workspaceRow,
    'SELECT name, base_url, settings FROM longshore.workspace ORDER BY name',
  );
  const assignments = await selectRows<AssignmentRow>(
    client,
    assignmentRow,
    'SELECT workspace, pipeline, kind, schedule, priority, settings FROM longshore.assignment ORDER BY 1, 2',
  );
  const [before] = await selectRows(client, fleetRow, 'SELECT name, limits FROM longshore.fleet');
  const wanted = rowsOf(fleet);
  const changed = differences(wanted.assignments, assignments, ({ workspace, pipeline }) =>
    JSON.stringify([workspace, pipeline]),
  );
  return {
    workspaces: differences(wanted.workspaces, workspaces, ({ name }) => name),
    assignments: changed,
    unchanged: wanted.assignments.length - changed.filter(({ what }) => what !== 'removed').length,
    limits: before === undefined ? [] : changedLimits(before.limits, fleet.limits),
    before: before && { name: before.name },
  };
}

/** Throws a FatalError (usage) if the database has a fleet of another name and `takeOver` is false. */
export function assertSameFleet({ before }: ApplyPlan, { name }: Fleet, takeOver: boolean): void {
  if (before === undefined || before.name === name || takeOver) return;
  throw new FatalError(
    'usage',
    `this database has the fleet ${before.name}, not ${name}: nothing was changed.`,
    {
      next: hint`Use a database of its own for ${name}. To take the place of ${before.name}, whose workspaces leave the fleet: ${currentCommand('--take-over')}`,
    },
  );
}

/** True if a plan changes nothing and a fleet was applied before. */
export function isEmptyApplyPlan({ workspaces, assignments, limits, before }: ApplyPlan): boolean {
  return [workspaces, assignments, limits].every(({ length }) => length === 0) && before !== undefined;
}

function changedLimits(was: Readonly<Record<string, number>>, is: Fleet['limits']): LimitChange[] {
  const before = new Map(Object.entries(was));
  const after = new Map(Object.entries(is));
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((limit) => {
    const change = { limit, before: before.get(limit) ?? null, after: after.get(limit) ?? null };
    return change.before === change.after ? [] : [change];
  });
}

function rowsOf({ file, workspaces, assignments }: Fleet) {
  const home = dirname(file);
  return {
    workspaces: workspaces.map(
      ({ name, baseUrl, token, values }): WorkspaceRow => ({
        name,
        base_url: baseUrl,
        settings: { token: 'file' in token ? { file: fromHome(home, token.file) } : token, values },
      }),
    ),
    assignments: assignments.map(
      ({ workspace, pipeline, kind, priority, schedule, ...assigned }): AssignmentRow => ({
        ...{ workspace, pipeline, kind, priority },
        schedule: schedule ?? null,
        settings: toAssignmentSettings(home, assigned),
      }),
    ),
  };
}

/** Returns an assignment's settings as its row stores them: paths relative to `home`, defaults left out. */
export function toAssignmentSettings(
  home: string,
  assigned: Omit<Assignment, 'workspace' | 'pipeline' | 'kind' | 'priority' | 'schedule'>,
): AssignmentRow['settings'] {
  return {
    file: fromHome(home, assigned.file),
    ...(assigned.contents !== undefined && { contents: assigned.contents }),
    ...(assigned.onChangedInput !== 'delta' && { onChangedInput: assigned.onChangedInput }),
    ...(assigned.inputBy !== undefined && { inputBy: assigned.inputBy }),
    ...(assigned.lateAfter !== defaultLateAfter && { lateAfter: assigned.lateAfter }),
  };
}

/**
 * Returns the settings that all workers share, as the fleet's row stores them: folders (relative to fleet.yaml or
 * absolute), buckets, `keepResults`, and a SHA-256 of `alerts`, whose URL can be a secret.
 */
export function toSharedSettingsRow({
  file,
  places,
  keepResults,
  alerts,
}: Fleet): Readonly<Record<string, unknown>> {
  const home = dirname(file);
  const row = (place: StorageLocation | undefined) =>
    place === undefined
      ? null
      : place.kind === 'folder'
        ? { ...place, path: fromHome(home, place.path) }
        : place;
  return {
    ...{ inputs: row(places.inputs), outputs: row(places.outputs) },
    ...(places.results !== undefined && { results: row(places.results) }),
    keepResults: keepResults ?? null,
    alerts: alerts === undefined ? null : createHash('sha256').update(JSON.stringify(alerts)).digest('hex'),
  };
}

/**
 * Returns a path relative to the folder of fleet.yaml, which differs between machines; a path outside of it is
 * unchanged.
 */
function fromHome(home: string, path: string): string {
  const inside = relative(home, path);
  return inside.startsWith('..') ? path : inside.split(sep).join('/');
}

function differences<Row extends object>(
  wanted: readonly Row[],
  there: readonly Row[],
  key: (row: Row) => string,
): RowChange<Row>[] {
  const found = new Map(there.map((row) => [key(row), row]));
  const named = new Set(wanted.map(key));
  const differing = wanted.flatMap((row): RowChange<Row>[] => {
    const before = found.get(key(row));
    if (before === undefined) return [{ row, what: 'added', columns: [] }];
    const was = new Map(Object.entries(before));
    const columns = Object.entries(row).flatMap(([name, value]) =>
      isDeepStrictEqual(was.get(name), value) ? [] : [name],
    );
    return columns.length === 0 ? [] : [{ row, what: 'changed', columns }];
  });
  const removed = there.filter((row) => !named.has(key(row)));
  return [...differing, ...removed.map((row): RowChange<Row> => ({ row, what: 'removed', columns: [] }))];
}
