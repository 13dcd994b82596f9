import type { MappingInput } from '../../wire/mapping.ts';

/** The parameters of a request that applies the current text of the mapping to the rows of an input. */
export interface MappingRowsRequest {
  readonly input: MappingInput;
  readonly path: string;
  readonly text: string;
}
