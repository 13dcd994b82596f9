import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PreviewInput } from '../../../src/app/preview/given-input.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

let open: ReturnType<typeof temporaryFolder> | undefined;

function folder(): string {
  open ??= temporaryFolder();
  return open.path;
}

/** Removes what the tests of a file have written. */
export function removeInputs(): void {
  open?.remove();
  open = undefined;
}

/** A signal that nobody aborts. */
export const unstopped = new AbortController().signal;

/** An input that is there. */
export function there(path: string, more: Partial<PreviewInput> = {}): PreviewInput {
  return { path, spoolDir: join(folder(), 'spool'), ...more };
}

/** An input of a test's own. */
export function written(
  name: string,
  content: string | Uint8Array,
  more: Partial<PreviewInput> = {},
): PreviewInput {
  const path = join(folder(), name);
  writeFileSync(path, content);
  return there(path, more);
}
