import { z } from 'zod';
import type { Contact } from '../../model/contact.ts';
import { contactSchema, type Workspace } from '../../workspace/index.ts';

const listBody = z.object({ filter: z.unknown() });
const page = z.object({ items: z.array(contactSchema), next: z.string().nullable() });

/** What is noted of the contacts that are read. */
export interface ContactNotes {
  contact(contact: Contact): void;
  /** The contact list was read to its end. */
  listEnded(): void;
}

/** The workspace, of which every contact that is read is noted. Nothing else can be asked of it: a write throws. */
export function recordedReads(workspace: Workspace, notes: ContactNotes): Workspace {
  return workspace.through((live) => async (endpoint, request, options) => {
    if (endpoint.method !== 'GET' && endpoint.readOnly !== true)
      throw new Error(`${endpoint.operation} writes, and this workspace is only read`);
    const answer = await live(endpoint, request, options);
    if (answer.kind === 'ok') note(endpoint.operation, request.body, answer.value, notes);
    return answer;
  });
}

function note(operation: string, asked: unknown, value: unknown, notes: ContactNotes): void {
  if (operation === 'contacts.read') notes.contact(contactSchema.parse(value));
  if (operation !== 'contacts.list') return;
  const { items, next } = page.parse(value);
  for (const contact of items) notes.contact(contact);
  const { filter } = listBody.parse(asked ?? {});
  if (next === null && filter === undefined) notes.listEnded();
}
