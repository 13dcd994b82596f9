import { z } from 'zod';
import { type EnsureTagEffect, readTag, toTagDefinition } from './ensure-tag.ts';
import type { WorkspacePort } from './port.ts';
import type { SettleResult, Step } from './step.ts';

const effectSchema = z.object({ name: z.string() });

/** A tag to delete; deleting it removes it from every contact. */
export interface DeleteTagEffect {
  readonly name: string;
}

/** The step that sends DELETE /space/tag; a tag that no longer exists counts as deleted. */
export const tagDeleteStep: Step<DeleteTagEffect> = {
  name: 'deleteTag',
  label: 'workspace tags deleted',
  eventuallyVisible: false,
  parse: (intent) => effectSchema.parse(intent),
  before: () => null,
  creates: () => [],
  mayArriveLate: () => [],
  async send(workspace, { name }, options) {
    const answer = await workspace.tags.remove(name, { ...options, idempotent: false });
    return answer.kind === 'ok' || answer.kind === 'absent'
      ? { kind: 'ok', value: { contactId: null } }
      : answer;
  },
  async settle(workspace, { name }, options): Promise<SettleResult> {
    const answer = await readTag(workspace, name, options);
    if (answer.kind === 'absent') return { kind: 'done', contact: null };
    return answer.kind === 'ok' ? { kind: 'absent' } : { kind: 'unknown', message: answer.message };
  },
};

/**
 * Returns the effect that would create a tag of the workspace again, with its description, color and emoji; undefined
 * if the tag does not exist or cannot be read.
 */
export async function readTagAsEnsureEffect(
  workspace: WorkspacePort,
  name: string,
): Promise<EnsureTagEffect | undefined> {
  const answer = await readTag(workspace, name);
  return answer.kind === 'ok' ? { name, ...toTagDefinition(answer.value) } : undefined;
}
