import type { Invocation } from '../src/app/run/command-line.ts';

/** How commands are typed in a checkout. */
export const usualInvocation: Invocation = { program: 'npx longshore', words: [], allowEnv: [] };
