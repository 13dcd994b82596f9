import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkImport } from '../../../src/app/check/check.ts';
import { writeRunFiles } from '../../../src/app/import/report/run-files.ts';
import type { LeftBehindGroup } from '../../../src/model/left-behind.ts';
import { loadImportPipeline } from '../../../src/pipeline/index.ts';
import { usualInvocation } from '../../invocation.ts';
import { isWrite, type RealImport, realImport } from './real-import.ts';

const mapping = (field: string, slug: string) => `mapping: slugs
key: Id
contact:
  firstName: { from: Name }
  email: { from: Email }
customFields:
  ${field}: { from: Value, type: text, create: true, slug: ${slug} }
`;

const lines = ['Id,Name,Email,Value', '1,Ada,ada@example.com,x', '2,Bob,,y'];
const taken = `the workspace's field "City" has the slug "place" already; write another one here, such as place_2`;

async function checkOnline(it: RealImport) {
  const signal = new AbortController().signal;
  const workspace = it.open(signal);
  const { findings } = await checkImport({
    pipeline: await loadImportPipeline(it.pipelineFile),
    workDir: join(it.folder, 'work'),
    place: `sandbox:${it.sandbox.id}`,
    workspace,
    signal,
  });
  await workspace.close(0);
  return findings.filter(({ verdict }) => verdict === 'wrong').map(({ text }) => text);
}

describe('a field to be created with the slug that another field has', () => {
  it('is named by check, plan and import before anything is sent, if an earlier import created that field', async () => {
    const it = await realImport(mapping('City', 'place'), lines);
    await it.import();
    writeFileSync(join(it.folder, 'mapping.yaml'), mapping('Other', 'place'));
    const writes = it.sandbox.log.filter(isWrite).length;
    expect(await checkOnline(it)).toEqual([taken]);
    await expect(it.plan()).rejects.toThrow(taken);
    await expect(it.import({ fresh: true })).rejects.toThrow(taken);
    expect(it.sandbox.log.filter(isWrite)).toHaveLength(writes);
    writeFileSync(join(it.folder, 'mapping.yaml'), mapping('Other', 'place_2'));
    expect(await checkOnline(it)).toEqual([]);
    expect((await it.import({ fresh: true })).error).toBeUndefined();
  });

  it('stops an import with advice that works when typed, if only the workspace knows the slug', async () => {
    const it = await realImport(mapping('Other', 'hidden'), lines);
    it.sandbox.add({ customFields: [{ name: 'City', slug: 'hidden', dataType: 'text' }] });
    let leftBehind: readonly LeftBehindGroup[] = [];
    const { error, run } = await it.import({}, async (end) => {
      const options = { runDir: it.folder, scrub: (text: string) => text, invocation: usualInvocation };
      ({ leftBehind } = (await writeRunFiles({ ...end, ...options })).summary);
      expect(existsSync(join(it.folder, 'rejects.csv'))).toBe(false);
    });
    expect([error?.message, error?.next]).toEqual([
      expect.stringContaining('No row was sent.'),
      'Create it in the workspace and resume; or change its rule in the mapping and import again with --fresh.',
    ]);
    expect(leftBehind.map(({ title, file }) => [title, file])).toEqual([['Rows rejected', null]]);
    writeFileSync(join(it.folder, 'mapping.yaml'), mapping('Other', 'other'));
    const again = await it.import({ fresh: true });
    expect([again.error, again.run.id === run.id]).toEqual([undefined, false]);
  });
});
