import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { traceSelectedRow } from '../../../src/app/preview/current-row.ts';
import { isLiveWorkspaceInput } from '../../../src/app/run/input.ts';
import { editMapping, parseMapping, runMappingExamples } from '../../../src/mapping/index.ts';
import { loadImportPipeline, readPipelineKind } from '../../../src/pipeline/index.ts';
import { isLong, some } from '../../long.ts';
import { removeInputs, there, unstopped, written } from './given.ts';

afterAll(removeInputs);

const pipelines = fileURLToPath(new URL('../../../pipelines', import.meta.url));

describe('an example test made of a row', () => {
  it.each(
    some(
      readdirSync(pipelines).filter((name) => /^import-.*\.yaml$/.test(name)),
      8,
    ),
  )('of the input of %s passes, and keeps the rest of the mapping as it is', async (name) => {
    const file = join(pipelines, name);
    if ((await readPipelineKind(file)) !== 'import') return;
    const pipeline = await loadImportPipeline(file);
    if (isLiveWorkspaceInput(pipeline)) return;
    const { path, format, options } = pipeline.import.source;
    const given = there(path ?? '', { as: { format, options } });
    const { file: mappingFile } = pipeline.import.mapping;
    let text = readFileSync(mappingFile, 'utf8');
    const before = runMappingExamples(parseMapping(text, mappingFile)).length;
    let added = 0;
    for (const number of isLong ? Array.from({ length: 30 }, (_, n) => n) : [1, 5]) {
      const found = await traceSelectedRow(given, { text, file: mappingFile }, { number }, unstopped);
      if (found === null) continue;
      const edited = editMapping(text, { kind: 'addTest', test: found.example });
      if (!edited.ok) throw new Error(edited.reason);
      text = edited.text;
      added += 1;
    }
    const results = runMappingExamples(parseMapping(text, mappingFile));
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect([added > 0, results.length]).toEqual([true, before + added]);
  });

  it('names the code of a row that is rejected', async () => {
    const given = written('example.csv', 'Id,Email\n1,nothing\n');
    const mapping = { file: 'm.yaml', text: 'mapping: m\ncontact:\n  email: { from: Email }\n' };
    const found = await traceSelectedRow(given, mapping, { number: 0 }, unstopped);
    expect(found?.example).toEqual({ row: { Email: 'nothing' }, rejects: 'email.invalid' });
    const typed = { line: 9, cells: [['Email', 'ada@example.com']] as const };
    const other = await traceSelectedRow(given, mapping, typed, unstopped);
    expect(other?.example).toEqual({
      row: { Email: 'ada@example.com' },
      expect: { contact: { email: 'ada@example.com' } },
    });
    expect(await traceSelectedRow(given, mapping, { number: 5 }, unstopped)).toBeNull();
  });

  it('is found by its line, or by the next line that has one', async () => {
    const given = written('lines.csv', 'Id,Email\n1,"a\nb"\n2,x,y\n3,c@example.com\n');
    const mapping = { file: 'm.yaml', text: 'mapping: m\ncontact:\n  email: { from: Email }\n' };
    const at = async (atLine: number) => await traceSelectedRow(given, mapping, { atLine }, unstopped);
    expect(await at(1)).toMatchObject({ number: 0, trace: { line: 2 } });
    expect(await at(2)).toMatchObject({ number: 0, trace: { line: 2 } });
    // Line 4 is broken: it is no row.
    expect(await at(3)).toMatchObject({ number: 2, trace: { line: 5 } });
    expect(await at(6)).toBeNull();
  });
});
