import type { Pool } from 'pg';
import * as z from 'zod';
import { FatalError } from '../../model/fatal-error.ts';
import type { FleetKey } from '../crypt/key.ts';
import { assertSealedWith, isSealedBeside, type SealedPlace, seal, sealHead, unseal } from '../crypt/seal.ts';
import { bytes, selectRows } from '../database/rows.ts';
import { askFenced, askRows, type DatabaseAccess, fenceSql } from './fenced.ts';
import { type LogMark, packMark, unpackMark } from './log.ts';

/** A journal in the database: a base, and the commits since. */
export interface ShippedJournal {
  /** Which base. */
  readonly generation: string;
  /** In how many parts. */
  readonly parts: number;
  /** Of the last chunk of frames. */
  readonly seq: number;
  /** How far the log was read when that was sent. */
  readonly mark: LogMark;
  readonly baseBytes: number;
  readonly frameBytes: number;
}

/** The most that one row of the base holds, before it is deflated. */
export const partBytes = 1024 * 1024;

/** Where a part of a base belongs. */
export function basePlace(workspace: string, generation: string, part: number): SealedPlace {
  return ['base', workspace, generation, part];
}

/** Where a chunk of frames belongs: behind a base of so many parts. */
function framesPlace(
  workspace: string,
  { generation, parts, seq }: Pick<ShippedJournal, 'generation' | 'parts' | 'seq'>,
): SealedPlace {
  return ['frames', workspace, generation, parts, seq];
}

/** Where the end of a journal belongs. */
function reachedPlace(workspace: string): SealedPlace {
  return ['reached', workspace];
}

/** Where a journal ends in the database. */
type End = Pick<ShippedJournal, 'generation' | 'seq' | 'mark'>;

const endText = ({ generation, seq, mark }: End) =>
  [generation, seq, packMark(mark).toString('hex')].join(' ');

/** The end of a journal as it is kept beside it: who has no key cannot make the database say that it ends earlier. */
export async function sealEnd(key: FleetKey, workspace: string, end: End): Promise<Buffer> {
  return await seal(key, reachedPlace(workspace), Buffer.from(endText(end)));
}

/** The end of a journal as it was kept; undefined where an older version has kept none. */
export async function findKeptEnd(
  key: FleetKey,
  workspace: string,
  reached: Buffer | null,
): Promise<End | undefined> {
  if (reached === null) return undefined;
  const kept = (await unseal(key, reachedPlace(workspace), reached)).toString();
  const [generation = '', seq = '', mark = ''] = kept.split(' ');
  return { generation, seq: Number(seq), mark: unpackMark(Buffer.from(mark, 'hex')) };
}

/**
 * Whether what the database has of a journal ends where it was kept to end. Where nothing was kept, `last`, its last chunk,
 * has to be one of an older version, and open.
 */
export function isWhole(found: End, kept: End | undefined, last: Buffer): boolean {
  return kept === undefined ? !isSealedBeside(last) : endText(found) === endText(kept);
}

/** Encrypts a chunk of frames, with how far the log was read. */
export async function sealFrames(
  key: FleetKey,
  workspace: string,
  at: Pick<ShippedJournal, 'generation' | 'parts' | 'seq' | 'mark'>,
  plain: Buffer,
): Promise<Buffer> {
  return await seal(key, framesPlace(workspace, at), plain, packMark(at.mark));
}

/** The frames of a chunk; throws where it is not the one that was sealed, or its mark is another. */
export async function unsealFrames(
  key: FleetKey,
  workspace: string,
  at: Pick<ShippedJournal, 'generation' | 'parts' | 'seq'>,
  { bytes, mark }: { readonly bytes: Buffer; readonly mark: Buffer },
): Promise<Buffer> {
  return await unseal(key, framesPlace(workspace, at), bytes, mark);
}

/** The seal of the end of a journal, in the same transaction or statement as what it is compared with. */
export const reachedSql = '(SELECT reached FROM longshore.holder h WHERE h.workspace = $1)';

/** The last chunk of frames of a journal, and the seal of its end. */
export const lastChunk = z.object({
  generation: z.string(),
  parts: z.int(),
  seq: z.string(),
  mark: bytes,
  head: bytes,
  reached: bytes.nullable(),
});

const foundRow = lastChunk.extend({
  /** The whole chunk, where nothing says that it is the last one. */
  unsure: bytes.nullable(),
  base: z.string(),
  frames: z.string(),
});

