const longestName = 60;
const longestSlug = 40;

/** Gives custom fields names and slugs of their own, made of the columns they come from. */
export class FieldNames {
  readonly #names = new Set<string>();
  readonly #slugs = new Set<string>();

  /** A name that no other field has, without regard to case. */
  name(column: string): string {
    const plain = column
      .replace(/__c$/i, '')
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim()
      .slice(0, longestName)
      .trim();
    const base = plain === '' || plain === '__proto__' || /^TODO(?:$|[:\s])/.test(plain) ? 'Field' : plain;
    return unused(base, this.#names, ' ');
  }

  slug(name: string): string {
    const plain = name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, longestSlug);
    return unused(plain === '' ? 'field' : plain, this.#slugs, '_');
  }
}

function unused(base: string, taken: Set<string>, sign: string): string {
  let own = base;
  for (let number = 2; taken.has(own.toLowerCase()); number += 1) own = `${base}${sign}${number}`;
  taken.add(own.toLowerCase());
  return own;
}
