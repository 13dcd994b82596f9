// The public interface of the fleet. It loads packages that are optional, so it is imported lazily.
export { applyFleet } from './apply/apply.ts';
export { assertSameFleet, isEmptyPlan, planApply } from './apply/plan.ts';
export { applyPlanToJson, formatApplyPlan } from './apply/plan-text.ts';
export { type AssignmentRequest, readFilledListFile, requestImport } from './control/ask.ts';
export {
  findImportPipeline,
  findPipelines,
  findWorkspaces,
  listAllPipelines,
  pauseWorkspaces,
  resumeJobs,
  retryDeadJobs,
  runPipelinesNow,
} from './control/control.ts';
export { readFleetMetrics } from './control/metrics.ts';
export { type OpenFleet, prepareDatabase, watchFleetStatus, withOpenFleet } from './control/open.ts';
export {
  type AssignmentState,
  type AssignmentStatus,
  type FleetStatus,
  listAttempts,
  readFleetStatus,
  typedStatus,
  type WorkerStatus,
} from './control/status.ts';
export { formatStatusLine, renderFleetStatus, renderWorkspaceStatus } from './control/status-text.ts';
export { readFleetKey, readKeyId } from './crypt/key.ts';
export { workerRoleName } from './database/roles.ts';
export { buildDeployment } from './deploy/gather.ts';
export { buildDeploymentFiles, type DeploymentFormat } from './deploy/registry.ts';
export type { Fleet } from './fleet-file/fleet.ts';
export { defaultFleetFile, loadFleet } from './fleet-file/load.ts';
export { fleetJsonSchema } from './fleet-file/schema.ts';
export {
  findInWorkspaces,
  forgetInWorkspaces,
  listStoredWorkspaces,
  openAppliedResultStorage,
  type PersonInWorkspace,
} from './forget/everywhere.ts';
export type { AssignmentId } from './queue/dead.ts';
export { requestDrain } from './queue/worker-record.ts';
export { serveHealth } from './worker/health.ts';
export type { WorkerContext } from './worker/work-on.ts';
export { Worker } from './worker/worker.ts';
export { WorkerMetrics, type WorkerState } from './worker/worker-metrics.ts';
