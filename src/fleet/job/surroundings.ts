import type { Pool } from 'pg';
import type { JournalShipping } from '../ship/ship.ts';
import type { FromJob, JobOrder } from './messages.ts';
import type { Orders } from './orders.ts';

/** What the run of a job is handed. */
export interface JobSurroundings {
  readonly order: JobOrder;
  readonly orders: Orders;
  readonly pool: Pool;
  readonly shipping: JournalShipping;
  readonly say: (message: FromJob) => void;
}
