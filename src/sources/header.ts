import { listed, shortened } from '../model/listed.ts';
import { refused } from './input-file.ts';
import { RowLayout } from './rows.ts';

/**
 * The header that a record's cells make: without the blanks and NULs around names. Throws a FatalError('input') for two
 * columns of one name unless they are to be numbered; nameless columns are numbered always, for nobody can mean one.
 */
export function headerOf(
  cells: readonly string[],
  duplicates: 'error' | 'number',
  file: string,
  line: number,
): RowLayout {
  const seen = new Map<string, number[]>();
  const taken = new Set<string>();
  const names = cells.map((cell, index) => {
    const name = cell.replaceAll('\0', '').trim();
    const places = seen.get(name) ?? [];
    places.push(index + 1);
    seen.set(name, places);
    let own = name;
    for (let number = places.length; taken.has(own); number += 1) own = `${name}.${number}`;
    taken.add(own);
    return own;
  });
  const doubled = [...seen].filter(([name, places]) => name !== '' && places.length > 1);
  if (duplicates === 'number' || doubled.length === 0) return new RowLayout(names);
  const list = listed(
    doubled.map(([name, places]) => `"${shortened(name, 60)}" (columns ${listed(places.map(String), 4)})`),
  );
  throw refused(
    file,
    `has columns with the same name: ${list}`,
    'Rename them, or set "duplicateHeaders: number" to call the second "Name.2".',
    line,
  );
}
