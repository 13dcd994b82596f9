import type * as z from 'zod';
import type { InputJobEvent } from './jobs.ts';
import { defineGetRoute, definePostStreamRoute } from './route.ts';
import type { draftResultSchema } from './schemas/draft-result.ts';
import type { inputPreviewRequestSchema } from './schemas/inputs.ts';
import type { processRequestSchema } from './schemas/processes.ts';

export type { EffectiveOption, FileProblem, InputPreviewResult } from '../../app/preview/look.ts';
export type { PreviewRow } from '../../app/preview/shown-row.ts';

/** The output of `draft --json`, as far as the page shows it. */
export type DraftResult = z.output<typeof draftResultSchema>;

export const inputRoutes = {
  /** Streams one event: the detected settings of an input, its first rows, and sample rows. */
  look: definePostStreamRoute<z.output<typeof inputPreviewRequestSchema>, InputJobEvent>('/api/inputs/look', {
    paths: ['path'],
  }),
  /** The result of a draft; null while it runs, and if it failed. */
  draftResult: defineGetRoute<
    z.output<typeof processRequestSchema>,
    { readonly drafted: DraftResult | null }
  >('/api/processes/:id/draft'),
};
