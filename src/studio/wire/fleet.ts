import type * as z from 'zod';
import type { AssignmentState, AssignmentStatus, FleetStatus, WorkerStatus } from '../../fleet/index.ts';
import { defineStreamRoute } from './route.ts';
import type { emptyRequestSchema } from './schemas/project.ts';

export type { AssignmentState, AssignmentStatus, FleetStatus, WorkerStatus };

/** The fleet's status, or the error message of its unreachable database. */
export type FleetStatusResult = { readonly status: FleetStatus } | { readonly silent: string };

export const fleetRoutes = {
  /** Streams the fleet's status, as `fleet status --watch` shows it. */
  watchFleet: defineStreamRoute<z.output<typeof emptyRequestSchema>, FleetStatusResult>('/api/fleet/watch'),
};
