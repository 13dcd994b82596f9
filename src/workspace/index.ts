export { parseBaseUrl, parseToken } from './address.ts';
export {
  type ConcurrencySetting,
  estimatedDuration,
  highestConcurrency,
  likelyConcurrency,
} from './concurrency.ts';
export type { Lossless, Page } from './endpoints/answers.ts';
export type { Call, CallOptions, CallRequest, CallWaits, Endpoint } from './endpoints/endpoint.ts';
export type { ContactListQuery, FilterCondition, FilterValue } from './endpoints/operations.ts';
export { endpoints, extensionEndpoint } from './endpoints/operations.ts';
export { contactSchema, messageSchema } from './endpoints/schemas.ts';
export {
  defaultLimits,
  openWorkspace,
  type Workspace,
  type WorkspaceLimits,
  type WorkspaceOptions,
} from './open-workspace.ts';
export { poolTransport } from './pool-transport.ts';
export { systemClock, systemRandomness } from './system-clock.ts';
export { askUntil, lengthOf, newContactBackoff, pauseAfter, queuedBackoff } from './waits.ts';
export type { WorkspaceEvent } from './workspace-event.ts';
