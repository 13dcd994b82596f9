export { extensionEndpoint } from './endpoints/extensions.ts';
export { defaultLimits, openWorkspace, type Workspace, type WorkspaceOptions } from './open-workspace.ts';
export { systemClock, systemRandomness } from './system-clock.ts';
export type { WorkspaceEvent } from './workspace-event.ts';
