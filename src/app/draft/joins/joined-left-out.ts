import type { ListFacts } from '../../../model/row.ts';
import type { LeftOut } from '../mapping/custom-field-entries.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import type { Join, JoinPlan } from './join-plan.ts';

/** The columns of joined tables that the mapping does not read, and why. */
export function joinedLeftOut(
  columns: readonly ColumnProfile[],
  lists: readonly ListFacts[],
  plan: JoinPlan,
): readonly LeftOut[] {
  const single = columns.flatMap(({ name, filled }) => {
    const joined = Object.keys(plan.joins).find((join) => name.startsWith(`${join}.`));
    if (joined === undefined || plan.roles.has(name)) return [];
    const own = name.slice(joined.length + 1);
    return [{ column: name, why: filled === 0 ? 'empty' : whyOf(own, plan.joins[joined]) }];
  });
  const listed = lists.flatMap(({ name: list, columns: own }) =>
    (own ?? []).flatMap((column) => {
      const isRead = column === '' || readOf(list, plan).has(column);
      return isRead ? [] : [{ column: `${list}.${column}`, why: whyOf(column, plan.joins[list]) }];
    }),
  );
  return [...single, ...listed];
}

function whyOf(column: string, join: Join | undefined): string {
  const connects = [...Object.values(join?.on ?? {}), ...Object.values(join?.via?.to ?? {})];
  if (connects.includes(column)) return 'connects the tables';
  const decides = { ...join?.where, ...join?.pick };
  return Object.hasOwn(decides, column)
    ? 'decides which rows of its table are joined'
    : 'in a joined table, and read for nothing';
}

/** The columns of a list that tags, custom fields or comments are made of. */
function readOf(list: string, { tags, further, comments }: JoinPlan): ReadonlySet<string> {
  const whole = [...tags, ...further.map(({ from }) => from)];
  const named = whole.flatMap((column) =>
    column.startsWith(`${list}.`) ? [column.slice(list.length + 1)] : [],
  );
  const written = comments
    .filter(({ each }) => each === list)
    .flatMap(({ key, order, text }) => [
      key,
      ...(order === undefined ? [] : [order]),
      ...[...text.matchAll(/\{([^{}]+)\}/g)].map(([, column = '']) => column),
    ]);
  return new Set([...named, ...written]);
}
