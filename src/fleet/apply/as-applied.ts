import { dirname, isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import * as z from 'zod';
import { selectRows } from '../database/rows.ts';
import { hashFileContents } from '../fleet-file/contents.ts';
import type { Assignment, Fleet, FleetWorkspace } from '../fleet-file/fleet.ts';
import {
  type AssignmentRow,
  assignmentSettingsSchema,
  toAssignmentSettings,
  toSharedSettingsRow,
  workspaceSettingsSchema,
} from './plan.ts';

const appliedRow = z.object({
  base_url: z.string(),
  settings: workspaceSettingsSchema,
  kind: z.enum(['import', 'export']),
  assigned: assignmentSettingsSchema,
});

/**
 * Returns true if this worker has the fleet file, pipeline and mapping that `fleet apply` recorded for the assignment;
 * otherwise its job could use another workspace or outdated files. Paths outside of the folder of fleet.yaml may
 * differ.
 */
export async function matchesAppliedAssignment(
  pool: Pool,
  { file }: Pick<Fleet, 'file'>,
  { name, baseUrl, token, values }: FleetWorkspace,
  assigned: Assignment,
): Promise<boolean> {
  const { pipeline, kind } = assigned;
  const [applied] = await selectRows(
    pool,
    appliedRow,
    `SELECT w.base_url, w.settings, a.kind, a.settings AS assigned FROM longshore.workspace w JOIN longshore.assignment a ON a.workspace = w.name
     WHERE w.name = $1 AND a.pipeline = $2`,
    [name, pipeline],
  );
  if (applied === undefined) return false;
  const { base_url, settings } = applied;
  const sameToken = 'file' in token ? 'file' in settings.token : isDeepStrictEqual(token, settings.token);
  const isSameWorkspace = base_url === baseUrl && sameToken && isDeepStrictEqual(settings.values, values);
  if (!isSameWorkspace || applied.kind !== kind) return false;
  const now = { ...assigned, contents: await hashFileContents(assigned.files) };
  return agree(applied.assigned, toAssignmentSettings(dirname(file), now));
}

/** True if the settings of two rows match; paths outside of the folder of fleet.yaml may differ. */
function agree(applied: AssignmentRow['settings'], own: AssignmentRow['settings']): boolean {
  const isElsewhere = isAbsolute(applied.file) || isAbsolute(own.file);
  return isDeepStrictEqual(
    {
      ...own,
      ...(isElsewhere && { file: '' }),
      contents: applied.contents === undefined ? '' : own.contents,
    },
    { ...applied, ...(isElsewhere && { file: '' }), contents: applied.contents ?? '' },
  );
}

/**
 * Returns the group of shared settings that differs from the applied one: `alerts` if nothing else differs, otherwise
 * `places`; undefined if all match.
 */
export function findDifferingSettingsGroup(
  applied: Readonly<Record<string, unknown>>,
  fleet: Fleet,
): string | undefined {
  const own = toSharedSettingsRow(fleet);
  // Rows applied by an older version lack these settings.
  const differs = (name: string) =>
    (Object.hasOwn(applied, name) || !wholeSettings.includes(name)) &&
    !isDeepStrictEqual(applied[name], own[name]);
  const names = new Set([...Object.keys(applied), ...Object.keys(own)].filter(differs));
  if (names.size === 0) return undefined;
  return names.has('alerts') && names.size === 1 ? 'alerts' : 'places';
}

const wholeSettings: readonly string[] = ['keepResults', 'alerts'];
