import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import { FatalError } from '../../model/fatal-error.ts';
import { MachineFault } from '../machine-fault.ts';
import { keyVariable } from '../variables.ts';
import type { FleetKey } from './key.ts';

/** The first byte of a sealed text; the id of its key, the nonce and the tag follow. */
const layouts = { plain: 1, beside: 2 } as const;
const idBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const nonceAt = 1 + idBytes;
const tagAt = nonceAt + nonceBytes;
const textAt = tagAt + tagBytes;

/** How many bytes say which key something was sealed with. */
export const sealHead = nonceAt;

/** Where a sealed text belongs; it opens nowhere else. */
export type SealedPlace = readonly (string | number)[];

const deflated = promisify<Buffer, { level: number }, Buffer>(deflateRaw);
const inflated = promisify<Buffer, Buffer>(inflateRaw);

/**
 * Deflates and encrypts bytes for one place (AES-256-GCM, a random nonce each). They open only together with the bytes
 * `beside` them, which stay readable.
 */
export async function seal(
  { secret, id }: FleetKey,
  place: SealedPlace,
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
 * The bytes that were sealed for this place. Throws a FatalError 'usage' where another key sealed them, and 'unexpected'
 * where they are damaged, cut off, or belong elsewhere.
 */
export async function unseal(
  key: FleetKey,
  place: SealedPlace,
  sealed: Buffer,
  beside?: Buffer,
): Promise<Buffer> {
  assertSealedWith(key, sealed, place);
  try {
    const nonce = sealed.subarray(nonceAt, tagAt);
    const cipher = createDecipheriv('aes-256-gcm', key.secret, nonce, { authTagLength: tagBytes });
    cipher.setAAD(bound(place, isSealedBeside(sealed) ? beside : undefined));
    cipher.setAuthTag(sealed.subarray(tagAt, textAt));
    return await inflated(Buffer.concat([cipher.update(sealed.subarray(textAt)), cipher.final()]));
  } catch (cause) {
    throw damaged(place, cause);
  }
}

/** Whether something was sealed together with bytes beside it, as its first bytes say: those are believed once it is open. */
export function isSealedBeside(head: Buffer): boolean {
  return head[0] === layouts.beside;
}

/** Throws where something was not sealed with this key, as its first bytes say. */
export function assertSealedWith({ id }: FleetKey, head: Buffer, place: SealedPlace): void {
  if (head.length < sealHead || (head[0] !== layouts.plain && !isSealedBeside(head)))
    throw damaged(place, undefined);
  if (head.subarray(1, nonceAt).equals(id)) return;
  throw new MachineFault(
    'usage',
    `${words(place)} was encrypted with another key than that of ${keyVariable}.`,
    {
      next: `Set ${keyVariable} as it is on the machines that wrote it.`,
    },
  );
}

function bound(place: SealedPlace, beside: Buffer | undefined): Buffer {
  return Buffer.from(JSON.stringify(beside === undefined ? place : [place, beside.toString('hex')]));
}

function damaged(place: SealedPlace, cause: unknown): FatalError {
  return new FatalError(
    'unexpected',
    `${words(place)} is damaged in the database, cut off, or not where it belongs; nothing of it was used.`,
    { next: 'Restore the database from a backup, or start the workspace over with a new journal.', cause },
  );
}

function words([kind, workspace, ...position]: SealedPlace): string {
  return `${kind} ${position.join('/')} of workspace ${workspace}`;
}
