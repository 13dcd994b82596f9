import type * as z from 'zod';
import type { AssignmentState, AssignmentStatus, FleetStatus, WorkerStatus } from '../../fleet/index.ts';
import { streams } from './route.ts';
import type { nothing } from './schemas/project.ts';

export type { AssignmentState, AssignmentStatus, FleetStatus, WorkerStatus };

/** The fleet's status, or the message that its database does not answer. */
export type FleetSeen = { readonly status: FleetStatus } | { readonly silent: string };

export const fleetRoutes = {
  /** Streams the fleet's status, as `fleet status --watch` shows it. */
  watchFleet: streams<z.output<typeof nothing>, FleetSeen>('/api/fleet/watch'),
};
