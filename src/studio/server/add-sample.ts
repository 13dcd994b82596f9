import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packageFolder } from '../../storage/package.ts';
import type { SampleImport } from '../wire/project.ts';
import type { ProjectPathResolver } from './project.ts';

const sample: SampleImport = {
  pipeline: 'pipelines/import-sample.yaml',
  mapping: 'mappings/sample-crm.yaml',
};

const inputs = ['fixtures/sample/contacts.csv', 'fixtures/sample/workspace.json'];

/** Copies the sample import of the package to the same paths of the project; a file that is there already is kept. */
export async function addSample(files: ProjectPathResolver): Promise<SampleImport> {
  for (const path of [...inputs, sample.mapping, sample.pipeline]) {
    const to = files.place(path);
    await mkdir(dirname(to), { recursive: true });
    await copyFile(join(packageFolder, path), to, constants.COPYFILE_EXCL).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
  }
  return sample;
}
