// The public interface of the fleet. It loads packages that are optional, so it is imported lazily.
export { applyFleet } from './apply/apply.ts';
export { assertSameFleet, createApplyPlan, isEmptyApplyPlan } from './apply/plan.ts';
export { formatApplyPlan, toApplyPlanJson } from './apply/plan-text.ts';
export { type PipelineRequestWithLists, readAnswerListFile, requestImport } from './control/ask.ts';
export {
  findStartObstacles,
  listAssignmentIds,
  pauseWorkspaces,
  queuePipelinesNow,
  resolveAssignmentIdOrOnlyImport,
  resolveAssignmentIds,
  resolveWorkspaceNames,
  resumeWorkspaces,
  retryDeadJobs,
} from './control/control.ts';
export { readFleetMetrics } from './control/metrics.ts';
export {
  type FleetConnection,
  pollFleetStatus,
  prepareDatabase,
  withFleetConnection,
} from './control/open.ts';
export {
  type AssignmentState,
  type AssignmentStatus,
  countStalledPipelines,
  type FleetStatus,
  readFleetStatus,
  readWorkspaceStatus,
  toFleetStatus,
  type WorkerStatus,
} from './control/status.ts';
export { formatFleetStatusLine, renderFleetStatus, renderWorkspaceStatus } from './control/status-text.ts';
export { readFleetKey, readFleetKeyId } from './crypt/key.ts';
export { workerRoleName } from './database/roles.ts';
export { buildWorkerDeployment } from './deploy/gather.ts';
export { buildDeploymentFiles, type DeploymentFormat } from './deploy/registry.ts';
export type { Fleet } from './fleet-file/fleet.ts';
export { defaultFleetFile, loadFleet } from './fleet-file/load.ts';
export { createFleetJsonSchema } from './fleet-file/schema.ts';
export {
  findPersonInWorkspaces,
  forgetPersonInFormerWorkspaces,
  forgetPersonInWorkspaces,
  listStoredWorkspaces,
  openFleetResultStorage,
  type WorkspaceForgetResult,
} from './forget/everywhere.ts';
export { DatabaseTime } from './lease/database-time.ts';
export type { AssignmentId } from './queue/dead.ts';
export { requestDrain } from './queue/worker-record.ts';
export { startHealthServer } from './worker/health.ts';
export { createDatabaseStall, StallAlert } from './worker/stall-alert.ts';
export type { WorkerContext } from './worker/work-on.ts';
export { stallPatienceMs, Worker } from './worker/worker.ts';
export { WorkerMetrics, type WorkerState } from './worker/worker-metrics.ts';
