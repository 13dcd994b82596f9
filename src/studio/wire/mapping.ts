import type * as z from 'zod';
import type { MappingOutline, YamlQuestion } from '../../mapping/index.ts';
import type { InputEvent } from './jobs.ts';
import type { YamlFile } from './project.ts';
import { getRoute, postStreamRoute, questionRoute, streamRoute } from './route.ts';
import type { fieldsResultSchema } from './schemas/fields-result.ts';
import type {
  editMappingRequest,
  mappingColumnsRequest,
  mappingCountsRequest,
  mappingFileRequest,
  mappingReasonRequest,
  mappingRowRequest,
  mappingTextRequest,
  mappingValuesRequest,
} from './schemas/mapping.ts';
import type { processRequest } from './schemas/processes.ts';
import type { emptyRequest } from './schemas/project.ts';

export type { ColumnStatistics } from '../../app/preview/columns.ts';
export type { PartialCounts, ReasonCount } from '../../app/preview/counts.ts';
export type { RowsOfReason } from '../../app/preview/rows-of-reason.ts';
export type { TableRow } from '../../app/preview/values.ts';
export type { MappingOutline, TargetOutline, YamlQuestion } from '../../mapping/index.ts';

/** One change of a mapping's text. */
export type MappingChange = z.output<typeof editMappingRequest>['edit'];

/** The input that a mapping is applied to: that of a pipeline, or a file. */
export type MappingInput = z.output<typeof mappingColumnsRequest>['input'];

/** The outline and the open questions of a mapping's text. */
export interface MappingSummary {
  /** The outline; null for a text that is not YAML. */
  readonly outline: MappingOutline | null;
  readonly questions: readonly YamlQuestion[];
}

/** A pipeline that imports with a mapping. */
export interface MappingUse {
  readonly pipeline: string;
  /** The path of its input, from the project folder; null if it has none in the project. */
  readonly input: string | null;
}

/** A custom field of the workspace, as a target of the mapping. */
export interface WorkspaceField {
  readonly name: string;
  /** The data type, as the workspace names it. */
  readonly dataType: string;
  /** The field rule without its column; an unknown data type becomes text. */
  readonly rule: { readonly type: string; readonly allowed?: readonly string[] };
}

/** The custom fields of a workspace. */
export interface WorkspaceFieldList extends Pick<z.output<typeof fieldsResultSchema>, 'workspace'> {
  readonly fields: readonly WorkspaceField[];
}

const withInput = { paths: ['path', 'input.path'] };

export const mappingRoutes = {
  mappingShown: questionRoute<z.output<typeof mappingTextRequest>, MappingSummary>('/api/mapping/shown'),
  /** Returns the text with one change; writes nothing. */
  editMapping: questionRoute<z.output<typeof editMappingRequest>, { readonly text: string }>(
    '/api/mapping/edit',
  ),
  mappingUses: getRoute<z.output<typeof mappingFileRequest>, { readonly uses: readonly MappingUse[] }>(
    '/api/mapping/uses',
    { paths: ['path'] },
  ),
  /** The JSON Schema of mappings, for completion. */
  mappingSchema: getRoute<z.output<typeof emptyRequest>, object>('/api/mapping/schema'),
  /** Streams the file, first as it is, then after each change. */
  watchYaml: streamRoute<z.output<typeof mappingFileRequest>, YamlFile>('/api/yaml/watch', {
    paths: ['path'],
  }),
  mappingColumns: postStreamRoute<z.output<typeof mappingColumnsRequest>, InputEvent>(
    '/api/mapping/columns',
    {
      paths: ['input.path'],
    },
  ),
  mappingCounts: postStreamRoute<z.output<typeof mappingCountsRequest>, InputEvent>(
    '/api/mapping/counts',
    withInput,
  ),
  mappingRow: postStreamRoute<z.output<typeof mappingRowRequest>, InputEvent>('/api/mapping/row', withInput),
  mappingValues: postStreamRoute<z.output<typeof mappingValuesRequest>, InputEvent>(
    '/api/mapping/values',
    withInput,
  ),
  /** The result of `fields`; null while it runs, and if it could not start. */
  workspaceFields: getRoute<z.output<typeof processRequest>, { readonly found: WorkspaceFieldList | null }>(
    '/api/processes/:id/fields',
  ),
  mappingReason: postStreamRoute<z.output<typeof mappingReasonRequest>, InputEvent>(
    '/api/mapping/reason',
    withInput,
  ),
};
