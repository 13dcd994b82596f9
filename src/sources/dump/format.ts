import { type SourceFormat, sourceFormat } from '../source-format.ts';
import { dumpOptions } from './options.ts';
import { DumpSource } from './source.ts';

/** An input of several tables, each a file of one of these formats, or in a file that holds tables itself. */
export function dumpOf(formats: readonly SourceFormat[]): SourceFormat {
  return sourceFormat(
    'dump',
    dumpOptions,
    (options, input) => new DumpSource(options, input, formats),
    formats.flatMap(({ extensions }) => extensions),
  );
}
