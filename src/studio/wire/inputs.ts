import type * as z from 'zod';
import type { InputEvent } from './jobs.ts';
import { getRoute, postStreamRoute } from './route.ts';
import type { draftResultSchema } from './schemas/draft-result.ts';
import type { inputPreviewRequest } from './schemas/inputs.ts';
import type { processRequest } from './schemas/processes.ts';

export type { DetectedOption, FileProblem, InputPreviewResult } from '../../app/preview/look.ts';
export type { ShownRow } from '../../app/preview/shown-row.ts';

/** The output of `draft --json`, as far as the page shows it. */
export type DraftResult = z.output<typeof draftResultSchema>;

export const inputRoutes = {
  /** Streams one event: the detected settings of an input, its first rows, and sample rows. */
  look: postStreamRoute<z.output<typeof inputPreviewRequest>, InputEvent>('/api/inputs/look', {
    paths: ['path'],
  }),
  /** The result of a draft; null while it runs, and if it failed. */
  draftResult: getRoute<z.output<typeof processRequest>, { readonly drafted: DraftResult | null }>(
    '/api/processes/:id/draft',
  ),
};
