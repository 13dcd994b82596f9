import type { RowLinkRules } from '../../src/identity/input-index/index.ts';

/** The rules of an import whose pipeline sets nothing. */
export function linkRules(more: Partial<RowLinkRules> = {}): RowLinkRules {
  return {
    ...{ switchboard: 5, samePerson: 'evidence', unsure: 'review', duplicates: 'merge' },
    answers: () => undefined,
    ...more,
  };
}
