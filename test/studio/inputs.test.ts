import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PreviewJobEvent } from '../../src/studio/wire/jobs.ts';
import { type RouteRequest, routes } from '../../src/studio/wire/routes.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { atStudio, projectOfTest } from './at-studio.ts';

const rows = { rows: 5, seed: 0.5 };

async function looked(file: string, text: string | Buffer, typed: Partial<RouteRequest<'look'>> = {}) {
  const folder = projectOfTest();
  writeFileSync(join(folder, file), text);
  const { hear } = await atStudio({ folder });
  const [event] = await hear('look', { path: file, ...rows, ...typed });
  return event;
}

function lookIn(event: PreviewJobEvent | undefined) {
  if (event?.kind !== 'look') throw new Error(`no look: ${JSON.stringify(event)}`);
  return event.look;
}

describe('a look at an input', () => {
  it('finds how it is written, and takes what is typed in place of it', async () => {
    const text = Buffer.from('Export\n\nid;name\n1;J\xfcrgen\n2;Ada;x\n', 'latin1');
    const { format, columns, first, detected, problems } = lookIn(await looked('people.csv', text));
    expect({ format, columns }).toEqual({ format: 'csv', columns: ['id', 'name'] });
    expect(first[0]?.cells).toEqual(['1', 'Jürgen']);
    expect(problems).toMatchObject([{ line: 5, code: 'row.ragged' }]);
    expect(detected).toContainEqual({ option: 'delimiter', value: ';', flag: 'delimiter', how: 'found' });
    const other = lookIn(await looked('people.csv', text, { delimiter: ',', header: 'none' }));
    expect(other.columns).toHaveLength(1);
    expect(other.detected).toContainEqual({
      ...{ option: 'delimiter', value: ',', flag: 'delimiter', how: 'stated' },
    });
  });

  it('of one with tabs lets its delimiter be typed, too', async () => {
    const { format, detected } = lookIn(await looked('people.tsv', 'id\tname\n1\tAda\n'));
    expect(format).toBe('tsv');
    expect(detected).toContainEqual({ option: 'delimiter', value: '\t', flag: 'delimiter', how: 'found' });
  });

  it('reads it in the format that is typed', async () => {
    const text = '[]id,name\n1,Ada\n';
    expect(await looked('people.csv', text)).toMatchObject({ kind: 'refused' });
    const { format, columns } = lookIn(await looked('people.csv', text, { format: 'csv' }));
    expect({ format, columns }).toEqual({ format: 'csv', columns: ['[]id', 'name'] });
  });

  it('says what is typed wrong, and what cannot be read', async () => {
    const folder = projectOfTest();
    writeFileSync(join(folder, 'people.csv'), 'id\n1\n');
    const { send, hear } = await atStudio({ folder });
    const wrong = await send(routes.look, { path: 'people.csv', ...rows, header: 'first' });
    expect(wrong.status).toBe(422);
    expect((await wrong.json()).message).toContain('--header needs a line number');
    const format = await send(routes.look, { path: 'people.csv', ...rows, format: 'cvs' });
    expect((await format.json()).message).toBe('--format: no format "cvs"; did you mean "csv"?');
    const [late] = await hear('look', { path: 'people.csv', ...rows, header: '9' });
    expect(late).toMatchObject({ kind: 'refused' });
    expect((await send(routes.look, { path: 'gone.csv', ...rows })).status).toBe(404);
  });

  it('reads nothing that lies outside of the project', async () => {
    const outside = temporaryFolder();
    onTestFinished(() => outside.remove());
    writeFileSync(join(outside.path, 'secret.csv'), 'id\n1\n');
    const folder = projectOfTest();
    symlinkSync(join(outside.path, 'secret.csv'), join(folder, 'linked.csv'));
    const { send } = await atStudio({ folder });
    for (const path of ['linked.csv', '../secret.csv', join(outside.path, 'secret.csv')]) {
      const response = await send(routes.look, { path, ...rows });
      expect(response.status, path).toBe(403);
      expect(await response.json()).toEqual({
        message: `${JSON.stringify(path)} is not in the project folder.`,
        next: 'Move it there, or start the studio in the folder that has it.',
      });
    }
  });

  it('also where nothing may be changed', async () => {
    const folder = projectOfTest();
    writeFileSync(join(folder, 'people.csv'), 'id\n1\n');
    const { hear } = await atStudio({ folder, readOnly: true });
    expect(lookIn((await hear('look', { path: 'people.csv', ...rows }))[0]).read.rows).toBe(1);
  });
});

it('files that are sent together are one input, and are listed', async () => {
  const { call, send } = await atStudio();
  for (const name of ['people.csv', 'notes.csv'])
    expect((await (await send(routes.upload, { name, folder: 'dump-1' })).json()).path).toBe(
      `.longshore/studio/uploads/dump-1/${name}`,
    );
  await send(routes.upload, { name: 'alone.csv' });
  const { files } = await call('files', {});
  expect(files.map(({ path }) => path)).toEqual(['.longshore/studio/uploads/alone.csv']);
  expect((await send(routes.upload, { name: 'a.csv', folder: '../../..' })).status).toBe(400);
});
