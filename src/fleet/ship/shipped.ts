import type { Pool } from 'pg';
import * as z from 'zod';
import { FatalError } from '../../model/fatal-error.ts';
import type { FleetKey } from '../crypt/key.ts';
import {
  type AssociatedData,
  assertSealedWithKey,
  seal,
  sealedHeaderLength,
  unseal,
  wasSealedWithAdjacentBytes,
} from '../crypt/seal.ts';
import { bytesColumnSchema, selectRows } from '../database/rows.ts';
import { type DatabaseAccess, executeFenced, leaseFenceSql, queryRowsWithRetry } from './fenced.ts';
import { packWalPosition, unpackWalPosition, type WalPosition } from './log.ts';

/** The state of a journal in the database: a base, and the frames of commits since. */
export interface ShippedJournal {
  /** The number of its base. */
  readonly generation: string;
  /** The number of parts of the base. */
  readonly parts: number;
  /** The number of the last chunk of frames. */
  readonly seq: number;
  /** The position in the WAL up to which it was shipped. */
  readonly mark: WalPosition;
  readonly baseBytes: number;
  readonly frameBytes: number;
}

/** The size of a part of a journal's base (bytes), before compression; each part is a row of the fleet's database. */
export const journalBasePartBytes = 1024 * 1024;

/** Returns the associated data of a part of a base. */
export function createJournalBaseAssociatedData(
  workspace: string,
  generation: string,
  part: number,
): AssociatedData {
  return ['base', workspace, generation, part];
}

/** Returns the associated data of a chunk of frames, with the number of parts of its base. */
function framesPlace(
  workspace: string,
  { generation, parts, seq }: Pick<ShippedJournal, 'generation' | 'parts' | 'seq'>,
): AssociatedData {
  return ['frames', workspace, generation, parts, seq];
}

/** Returns the associated data of the end of a journal. */
function reachedPlace(workspace: string): AssociatedData {
  return ['reached', workspace];
}

/** The last position of a journal in the database. */
type End = Pick<ShippedJournal, 'generation' | 'seq' | 'mark'>;

const endText = ({ generation, seq, mark }: End) =>
  [generation, seq, packWalPosition(mark).toString('hex')].join(' ');

/**
 * Encrypts the end of a journal, so that its last frames cannot be removed from the database unnoticed
 * without the key.
 */
export async function sealJournalEndPosition(key: FleetKey, workspace: string, end: End): Promise<Buffer> {
  return await seal(key, reachedPlace(workspace), Buffer.from(endText(end)));
}

/** Decrypts the stored end of a journal; undefined if an older version has stored none. */
export async function unsealJournalEndPosition(
  key: FleetKey,
  workspace: string,
  reached: Buffer | null,
): Promise<End | undefined> {
  if (reached === null) return undefined;
  const kept = (await unseal(key, reachedPlace(workspace), reached)).toString();
  const [generation = '', seq = '', mark = ''] = kept.split(' ');
  return { generation, seq: Number(seq), mark: unpackWalPosition(Buffer.from(mark, 'hex')) };
}

/**
 * True if the stored frames of a journal reach its stored end (`kept`). Without a stored end, true if the last chunk is
 * from an older version, which stored none; `last` is the head of the chunk's sealed bytes.
 */
export function isJournalComplete(found: End, kept: End | undefined, last: Buffer): boolean {
  return kept === undefined ? !wasSealedWithAdjacentBytes(last) : endText(found) === endText(kept);
}

/** Encrypts a chunk of frames, bound to its position in the WAL. */
export async function sealWalFrames(
  key: FleetKey,
  workspace: string,
  at: Pick<ShippedJournal, 'generation' | 'parts' | 'seq' | 'mark'>,
  plain: Buffer,
): Promise<Buffer> {
  return await seal(key, framesPlace(workspace, at), plain, packWalPosition(at.mark));
}

/** Decrypts a chunk of frames; throws a FatalError if its bytes, number or position were changed. */
export async function unsealWalFrames(
  key: FleetKey,
  workspace: string,
  at: Pick<ShippedJournal, 'generation' | 'parts' | 'seq'>,
  { bytes, mark }: { readonly bytes: Buffer; readonly mark: Buffer },
): Promise<Buffer> {
  return await unseal(key, framesPlace(workspace, at), bytes, mark);
}

