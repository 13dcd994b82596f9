import type { Exporter } from '../../../exporters/exporter.ts';
import { exporterNamed, exporters } from '../../../exporters/registry.ts';

const everything: readonly string[] = ['ndjson', 'sqlite'];

/** Whether columns can be chosen; the other formats write everything, in a layout of their own. */
export function hasColumns({ name }: Exporter): boolean {
  return !everything.includes(name);
}

/** Every format that an export can name, the first of them apart. */
export function writableFormats(): readonly [Exporter, ...Exporter[]] {
  const [first, ...others] = exporters;
  if (first === undefined) throw new Error('The registry of export formats is empty.');
  return [first, ...others];
}

/** Whether an export in a format keeps everything the interface gave. */
export function keepsGiven(format: string): boolean {
  return exporterNamed(format)?.keepsGiven === true;
}
