export { openStates } from './copy/changes.ts';
export { fillCopy, firstCreated } from './copy/copy.ts';
export { forgetContacts } from './forget-contacts.ts';
export { isHostName, isLoopback } from './names.ts';
export type { SandboxOptions } from './options.ts';
export { pathsOf } from './routes/registry.ts';
export { type Sandbox, startSandbox } from './sandbox.ts';
export type { SeedUse } from './seed/load.ts';
export { seedJsonSchema } from './seed/seed.ts';
