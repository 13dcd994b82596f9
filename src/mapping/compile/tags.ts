import type { Draft } from '../../model/draft.ts';
import type { Row } from '../../model/row.ts';
import type { TagsRule } from '../schema/tags.ts';
import { compileCandidates } from './candidates.ts';
import type { Findings } from './findings.ts';

/** `tags:`, unique without regard to case; how many there may be is judged when the rows of a person are together. */
export function compileTags(rule: TagsRule): (row: Row, found: Findings) => Pick<Draft, 'tags'> {
  const find = compileCandidates(rule, false);
  return (row, found) => {
    const tags = new Map<string, string>();
    for (const { text, column, trouble } of find(row).candidates) {
      if (trouble) {
        const side = rule.onInvalid === 'drop' ? found.notes : found.problems;
        side.push({ code: `tags.${trouble.problem}`, column, reason: trouble.reason });
      } else if (text !== '') {
        const known = text.toLowerCase();
        if (!tags.has(known)) tags.set(known, text);
      }
    }
    return { tags: [...tags.values()] };
  };
}
