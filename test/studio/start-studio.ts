import { onTestFinished, vi } from 'vitest';
import { type Running, start } from '../end-to-end/command.ts';

/** Types `longshore studio` in a folder, and gives the link that it prints; it is gone after the test. */
export async function startStudio(folder: string): Promise<Running & { readonly url: string }> {
  const studio = start(['studio', '--no-open'], {}, undefined, folder);
  onTestFinished(() => void studio.process.kill('SIGKILL'));
  let said = '';
  studio.process.stdout?.on('data', (piece: Buffer) => {
    said += piece.toString();
  });
  const url = await vi.waitFor(
    () => {
      const [found] = /http:\/\/127\.0\.0\.1:\d+\/#\/open\/[\w-]{43}/.exec(said) ?? [];
      if (found === undefined) throw new Error('not yet');
      return found;
    },
    { timeout: 200_000 },
  );
  return { ...studio, url };
}
