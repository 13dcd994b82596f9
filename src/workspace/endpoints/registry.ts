import { closingNoteEndpoints } from './closing-notes.ts';
import { contactEndpoints } from './contacts.ts';
import { conversationEndpoints } from './conversations.ts';
import { customFieldEndpoints } from './custom-fields.ts';
import type { Endpoint } from './endpoint.ts';
import { messageEndpoints } from './messages.ts';
import { tagEndpoints } from './tags.ts';
import { templateEndpoints } from './templates.ts';
import { userEndpoints } from './users.ts';

/** Every operation of the specification. */
export const endpoints: readonly Endpoint<unknown>[] = [
  ...contactEndpoints,
  ...conversationEndpoints,
  ...messageEndpoints,
  ...customFieldEndpoints,
  ...tagEndpoints,
  ...userEndpoints,
  ...closingNoteEndpoints,
  ...templateEndpoints,
];
