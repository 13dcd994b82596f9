import { type ZodType, z } from 'zod';
import type { Answer } from '../../model/answer.ts';
import type { User } from '../../model/user.ts';
import { type Page, type PageQuery, pageOf, pageQuery } from './answers.ts';
import type { Call, CallOptions, Endpoint } from './endpoint.ts';

const name = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

const userSchema: ZodType<User> = z.looseObject({
  id: z.int(),
  firstName: name,
  lastName: name,
  email: z.string(),
  role: z.string().nullish(),
  team: z.looseObject({ id: z.int(), name }).nullish(),
  restrictions: z.array(z.string()).nullish(),
});

const pageSize = 100;

const list: Endpoint<Page<User>> = {
  operation: 'users.list',
  method: 'GET',
  template: '/space/user',
  idempotent: true,
  response: pageOf(userSchema),
};

const read: Endpoint<User> = {
  operation: 'users.read',
  method: 'GET',
  template: '/space/user/{id}',
  idempotent: true,
  response: userSchema,
};

/** Asks the workspace for the least it can say, to learn whether it answers this token at all. */
export const probeEndpoint: Endpoint<unknown> = { ...list, response: z.unknown() };

export const userEndpoints = [list, read] as const;

/** The operations on users (specification: Endpoints, Workspace). */
export interface UserCalls {
  list(page: PageQuery, options?: CallOptions): Promise<Answer<Page<User>>>;
  read(id: number, options?: CallOptions): Promise<Answer<User>>;
}

export function userCalls(call: Call): UserCalls {
  return {
    list: (page, options) => call(list, { path: list.template, query: pageQuery(page, pageSize) }, options),
    read: (id, options) => call(read, { path: `/space/user/${id}` }, options),
  };
}
