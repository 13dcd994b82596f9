import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatHint } from '../../../src/app/run/command-line.ts';
import { findSourceWorkspace } from '../../../src/app/run/open-source.ts';
import { announceTarget, openWorkspaceTarget } from '../../../src/app/run/target.ts';
import { Screen } from '../../../src/app/run/terminal/screen.ts';
import { readEnvVariable } from '../../../src/app/run/variables.ts';
import { runScheduleCommand } from '../../../src/app/schedule/schedule-command.ts';
import { loadImportPipeline } from '../../../src/pipeline/index.ts';
import { usualInvocation } from '../../invocation.ts';
import { file, refusal } from '../../sources/reading.ts';

beforeEach(() => {
  vi.stubEnv('LONGSHORE_TOKEN', 'a-token-of-this-test');
  vi.stubEnv('LONGSHORE_BASE_URL', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const workDir = '/nowhere';
const one = 'https://one.example/v1';
const other = 'https://other.example/v1';

describe('two different workspaces', () => {
  test('of a pipeline and the environment are refused, both named', async () => {
    vi.stubEnv('LONGSHORE_BASE_URL', one);
    const error = await refusal(
      openWorkspaceTarget({ workDir, invocation: usualInvocation }, { baseUrl: other }),
    );
    expect(error.message).toBe(
      `Two different workspaces are set: ${other} (workspace.baseUrl) and ${one} (LONGSHORE_BASE_URL).`,
    );
    expect(error.next).toContain('unset LONGSHORE_BASE_URL');
  });

  test('are one in two spellings', async () => {
    vi.stubEnv('LONGSHORE_BASE_URL', `${one}/`);
    expect(
      (await openWorkspaceTarget({ workDir, invocation: usualInvocation }, { baseUrl: one })).baseUrl,
    ).toBe(one);
  });

  test('are decided by what was typed', async () => {
    vi.stubEnv('LONGSHORE_BASE_URL', one);
    expect(
      (
        await openWorkspaceTarget(
          { workspace: other, workDir, invocation: usualInvocation },
          { baseUrl: one },
        )
      ).baseUrl,
    ).toBe(other);
  });

  test('are refused for the one that is read, too', async () => {
    vi.stubEnv('LONGSHORE_SOURCE_BASE_URL', one);
    vi.stubEnv('LONGSHORE_SOURCE_TOKEN', 'a-token-of-this-test');
    const pipeline = await loadImportPipeline(pipelineOf({ baseUrl: other }));
    expect(() => findSourceWorkspace(pipeline, { workDir, invocation: usualInvocation })).toThrow(
      `${other} (source.baseUrl) and ${one} (LONGSHORE_SOURCE_BASE_URL)`,
    );
  });
});

describe('an environment variable that a pipeline names', () => {
  beforeEach(() => vi.stubEnv('CLOUD_SECRET', 'worth-a-lot'));
  const allowed = { ...usualInvocation, allowEnv: ['CLOUD_SECRET'] };

  test('and that is not LONGSHORE_* is not read unless it is allowed', async () => {
    const invocation = { program: 'longshore', words: ['import', 'p q.yaml'], allowEnv: [] };
    const error = await refusal(
      openWorkspaceTarget({ workspace: one, workDir, invocation }, { tokenEnv: 'CLOUD_SECRET' }),
    );
    expect(error.message).toContain('CLOUD_SECRET');
    expect(formatHint(error.next ?? '', invocation)).toContain(
      "longshore import 'p q.yaml' --allow-env CLOUD_SECRET",
    );
    expect(
      (
        await openWorkspaceTarget(
          { workspace: one, workDir, invocation: allowed },
          { tokenEnv: 'CLOUD_SECRET' },
        )
      ).token,
    ).toBe('worth-a-lot');
  });

  test('and LONGSHORE_* is', () =>
    expect(readEnvVariable('LONGSHORE_TOKEN', usualInvocation)).toBe('a-token-of-this-test'));

  test('for the workspace that is read, too', async () => {
    const pipeline = await loadImportPipeline(pipelineOf({ baseUrl: other, tokenEnv: 'CLOUD_SECRET' }));
    expect(() => findSourceWorkspace(pipeline, { workDir, invocation: usualInvocation })).toThrow(
      'CLOUD_SECRET',
    );
    expect(findSourceWorkspace(pipeline, { workDir, invocation: allowed })?.secrets).toEqual(['worth-a-lot']);
  });
});

describe('before the first request', () => {
  test.each([
    [{ json: false, quiet: false }, ['Target workspace: one.example\n']],
    [{ json: true, quiet: false }, []],
    [{ json: false, quiet: true }, []],
  ])('under %j the host of the target is printed', async (flags, expected) => {
    const written: unknown[] = [];
    const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(text);
      return true;
    });
    try {
      announceTarget(
        await openWorkspaceTarget({ workspace: one, workDir, invocation: usualInvocation }, {}),
        new Screen(flags),
      );
    } finally {
      spy.mockRestore();
    }
    expect(written).toEqual(expected);
  });
});

test('schedule names the variables to be allowed, and an absolute work dir', async () => {
  const mapping = file('mapping: m\ncontact: { firstName: { from: a }, email: { from: b } }\n', 'm.yaml');
  const settings = {
    source: { format: 'csv', path: 'x.csv' },
    mapping,
    workspace: { tokenEnv: 'CLOUD_SECRET' },
  };
  const pipelineFile = file(JSON.stringify({ pipeline: 'p', import: settings }), 'p.yaml');
  const common = {
    invocation: usualInvocation,
    timezone: undefined,
    out: undefined,
    workspace: undefined,
    at: '02:30',
  };
  const written: unknown[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(text);
    return true;
  });
  try {
    const screen = new Screen({ json: false, quiet: false });
    await runScheduleCommand({ ...common, pipelineFile, for: 'cron', workDir: '../w' }, screen);
  } finally {
    spy.mockRestore();
  }
  expect(written.join('')).toContain(` --work-dir ${resolve('../w')} --allow-env CLOUD_SECRET;`);
});

function pipelineOf(source: object): string {
  const mapping = file(
    'mapping: m\ncontact: { firstName: { from: firstName }, email: { from: email } }\n',
    'm.yaml',
  );
  return file(
    JSON.stringify({ pipeline: 'p', import: { source: { format: 'workspace', ...source }, mapping } }),
    'p.yaml',
  );
}
