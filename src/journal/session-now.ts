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
  /** Requests at once, as found; null while it is being found out, and where it is set. */
  concurrency: z.number().nullable().default(null),
  perSecond: z.number().nullable().default(null),
  tellsTimeLeft: z.boolean().default(false),
});

/** The state of a session at its last heartbeat. */
export type SessionStatus = Readonly<z.output<typeof schema>>;

/** The report of a running session, without its requests; the journal computes its pace. */
export interface SessionReport extends Omit<SessionStatus, 'perSecond' | 'tellsTimeLeft'> {
  /** The total time that calls have waited for the rate limit. */
  readonly waitedMs: number;
}

/** Returns the stored state of a session; undefined if there is none or it cannot be read. */
export function readSessionStatus(json: string | null): SessionStatus | undefined {
  return json === null ? undefined : tryParseJson(json, schema);
}
