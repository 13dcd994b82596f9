import type { z } from 'zod';
import { type SourceFormat, sourceFormat } from '../source-format.ts';
import { formatByName, formatNamed } from './member-format.ts';
import { type DumpOptions, dumpOptions } from './options.ts';
import { DumpSource } from './source.ts';

/** An input of several tables, each a file of one of these formats, or in a file that holds tables itself. */
export function dumpOf(formats: readonly SourceFormat[]): SourceFormat {
  return sourceFormat({
    name: 'dump',
    extensions: formats.flatMap(({ extensions }) => extensions),
    words: {
      reads:
        'Several tables, of which one is imported and others are joined to it: a folder, a zip or a tar.gz of files of the formats above, a SQL dump, or a SQLite file.',
      columns: 'Those of the imported table, and `JOIN.column` for each join.',
      line: 'As the format of the imported table.',
    },
    options: dumpOptions.superRefine(({ tables }, context) => checkTables(tables, formats, context)),
    open: (options, input) => new DumpSource(options, input, formats),
  });
}

/** Options of a stated table are those of its format. */
function checkTables(
  tables: DumpOptions['tables'],
  formats: readonly SourceFormat[],
  context: z.core.$RefinementCtx,
): void {
  for (const [table, { file, format, ...own }] of Object.entries(tables)) {
    const known =
      format === undefined ? formatByName([file].flat()[0] ?? '', formats) : formatNamed(format, formats);
    if (format !== undefined && known === undefined) {
      const message = `unknown file format "${format}"; known are ${formats.map(({ name }) => name).join(', ')}`;
      context.addIssue({ code: 'custom', message, path: ['tables', table, 'format'] });
    }
    for (const issue of known?.options.safeParse(own).error?.issues ?? [])
      context.addIssue({ code: 'custom', message: issue.message, path: ['tables', table, ...issue.path] });
  }
}
