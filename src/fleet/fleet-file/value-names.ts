import type { FleetWorkspace } from './fleet.ts';

/** Every name that any workspace of a fleet has a value for. */
export function valueNames(workspaces: readonly Pick<FleetWorkspace, 'values'>[]): ReadonlySet<string> {
  return new Set(workspaces.flatMap(({ values }) => Object.keys(values)));
}
