import type { InputRow } from '../../src/identity/input-index/index.ts';

/** What the index of the input is to find, computed in memory, the plain way. */
export function naiveGroups(
  rows: readonly InputRow[],
  switchboard: number,
): { readonly groups: readonly (readonly number[])[]; readonly weak: ReadonlySet<string> } {
  const peopleOf = new Map<string, Set<string>>();
  for (const { phone, email, person } of rows) {
    if (phone === null) continue;
    const people = peopleOf.get(phone) ?? new Set();
    peopleOf.set(phone, people.add(email === null ? `name ${person}` : `e-mail ${email}`));
  }
  const weak = new Set(
    [...peopleOf].filter(([, people]) => people.size > switchboard).map(([phone]) => phone),
  );

  // Every row begins alone; two that share something become one group, until nothing changes any more.
  const groups = rows.map((row) => ({
    members: [row.seq],
    marks: new Set(
      [
        row.key && `key ${row.key}`,
        row.email && `e-mail ${row.email}`,
        row.phone && !weak.has(row.phone) && `phone ${row.phone}`,
      ].filter((mark) => typeof mark === 'string'),
    ),
  }));
  for (let n = 0; n < groups.length; ) {
    const group = groups[n];
    const other = groups.findIndex(
      ({ marks }, m) => m > n && [...marks].some((mark) => group?.marks.has(mark)),
    );
    const taken = other < 0 ? undefined : groups.splice(other, 1)[0];
    if (group === undefined || taken === undefined) {
      n += 1;
      continue;
    }
    group.members.push(...taken.members);
    for (const mark of taken.marks) group.marks.add(mark);
  }
  return {
    groups: groups
      .map(({ members }) => members.toSorted((a, b) => a - b))
      .filter((members) => members.length > 1)
      .sort(([a = 0], [b = 0]) => a - b),
    weak,
  };
}
