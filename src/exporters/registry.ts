import { csvExporter } from './csv-exporter.ts';
import type { Exporter } from './exporter.ts';
import { ndjsonExporter } from './ndjson-exporter.ts';
import { parquetExporter } from './parquet/parquet-exporter.ts';
import { sqliteExporter } from './sqlite/sqlite-exporter.ts';
import { xlsxExporter } from './xlsx/xlsx-exporter.ts';

/** Every export format. */
export const exporters: readonly Exporter[] = [
  csvExporter,
  ndjsonExporter,
  xlsxExporter,
  parquetExporter,
  sqliteExporter,
];

/** Returns the exporter of a format by its name; undefined for an unknown one. */
export function findExporterByName(name: string): Exporter | undefined {
  return exporters.find((each) => each.name === name);
}
