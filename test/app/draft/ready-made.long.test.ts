import { cpSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { loadImportPipeline } from '../../../src/pipeline/index.ts';
import { checked, draftOf, newFolder, removeFolders } from './drafting.ts';

const pipelines = fileURLToPath(new URL('../../../pipelines', import.meta.url));
const shipped = readdirSync(pipelines).filter((name) => /^import-.*\.yaml$/.test(name));

const fields = ['email', 'phone', 'firstName', 'lastName'] as const;

afterAll(removeFolders);

describe('a draft of a fixture, its ready-made mapping hidden', () => {
  it.each(shipped)(
    'finds what the mapping of %s reads, and passes the check once it is answered',
    async (name) => {
      const ready = (await loadImportPipeline(join(pipelines, name))).import;
      // A workspace is no file.
      if (ready.source.path === null) return;
      const folder = newFolder();
      const input = join(folder, basename(ready.source.path));
      // What the local workspace begins with is no part of the export.
      const filter = (file: string) => !file.endsWith('/workspace.json');
      cpSync(ready.source.path, input, { recursive: true, filter });
      const { pipeline, wrong } = await checked({ folder, draft: await draftOf(input, folder) });
      expect(wrong).toEqual([]);
      const found = pipeline.import.mapping.mapping.contact;
      for (const field of fields) {
        const wanted = columnsOf(ready.mapping.mapping.contact[field]);
        if (wanted.length === 0) continue;
        const read = columnsOf(found[field]);
        expect({ field, wanted, read, alike: read.some((column) => wanted.includes(column)) }).toMatchObject({
          alike: true,
        });
      }
    },
  );
});

/** The columns that a rule reads. */
function columnsOf(
  rule:
    | { readonly from?: string | readonly string[] | undefined; readonly template?: string | undefined }
    | undefined,
): readonly string[] {
  const inserted = [...(rule?.template ?? '').matchAll(/\{([^{}]+)\}/g)].map(([, column = '']) => column);
  return [...[rule?.from ?? []].flat(), ...inserted];
}
