export { openStates } from './copy/changes.ts';
export { fillCopy, firstCreated } from './copy/copy.ts';
export { forgetContacts } from './forget-contacts.ts';
export type { SandboxOptions } from './options.ts';
export { type Sandbox, startSandbox } from './sandbox.ts';