/** SQL: the encrypted end of a journal, read in the same statement as the frames it is compared with. */
export const journalEndSql = '(SELECT reached FROM longshore.holder h WHERE h.workspace = $1)';

/** The schema of the last chunk of frames of a journal, with its encrypted end. */
export const lastChunkRowSchema = z.object({
  generation: z.string(),
  parts: z.int(),
  seq: z.string(),
  mark: bytesColumnSchema,
  head: bytesColumnSchema,
  reached: bytesColumnSchema.nullable(),
});

const foundRow = lastChunkRowSchema.extend({
  /** The bytes of the last chunk, if `reached` is null; otherwise null. */
  unsure: bytesColumnSchema.nullable(),
  base: z.string(),
  frames: z.string(),
});

/**
 * Returns the state of a workspace's journal in the database; undefined if there is none. Throws a MachineFaultError if
 * it is encrypted with another key.
 */
export async function findShippedJournal(
  access: DatabaseAccess,
  workspace: string,
  key: FleetKey,
): Promise<CheckedShippedJournal | undefined> {
  const [row] = await queryRowsWithRetry(
    access,
    foundRow,
    `SELECT generation::text, parts, seq::text, mark, substring(bytes FOR ${sealedHeaderLength}) AS head, ${journalEndSql} AS reached,
       CASE WHEN ${journalEndSql} IS NULL THEN bytes END AS unsure,
       (SELECT coalesce(sum(octet_length(bytes)), 0) FROM longshore.base b
        WHERE b.workspace = f.workspace AND b.generation = f.generation)::text AS base,
       (SELECT sum(octet_length(bytes)) FROM longshore.frames o
        WHERE o.workspace = f.workspace AND o.generation = f.generation)::text AS frames
     FROM longshore.frames f WHERE workspace = $1 ORDER BY f.generation DESC, f.seq DESC LIMIT 1`,
    [workspace],
  );
  if (row === undefined) return undefined;
  const { generation, parts, head, reached, unsure } = row;
  const at = { generation, parts, seq: Number(row.seq) };
  assertSealedWithKey(key, head, framesPlace(workspace, at));
  const found = { ...at, mark: unpackWalPosition(row.mark) };
  // Without a stored end the last chunk is verified, as it may have been altered to look like one of an older version.
  if (unsure !== null) await unsealWalFrames(key, workspace, at, { bytes: unsure, mark: row.mark });
  const kept = await unsealJournalEndPosition(key, workspace, reached);
  const sizes = { baseBytes: Number(row.base), frameBytes: Number(row.frames) };
  return {
    ...found,
    ...sizes,
    missing: isJournalComplete(found, kept, head) ? undefined : (kept?.mark ?? 'unknown'),
  };
}

export interface CheckedShippedJournal extends ShippedJournal {
  /**
   * The stored end if frames before it are missing, or `unknown` if no end is stored; undefined for a complete journal.
   */
  readonly missing: WalPosition | 'unknown' | undefined;
}

/** Throws a FatalError (unexpected) if a journal was saved but its frames are missing in the database. */
export async function assertNoJournalLost(access: DatabaseAccess, workspace: string): Promise<void> {
  const reached = z.object({ reached: bytesColumnSchema.nullable() });
  const [found] = await queryRowsWithRetry(access, reached, `SELECT ${journalEndSql} AS reached`, [
    workspace,
  ]);
  if (found?.reached != null) throw createTruncatedJournalError(workspace);
}

/** Returns the error for a journal whose end is missing or was changed in the database. */
export function createTruncatedJournalError(workspace: string): FatalError {
  return new FatalError(
    'unexpected',
    `the journal of ${workspace} in the database is not all that was saved: its end was removed or changed.`,
    {
      next: 'Start the machine that worked on the workspace last: it saves its own again. Otherwise restore the database from a backup.',
    },
  );
}

/** The workspace of a lease, and its fencing token. */
export interface LeaseIdentity {
  readonly workspace: string;
  readonly token: string;
}

/** Returns the number of the next base. */
export async function readNextGeneration(access: DatabaseAccess, workspace: string): Promise<string> {
  const [row] = await queryRowsWithRetry(
    access,
    z.object({ next: z.string() }),
    'SELECT (coalesce(max(generation), 0) + 1)::text AS next FROM longshore.base WHERE workspace = $1',
    [workspace],
  );
  return row?.next ?? '1';
}

