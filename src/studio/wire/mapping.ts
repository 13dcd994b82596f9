import type * as z from 'zod';
import type { MappingOutline, YamlQuestion } from '../../mapping/index.ts';
import type { PreviewJobEvent } from './jobs.ts';
import type { YamlFile } from './project.ts';
import { defineGetRoute, definePostQueryRoute, definePostStreamRoute, defineStreamRoute } from './route.ts';
import type { fieldsResultSchema } from './schemas/fields-result.ts';
import type {
  editMappingRequestSchema,
  mappingColumnsRequestSchema,
  mappingCountsRequestSchema,
  mappingFileRequestSchema,
  mappingRowRequestSchema,
  mappingRowsRequestSchema,
  mappingSummaryRequestSchema,
  mappingValuesRequestSchema,
  watchYamlRequestSchema,
} from './schemas/mapping.ts';
import type { processRequestSchema } from './schemas/processes.ts';
import type { emptyRequestSchema } from './schemas/project.ts';

export type { CountedValue } from '../../app/draft/profile/value-counts.ts';
export type { SpellingCluster } from '../../app/preview/clusters.ts';
export type { ColumnStatistics, ColumnStatisticsProgress } from '../../app/preview/columns.ts';
export type { ProblemCountWithEffect, RowCountsProgress } from '../../app/preview/counts.ts';
export type { RowsPage } from '../../app/preview/matching-rows.ts';
export type { ValueTableProgress } from '../../app/preview/values.ts';
export type { MappingOutline, TargetOutline, YamlQuestion } from '../../mapping/index.ts';

/** One change of a mapping's text. */
export type MappingEditRequest = z.output<typeof editMappingRequestSchema>['edit'];

/** The input that a mapping is applied to: that of a pipeline, or a file. */
export type MappingInput = z.output<typeof mappingColumnsRequestSchema>['input'];

/** The outline and the open questions of a mapping's text. */
export interface MappingSummary {
  /** The outline; null for a text that is not YAML. */
  readonly outline: MappingOutline | null;
  readonly questions: readonly YamlQuestion[];
  /** The conditions on the rows of a pipeline's input; none for a mapping. */
  readonly conditions: readonly RowCondition[];
}

/** A condition of a pipeline on the cells of a column: rows that do not meet it are not imported. */
export interface RowCondition {
  readonly column: string;
  readonly values: readonly string[];
  /** True if rows with one of the values are left out, false if only they are imported. */
  readonly leavesOut: boolean;
}

/** An import pipeline that uses a mapping. */
export interface MappingUse {
  readonly pipeline: string;
  /** The path of its input, relative to the project folder; null if it has none in the project. */
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

/** The names in a workspace that a mapping can use. */
export interface WorkspaceNames extends Omit<z.output<typeof fieldsResultSchema>, 'fields'> {
  readonly fields: readonly WorkspaceField[];
}

/** A YAML file that a tab has open. */
export interface YamlFileInTab extends YamlFile {
  /** True if another tab has it open, too. */
  readonly isOpenElsewhere: boolean;
}

const withInput = { paths: ['path', 'input.path'] };

export const mappingRoutes = {
  mappingShown: definePostQueryRoute<z.output<typeof mappingSummaryRequestSchema>, MappingSummary>(
    '/api/mapping/shown',
  ),
  /** Returns the text with one change; writes nothing. */
  editMapping: definePostQueryRoute<z.output<typeof editMappingRequestSchema>, { readonly text: string }>(
    '/api/mapping/edit',
  ),
  mappingUses: defineGetRoute<
    z.output<typeof mappingFileRequestSchema>,
    { readonly uses: readonly MappingUse[] }
  >('/api/mapping/uses', { paths: ['path'] }),
  /** The JSON Schema of mappings, for completion. */
  mappingSchema: defineGetRoute<z.output<typeof emptyRequestSchema>, object>('/api/mapping/schema'),
  /** Streams the file at once and after each change; meanwhile the tab counts as having it open. */
  watchYaml: defineStreamRoute<z.output<typeof watchYamlRequestSchema>, YamlFileInTab>('/api/yaml/watch', {
    paths: ['path'],
  }),
  mappingColumns: definePostStreamRoute<z.output<typeof mappingColumnsRequestSchema>, PreviewJobEvent>(
    '/api/mapping/columns',
    {
      paths: ['input.path'],
    },
  ),
  mappingCounts: definePostStreamRoute<z.output<typeof mappingCountsRequestSchema>, PreviewJobEvent>(
    '/api/mapping/counts',
    withInput,
  ),
  mappingRow: definePostStreamRoute<z.output<typeof mappingRowRequestSchema>, PreviewJobEvent>(
    '/api/mapping/row',
    withInput,
  ),
  mappingValues: definePostStreamRoute<z.output<typeof mappingValuesRequestSchema>, PreviewJobEvent>(
    '/api/mapping/values',
    withInput,
  ),
  /** The result of `fields`; null until the command has printed it, and if it ended without one. */
  workspaceNames: defineGetRoute<
    z.output<typeof processRequestSchema>,
    { readonly found: WorkspaceNames | null }
  >('/api/processes/:id/fields'),
  mappingRows: definePostStreamRoute<z.output<typeof mappingRowsRequestSchema>, PreviewJobEvent>(
    '/api/mapping/rows',
    withInput,
  ),
};
