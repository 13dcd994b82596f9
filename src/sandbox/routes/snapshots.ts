import { ApiError, createNotFoundError } from '../api-error.ts';
import { openSandboxStore, type SandboxStore } from '../store/store.ts';

export type SnapshotStore = ReturnType<typeof createSnapshotStore>;

/** The maximum number of snapshots: each is a whole workspace in memory. */
const mostSnapshots = 20;

/** Creates the store of named copies of the workspace, which are kept as long as the sandbox runs. */
export function createSnapshotStore(store: SandboxStore) {
  const kept = new Map<string, SandboxStore>();
  const found = (name: string): SandboxStore => {
    const snapshot = kept.get(checkedName(name));
    if (snapshot === undefined)
      throw createNotFoundError(
        `There is no snapshot "${name}". Take it first: POST /sandbox/snapshots/${name}`,
      );
    return snapshot;
  };
  return {
    names: (): readonly string[] => [...kept.keys()].sort(),
    /** Takes a snapshot, replacing one of the same name. */
    take(name: string): void {
      if (kept.size >= mostSnapshots && !kept.has(checkedName(name)))
        throw new ApiError(
          400,
          `There are ${mostSnapshots} snapshots already. Remove one: DELETE /sandbox/snapshots/NAME`,
        );
      const snapshot = kept.get(checkedName(name)) ?? openSandboxStore(undefined);
      snapshot.become(store);
      kept.set(name, snapshot);
    },
    restore: (name: string): void => store.become(found(name)),
    remove(name: string): void {
      found(name).close();
      kept.delete(name);
    },
  };
}

function checkedName(name: string): string {
  if (/^[\w-]{1,64}$/.test(name)) return name;
  throw new ApiError(
    400,
    `${JSON.stringify(name)} is no name of a snapshot: 1 to 64 letters, digits, - and _.`,
  );
}
