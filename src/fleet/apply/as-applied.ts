import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import type { Assignment, FleetWorkspace } from '../fleet-file/fleet.ts';
import type { AssignmentRow, WorkspaceRow } from './plan.ts';

/**
 * Whether a worker's fleet file agrees with the applied one on a job's workspace: with another address or other values it
 * would export another workspace under this name, or import into it. Files may be elsewhere on another machine.
 */
export async function isAsApplied(
  pool: Pool,
  { name, baseUrl, token, values }: FleetWorkspace,
  { pipeline, kind }: Assignment,
): Promise<boolean> {
  const { rows } = await pool.query<
    Pick<WorkspaceRow, 'base_url' | 'settings'> & Pick<AssignmentRow, 'kind'>
  >(
    `SELECT w.base_url, w.settings, a.kind FROM longshore.workspace w JOIN longshore.assignment a ON a.workspace = w.name
     WHERE w.name = $1 AND a.pipeline = $2`,
    [name, pipeline],
  );
  const [applied] = rows;
  if (applied === undefined) return false;
  const { base_url, settings } = applied;
  const sameToken = 'file' in token ? 'file' in settings.token : isDeepStrictEqual(token, settings.token);
  return (
    base_url === baseUrl && applied.kind === kind && sameToken && isDeepStrictEqual(settings.values, values)
  );
}
