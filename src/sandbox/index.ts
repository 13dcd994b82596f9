export { forgetContacts } from './forget-contacts.ts';
export type { SandboxOptions } from './options.ts';
export { type Sandbox, startSandbox } from './sandbox.ts';
