import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ndjsonExporter } from '../../src/exporters/ndjson-exporter.ts';
import { FatalError } from '../../src/model/fatal-error.ts';
import { readBack, written } from './writing.ts';

const table = { kind: 'tags', columns: [] } as const;
const records = ['a\u2028b', 'c\u0085d', 'e'.repeat(200_000)].map((name) => ({
  normal: { name },
  given: { name, given: 1 },
}));

test('a record is a line to every reader, whatever it takes for the end of one', async () => {
  const { folder } = await written(ndjsonExporter, [{ table, records }]);
  const text = readFileSync(join(folder, 'tags.ndjson'), 'utf8');
  expect(text.split(/\r\n|[\n\r\u0085\u2028\u2029]/)).toHaveLength(records.length + 1);
});

test('records longer than what is read at once come back, also without a last line end', async () => {
  const { folder } = await written(ndjsonExporter, [{ table, records }]);
  const path = join(folder, 'tags.ndjson');
  appendFileSync(path, '{"name":"last","given":{}}');
  const names = (await readBack(ndjsonExporter, path, 'tags')).map(({ name }) => name);
  expect(names).toEqual([...records.map(({ normal }) => normal.name), 'last']);
});

test.each(['{"name":', '[1]', 'null', ''])('a line that was changed into %j is told of', async (line) => {
  const { folder } = await written(ndjsonExporter, [{ table, records }]);
  const path = join(folder, 'tags.ndjson');
  appendFileSync(path, `${line}\n`);
  const error = await readBack(ndjsonExporter, path, 'tags').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FatalError);
  expect(error).toMatchObject({ reason: 'input', place: { file: path, line: 4 } });
});
