import { z } from 'zod';
import type { Contact } from '../model/contact.ts';
import type { Draft } from '../model/draft.ts';
import { byId, identifierText } from '../model/identifier.ts';
import { extensionEndpoint } from '../workspace/index.ts';
import type { Operation } from './operation.ts';
import { settleByReading } from './settle-by-reading.ts';
import type { StepPlan } from './step-plan.ts';

/** Tags per contact (specification: Limits). */
const most = 10;

/** How a workspace attaches tags, as the user declares it: the specification lists no call that does. */
export interface AttachTagsExtension {
  readonly method: 'POST' | 'PUT';
  /** With the contact's identifier in it: `/contact/{identifier}/tag`. */
  readonly path: string;
  /** What the body is: a bare JSON array of names. */
  readonly body: 'tags';
}

const effectSchema = z.object({ contactId: z.number(), tags: z.array(z.string()) });

export interface AttachTagsEffect {
  readonly contactId: number;
  readonly tags: readonly string[];
}

/** The row's tags that the contact does not have; none where they would be more than a contact may have. */
export function planAttachTags(draft: Draft, contact: Contact): StepPlan<AttachTagsEffect> {
  const has = lowered(contact.tags);
  const missing = (draft.tags ?? []).filter((tag) => !has.has(tag.toLowerCase()));
  if (missing.length === 0) return { kind: 'nothing' };
  const total = contact.tags.length + missing.length;
  if (total > most) {
    const reason = `contact ${contact.id} has ${contact.tags.length} tags and would have ${total} with ${missing.join(', ')}; at most ${most} are allowed, so none was attached`;
    return { kind: 'left', note: { code: 'tags.tooMany', column: null, reason } };
  }
  return { kind: 'effect', effect: { contactId: contact.id, tags: missing } };
}

/** The call that the user declared: attaching a tag that is there is no second effect. */
export function attachTags(extension: AttachTagsExtension): Operation<AttachTagsEffect> {
  const endpoint = extensionEndpoint(extension);
  return {
    name: 'attachTags',
    showsLate: false,
    parse: (intent) => effectSchema.parse(intent),
    creates: () => [],
    overtakes: (effect) => [identifierText(byId(effect.contactId))],
    async send(workspace, { contactId, tags }) {
      const answer = await workspace.extensions.call(endpoint, byId(contactId), tags);
      return answer.kind === 'ok' ? { kind: 'ok', value: { contactId } } : answer;
    },
    settle: (workspace, { contactId, tags }) =>
      settleByReading(workspace, contactId, (contact) => {
        const has = lowered(contact.tags);
        return tags.every((tag) => has.has(tag.toLowerCase()));
      }),
  };
}

/** A workspace may keep a tag in the spelling in which it came first. */
function lowered(tags: readonly string[]): ReadonlySet<string> {
  return new Set(tags.map((tag) => tag.toLowerCase()));
}
