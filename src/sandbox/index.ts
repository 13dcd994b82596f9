export { openStates } from './copy/changes.ts';
export { fillCopy, firstCreated } from './copy/copy.ts';
export type { SandboxOptions } from './options.ts';
export { type Sandbox, startSandbox } from './sandbox.ts';
