import { type ZodType, z } from 'zod';
import type { Answer } from '../../model/answer.ts';
import type { Tag } from '../../model/tag.ts';
import { type Acknowledgement, acknowledgement } from './answers.ts';
import type { Call, CallOptions, Endpoint } from './endpoint.ts';

/** How a tag looks. */
interface TagLook {
  readonly description?: string;
  readonly colorCode?: string;
  readonly emoji?: string;
}

/** What a create of a tag sends. */
export interface NewTag extends TagLook {
  readonly name: string;
}

/** What a change of a tag sends: the name it has, and what is to change. */
export interface TagChange extends TagLook {
  readonly currentName: string;
  readonly name?: string;
}

const tagSchema: ZodType<Tag> = z.looseObject({
  id: z.int(),
  name: z.string(),
  description: z.string().nullish(),
  emoji: z.string().nullish(),
  colorCode: z.string().nullish(),
});

const create: Endpoint<Tag> = {
  operation: 'tags.create',
  method: 'POST',
  template: '/space/tag',
  idempotent: false,
  response: tagSchema,
};

const update: Endpoint<Tag> = {
  operation: 'tags.update',
  method: 'PUT',
  template: '/space/tag',
  idempotent: true,
  response: tagSchema,
};

const remove: Endpoint<Acknowledgement> = {
  operation: 'tags.remove',
  method: 'DELETE',
  template: '/space/tag',
  idempotent: true,
  response: acknowledgement,
};

export const tagEndpoints = [create, update, remove] as const;

/** The operations on the workspace's tags (specification: Endpoints, Workspace). */
export interface TagCalls {
  create(tag: NewTag, options?: CallOptions): Promise<Answer<Tag>>;
  /** After a lost answer a renaming is sent again, and then answers 'absent': the old name is gone. */
  update(change: TagChange, options?: CallOptions): Promise<Answer<Tag>>;
  /** After a lost answer it is sent again, and then answers 'absent'. */
  remove(name: string, options?: CallOptions): Promise<Answer<Acknowledgement>>;
}

export function tagCalls(call: Call): TagCalls {
  return {
    create: (tag, options) => call(create, { path: create.template, body: tag }, options),
    update: (change, options) => call(update, { path: update.template, body: change }, options),
    remove: (name, options) => call(remove, { path: remove.template, body: { name } }, options),
  };
}
