import type { MappingInput } from '../../wire/mapping.ts';

/** What is asked of the rows with the present text. */
export interface RowsRequest {
  readonly input: MappingInput;
  readonly path: string;
  readonly text: string;
}
