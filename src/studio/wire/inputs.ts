import type * as z from 'zod';
import type { PreviewJobEvent } from './jobs.ts';
import { defineGetRoute, definePostStreamRoute } from './route.ts';
import type { draftResultSchema } from './schemas/draft-result.ts';
import type {
  inputPreviewRequestSchema,
  newerInputRequestSchema,
  similarImportsRequestSchema,
} from './schemas/inputs.ts';
import type { processRequestSchema } from './schemas/processes.ts';
import type { emptyRequestSchema } from './schemas/project.ts';

export type { EffectiveOption, FileProblem, InputPreviewResult } from '../../app/preview/look.ts';
export type { NewerInput, SimilarImport } from '../../app/preview/newer-input.ts';
export type { PreviewRow } from '../../app/preview/shown-row.ts';
export { hiddenCell } from '../../model/hidden-cell.ts';

/** The part of the output of `draft --json` that the page uses. */
export type DraftResult = z.output<typeof draftResultSchema>;

/** An import of the project that reads a file of it. */
export interface ProjectImport {
  /** The path of the pipeline, relative to the project folder. */
  readonly pipeline: string;
  /** The pipeline's name, by which runs know it; null if the pipeline cannot be loaded. */
  readonly name: string | null;
  /** The path of its input, relative to the project folder. */
  readonly input: string;
  /** When the input was changed last (ISO 8601, UTC); null if it is missing. */
  readonly changedAt: string | null;
}

export const inputRoutes = {
  imports: defineGetRoute<
    z.output<typeof emptyRequestSchema>,
    { readonly imports: readonly ProjectImport[] }
  >('/api/imports'),
  /** Streams one event: the imports whose current input has most of its columns in common with a file. */
  similarImports: definePostStreamRoute<z.output<typeof similarImportsRequestSchema>, PreviewJobEvent>(
    '/api/inputs/similar-imports',
    { paths: ['path'] },
  ),
  /** Streams one event: how a file fits to an import, and the pipeline's text that reads it; writes nothing. */
  newerInput: definePostStreamRoute<z.output<typeof newerInputRequestSchema>, PreviewJobEvent>(
    '/api/inputs/newer',
    { paths: ['path', 'pipeline'] },
  ),
  /** Streams one event: the detected settings of an input, its first rows, and sample rows. */
  look: definePostStreamRoute<z.output<typeof inputPreviewRequestSchema>, PreviewJobEvent>(
    '/api/inputs/look',
    {
      paths: ['path'],
    },
  ),
  /** The result of a draft; null until the command has printed it, and if it ended without one. */
  draftResult: defineGetRoute<
    z.output<typeof processRequestSchema>,
    { readonly drafted: DraftResult | null }
  >('/api/processes/:id/draft'),
};
