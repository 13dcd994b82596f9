import type { Contact } from '../model/contact.ts';
import { byId } from '../model/identifier.ts';
import type { Settled } from './operation.ts';
import type { WorkspacePort } from './port.ts';

/** Reads the contact by its id: what stands there as wanted is done, anything else may be sent again. */
export async function settleByReading(
  workspace: WorkspacePort,
  contactId: number,
  stands: (contact: Contact) => boolean,
): Promise<Settled> {
  const answer = await workspace.contacts.read(byId(contactId));
  if (answer.kind === 'absent') return { kind: 'absent' };
  if (answer.kind !== 'ok') return { kind: 'unknown', message: answer.message };
  return stands(answer.value) ? { kind: 'done', contact: answer.value } : { kind: 'absent' };
}
