import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { FatalError } from '../../model/fatal-error.ts';
import { fleetKeyFileVariable, fleetKeyVariable } from '../variables.ts';

const makeOne = 'openssl rand -base64 32';

/** The key that encrypts a fleet's journals, lists and sync states before they are stored in the database. */
export interface FleetKey {
  readonly secret: KeyObject;
  /** Eight bytes that identify the key without revealing it. */
  readonly id: Buffer;
}

/**
 * Reads the fleet's key from `fleetKeyVariable` of the environment, or from the file that `fleetKeyFileVariable` names;
 * throws a FatalError (usage) if neither is set or the key is invalid.
 */
export function readFleetKey(env: Readonly<Record<string, string | undefined>>): FleetKey {
  const typed = env[fleetKeyVariable]?.trim() ?? '';
  if (typed !== '') return parseFleetKey(typed, { key: fleetKeyVariable });
  const file = env[fleetKeyFileVariable]?.trim() ?? '';
  if (file !== '') return parseFleetKey(readKeyFile(file), { file });
  throw new FatalError(
    'usage',
    `the fleet encrypts journals with a key, and ${fleetKeyVariable} is not set.`,
    {
      next: `export ${fleetKeyVariable}="$(${makeOne})"   (once for all machines; keep a copy: without it the journals are lost)`,
    },
  );
}

/** Returns the id of the key that the environment variables set, hexadecimal; undefined if they set none. */
export function readFleetKeyId(): string | undefined {
  const isSet = [fleetKeyVariable, fleetKeyFileVariable].some(
    (name) => (process.env[name]?.trim() ?? '') !== '',
  );
  return isSet ? readFleetKey(process.env).id.toString('hex') : undefined;
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new FatalError('usage', `the key of the fleet cannot be read: ${detail}`, {
      place: { key: fleetKeyFileVariable },
      next: `${makeOne} > ${file}   (or name the file that has it)`,
      cause,
    });
  }
}

/** Parses a key of 32 bytes in base64 or hexadecimal; throws a FatalError (usage), with `place`, for anything else. */
export function parseFleetKey(
  text: string,
  place: { readonly key?: string; readonly file?: string },
): FleetKey {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : base64(text);
  if (bytes?.length !== 32) {
    throw new FatalError('usage', 'the key of the fleet is not 32 bytes in base64 or hexadecimal.', {
      place,
      next: `A new one: ${makeOne}   (journals that another key encrypted stay unreadable with it)`,
    });
  }
  const id = createHash('sha256').update('longshore fleet key id').update(bytes).digest().subarray(0, 8);
  return { secret: createSecretKey(bytes), id };
}

function base64(text: string): Buffer | undefined {
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
