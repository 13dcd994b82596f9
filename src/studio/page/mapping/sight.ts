import type { Signal } from '@preact/signals';
import type { OpenMapping } from './open-mapping.ts';
import type { RowsRequest } from './rows-request.ts';
import type { useFound } from './use-found.ts';

/** What the columns and their targets are shown with. */
export interface Sight {
  readonly open: OpenMapping;
  readonly columns: ReturnType<typeof useFound<'columns', 'mappingColumns'>>;
  readonly counts: ReturnType<typeof useFound<'counts', 'mappingCounts'>>;
  readonly row: ReturnType<typeof useFound<'row', 'mappingRow'>>;
  /** Of the current row, 0 being the first. */
  readonly number: Signal<number>;
  readonly request: RowsRequest | null;
}
