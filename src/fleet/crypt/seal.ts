import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import { FatalError } from '../../model/fatal-error.ts';
import { MachineFaultError } from '../machine-fault.ts';
import { fleetKeyVariable } from '../variables.ts';
import type { FleetKey } from './key.ts';

/**
 * The first byte of sealed bytes: `beside` if plain bytes stored next to them are authenticated, too, otherwise
 * `plain`. The key id, the nonce and the tag follow.
 */
const layouts = { plain: 1, beside: 2 } as const;
const idBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const nonceAt = 1 + idBytes;
const tagAt = nonceAt + nonceBytes;
const textAt = tagAt + tagBytes;

/** The length of the head of sealed bytes, which has the layout and the key id. */
export const sealedHeaderLength = nonceAt;

/**
 * The kind, workspace and position of sealed bytes, which are authenticated with them; unsealing needs the same values.
 */
export type AssociatedData = readonly (string | number)[];

const deflated = promisify<Buffer, { level: number }, Buffer>(deflateRaw);
const inflated = promisify<Buffer, Buffer>(inflateRaw);

/**
 * Deflates and encrypts bytes (AES-256-GCM, random nonce), and authenticates them with their position and with the
 * plain bytes stored `beside` them.
 */
export async function seal(
  { secret, id }: FleetKey,
  place: AssociatedData,
  plain: Buffer,
  beside?: Buffer,
): Promise<Buffer> {
  const nonce = randomBytes(nonceBytes);
  const packed = await deflated(plain, { level: constants.Z_BEST_SPEED });
  const cipher = createCipheriv('aes-256-gcm', secret, nonce, { authTagLength: tagBytes });
  cipher.setAAD(bound(place, beside));
  const layout = beside === undefined ? layouts.plain : layouts.beside;
  const text = [cipher.update(packed), cipher.final()];
  return Buffer.concat([Buffer.of(layout), id, nonce, cipher.getAuthTag(), ...text]);
}

/**
 * Decrypts bytes that were sealed with this position; throws a MachineFaultError (usage) for another key, and a
 * FatalError (unexpected) for damaged, truncated or misplaced bytes.
 */
export async function unseal(
  key: FleetKey,
  place: AssociatedData,
  sealed: Buffer,
  beside?: Buffer,
): Promise<Buffer> {
  assertSealedWithKey(key, sealed, place);
  try {
    const nonce = sealed.subarray(nonceAt, tagAt);
    const cipher = createDecipheriv('aes-256-gcm', key.secret, nonce, { authTagLength: tagBytes });
    cipher.setAAD(bound(place, wasSealedWithAdjacentBytes(sealed) ? beside : undefined));
    cipher.setAuthTag(sealed.subarray(tagAt, textAt));
    return await inflated(Buffer.concat([cipher.update(sealed.subarray(textAt)), cipher.final()]));
  } catch (cause) {
    throw damaged(place, cause);
  }
}

/**
 * True if the first byte says that the bytes were sealed together with adjacent plain bytes; only `unseal` verifies
 * this.
 */
export function wasSealedWithAdjacentBytes(head: Buffer): boolean {
  return head[0] === layouts.beside;
}

/**
 * Throws a MachineFaultError (usage) if sealed bytes name another key, and a FatalError (unexpected) if their head is
 * damaged.
 */
export function assertSealedWithKey({ id }: FleetKey, head: Buffer, place: AssociatedData): void {
  if (head.length < sealedHeaderLength || (head[0] !== layouts.plain && !wasSealedWithAdjacentBytes(head)))
    throw damaged(place, undefined);
  if (head.subarray(1, nonceAt).equals(id)) return;
  throw new MachineFaultError(
    'usage',
    `${words(place)} was encrypted with another key than that of ${fleetKeyVariable}.`,
    {
      next: `Set ${fleetKeyVariable} as it is on the machines that wrote it.`,
    },
  );
}

function bound(place: AssociatedData, beside: Buffer | undefined): Buffer {
  return Buffer.from(JSON.stringify(beside === undefined ? place : [place, beside.toString('hex')]));
}

function damaged(place: AssociatedData, cause: unknown): FatalError {
  return new FatalError(
    'unexpected',
    `${words(place)} is damaged in the database, cut off, or not where it belongs; nothing of it was used.`,
    { next: 'Restore the database from a backup, or start the workspace over with a new journal.', cause },
  );
}

function words([kind, workspace, ...position]: AssociatedData): string {
  return `${kind} ${position.join('/')} of workspace ${workspace}`;
}
