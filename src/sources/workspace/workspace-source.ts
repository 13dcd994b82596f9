import { type SourceFormat, sourceFormat } from '../source-format.ts';
import { workspaceOptions } from './options.ts';
import { workspaceSource } from './source.ts';

const format = sourceFormat({
  name: 'workspace',
  extensions: [],
  words: {
    reads: 'The contacts of another workspace of this interface, by its address and its token.',
    columns:
      '`id`, `firstName`, `lastName`, `email`, `phone`, `language`, `countryCode`, `profilePic`, `lifecycle`, `assignee.id`, `assignee.email`, `assignee.firstName`, `assignee.lastName`, `status`, `isBlocked`, `created`, `tags[]`, `customFields.NAME`, and the list `messages`.',
    line: "The contact's number in the copy.",
  },
  options: workspaceOptions,
  live: true,
  open: workspaceSource,
});

/** What a workspace gives is never packed. */
export const workspace: SourceFormat = {
  ...format,
  options: format.options.omit({ member: true, maxUnpacked: true }),
};
