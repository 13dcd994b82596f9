import type * as z from 'zod';
import type { InputEvent } from './jobs.ts';
import { getRoute, postStream } from './route.ts';
import type { draftResult } from './schemas/draft-result.ts';
import type { lookChoice } from './schemas/inputs.ts';
import type { processChoice } from './schemas/processes.ts';

export type { DetectedSetting, FileProblem, InputPreview } from '../../app/preview/look.ts';
export type { ShownRow } from '../../app/preview/shown-row.ts';

/** The output of `draft --json`. */
export type DraftResult = z.output<typeof draftResult>;

export const inputRoutes = {
  /** Streams one event: the detected settings of an input, its first rows, and sample rows. */
  look: postStream<z.output<typeof lookChoice>, InputEvent>('/api/inputs/look', { paths: ['path'] }),
  /** The result of a draft; null while it runs, and where it failed. */
  draftResult: getRoute<z.output<typeof processChoice>, { readonly drafted: DraftResult | null }>(
    '/api/processes/:id/draft',
  ),
};
