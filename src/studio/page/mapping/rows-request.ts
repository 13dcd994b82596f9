import type { MappingInput } from '../../wire/mapping.ts';

/** The parameters of requests that read rows with the current text. */
export interface MappingRowsRequest {
  readonly input: MappingInput;
  readonly path: string;
  readonly text: string;
}
