import type { Signal } from '@preact/signals';
import type { RequestOf } from '../../wire/routes.ts';
import type { OpenMapping } from './open-mapping.ts';
import type { RowsRequest } from './rows-request.ts';
import type { useStreamedAnswer } from './use-found.ts';

/** Selects the current row by its number, from 0, or as the first at or after a line. */
export type RowSelector = RequestOf<'mappingRow'>['row'];

/** The shared state of the mapping page's columns and targets. */
export interface MappingViewState {
  readonly open: OpenMapping;
  readonly columns: ReturnType<typeof useStreamedAnswer<'columns', 'mappingColumns'>>;
  readonly counts: ReturnType<typeof useStreamedAnswer<'counts', 'mappingCounts'>>;
  readonly row: ReturnType<typeof useStreamedAnswer<'row', 'mappingRow'>>;
  /** The selection of the current row. */
  readonly wanted: Signal<RowSelector>;
  readonly request: RowsRequest | null;
}
