import { isKnownTag, type JournalFile, rememberTag } from '../../journal/index.ts';
import type { Mapping } from '../../mapping/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { type EnsureTagEffect, ensureTag } from '../../steps/ensure-tag.ts';
import type { Listener } from '../events.ts';
import { performStep, runSeq, type StepContext } from './step.ts';

/**
 * Sees to it that the workspace has every tag that the input names, each once, before the rows; what is ensured is
 * remembered, and asked about again only where definitions are to be written over existing tags (design: Tags).
 */
export async function ensureTags(
  context: StepContext & { readonly listen: Listener },
  file: JournalFile,
  names: Iterable<string>,
  rule: NonNullable<Mapping['tags']>,
): Promise<void> {
  const { workspace } = context.journal.run;
  const definitions = new Map(
    Object.entries(rule.define ?? {}).map(([name, definition]) => [name.toLowerCase(), definition]),
  );
  let asked = 0;
  for (const name of names) {
    const definition = definitions.get(name.toLowerCase());
    const overwrites = rule.overwrite === true && definition !== undefined;
    if (!overwrites && isKnownTag(file, workspace, name.toLowerCase())) continue;
    const effect: EnsureTagEffect = { name, ...definition, ...(overwrites && { overwrite: true }) };
    const end = await performStep(context, {
      seq: runSeq,
      item: name.toLowerCase(),
      step: ensureTag,
      effect,
      before: null,
      withoutSlot: (wait) => wait(),
    });
    if (end.kind !== 'done') throw notEnsured(name, 'message' in end ? end.message : end.kind);
    rememberTag(file, workspace, name.toLowerCase());
    asked += 1;
    if (asked === 100)
      context.listen({ kind: 'note', text: 'Seeing to the tags of the input, five a second …' });
  }
}

function notEnsured(name: string, message: string): FatalError {
  return new FatalError(
    'usage',
    `the tag "${name}" is not in the workspace and could not be created: ${message}. No row was sent.`,
    {
      next: 'Create it in the workspace, or translate it under tags.values in the mapping (null leaves it out); then import again.',
    },
  );
}
