import { csv } from './csv/format.ts';
import type { Exporter } from './exporter.ts';
import { ndjson } from './ndjson/format.ts';
import { parquet } from './parquet/format.ts';
import { sqlite } from './sqlite/format.ts';
import { xlsx } from './xlsx/format.ts';

/** Every format that an export can be written in. */
export const exporters: readonly Exporter[] = [csv, ndjson, xlsx, parquet, sqlite];

/** The format of that name; undefined where there is none. */
export function exporterNamed(name: string): Exporter | undefined {
  return exporters.find((each) => each.name === name);
}
