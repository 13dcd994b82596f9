import { textFile } from '../encoding/text-file.ts';
import { guardOf } from '../guarded-file.ts';
import { inputFile } from '../input-file.ts';
import type { SourceInput } from '../source-format.ts';
import { layoutOf } from './layout.ts';
import { csvOptions, csvReading } from './options.ts';
import { sampleOf } from './sample.ts';

/** How a CSV file turned out to be written. */
export interface FoundWriting {
  readonly encoding: string;
  readonly delimiter: string;
}

/** How a CSV file is written where `options` leave it open. Throws a FatalError('input') where it cannot be read. */
export async function foundWriting(
  options: unknown,
  input: SourceInput,
  signal: AbortSignal,
): Promise<FoundWriting> {
  const given = csvOptions.parse(options);
  const file = await inputFile(input, signal);
  const stated = csvReading(given, (await guardOf(given.guarded, input)).guarded);
  const text = await textFile(file, stated.encoding, ['csv', stated], signal);
  const { dialect } = layoutOf(await sampleOf(text, signal), stated, file.name);
  return { encoding: text.encoding.encoding, delimiter: dialect.delimiter };
}
