export { parseBaseUrl, parseToken } from './address.ts';
export {
  type ConcurrencySetting,
  estimateConcurrency,
  estimateDurationOfRequests,
  toMaxConcurrency,
} from './concurrency.ts';
export type { Lossless, Page } from './endpoints/answers.ts';
export type {
  CallEndpoint,
  CallRequest,
  CallWaitOptions,
  Endpoint,
  EndpointCallOptions,
} from './endpoints/endpoint.ts';
export type { ContactListQuery, FilterCondition, FilterValue } from './endpoints/operations.ts';
export { allEndpoints, createExtensionEndpoint } from './endpoints/operations.ts';
export { contactSchema, messageSchema } from './endpoints/schemas.ts';
export {
  defaultWorkspaceLimits,
  type OpenWorkspaceOptions,
  openWorkspace,
  type Workspace,
  type WorkspaceLimits,
} from './open-workspace.ts';
export { createPoolTransport } from './pool-transport.ts';
export { systemClock, systemRandomness } from './system-clock.ts';
export {
  backoffForQueuedRequest,
  createBackoffForNewContact,
  formatWaitLength,
  getNextPauseMs,
  pollUntil,
} from './waits.ts';
export type { WorkspaceEvent } from './workspace-event.ts';
