import type { Signal } from '@preact/signals';
import type { RequestOf } from '../../wire/routes.ts';
import type { OpenMapping } from './open-mapping.ts';
import type { RowsRequest } from './rows-request.ts';
import type { useFound } from './use-found.ts';

/** Selects the current row by its number, from 0, or by its line. */
export type WantedRow = RequestOf<'mappingRow'>['row'];

/** The shared state of the mapping page's columns and targets. */
export interface MappingViewState {
  readonly open: OpenMapping;
  readonly columns: ReturnType<typeof useFound<'columns', 'mappingColumns'>>;
  readonly counts: ReturnType<typeof useFound<'counts', 'mappingCounts'>>;
  readonly row: ReturnType<typeof useFound<'row', 'mappingRow'>>;
  /** The current row. */
  readonly wanted: Signal<WantedRow>;
  readonly request: RowsRequest | null;
}
