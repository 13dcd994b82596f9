/** Names that differ also where capitals do not count, as databases want their columns: the second `Plan` becomes `Plan_2`. */
export function uniqueNames(names: readonly string[], taken: readonly string[] = []): readonly string[] {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return names.map((name) => {
    let unique = name;
    for (let number = 2; used.has(unique.toLowerCase()); number += 1) unique = `${name}_${number}`;
    used.add(unique.toLowerCase());
    return unique;
  });
}
