import { type ZodType, z } from 'zod';
import type { Answer } from '../../model/answer.ts';
import type { CustomField, NewCustomField } from '../../model/custom-field.ts';
import { type Page, type PageQuery, pageOf, pageQuery } from './answers.ts';
import type { Call, CallOptions, Endpoint } from './endpoint.ts';

const customFieldSchema: ZodType<CustomField> = z.looseObject({
  id: z.int(),
  name: z.string(),
  slug: z
    .string()
    .nullish()
    .transform((slug) => slug ?? undefined),
  description: z.string().nullish(),
  dataType: z.string(),
  allowedValues: z.array(z.string()).nullish(),
});

const pageSize = 100;

const list: Endpoint<Page<CustomField>> = {
  operation: 'customFields.list',
  method: 'GET',
  template: '/space/custom_field',
  idempotent: true,
  response: pageOf(customFieldSchema),
};

const create: Endpoint<CustomField> = {
  operation: 'customFields.create',
  method: 'POST',
  template: '/space/custom_field',
  idempotent: false,
  response: customFieldSchema,
};

export const customFieldEndpoints = [list, create] as const;

/** The operations on custom fields (specification: Endpoints, Workspace). */
export interface CustomFieldCalls {
  list(page: PageQuery, options?: CallOptions): Promise<Answer<Page<CustomField>>>;
  create(field: NewCustomField, options?: CallOptions): Promise<Answer<CustomField>>;
}

export function customFieldCalls(call: Call): CustomFieldCalls {
  return {
    list: (page, options) => call(list, { path: list.template, query: pageQuery(page, pageSize) }, options),
    create: (field, options) => call(create, { path: create.template, body: field }, options),
  };
}
