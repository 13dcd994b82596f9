import { readFileSync } from 'node:fs';
import type { Invocation } from '../../app/run/command-line.ts';
import { createRemoteTarget, readRemoteTarget, type WorkspaceTarget } from '../../app/run/target.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { parseToken } from '../../workspace/index.ts';
import type { FleetWorkspace } from '../fleet-file/fleet.ts';
import { toMachineFaultError } from '../machine-fault.ts';

/**
 * Returns the target of a workspace, with its address and token; throws a MachineFaultError if this machine has no
 * valid token.
 */
export function loadWorkspaceTarget(workspace: FleetWorkspace, invocation: Invocation): WorkspaceTarget {
  try {
    return withToken(workspace, invocation);
  } catch (error) {
    throw toMachineFaultError(error);
  }
}

function withToken({ name, baseUrl, token }: FleetWorkspace, invocation: Invocation): WorkspaceTarget {
  if ('env' in token) return readRemoteTarget(baseUrl, token.env, invocation);
  const { file } = token;
  try {
    return createRemoteTarget(baseUrl, parseToken(readFileSync(file, 'utf8').trim()));
  } catch (error) {
    const next = `Put the token of ${name}, alone and in one line, into this file.`;
    if (error instanceof FatalError) throw error.with({ place: { file }, next });
    const detail = error instanceof Error ? error.message : String(error);
    throw new FatalError('usage', `the token of ${name} cannot be read: ${detail}`, {
      place: { file },
      next,
      cause: error,
    });
  }
}
