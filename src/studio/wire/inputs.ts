import type * as z from 'zod';
import type { InputEvent } from './jobs.ts';
import { getRoute, postStream } from './route.ts';
import type { draftResult } from './schemas/draft-result.ts';
import type { lookChoice } from './schemas/inputs.ts';
import type { processChoice } from './schemas/processes.ts';

export type { DetectedSetting, FileProblem, InputPreview } from '../../app/preview/look.ts';
export type { ShownRow } from '../../app/preview/shown-row.ts';

/** What `draft --json` has printed. */
export type DraftResult = z.output<typeof draftResult>;

export const inputRoutes = {
  /** What an input is, its first rows and some from all over it: one event. */
  look: postStream<z.output<typeof lookChoice>, InputEvent>('/api/inputs/look', { paths: ['path'] }),
  /** What a draft has written; null while it works, and where it could not. */
  draftResult: getRoute<z.output<typeof processChoice>, { readonly drafted: DraftResult | null }>(
    '/api/processes/:id/draft',
  ),
};