/** Stores a part of a base, which takes effect with the first frames of its generation. */
export async function storeJournalBasePart(
  access: DatabaseAccess,
  { workspace, token }: LeaseIdentity,
  { generation, part, bytes }: { readonly generation: string; readonly part: number; readonly bytes: Buffer },
): Promise<void> {
  await executeFenced(
    access,
    `WITH ${leaseFenceSql} INSERT INTO longshore.base (workspace, generation, part, token, bytes)
     SELECT $1::text, $3::bigint, $4::integer, $2::bigint, $5::bytea FROM h
     ON CONFLICT (workspace, generation, part) DO UPDATE SET bytes = excluded.bytes WHERE base.token = excluded.token`,
    [workspace, token, generation, part, bytes],
  );
}

/** An encrypted chunk of frames to be stored. */
export interface WalFrameChunk extends Pick<ShippedJournal, 'generation' | 'parts' | 'seq' | 'mark'> {
  readonly bytes: Buffer;
  /** The encrypted end of the journal after this chunk, from `sealJournalEndPosition`. */
  readonly reached: Buffer;
}

/** The CTE that stores the journal's new end together with a chunk. */
const reachIt =
  'up AS (UPDATE longshore.holder SET reached = $8 WHERE workspace = $1 AND token = $2 AND EXISTS (SELECT 1 FROM h))';

// A statement whose response was lost is sent again, and finds its own row.
const addFrames = `INSERT INTO longshore.frames (workspace, generation, seq, token, parts, mark, bytes)
  SELECT $1::text, $3::bigint, $4::bigint, $2::bigint, $5::integer, $6::bytea, $7::bytea FROM h
  ON CONFLICT (workspace, generation, seq) DO UPDATE SET mark = excluded.mark
  WHERE frames.token = excluded.token AND frames.mark = excluded.mark`;

/** Stores a chunk of frames and the journal's new end. */
export async function storeWalFrames(
  access: DatabaseAccess,
  holding: LeaseIdentity,
  chunk: WalFrameChunk,
): Promise<void> {
  await executeFenced(access, `WITH ${leaseFenceSql}, ${reachIt} ${addFrames}`, valuesOf(holding, chunk));
}

/** Makes a new base valid: stores its first frames and removes all earlier bases and frames, in one statement. */
export async function activateJournalBase(
  access: DatabaseAccess,
  holding: LeaseIdentity,
  chunk: WalFrameChunk,
): Promise<void> {
  const removed = (table: string) =>
    `gone_${table} AS (DELETE FROM longshore.${table}
      WHERE workspace = $1 AND generation <> $3 AND EXISTS (SELECT 1 FROM h))`;
  await executeFenced(
    access,
    `WITH ${leaseFenceSql}, ${reachIt}, ${removed('base')}, ${removed('frames')} ${addFrames}`,
    valuesOf(holding, chunk),
  );
}

function valuesOf({ workspace, token }: LeaseIdentity, chunk: WalFrameChunk): unknown[] {
  const { generation, seq, parts, mark, bytes, reached } = chunk;
  return [workspace, token, generation, seq, parts, packWalPosition(mark), bytes, reached];
}

/** The size of a workspace's journal in the database. */
export interface ShippedJournalSize {
  readonly workspace: string;
  /** The bytes of its bases, compressed and encrypted. */
  readonly baseBytes: number;
  /** The bytes of its frames. */
  readonly frameBytes: number;
  /** The number of chunks of frames. */
  readonly chunks: number;
}

/** Returns the sizes of all journals in the database, sorted by workspace name. */
export async function listShippedJournalSizes(pool: Pool): Promise<readonly ShippedJournalSize[]> {
  const rows = await selectRows(
    pool,
    z.object({ workspace: z.string(), base: z.string(), frames: z.string(), chunks: z.string() }),
    `SELECT workspace, sum(base)::text AS base, sum(frames)::text AS frames, sum(chunks)::text AS chunks FROM (
       SELECT workspace, sum(octet_length(bytes)) AS base, 0 AS frames, 0 AS chunks FROM longshore.base GROUP BY 1
       UNION ALL
       SELECT workspace, 0, sum(octet_length(bytes)), count(*) FROM longshore.frames GROUP BY 1
     ) AS each GROUP BY workspace ORDER BY workspace`,
  );
  return rows.map(({ workspace, base, frames, chunks }) => ({
    workspace,
    baseBytes: Number(base),
    frameBytes: Number(frames),
    chunks: Number(chunks),
  }));
}
