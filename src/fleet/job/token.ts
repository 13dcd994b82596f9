import { readFileSync } from 'node:fs';
import { FatalError } from '../../model/fatal-error.ts';
import { addressed, liveTarget, type Target } from '../../wiring/target.ts';
import { parseToken } from '../../workspace/index.ts';
import type { FleetWorkspace } from '../fleet-file/fleet.ts';

/** A workspace of the fleet with its token. Throws a FatalError (usage) where there is none, or none that can be used. */
export function targetOf({ name, baseUrl, token }: FleetWorkspace): Target {
  if ('env' in token) return liveTarget(baseUrl, token.env);
  const { file } = token;
  try {
    return addressed(baseUrl, parseToken(readFileSync(file, 'utf8').trim()));
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
