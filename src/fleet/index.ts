// The door of the fleet for commands and the studio. It loads packages that are optional, so it is imported lazily.
export { applyFleet } from './apply/apply.ts';
export { assertSameFleet, isEmptyPlan, planApply } from './apply/plan.ts';
export { planJson, planText } from './apply/plan-text.ts';
export { type AssignmentRequest, readFilledListFile, requestImport } from './control/ask.ts';
export {
  everyPipeline,
  namedImport,
  namedPipelines,
  namedWorkspaces,
  pause,
  resumeJobs,
  retryDead,
  runNow,
} from './control/control.ts';
export { fleetMetrics } from './control/metrics.ts';
export { type OpenFleet, prepareDatabase, watchStatus, withFleet } from './control/open.ts';
export {
  type AssignmentState,
  type AssignmentStatus,
  attemptsOf,
  type FleetStatus,
  fleetStatus,
  type WorkerStatus,
} from './control/status.ts';
export { renderFleetStatus, renderWorkspaceStatus, statusLine } from './control/status-text.ts';
export { fleetKey, keyIdHere } from './crypt/key.ts';
export { workerRole } from './database/roles.ts';
export { deploymentOf } from './deploy/gather.ts';
export { type Deployer, deployFiles } from './deploy/registry.ts';
export type { Fleet } from './fleet-file/fleet.ts';
export { loadFleet, usualFile } from './fleet-file/load.ts';
export { fleetJsonSchema } from './fleet-file/schema.ts';
export {
  findInWorkspaces,
  forgetEverywhere,
  openAppliedResults,
  type PersonInWorkspace,
  storedWorkspaces,
} from './forget/everywhere.ts';
export type { AssignmentName } from './queue/dead.ts';
export { askToDrain } from './queue/worker-record.ts';
export { serveHealth } from './worker/health.ts';
export type { WorkerContext } from './worker/work-on.ts';
export { Worker } from './worker/worker.ts';
export { WorkerMetrics, type WorkerState } from './worker/worker-metrics.ts';
