import { createHash } from 'node:crypto';

const bits = 48;

/** How long behind the time of its schedule an assignment starts: always the same, from 0 to below `spread` (ms). */
export function offsetOf(workspace: string, pipeline: string, spread: number): number {
  const hash = createHash('sha256').update(`${workspace}\n${pipeline}`).digest();
  return Math.floor((hash.readUIntBE(0, bits / 8) / 2 ** bits) * spread);
}
