import type { Pool } from 'pg';
import type { FleetKey } from '../../src/fleet/crypt/key.ts';
import { seal } from '../../src/fleet/crypt/seal.ts';
import { unsealWalFrames } from '../../src/fleet/ship/shipped.ts';

/** Makes the frames of a journal what an older version saved, which did not seal how far they reach. */
export async function sealedAsBefore(pool: Pool, workspace: string, key: FleetKey): Promise<void> {
  const { rows } = await pool.query<{
    generation: string;
    parts: number;
    seq: string;
    mark: Buffer;
    bytes: Buffer;
  }>('SELECT generation::text, parts, seq::text, mark, bytes FROM longshore.frames WHERE workspace = $1', [
    workspace,
  ]);
  for (const { generation, parts, seq, mark, bytes } of rows) {
    const at = { generation, parts, seq: Number(seq) };
    const plain = await unsealWalFrames(key, workspace, at, { bytes, mark });
    const sealed = await seal(key, ['frames', workspace, generation, parts, at.seq], plain);
    await pool.query(
      'UPDATE longshore.frames SET bytes = $1 WHERE workspace = $2 AND generation = $3 AND seq = $4',
      [sealed, workspace, generation, seq],
    );
  }
}
