import type { Signal } from '@preact/signals';
import type { RequestOf } from '../../wire/routes.ts';
import type { OpenMapping } from './open-mapping.ts';
import type { RowsRequest } from './rows-request.ts';
import type { useFound } from './use-found.ts';

/** The current row, by its number (0 being the first) or by its line. */
export type WantedRow = RequestOf<'mappingRow'>['row'];

/** What the columns and their targets are shown with. */
export interface MappingViewState {
  readonly open: OpenMapping;
  readonly columns: ReturnType<typeof useFound<'columns', 'mappingColumns'>>;
  readonly counts: ReturnType<typeof useFound<'counts', 'mappingCounts'>>;
  readonly row: ReturnType<typeof useFound<'row', 'mappingRow'>>;
  /** Which row is the current one. */
  readonly wanted: Signal<WantedRow>;
  readonly request: RowsRequest | null;
}
