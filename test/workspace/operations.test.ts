import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { allEndpoints } from '../../src/workspace/endpoints/operations.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/index.ts';
import { hastyClock, hastyLimits } from './hasty-clock.ts';
import { type OperationRow, seed } from './operation-row.ts';
import { operations } from './operations-table.ts';
import { seeded } from './seeded.ts';

let sandbox: Sandbox;
let workspace: Workspace;
let calls = 0;

function open(baseUrl: string, token: string): Workspace {
  return openWorkspace({
    baseUrl,
    token,
    limits: hastyLimits,
    clock: hastyClock(),
    randomness: seeded(1),
    signal: new AbortController().signal,
  });
}

beforeAll(async () => {
  sandbox = await startSandbox({ seed, strict: true, rate: 'off', forbidden: ['/contact/id:403*'] });
  workspace = open(sandbox.baseUrl, 'sandbox');
});

afterAll(async () => {
  await workspace.close(1_000);
  await sandbox.close();
});

/** Prepares and makes one good call; gives its answer and its number. */
async function callOnce(row: OperationRow) {
  calls += 1;
  const n = calls;
  row.prepare?.(sandbox, n);
  return { answer: await row.call(workspace, n), n };
}

/** The next request of the row's endpoint meets this. */
function fault(
  { method, template }: OperationRow,
  kind: Parameters<Sandbox['scriptFault']>[0]['kind'],
): void {
  sandbox.scriptFault({ method, path: template, kind });
}

it('the table holds every operation of the client, and nothing else', () => {
  const inTable = operations.map(({ operation, method, template, again }) => [
    operation,
    method,
    template,
    again,
  ]);
  const inClient = allEndpoints.map(({ operation, method, template, idempotent }) => [
    operation,
    method,
    template,
    idempotent,
  ]);
  expect(new Set(inClient.map(String))).toEqual(new Set(inTable.map(String)));
  expect(inClient).toHaveLength(20);
});

describe.each(operations)('$operation', (row) => {
  it('is sent as the specification says, and its answer is understood', async () => {
    sandbox.resetLog();
    const { answer, n } = await callOnce(row);
    expect(answer).toMatchObject({ kind: 'ok', value: row.value(n) });
    expect(sandbox.log).toHaveLength(1);
    expect(sandbox.log[0]).toMatchObject({ method: row.method, template: row.template });
    expect(sandbox.log[0]?.status).toBeLessThan(300);
    expect(workspace.requests()[`${row.method} ${row.template}`]?.ok).toBeGreaterThan(0);
  });

  if (row.invalid !== undefined) {
    it('400 is a refusal with the words of the workspace', async () => {
      const answer = await row.invalid?.(workspace);
      expect(answer).toEqual({ kind: 'refused', status: 400, message: 'Validation error.' });
    });
  }

  if (row.absent !== undefined) {
    it('404 is an absence', async () => {
      expect(await row.absent?.(workspace)).toEqual({
        kind: 'absent',
        message: expect.stringMatching(/^(Contact|Message|User|Channel) not found$/),
      });
    });
  }

  it('every documented error is tried', () => {
    expect(row.invalid !== undefined || !row.documents.includes(400)).toBe(true);
    expect(row.absent !== undefined || !row.documents.includes(404)).toBe(true);
  });

  it('449 is waited out', async () => {
    fault(row, '449');
    const before = workspace.requests()[`${row.method} ${row.template}`]?.queued ?? 0;
    const { answer, n } = await callOnce(row);
    expect(answer).toMatchObject({ kind: 'ok', value: row.value(n) });
    expect(workspace.requests()[`${row.method} ${row.template}`]?.queued).toBe(before + 1);
  });

  it('401 stops the run', async () => {
    const stranger = open(sandbox.baseUrl, 'not-a-token');
    calls += 1;
    await expect(row.call(stranger, calls)).rejects.toMatchObject({ reason: 'unauthorized' });
    await stranger.close(0);
  });

  it('429 is waited out', async () => {
    fault(row, '429');
    const before = workspace.requests()[`${row.method} ${row.template}`]?.limited ?? 0;
    const { answer, n } = await callOnce(row);
    expect(answer).toMatchObject({ kind: 'ok', value: row.value(n) });
    expect(workspace.requests()[`${row.method} ${row.template}`]?.limited).toBe(before + 1);
  });

  it.each(['500', '502', '503', '504', 'dropBefore'] as const)(
    '%s before anything was done is retried where that is safe, else the answer is unknown',
    async (kind) => {
      fault(row, kind);
      const { answer, n } = await callOnce(row);
      expect(answer).toMatchObject(row.again ? { kind: 'ok', value: row.value(n) } : { kind: 'unknown' });
    },
  );

  it.each(['500After', '502After', '503After', '504After', 'dropAfter', 'brokenBody'] as const)(
    '%s, after it was done, is retried where that is safe, else the answer is unknown',
    async (kind) => {
      fault(row, kind);
      const { answer, n } = await callOnce(row);
      // A tag that was deleted before the answer got lost is gone when the deletion is sent again.
      if (row.operation === 'tags.remove') expect(answer).toMatchObject({ kind: 'absent' });
      else
        expect(answer).toMatchObject(row.again ? { kind: 'ok', value: row.value(n) } : { kind: 'unknown' });
    },
  );
});

it('403 for one path is the trouble of that row alone', async () => {
  expect(await workspace.contacts.read({ kind: 'id', value: '4031' })).toMatchObject({
    kind: 'refused',
    status: 403,
  });
});
