import type { Exporter } from '../../../exporters/exporter.ts';
import { exporterNamed } from '../../../exporters/registry.ts';

/** The format of that name; whoever loaded the pipeline has made sure that there is one. */
export function formatNamed(name: string): Exporter {
  const found = exporterNamed(name);
  if (found === undefined) throw new Error(`unknown export format "${name}"`);
  return found;
}
