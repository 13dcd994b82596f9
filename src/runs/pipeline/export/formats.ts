import type { Exporter } from '../../../exporters/exporter.ts';
import { exporterNamed, exporters } from '../../../exporters/registry.ts';

// SQLite has a view of the contacts with their columns, and the same tables whatever is chosen.
const withoutColumns = { contacts: ['ndjson'], messages: ['ndjson', 'sqlite'] };

/** Whether columns of a kind can be chosen; otherwise the format writes everything, in a layout of its own. */
export function hasColumns({ name }: Exporter, kind: keyof typeof withoutColumns): boolean {
  return !withoutColumns[kind].includes(name);
}

/** Every format that an export can name, the first of them apart. */
export function writableFormats(): readonly [Exporter, ...Exporter[]] {
  const [first, ...others] = exporters;
  if (first === undefined) throw new Error('The registry of export formats is empty.');
  return [first, ...others];
}

/** Whether an export in a format keeps everything the interface gave. */
export function isLossless(format: string): boolean {
  return exporterNamed(format)?.lossless === true;
}
