import type { LoadedDocument, Mistake } from '../../mapping/index.ts';
import type { ImportSettings, PipelineFile } from './schema.ts';

/** What a pipeline asks for by name and this version does not do, each with its place. */
export function notYet(document: LoadedDocument<PipelineFile>): readonly Mistake[] {
  const { import: asked, export: exported } = document.value;
  return [
    ...(exported ? [document.mistake(['export'], 'Longshore does not export yet')] : []),
    ...(asked ? importWishes(asked) : []).map(({ path, reason }) => {
      return document.mistake(['import', ...path], reason);
    }),
  ];
}

interface Wish {
  readonly path: readonly string[];
  readonly reason: string;
}

/** The choices of a policy that are not there yet: which is, and what it is about. */
const onlyDefaults = [
  { key: 'onConflict', only: 'review', about: 'treat conflicts with' },
  { key: 'duplicates', only: 'merge', about: 'treat duplicates with' },
  { key: 'uncertain', only: 'hold', about: 'treat uncertain comments with' },
  { key: 'lookup', only: 'auto', about: 'look up with' },
] as const;

function importWishes({ policy, phases, notify, extensions }: ImportSettings): readonly Wish[] {
  const wishes: Wish[] = [];
  for (const { key, only, about } of onlyDefaults) {
    const chosen = policy[key];
    if (chosen === only) continue;
    const reason = `Longshore does not ${about} "${chosen}" yet; only "${only}", the default, is there`;
    wishes.push({ path: ['policy', key], reason });
  }
  if (phases.hold.length > 0) {
    wishes.push({ path: ['phases', 'hold'], reason: 'Longshore does not hold steps back yet' });
  }
  if (notify) wishes.push({ path: ['notify'], reason: 'Longshore does not notify yet' });
  if (extensions) wishes.push({ path: ['extensions'], reason: 'Longshore does not call extensions yet' });
  return wishes;
}
