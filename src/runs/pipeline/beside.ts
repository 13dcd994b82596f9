import { dirname, isAbsolute, join, resolve } from 'node:path';
import type * as z from 'zod';
import type { workspaceSchema } from './workspace.ts';

type WorkspaceKeys = z.output<typeof workspaceSchema>;

/** A path of a YAML file, which is meant from where that file stands. */
export function besideFile(file: string, other: string): string {
  return isAbsolute(other) ? other : join(dirname(file), other);
}

/** `workspace:` with the absolute path of the seed of its sandbox. */
export function withSeedOf(workspace: WorkspaceKeys, file: string): WorkspaceKeys {
  const { sandbox } = workspace;
  if (sandbox?.seed === undefined) return workspace;
  return { ...workspace, sandbox: { ...sandbox, seed: resolve(besideFile(file, sandbox.seed)) } };
}
