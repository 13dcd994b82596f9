export { extensionEndpoint } from './endpoints/extensions.ts';
export { defaultLimits, openWorkspace, type Workspace, type WorkspaceOptions } from './open-workspace.ts';
export type { WorkspaceEvent } from './outage.ts';
export { systemClock, systemRandomness } from './system-clock.ts';
