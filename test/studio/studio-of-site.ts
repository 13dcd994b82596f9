import { vi } from 'vitest';
import type { Site } from '../cli/site.ts';
import type { Running } from '../end-to-end/command.ts';
import { type Client, connect } from './at-studio.ts';

/** The studio as a process of its own, at a workspace whose token it does not have. */
export async function studioOf(site: Site): Promise<{ readonly running: Running; readonly client: Client }> {
  const env = { LONGSHORE_BASE_URL: site.sandbox.baseUrl, LONGSHORE_TOKEN: '' };
  const running = site.begin(['studio', site.folder, '--json'], { env });
  let text = '';
  running.process.stdout?.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  const url: string = await vi.waitFor(() => JSON.parse(text).url, { timeout: 200_000 });
  return { running, client: await connect(url) };
}

/** Hears a process until it has ended. */
export async function ended(client: Client, id: string) {
  const last = (await client.hear('processOutput', { id })).at(-1);
  if (last?.kind !== 'ended') throw new Error(`${id} did not end`);
  return last.process;
}
