import { collapseWhiteSpace } from './whitespace.ts';

type NamePart = 'given' | 'family';

const titles = new Set(
  `dr prof dipl ing med phil rer nat jur hc mag mr mrs ms miss mx sir dame lady rev hon
  herr herrn frau hr fr fräulein m mme mlle monsieur madame mademoiselle
  sr sra srta señor señora señorita don doña d dña dra sig sigra sigrna signor signora dott dottssa ing arch avv
  senhor senhora exmo exma eng dhr mevr mevrouw meneer drs ir pan pani bay bayan`.split(/\s+/),
);
const suffixes = new Set(
  `jr sr ii iii iv phd md esq mba msc bsc ma ba cpa dds jd llm junior senior
  inc incorporated ltd limited llc llp plc corp corporation gmbh ohg sarl srl slu ltda bv oy oyj aps pty`.split(
    /\s+/,
  ),
);
const particles = new Set(
  `van von der den ter ten de del della delle dei degli di da das do dos du des la le las los lo el al bin ibn binti
  abu zu zum zur vom af av`.split(/\s+/),
);

/**
 * Returns the given or the family name in "Given Family", "FAMILY Given" and "Family, Given", and in names in Chinese,
 * Japanese or Korean script, which have the family name first. Titles stay with the given name, particles (van der, de
 * la) and suffixes (Jr.) with the family name; '' for a missing part. With `familyFirst`, a name without a comma is
 * "Family Given" in any script.
 */
export function extractNamePart(name: string, part: NamePart, isFamilyFirst = false): string {
  return partsOf(collapseWhiteSpace(name), isFamilyFirst)[part];
}

type Parts = Readonly<Record<NamePart, string>>;

function partsOf(name: string, isFamilyFirst: boolean): Parts {
  const [first = '', ...others] = name.split(/\s*[,、，]\s*/);
  const behind = others.filter((other) => isSuffix(other));
  const given = others.filter((other) => other !== '' && !isSuffix(other));
  const parts =
    others.length > behind.length ? commaParts(first, given.join(' ')) : blankParts(first, isFamilyFirst);
  const family = [parts.family, ...behind].filter((part) => part !== '');
  return behind.length === 0 ? parts : { ...parts, family: family.join(', ') };
}

function isSuffix(text: string): boolean {
  return suffixes.has(text.toLowerCase().replace(/\./g, ''));
}

/** Splits "Family, Given": "van der Berg, Jan" or "Berg, Jan van der". */
function commaParts(family: string, given: string): Parts {
  const named = family.split(' ');
  const title = titlesOf(named);
  const words = given.split(' ');
  let end = words.length;
  while (end > 1 && isParticle(words[end - 1])) end -= 1;
  return {
    given: [...named.slice(0, title), ...words.slice(0, end)].filter((word) => word !== '').join(' '),
    family: [...words.slice(end), ...named.slice(title)].join(' '),
  };
}

function blankParts(name: string, isFamilyFirst: boolean): Parts {
  const words = name.split(' ');
  const begin = titlesOf(words);
  const named = words.slice(begin);
  const family = isEastAsian(named.join(' '))
    ? Math.min(1, named.length - 1)
    : familyWords(named, isFamilyFirst);
  if (family > 0) {
    const end = begin + family;
    return {
      given: [...words.slice(0, begin), ...words.slice(end)].join(' '),
      family: words.slice(begin, end).join(' '),
    };
  }
  const from = familyFrom(words, begin);
  return { given: words.slice(0, from).join(' '), family: words.slice(from).join(' ') };
}

/** Returns the number of leading titles; the last word is always a name. */
function titlesOf(words: readonly string[]): number {
  let n = 0;
  while (n < words.length - 1 && titles.has((words[n] ?? '').toLowerCase().replace(/\./g, ''))) n += 1;
  return n;
}

/** Returns true for a name in East Asian script; one in Katakana alone is foreign and begins with the given name. */
function isEastAsian(name: string): boolean {
  return (
    /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Hangul}/u.test(name) && !/\p{Script=Latin}/u.test(name)
  );
}

/**
 * Returns how many leading words are a family name in capitals (DUPONT Marie), or 0. Words that are not all in capitals
 * must follow, and one of the leading words must have at least three letters.
 */
function familyFirst(words: readonly string[]): number {
  const isLoud = (word: string): boolean => /\p{Lu}/u.test(word) && word === word.toUpperCase();
  let n = 0;
  while (n < words.length && isLoud(words[n] ?? '')) n += 1;
  const isName =
    n > 0 && n < words.length && words.slice(0, n).some((word) => /^[\p{Lu}\p{M}'’-]{3,}$/u.test(word));
  return isName && words.slice(n).every((word) => !isLoud(word)) ? n : 0;
}

/**
 * Returns how many leading words are the family name: those in capitals; if the family name is first, also one word with
 * the particles before it (De Luca Paolo), but not the only word.
 */
function familyWords(words: readonly string[], isFamilyFirst: boolean): number {
  const inCapitals = familyFirst(words);
  if (!isFamilyFirst || inCapitals > 0) return inCapitals;
  let n = 0;
  while (n < words.length - 2 && isParticle(words[n]?.toLowerCase())) n += 1;
  return Math.min(n + 1, words.length - 1);
}

/** Returns the index of the family name: at the first particle, else after the given name and initials. */
function familyFrom(words: readonly string[], begin: number): number {
  const particle = words.findIndex((word, n) => n >= begin && n < words.length - 1 && isParticle(word));
  if (particle >= 0) return particle;
  // After a title, a single word is the family name.
  if (begin > 0 && words.length === begin + 1) return begin;
  let from = begin + 1;
  while (from < words.length - 1 && /^\p{Lu}\.?$/u.test(words[from] ?? '')) from += 1;
  return from;
}

function isParticle(word: string | undefined): boolean {
  return word !== undefined && particles.has(word);
}
