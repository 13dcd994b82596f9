import { z } from 'zod';
import type { WorkspaceAnswer } from '../model/answer.ts';
import type { Tag } from '../model/tag.ts';
import type { EndpointCallOptions } from '../workspace/index.ts';
import type { WorkspacePort } from './port.ts';
import type { EffectResult, SettleResult, Step } from './step.ts';

const effectSchema = z.object({
  name: z.string(),
  description: z.string().exactOptional(),
  colorCode: z.string().exactOptional(),
  emoji: z.string().exactOptional(),
  overwrite: z.boolean().exactOptional(),
});

export interface EnsureTagEffect {
  readonly name: string;
  readonly description?: string;
  readonly colorCode?: string;
  readonly emoji?: string;
  /** True where an existing tag gets this definition, too. */
  readonly overwrite?: boolean;
}

type Look = Omit<EnsureTagEffect, 'name' | 'overwrite'>;

/**
 * The step that creates a tag if the workspace has none of that name. The interface lists no tags, so a PUT first tests
 * whether the tag exists; with `overwrite` it also sets the definition. `created` in the result is true if the tag was
 * created.
 */
export const tagEnsureStep: Step<EnsureTagEffect> = {
  name: 'ensureTag',
  label: 'workspace tags ensured',
  eventuallyVisible: true,
  parse: (intent) => effectSchema.parse(intent),
  before: () => null,
  creates: () => [],
  mayArriveLate: () => [],
  async send(workspace, effect, options) {
    const { name, overwrite, ...look } = effect;
    const there = await workspace.tags.update({ currentName: name, ...(overwrite ? look : {}) }, options);
    if (there.kind !== 'absent') return ensured(there, false);
    const created = await workspace.tags.create({ name, ...look }, options);
    // The specification names no status for a name that is taken: any refusal may mean that the tag was created
    // meanwhile.
    if (created.kind !== 'refused' && created.kind !== 'absent') return ensured(created, true);
    const again = await readTag(workspace, name, options);
    if (again.kind !== 'absent') return ensured(again, false);
    return created.kind === 'refused' ? created : { kind: 'refused', status: 404, message: created.message };
  },
  async settle(workspace, { name, overwrite, ...look }, options): Promise<SettleResult> {
    const answer = await readTag(workspace, name, options);
    if (answer.kind === 'absent') return { kind: 'absent' };
    if (answer.kind !== 'ok') return { kind: 'unknown', message: answer.message };
    return overwrite && !looks(answer.value, look) ? { kind: 'absent' } : { kind: 'done', contact: null };
  },
};

/** Reads a tag: the interface lists none, so an update that changes nothing is sent. */
export function readTag(
  workspace: WorkspacePort,
  name: string,
  options?: EndpointCallOptions,
): Promise<WorkspaceAnswer<Tag>> {
  return workspace.tags.update({ currentName: name }, options);
}

function ensured(answer: WorkspaceAnswer<Tag>, created: boolean): WorkspaceAnswer<EffectResult> {
  return answer.kind === 'ok' ? { kind: 'ok', value: { contactId: null, created } } : answer;
}

/** Returns the description, color and emoji of a tag, without empty ones, in the form that a create sends. */
export function toTagDefinition(tag: Tag): Look {
  const said = (['description', 'colorCode', 'emoji'] as const).flatMap((name) =>
    tag[name] ? [[name, tag[name]] as const] : [],
  );
  return Object.fromEntries(said);
}

function looks(tag: Tag, look: Look): boolean {
  return (['description', 'colorCode', 'emoji'] as const).every(
    (name) => look[name] === undefined || look[name] === (tag[name] ?? ''),
  );
}
