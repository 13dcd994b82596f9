import type * as z from 'zod';
import type { PreviewJobEvent } from './jobs.ts';
import { defineGetRoute, definePostStreamRoute } from './route.ts';
import type { draftResultSchema } from './schemas/draft-result.ts';
import type { inputPreviewRequestSchema } from './schemas/inputs.ts';
import type { processRequestSchema } from './schemas/processes.ts';

export type { EffectiveOption, FileProblem, InputPreviewResult } from '../../app/preview/look.ts';
export type { PreviewRow } from '../../app/preview/shown-row.ts';
export { hiddenCell } from '../../model/hidden-cell.ts';

/** The part of the output of `draft --json` that the page uses. */
export type DraftResult = z.output<typeof draftResultSchema>;

export const inputRoutes = {
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
