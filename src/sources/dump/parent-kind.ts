import type { Where } from '../where.ts';

const kindWords = new Set(['type', 'module', 'kind', 'class', 'model']);
const idWords = new Set(['id', 'guid', 'uuid', 'key', 'ref']);
/** What parents are called where the kind has another name than the id. */
const parents = new Set(['parent', 'related', 'related to', 'entity', 'bean', 'linked']);

/** The conditions on what kind of record a row belongs to, as `parent_type` beside `parent_id`, apart from all others. */
export function partedByKind(
  where: Where,
  key: readonly string[],
): { readonly kind: Where; readonly others: Where } {
  const stems = new Set(key.map((column) => stem(column, idWords) ?? words(column).join(' ')));
  const isKind = (column: string) => {
    const of = stem(column, kindWords);
    return of !== undefined && (stems.has(of) || parents.has(of));
  };
  const of = (wanted: boolean) =>
    Object.fromEntries(Object.entries(where).filter(([column]) => isKind(column) === wanted));
  return { kind: of(true), others: of(false) };
}

/** The words of a column before its last one, where that is one of these. */
function stem(column: string, last: ReadonlySet<string>): string | undefined {
  const all = words(column);
  return all.length > 1 && last.has(all.at(-1) ?? '') ? all.slice(0, -1).join(' ') : undefined;
}

function words(column: string): readonly string[] {
  const spaced = column.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
