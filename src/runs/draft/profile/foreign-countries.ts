import countries from 'i18n-iso-countries';

const languages = 'de fr es pt it nl pl tr id ms zh ja ko ru sv da'.split(' ');
const longestName = 60;

let codes: ReadonlyMap<string, string> | undefined;

/** The ISO 3166-1 alpha-2 code of a country's name in another language than English, which a mapping has to translate. */
export function foreignCountry(cell: string): string | undefined {
  if (cell.length > longestName) return undefined;
  codes ??= table();
  return codes.get(folded(cell));
}

/** Names that two countries share in different languages mean neither. */
function table(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const doubtful = new Set<string>();
  for (const language of languages) {
    for (const [code, names] of Object.entries(countries.getNames(language, { select: 'all' }))) {
      for (const name of names.map(folded)) {
        if ((found.get(name) ?? code) !== code) doubtful.add(name);
        found.set(name, code);
      }
    }
  }
  for (const name of doubtful) found.delete(name);
  return found;
}

function folded(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase();
}
