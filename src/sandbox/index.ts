export { openWorkspaceComparison } from './copy/changes.ts';
export { createWorkspaceCopy, firstContactIdCreatedInCopy } from './copy/copy.ts';
export { forgetContacts } from './forget-contacts.ts';
export { isHostName, isLoopback } from './names.ts';
export type { SandboxOptions } from './options.ts';
export { findMatchingPathTemplates } from './routes/registry.ts';
export { type Sandbox, startSandbox } from './sandbox.ts';
export type { SeedUse } from './seed/load.ts';
export { createSeedJsonSchema } from './seed/seed.ts';
