import * as z from 'zod';
import { duration, rate } from './quantities.ts';

/** Pace and patience, as every pipeline can state them. */
export const paceShape = {
  concurrency: z.int().min(1).max(1024).default(64).describe('Requests in flight at the same time.'),
  perPath: rate.prefault('5/s').describe('Requests per second for one method and path.'),
  attempts: z.int().min(1).max(100).default(5).describe('How often a request is tried at most.'),
  connect: duration
    .prefault('15s')
    .describe('How long the first answer of the workspace may take before it is reported as not answering.'),
  answer: duration
    .prefault('60s')
    .describe('How long one answer may take, from its request to its last byte.'),
  outage: duration.prefault('15m').describe('How long a run waits for an unreachable workspace.'),
};
