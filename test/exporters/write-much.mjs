// Writes many records in one format until it fails, and says how it did.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExporterByName } from '../../dist/exporters/registry.js';

const folder = mkdtempSync(join(tmpdir(), 'longshore-full-'));
const columns = ['id', 'note'].map((name) => ({
  name,
  type: name === 'id' ? 'integer' : 'text',
  path: [name],
}));
const writer = await findExporterByName(process.argv[2]).open({
  folder,
  tables: [{ kind: 'contacts', columns }],
  options: {},
});
let failure = null;
try {
  for (let from = 0; from < 30_000; from += 500) await writer.write('contacts', page(from));
  await writer.finish();
} catch (error) {
  failure = error.code;
}
await writer.abandon();
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify({ failure }));

/** Notes that cannot be packed. */
function page(from) {
  return Array.from({ length: 500 }, (_, index) => ({
    normal: { id: from + index, note: `${Math.random()}${Math.random()}` },
    given: {},
  }));
}
