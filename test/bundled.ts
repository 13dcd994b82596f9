import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Before the first test: the command that the tests run is made of the sources as they are. */
export function setup(): void {
  execFileSync(
    process.execPath,
    [fileURLToPath(new URL('../.config/bundle.mjs', import.meta.url)), '--if-changed'],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
}
