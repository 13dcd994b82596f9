import { z } from 'zod';
import type { Answer } from '../../model/answer.ts';
import { type Page, type PageQuery, pageOf, pageQuery } from './answers.ts';
import type { Call, CallOptions, Endpoint } from './endpoint.ts';

/** Components are kept as they are: the specification shows five variants, and nothing of ours looks into them. */
const templateSchema = z.looseObject({
  id: z.int().nullish(),
  name: z.string(),
  components: z
    .array(z.looseObject({}))
    .nullish()
    .transform((components) => components ?? []),
  channelId: z.int().nullish(),
  languageCode: z.string().nullish(),
  category: z.string().nullish(),
  status: z.string().nullish(),
});

/** A message template of a channel (specification: Message template); unknown properties are kept. */
export type Template = z.output<typeof templateSchema>;

const pageSize = 100;

const list: Endpoint<Page<Template>> = {
  operation: 'templates.list',
  method: 'GET',
  template: '/space/channel/{id}/template',
  idempotent: true,
  response: pageOf(templateSchema),
};

export const templateEndpoints = [list] as const;

/** The operations on message templates (specification: Endpoints, Workspace). */
export interface TemplateCalls {
  list(channelId: number, page: PageQuery, options?: CallOptions): Promise<Answer<Page<Template>>>;
}

export function templateCalls(call: Call): TemplateCalls {
  return {
    list: (channelId, page, options) =>
      call(list, { path: `/space/channel/${channelId}/template`, query: pageQuery(page, pageSize) }, options),
  };
}
