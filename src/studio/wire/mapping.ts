import type * as z from 'zod';
import type { Outline, Question } from '../../mapping/index.ts';
import type { InputEvent } from './jobs.ts';
import type { YamlFile } from './project.ts';
import { getRoute, postStream, questionRoute, streamRoute } from './route.ts';
import type { fieldsResult } from './schemas/fields-result.ts';
import type {
  columnsQuestion,
  countsQuestion,
  mappingChoice,
  mappingEdit,
  mappingText,
  reasonQuestion,
  rowQuestion,
  valuesQuestion,
} from './schemas/mapping.ts';
import type { processChoice } from './schemas/processes.ts';
import type { nothing } from './schemas/project.ts';

export type { ColumnStatistics } from '../../app/preview/columns.ts';
export type { PartialCounts, ReasonCount } from '../../app/preview/counts.ts';
export type { RowsOfReason } from '../../app/preview/rows-of-reason.ts';
export type { TableRow } from '../../app/preview/values.ts';
export type { Outline, OutlinedTarget, Question } from '../../mapping/index.ts';

/** One change of a mapping's text. */
export type MappingChange = z.output<typeof mappingEdit>['edit'];

/** Where the rows of a mapping come from. */
export type MappingInput = z.output<typeof columnsQuestion>['input'];

/** What a text of a mapping says, right or wrong. */
export interface MappingShown {
  /** Null where it is not YAML. */
  readonly outline: Outline | null;
  readonly questions: readonly Question[];
}

/** A pipeline that imports with a mapping. */
export interface MappingUse {
  readonly pipeline: string;
  /** What it reads, from the project folder; null where that is no file of the project. */
  readonly input: string | null;
}

/** A custom field that the workspace has, as a target. */
export interface WorkspaceField {
  readonly name: string;
  /** As the workspace says it. */
  readonly dataType: string;
  /** What a mapping says of it, without the column: one of a type that we do not know takes text. */
  readonly rule: { readonly type: string; readonly allowed?: readonly string[] };
}

/** The custom fields of a workspace. */
export interface FoundFields extends Pick<z.output<typeof fieldsResult>, 'workspace'> {
  readonly fields: readonly WorkspaceField[];
}

const withInput = { paths: ['path', 'input.path'] };

export const mappingRoutes = {
  mappingShown: questionRoute<z.output<typeof mappingText>, MappingShown>('/api/mapping/shown'),
  /** The text with one change; nothing is written. */
  editMapping: questionRoute<z.output<typeof mappingEdit>, { readonly text: string }>('/api/mapping/edit'),
  mappingUses: getRoute<z.output<typeof mappingChoice>, { readonly uses: readonly MappingUse[] }>(
    '/api/mapping/uses',
    { paths: ['path'] },
  ),
  /** The JSON Schema of mappings, for completion. */
  mappingSchema: getRoute<z.output<typeof nothing>, object>('/api/mapping/schema'),
  /** The file whenever it is another than before, whoever has written it. */
  watchYaml: streamRoute<z.output<typeof mappingChoice>, YamlFile>('/api/yaml/watch', { paths: ['path'] }),
  mappingColumns: postStream<z.output<typeof columnsQuestion>, InputEvent>('/api/mapping/columns', {
    paths: ['input.path'],
  }),
  mappingCounts: postStream<z.output<typeof countsQuestion>, InputEvent>('/api/mapping/counts', withInput),
  mappingRow: postStream<z.output<typeof rowQuestion>, InputEvent>('/api/mapping/row', withInput),
  mappingValues: postStream<z.output<typeof valuesQuestion>, InputEvent>('/api/mapping/values', withInput),
  /** What `fields` has found; null while it works, and where it could not begin. */
  workspaceFields: getRoute<z.output<typeof processChoice>, { readonly found: FoundFields | null }>(
    '/api/processes/:id/fields',
  ),
  mappingReason: postStream<z.output<typeof reasonQuestion>, InputEvent>('/api/mapping/reason', withInput),
};
