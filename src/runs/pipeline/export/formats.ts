import type { Exporter } from '../../../exporters/exporter.ts';
import { exporterNamed } from '../../../exporters/registry.ts';

// SQLite has a view of the contacts with their columns, and the same tables whatever is chosen.
const withoutColumns = { contacts: ['ndjson'], messages: ['ndjson', 'sqlite'] };

/** Whether columns of a kind can be chosen; otherwise the format writes everything, in a layout of its own. */
export function hasColumns({ name }: Exporter, kind: keyof typeof withoutColumns): boolean {
  return !withoutColumns[kind].includes(name);
}

/** Whether an export in a format keeps everything the interface answered. */
export function isLossless(format: string): boolean {
  return exporterNamed(format)?.lossless === true;
}
