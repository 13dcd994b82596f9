import { expect, vi } from 'vitest';
import type { Running } from '../end-to-end/command.ts';
import { changed, type Site } from './site.ts';

/** A gate at which the workspace's requests wait while it is closed. */
export function gate() {
  const held: { open: () => void } = { open: () => undefined };
  let opened = Promise.resolve();
  return {
    pass: () => opened,
    open: () => held.open(),
    close: () => {
      opened = new Promise((resolve) => {
        held.open = resolve;
      });
    },
  };
}

/** How long is waited for what another process does, however busy the machine is. */
export const patient = { timeout: 120_000, interval: 20 };

/** An import in a process of its own that stands still after three changes, as its journal says. */
export async function heldImport(
  site: Site,
  held: ReturnType<typeof gate>,
  ...flags: readonly string[]
): Promise<Running> {
  const command = ['import', site.people.pipeline, '--workspace', site.sandbox.baseUrl, '--json', ...flags];
  const running = site.begin(command);
  await changed(site.sandbox, 3);
  held.close();
  const underWay = async () => {
    const { now } = JSON.parse((await site.longshore(['status', '--json'])).stdout);
    expect(now?.active).toBeGreaterThan(0);
  };
  await vi.waitFor(underWay, patient);
  return running;
}
