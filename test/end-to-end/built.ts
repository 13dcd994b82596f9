import { fileURLToPath } from 'node:url';

/** The built command, as it is named outside of the checkout: `node MAIN`. */
export const main = fileURLToPath(new URL('../../dist/command/main.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}
