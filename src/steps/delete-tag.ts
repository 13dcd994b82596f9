import { z } from 'zod';
import { type EnsureTagEffect, lookOf, tagNamed } from './ensure-tag.ts';
import type { WorkspacePort } from './port.ts';
import type { Settled, Step } from './step.ts';

const effectSchema = z.object({ name: z.string() });

/** A tag to delete; it takes the tag from every contact that carries it. */
export interface DeleteTagEffect {
  readonly name: string;
}

/** DELETE /space/tag: a tag that is not there any more is deleted. */
export const deleteTag: Step<DeleteTagEffect> = {
  name: 'deleteTag',
  label: 'workspace tags deleted',
  eventuallyVisible: false,
  parse: (intent) => effectSchema.parse(intent),
  before: () => null,
  creates: () => [],
  mayArriveLate: () => [],
  async send(workspace, { name }) {
    const answer = await workspace.tags.remove(name, { idempotent: false });
    return answer.kind === 'ok' || answer.kind === 'absent'
      ? { kind: 'ok', value: { contactId: null } }
      : answer;
  },
  async settle(workspace, { name }): Promise<Settled> {
    const answer = await tagNamed(workspace, name);
    if (answer.kind === 'absent') return { kind: 'done', contact: null };
    return answer.kind === 'ok' ? { kind: 'absent' } : { kind: 'unknown', message: answer.message };
  },
};

/** How the workspace has the tag, as it would be created again; undefined where it has none, or does not say. */
export async function tagToCreateAgain(
  workspace: WorkspacePort,
  name: string,
): Promise<EnsureTagEffect | undefined> {
  const answer = await tagNamed(workspace, name);
  return answer.kind === 'ok' ? { name, ...lookOf(answer.value) } : undefined;
}
