import { compileMapping, type LoadedMapping, parseMapping } from '../../src/mapping/index.ts';
import type { Draft, MappingResult } from '../../src/model/draft.ts';
import type { Cell } from '../../src/model/row.ts';
import type { User } from '../../src/model/user.ts';
import { rowOf } from './rows.ts';

/** A mapping of contacts with an e-mail, and what is given below. */
export function mappingWith(below: string): LoadedMapping {
  return parseMapping(`mapping: a\ncontact: { email: { from: E } }\n${below}\n`, 'm.yaml');
}

/** What a row with a valid e-mail and the given cells becomes. */
export function mapped(
  below: string,
  cells: Readonly<Record<string, Cell>>,
  context: Parameters<typeof compileMapping>[1] = {},
): MappingResult {
  return compileMapping(mappingWith(below), context)(rowOf({ E: 'a@b.co', ...cells }));
}

/** The draft of such a row; throws where it is rejected. */
export function draftOf(...given: Parameters<typeof mapped>): Draft {
  const result = mapped(...given);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.draft;
}

/** The problems of such a row, as code and column. */
export function problemsOf(
  ...given: Parameters<typeof mapped>
): readonly (readonly [string, string | null])[] {
  const result = mapped(...given);
  return result.ok ? [] : result.problems.map(({ code, column }) => [code, column]);
}

/** A user of a workspace. */
export function user(id: number, firstName: string, lastName: string, email: string): User {
  return { id, firstName, lastName, email };
}
