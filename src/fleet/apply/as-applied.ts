import { dirname, isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import * as z from 'zod';
import { selectRows } from '../database/rows.ts';
import { hashContents } from '../fleet-file/contents.ts';
import type { Assignment, Fleet, FleetWorkspace } from '../fleet-file/fleet.ts';
import { type AssignmentRow, assignmentSettings, placesRow, settingsRow, workspaceSettings } from './plan.ts';

const appliedRow = z.object({
  base_url: z.string(),
  settings: workspaceSettings,
  kind: z.enum(['import', 'export']),
  assigned: assignmentSettings,
});

/**
 * Whether a worker's fleet file, pipeline and mapping, as they are now, agree with the applied ones on a job: with another
 * address or other values it would export another workspace under this name, or import into it; with an old pipeline or
 * mapping it would do outdated work. Files may be elsewhere on another machine.
 */
export async function matchesApplied(
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
  const now = { ...assigned, contents: await hashContents(assigned.files) };
  return agree(applied.assigned, settingsRow(dirname(file), now));
}

/** Whether two rows agree, but for where files are outside of the folder of fleet.yaml. */
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

/** Returns which shared setting of a fleet file differs from the applied one; undefined where none does. */
export function findDifferingSetting(
  applied: Readonly<Record<string, unknown>>,
  fleet: Fleet,
): string | undefined {
  const own = placesRow(fleet);
  // An older version has applied less.
  const differs = (name: string) =>
    (Object.hasOwn(applied, name) || !wholeSettings.includes(name)) &&
    !isDeepStrictEqual(applied[name], own[name]);
  const names = new Set([...Object.keys(applied), ...Object.keys(own)].filter(differs));
  if (names.size === 0) return undefined;
  return names.has('alerts') && names.size === 1 ? 'alerts' : 'places';
}

const wholeSettings: readonly string[] = ['keepResults', 'alerts'];
