import { createHmac } from 'node:crypto';

/** The value of the header `Longshore-Signature` for a body that is sent at `seconds` (Unix). */
export function signature(body: string, secret: string, seconds: number): string {
  const code = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${code}`;
}