/** Returns the stored journal of a workspace; undefined for none. Throws where another key has encrypted it. */
export async function findShipped(
  access: DatabaseAccess,
  workspace: string,
  key: FleetKey,
): Promise<FoundShipped | undefined> {
  const [row] = await askRows(
    access,
    foundRow,
    `SELECT generation::text, parts, seq::text, mark, substring(bytes FOR ${sealHead}) AS head, ${reachedSql} AS reached,
       CASE WHEN ${reachedSql} IS NULL THEN bytes END AS unsure,
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
  assertSealedWith(key, head, framesPlace(workspace, at));
  const found = { ...at, mark: unpackMark(row.mark) };
  // Who has taken away where it ends may have made its last chunk look like one of an older version.
  if (unsure !== null) await unsealFrames(key, workspace, at, { bytes: unsure, mark: row.mark });
  const kept = await findKeptEnd(key, workspace, reached);
  const sizes = { baseBytes: Number(row.base), frameBytes: Number(row.frames) };
  return { ...found, ...sizes, missing: isWhole(found, kept, head) ? undefined : (kept?.mark ?? 'unknown') };
}

export interface FoundShipped extends ShippedJournal {
  /** How far the log was read when the last of it was saved, where the database does not have all of that, or not even this. */
  readonly missing: LogMark | 'unknown' | undefined;
}

/** Throws a FatalError where a journal was saved and the database has nothing of it any more. */
export async function assertNothingSaved(access: DatabaseAccess, workspace: string): Promise<void> {
  const reached = z.object({ reached: bytes.nullable() });
  const [found] = await askRows(access, reached, `SELECT ${reachedSql} AS reached`, [workspace]);
  if (found?.reached != null) throw setBackError(workspace);
}

/** The journal in the database ends before what was saved of it. */
export function setBackError(workspace: string): FatalError {
  return new FatalError(
    'unexpected',
    `the journal of ${workspace} in the database is not all that was saved: its end was removed or changed.`,
    {
      next: 'Start the machine that worked on the workspace last: it saves its own again. Otherwise restore the database from a backup.',
    },
  );
}

/** Whose journal is written, under which token. */
export interface ShippingHolder {
  readonly workspace: string;
  readonly token: string;
}

/** The generation of the next base. */
export async function nextGeneration(access: DatabaseAccess, workspace: string): Promise<string> {
  const [row] = await askRows(
    access,
    z.object({ next: z.string() }),
    'SELECT (coalesce(max(generation), 0) + 1)::text AS next FROM longshore.base WHERE workspace = $1',
    [workspace],
  );
  return row?.next ?? '1';
}

/** Adds a part of a base, which counts once its generation has frames. */
export async function sendBasePart(
  access: DatabaseAccess,
  { workspace, token }: ShippingHolder,
  { generation, part, bytes }: { readonly generation: string; readonly part: number; readonly bytes: Buffer },
): Promise<void> {
  await askFenced(
    access,
    `WITH ${fenceSql} INSERT INTO longshore.base (workspace, generation, part, token, bytes)
     SELECT $1::text, $3::bigint, $4::integer, $2::bigint, $5::bytea FROM h
     ON CONFLICT (workspace, generation, part) DO UPDATE SET bytes = excluded.bytes WHERE base.token = excluded.token`,
    [workspace, token, generation, part, bytes],
  );
}

/** A chunk of frames on its way. */
export interface Chunk extends Pick<ShippedJournal, 'generation' | 'parts' | 'seq' | 'mark'> {
  readonly bytes: Buffer;
  /** Its sealed end, from `sealEnd`. */
  readonly reached: Buffer;
}

/** With each chunk goes where the journal ends now, or neither. */
const reachIt =
  'up AS (UPDATE longshore.holder SET reached = $8 WHERE workspace = $1 AND token = $2 AND EXISTS (SELECT 1 FROM h))';

// A statement whose answer was lost is sent again, and finds what it has done.
const addFrames = `INSERT INTO longshore.frames (workspace, generation, seq, token, parts, mark, bytes)
  SELECT $1::text, $3::bigint, $4::bigint, $2::bigint, $5::integer, $6::bytea, $7::bytea FROM h
  ON CONFLICT (workspace, generation, seq) DO UPDATE SET mark = excluded.mark
  WHERE frames.token = excluded.token AND frames.mark = excluded.mark`;

/** Adds a chunk of frames. */
export async function sendFrames(
  access: DatabaseAccess,
  holding: ShippingHolder,
  chunk: Chunk,
): Promise<void> {
  await askFenced(access, `WITH ${fenceSql}, ${reachIt} ${addFrames}`, valuesOf(holding, chunk));
}

/** Adds the first frames of a new base, which counts from now on, and removes all earlier ones: one of both or nothing. */
export async function sendFirstFrames(
  access: DatabaseAccess,
  holding: ShippingHolder,
  chunk: Chunk,
): Promise<void> {
  const removed = (table: string) =>
    `gone_${table} AS (DELETE FROM longshore.${table}
      WHERE workspace = $1 AND generation <> $3 AND EXISTS (SELECT 1 FROM h))`;
  await askFenced(
    access,
    `WITH ${fenceSql}, ${reachIt}, ${removed('base')}, ${removed('frames')} ${addFrames}`,
    valuesOf(holding, chunk),
  );
}

function valuesOf({ workspace, token }: ShippingHolder, chunk: Chunk): unknown[] {
  const { generation, seq, parts, mark, bytes, reached } = chunk;
  return [workspace, token, generation, seq, parts, packMark(mark), bytes, reached];
}

/** How much the database has of the journal of a workspace. */
export interface ShippedSize {
  readonly workspace: string;
  /** Bytes of the base, deflated and encrypted. */
  readonly baseBytes: number;
  /** Bytes of what was committed since. */
  readonly frameBytes: number;
  /** In how many chunks. */
  readonly chunks: number;
}

/** How much the database has of each journal, by the names of the workspaces. */
export async function sizes(pool: Pool): Promise<readonly ShippedSize[]> {
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
