import { describe, expect, it } from 'vitest';
import { createContactSteps, stepLabels } from '../../src/steps/registry.ts';
import { type Live, live, seed } from './live.ts';
import { examples, type StepExample } from './step-examples.ts';

function open(): Promise<Live> {
  return live({ seed, extensions: { attachTags: true } });
}

/** The next request that makes the change meets this. */
function fault(
  { sandbox }: Live,
  { method, template }: StepExample,
  kind: '449' | '500After' | '503' | 'dropAfter' | 'dropBefore',
) {
  sandbox.scriptFault({ method, path: template, kind });
}

/** What the workspace shows of an effect that can be read back. */
function shown(row: StepExample, kind: 'done' | 'absent'): object {
  return { kind: row.reads === null ? 'unknowable' : kind };
}

it('there is an example of every step', () => {
  expect(Object.keys(examples)).toEqual(stepLabels.map(({ name }) => name));
});

it('tags are attached only where the user declares how, otherwise listed', () => {
  const attachTags = { method: 'POST', path: '/contact/{identifier}/tag', body: 'tags' } as const;
  const kinds = (attach: string) =>
    createContactSteps({ mapping: { tags: { from: 'Tags', attach } }, attachTags }).map(({ kind }) => kind);
  expect(kinds('extension')[0]).toBe('state');
  expect(kinds('file')[0]).toBe('list');
});

describe.each(Object.entries(examples))('%s', (name, row) => {
  it('goes by its name', () => {
    expect(row.step).toBe(name);
  });

  it('comes back from the journal as it went in, or is refused', () => {
    expect(row.parse(JSON.parse(JSON.stringify(row.effect)))).toEqual(row.effect);
    for (const odd of [null, 'x', {}]) expect(() => row.parse(odd)).toThrow();
  });

  it('is sent once, exactly so, and stands afterwards', async () => {
    const at = await open();
    expect(await row.settle(at.workspace)).toMatchObject(shown(row, 'absent'));
    at.sandbox.resetLog();
    expect(await row.send(at.workspace)).toMatchObject({ kind: 'ok' });
    const changes = at.sandbox.log.filter(
      ({ method, template }) => method === row.method && template === row.template,
    );
    expect(changes).toMatchObject([{ path: row.path, body: row.body, applied: true }]);
    expect(changes[0]?.body).toEqual(row.body);
    expect(await row.settle(at.workspace)).toMatchObject(shown(row, 'done'));
  });

  it.each(['dropAfter', '500After'] as const)('done, and its answer lost by %s, is settled', async (kind) => {
    const at = await open();
    fault(at, row, kind);
    expect(await row.send(at.workspace)).toMatchObject({ kind: 'unknown' });
    expect(await row.settle(at.workspace)).toMatchObject(shown(row, 'done'));
    expect(at.sandbox.counts()[`${row.method} ${row.template}`]?.applied).toBe(1);
  });

  it.each(['dropBefore', '503'] as const)(
    'lost by %s before it was done, is settled, and sent again',
    async (kind) => {
      const at = await open();
      fault(at, row, kind);
      expect(await row.send(at.workspace)).toMatchObject({ kind: 'unknown' });
      expect(await row.settle(at.workspace)).toMatchObject(shown(row, 'absent'));
      expect(await row.send(at.workspace)).toMatchObject({ kind: 'ok' });
      expect(at.sandbox.counts()[`${row.method} ${row.template}`]?.applied).toBe(1);
    },
  );

  it('queued is waited out, and then done once', async () => {
    const at = await open();
    fault(at, row, '449');
    expect(await row.send(at.workspace)).toMatchObject({ kind: 'ok' });
    expect(await row.settle(at.workspace)).toMatchObject(shown(row, 'done'));
    expect(at.sandbox.counts()[`${row.method} ${row.template}`]?.applied).toBe(1);
  });

  it('waits in every request as it was told', async () => {
    const at = await open();
    const waits = {};
    const told: unknown[] = [];
    const workspace = at.workspace.through((live) => (endpoint, request, options) => {
      told.push(options?.waits);
      return live(endpoint, request, options);
    });
    await row.send(workspace, { waits });
    expect(told.length).toBeGreaterThan(0);
    await row.settle(workspace, { waits });
    for (const each of told) expect(each).toBe(waits);
  });

  it('is not taken for absent where the workspace cannot be read', async () => {
    const at = await open();
    if (row.reads !== null) {
      at.sandbox.scriptFault({ method: row.reads.method, path: row.reads.template, kind: '500', times: 100 });
    }
    // The list of custom fields cannot be asked again page by page: where it breaks off, the run stops.
    if (name === 'ensureField') await expect(row.settle(at.workspace)).rejects.toThrow('could not be');
    else {
      const kind = row.reads === null ? 'unknowable' : 'unknown';
      expect(await row.settle(at.workspace)).toMatchObject({ kind });
    }
  });
});
