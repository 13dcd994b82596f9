// Writes docs/reference from the built code: `npm run docs`. With --check it writes nothing, and names the pages that differ.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { columnsByList } from '../dist/app/import/report/lists.js';
import { rejectsCsvExtraColumns } from '../dist/app/import/report/rejects-csv.js';
import { unrevertedCsvColumns } from '../dist/app/undo/report/undo-summary.js';
import { folderVerificationSchema } from '../dist/app/verify/report/folder-verification.js';
import { verificationSchema } from '../dist/app/verify/report/verification.js';
import { verificationCsvColumns } from '../dist/app/verify/report/verification-files.js';
import { globalOptions } from '../dist/cli/command.js';
import { commands } from '../dist/cli/commands.js';
import { exitCodeExplanations } from '../dist/cli/explain/exit-codes.js';
import { rowCodeExplanations } from '../dist/cli/explain/row-codes.js';
import { dataTypes } from '../dist/datatypes/registry.js';
import { exporters } from '../dist/exporters/registry.js';
import { createFleetJsonSchema } from '../dist/fleet/fleet-file/schema.js';
import { createMappingJsonSchema } from '../dist/mapping/index.js';
import { createPipelineJsonSchema } from '../dist/pipeline/index.js';
import { runFileNames } from '../dist/report/file-names.js';
import { sourceFormats } from '../dist/sources/registry.js';
import { referencePages } from './reference/pages.mjs';
import { sourceFilesIn } from './reference/shapes.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'docs/reference');

const pages = referencePages({
  mappingSchema: createMappingJsonSchema(),
  pipelineSchema: createPipelineJsonSchema(),
  fleetSchema: createFleetJsonSchema(),
  toJsonSchema: (options) => z.toJSONSchema(options, { io: 'input', unrepresentable: 'any' }),
  sourceFormats,
  exporters,
  dataTypes,
  commands,
  commonOptions: globalOptions,
  rowCodes: rowCodeExplanations,
  exitCodes: exitCodeExplanations,
  fileNames: runFileNames,
  columns: {
    rejects: rejectsCsvExtraColumns,
    ...columnsByList,
    undoKept: unrevertedCsvColumns,
    verification: verificationCsvColumns,
  },
  verificationSchema: z.toJSONSchema(verificationSchema),
  folderVerificationSchema: z.toJSONSchema(folderVerificationSchema),
  files: sourceFilesIn(join(root, 'src')),
});

const path = (name) => join(folder, name);
const differs = Object.entries(pages).filter(
  ([name, text]) => !existsSync(path(name)) || readFileSync(path(name), 'utf8') !== text,
);
const strays = existsSync(folder) ? readdirSync(folder).filter((name) => !(name in pages)) : [];

if (process.argv.includes('--check')) {
  const names = [...differs.map(([name]) => name), ...strays].map((name) => `docs/reference/${name}`);
  if (names.length > 0) {
    console.error(
      `These pages are not what the code says: ${names.join(', ')}.\nWrite them with: npm run docs`,
    );
    process.exitCode = 1;
  }
} else {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of differs) writeFileSync(path(name), text);
  console.log(`docs/reference: ${Object.keys(pages).length} pages, ${differs.length} written.`);
  if (strays.length > 0) console.log(`Nothing writes these: ${strays.join(', ')}. Remove them.`);
}
