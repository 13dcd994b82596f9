import type { Signal } from '@preact/signals';
import type { MappingInput, TargetOutline } from '../../wire/mapping.ts';
import type { RouteRequest } from '../../wire/routes.ts';
import type { useStreamedAnswer } from '../hooks.ts';
import type { MappingEditorState } from './open-mapping.ts';
import type { PipelineQuestions } from './pipeline-questions.ts';

/** Selects the current row by its number, from 0, or as the first at or after a line. */
export type CurrentRowSelector = RouteRequest<'mappingRow'>['row'];

/** The parameters of a request that applies the current text of the mapping to the rows of an input. */
export interface MappingPreviewRequest {
  readonly input: MappingInput;
  readonly path: string;
  readonly text: string;
}

/** The shared state of the mapping page's columns and targets. */
export interface MappingViewState {
  readonly open: MappingEditorState;
  readonly columns: ReturnType<typeof useStreamedAnswer<'columns', 'mappingColumns'>>;
  readonly counts: ReturnType<typeof useStreamedAnswer<'counts', 'mappingCounts'>>;
  readonly row: ReturnType<typeof useStreamedAnswer<'row', 'mappingRow'>>;
  /** The selection of the current row. */
  readonly wanted: Signal<CurrentRowSelector>;
  readonly request: MappingPreviewRequest | null;
  /** The filter that the dialog of rows begins with; undefined while no rows are shown. */
  readonly rowsOf: Signal<RowsFilter | undefined>;
  /** The pipeline that the rows come from; undefined where they are those of a file. */
  readonly pipeline: PipelineQuestions | undefined;
}

/** A target and the view that it is shown in. */
export interface TargetProps {
  readonly target: TargetOutline;
  readonly view: MappingViewState;
}

/** Selects the rows to show. */
export interface RowsFilter {
  /** `EFFECT CODE`; absent for any row. */
  readonly problem?: string;
  /** A column and the text of its cell. */
  readonly cell?: { readonly column: string; readonly text: string };
}
