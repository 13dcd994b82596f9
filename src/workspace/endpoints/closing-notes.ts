import { z } from 'zod';
import type { Answer } from '../../model/answer.ts';
import { type Page, type PageQuery, pageOf, pageQuery } from './answers.ts';
import type { Call, CallOptions, Endpoint } from './endpoint.ts';

/** A closing note (specification: Closing note); unknown properties are kept. */
export interface ClosingNote {
  readonly category: string;
  readonly description?: string | null | undefined;
}

const pageSize = 100;

const list: Endpoint<Page<ClosingNote>> = {
  operation: 'closingNotes.list',
  method: 'GET',
  template: '/space/closing_notes',
  idempotent: true,
  response: pageOf(z.looseObject({ category: z.string(), description: z.string().nullish() })),
};

export const closingNoteEndpoints = [list] as const;

/** The operations on closing notes (specification: Endpoints, Workspace). */
export interface ClosingNoteCalls {
  list(page: PageQuery, options?: CallOptions): Promise<Answer<Page<ClosingNote>>>;
}

export function closingNoteCalls(call: Call): ClosingNoteCalls {
  return {
    list: (page, options) => call(list, { path: list.template, query: pageQuery(page, pageSize) }, options),
  };
}
