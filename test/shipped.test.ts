import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkExport } from '../src/app/check/export/check-export.ts';
import { findColumnUses } from '../src/mapping/columns.ts';
import {
  checkColumns,
  compileMapping,
  createMappingJsonSchema,
  findListUses,
  loadMapping,
  runMappingExamples,
} from '../src/mapping/index.ts';
import {
  createPipelineJsonSchema,
  loadExportPipelineDocument,
  loadImportPipeline,
  readPipelineKind,
} from '../src/pipeline/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const shipped = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(root, folder, name));

describe('shipped YAML', () => {
  it.each([
    ['mappings', createMappingJsonSchema],
    ['pipelines', createPipelineJsonSchema],
  ])('of %s has the schema beside it that the command prints', (folder, schema) => {
    expect(JSON.parse(readFileSync(join(root, folder, 'schema.json'), 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(schema())),
    );
  });

  it.each([...shipped('mappings'), ...shipped('pipelines')])('%s names that schema for editors', (file) => {
    expect(readFileSync(file, 'utf8')).toMatch(/^# yaml-language-server: \$schema=schema\.json\n/);
  });

  it.each(shipped('mappings'))('%s passes its own tests', async (file) => {
    const mapping = await loadMapping(file);
    expect(compileMapping(mapping)).toBeTypeOf('function');
    const examples = runMappingExamples(mapping);
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.filter(({ ok }) => !ok)).toEqual([]);
  });

  it.each(shipped('pipelines'))('%s loads', async (file) => {
    if ((await readPipelineKind(file)) === 'import') {
      await expect(loadImportPipeline(file)).resolves.toMatchObject({
        import: { mapping: { file: expect.any(String) } },
      });
    } else {
      const document = await loadExportPipelineDocument(file);
      const findings = await checkExport({ document, workspace: undefined });
      // The comments of the pipeline say what keep does with increments.
      const isSaid = (text: unknown) => String(text).startsWith('keep: 14 removes nothing');
      expect(findings.filter(({ verdict, text }) => verdict !== 'ok' && !isSaid(text))).toEqual([]);
    }
  });

  it.each([
    ['sugarcrm', 'preferred_language'],
    ['suitecrm', 'custom.segments_c'],
    ['espocrm', 'middle_name'],
    ['espocrm', 'phone.opt_out'],
    ['salesforce', 'HomePhone'],
    ['salesforce', 'Birthdate'],
  ])('%s takes an export of a version without %s', async (name, missing) => {
    const mapping = await loadMapping(join(root, 'mappings', `${name}.yaml`));
    const used = findColumnUses(mapping.mapping).map(({ column }) => column);
    const lists = findListUses(mapping.mapping).map(({ list }) => ({ name: list, columns: null }));
    expect(used).toContain(missing);
    expect(
      checkColumns(
        mapping,
        used.filter((column) => column !== missing),
        lists,
      ),
    ).toEqual([]);
  });

  it('exports nightly, everything, and for analysts', () => {
    const names = shipped('pipelines').map((file) => basename(file));
    const exports = ['nightly-export.yaml', 'export-all.yaml', 'export-analytics.yaml'];
    expect(names).toEqual(expect.arrayContaining(exports));
  });
});
