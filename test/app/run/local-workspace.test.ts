import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openClient } from '../../../src/app/run/open-client.ts';
import { openSandboxTarget, type WorkspaceTarget } from '../../../src/app/run/target.ts';

const limits = { concurrency: 8, perPath: 5, attempts: 2, connect: 15_000, answer: 60_000, outage: 1_000 };

describe('the local workspace of --workspace sandbox', () => {
  let folder: string;
  const opened: WorkspaceTarget[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'local-workspace-'));
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((target) => target.close()));
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(): Promise<WorkspaceTarget> {
    const target = await openSandboxTarget(join(folder, 'sandbox.db'), undefined);
    opened.push(target);
    return target;
  }

  async function usersAt(target: WorkspaceTarget) {
    const workspace = openClient(target, limits, new AbortController().signal, () => undefined);
    try {
      return await workspace.users.list({ limit: 1 });
    } finally {
      await workspace.close(1_000);
    }
  }

  it('listens on no port, only on a socket that its owner alone reaches', async () => {
    const ports = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
    const before = ports();
    const target = await open();
    expect(ports()).toBe(before);
    const socket = target.socketPath ?? '';
    expect(statSync(socket).isSocket()).toBe(true);
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
    expect(await usersAt(target)).toMatchObject({ kind: 'ok' });
    await target.close();
    expect(existsSync(dirname(socket))).toBe(false);
  });

  it('takes a token of its own at each start, which is kept a secret, and no other', async () => {
    const first = await open();
    const second = await open();
    expect(first.token).toMatch(/^[\w-]{32}$/);
    expect(second.token).not.toBe(first.token);
    expect(first.secrets).toEqual([first.token]);
    await expect(usersAt({ ...first, token: second.token })).rejects.toMatchObject({
      reason: 'unauthorized',
    });
    await expect(usersAt({ ...first, token: 'sandbox' })).rejects.toMatchObject({ reason: 'unauthorized' });
  });

  it('finds a short place for its socket where that for temporary files is too deep for one', async () => {
    const deep = join(folder, 'd'.repeat(60), 'e'.repeat(60));
    mkdirSync(deep, { recursive: true });
    vi.stubEnv('TMPDIR', deep);
    const target = await open();
    expect(target.socketPath?.startsWith(deep)).toBe(false);
    expect(await usersAt(target)).toMatchObject({ kind: 'ok' });
  });
});
