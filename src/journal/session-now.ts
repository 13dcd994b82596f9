import { z } from 'zod';
import { tryParseJson } from '../storage/json.ts';

const schema = z.object({
  active: z.number(),
  waiting: z.number(),
  fetched: z.object({ contacts: z.number(), messages: z.number() }).optional(),
  waitsFor: z
    .object({ kind: z.enum(['waiting', 'paused']), reason: z.string(), until: z.number() })
    .optional(),
  perPath: z.object({ count: z.number(), ms: z.number() }).optional(),
  /** The adaptive limit of concurrent requests; null before one is found, and if the pipeline sets the limit. */
  concurrency: z.number().nullable().default(null),
  perSecond: z.number().nullable().default(null),
  tellsTimeLeft: z.boolean().default(false),
});

/** The state of a session at its last heartbeat. */
export type SessionStatus = Readonly<z.output<typeof schema>>;

/** The state that a running session reports at a heartbeat; the journal adds the pace. */
export interface SessionHeartbeat extends Omit<SessionStatus, 'perSecond' | 'tellsTimeLeft'> {
  /** The total time that calls have waited for the rate limit. */
  readonly waitedMs: number;
}

/** Parses the stored state of a session; returns undefined for null and for JSON that is not valid. */
export function parseSessionStatus(json: string | null): SessionStatus | undefined {
  return json === null ? undefined : tryParseJson(json, schema);
}
