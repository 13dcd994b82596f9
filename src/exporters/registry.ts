import { csv } from './csv-exporter.ts';
import type { Exporter } from './exporter.ts';
import { ndjson } from './ndjson-exporter.ts';
import { parquet } from './parquet/parquet-exporter.ts';
import { sqlite } from './sqlite/sqlite-exporter.ts';
import { xlsx } from './xlsx/xlsx-exporter.ts';

/** Every export format. */
export const exporters: readonly Exporter[] = [csv, ndjson, xlsx, parquet, sqlite];

/** Returns the format of a name; undefined for an unknown one. */
export function findExporterByName(name: string): Exporter | undefined {
  return exporters.find((each) => each.name === name);
}
