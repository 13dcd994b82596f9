import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Before the first test: the command that the tests run is made of the sources as they are, once for all projects. */
export function setup({ name }: { readonly name: string }): void {
  // The one without a name has the others.
  if (name !== '') return;
  execFileSync(
    process.execPath,
    [fileURLToPath(new URL('../.config/bundle.mjs', import.meta.url)), '--if-changed'],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
}
