import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realImport } from './real-import.ts';

const mapping = 'mapping: real\nkey: id\ncontact: { firstName: { from: name }, email: { from: email } }\n';
const dump = `-- MySQL dump 10.13
CREATE TABLE people (id int, name text, email text);
INSERT INTO people VALUES (1,'Ann','ann@example.com'),(2,'Bob','bob@example.com');
`;

async function atDump(more: string) {
  const scene = await realImport(mapping, []);
  writeFileSync(join(scene.folder, 'people.sql'), dump);
  writeFileSync(
    scene.pipelineFile,
    `pipeline: real\nimport:\n  source: { format: sql, path: people.sql, table: people${more} }\n  mapping: mapping.yaml\n`,
  );
  return scene;
}

it('a dump without its closing line is imported under unended: accept, and the run ends with 3 and says why', async () => {
  const scene = await atDump(', unended: accept');
  const { run, exitCode, error } = await scene.import();
  expect(error).toBeUndefined();
  expect({ exitCode, state: run.state }).toEqual({ exitCode: 3, state: 'finished' });
  expect(run.message).toMatch(/^The dump does not end with "-- Dump completed".*unended: accept/);
  expect(scene.sandbox.contacts()).toHaveLength(2);
  expect(scene.events).toContainEqual({ kind: 'note', text: run.message });
});

it('without it the run ends with 2, as it did', async () => {
  const scene = await atDump('');
  const { exitCode, error } = await scene.import();
  expect(exitCode).toBe(2);
  expect(error?.message).toContain('"unended: accept"');
  expect(scene.sandbox.contacts()).toHaveLength(2);
});
