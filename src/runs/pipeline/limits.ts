import * as z from 'zod';
import { duration, rate } from './quantities.ts';

/** Pace and patience, as every pipeline can state them. */
export const paceShape = {
  concurrency: z.int().min(1).max(1024).default(64).describe('Requests under way at the same time.'),
  perPath: rate.prefault('5/s').describe('Requests per second for one method and path.'),
  attempts: z.int().min(1).max(100).default(5).describe('How often a request is tried.'),
  outage: duration.prefault('15m').describe('How long a run waits for a workspace that cannot be reached.'),
};
