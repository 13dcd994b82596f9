/** The name of a person in a row or a contact; null for a part that is missing. */
export interface PersonName {
  readonly first: string | null;
  readonly family: string | null;
}

/**
 * The results of comparing two names. `match`: the first names match, and the family names match or one is missing.
 * `first` and `family`: only that part matches. `partly`: the names have something in common, but not enough to say
 * more, for example because one name is not split. `differ`: no part matches. `incomparable`: the names are in
 * different scripts, or have no part that both fill. `missing`: one side has no name.
 */
export const nameMatchKinds = [
  'match',
  'first',
  'family',
  'partly',
  'differ',
  'incomparable',
  'missing',
] as const;

export type NameMatch = (typeof nameMatchKinds)[number];

/**
 * Compares two names without regard to case, accents, order and titles; an initial matches a word, and so does a prefix
 * of at least three letters.
 */
export function compareNames(one: PersonName, other: PersonName): NameMatch {
  const [a, b] = [partsOf(one), partsOf(other)];
  if (isNone(a) || isNone(b)) return 'missing';
  if (!shareScript([...a.first, ...a.family], [...b.first, ...b.family])) return 'incomparable';
  if (joined(a).some((text) => joined(b).includes(text))) return 'match';
  const straight = compareParts(a, b);
  if (straight === 'match' || straight === 'first') return straight;
  if (isUnsplit(a) || isUnsplit(b)) return compareWhole(a, b);
  const turned = compareParts(a, { first: b.family, family: b.first });
  return turned === 'match' ? 'match' : straight;
}

/** Returns true for the results of names that have a part in common. */
export function hasNameInCommon(match: NameMatch): boolean {
  return match === 'match' || match === 'first' || match === 'family' || match === 'partly';
}

/** Returns true if a name has a word that the other one lacks, or has in another script only. */
export function hasWordsOfItsOwn(name: PersonName, other: PersonName): boolean {
  const words = wordsOf(other);
  return wordsOf(name).some((word) => !words.some((each) => sameToken(word, each)));
}

function wordsOf(name: PersonName): readonly Token[] {
  const { first, family } = partsOf(name);
  return [...first, ...family];
}

/** Returns true if a first or family name has only initials of the other one: `A.` of `Anna`, `J.-P.` of `Jean-Pierre`. */
export function hasOnlyInitialsOf(name: string, other: string): boolean {
  const [initials, words] = [tokensOf(name), tokensOf(other)];
  return (
    initials.every(isInitial) &&
    !words.every(isInitial) &&
    initials.length <= words.length &&
    compareTokens(initials, words) === 'match'
  );
}

/** A single character of a script without capitals is a word. */
function isInitial({ text }: Token): boolean {
  return text.length === 1 && text.toUpperCase() !== text;
}

/** Returns a key that is equal only for names with the same normalised spelling; '' where there is no name. */
export function createNameKey(name: PersonName): string {
  const { first, family } = partsOf(name);
  return isNone({ first, family }) ? '' : `${spelled(first, ' ')}|${spelled(family, ' ')}`;
}

/** Returns true if a text is a name and not only a title, a placeholder or an e-mail. */
export function isPersonName(text: string): boolean {
  return tokensOf(text).length > 0;
}

interface Parts {
  readonly first: readonly Token[];
  readonly family: readonly Token[];
}

/** A word of a name, without case and accents. */
interface Token {
  readonly text: string;
  /** The word with ae, oe and ue shortened to their first vowel, because Müller is also written Mueller. */
  readonly folded: string;
}

/** Parsed names, cached because one name is compared with many. */
const known = new WeakMap<PersonName, Parts>();

function partsOf(name: PersonName): Parts {
  const parts = known.get(name) ?? { first: tokensOf(name.first), family: tokensOf(name.family) };
  known.set(name, parts);
  return parts;
}

function isNone({ first, family }: Parts): boolean {
  return first.length === 0 && family.length === 0;
}

/** Returns true if the whole name is in one field, so that first and family name cannot be told apart. */
function isUnsplit({ first, family }: Parts): boolean {
  return first.length === 0 || family.length === 0;
}

function compareParts(a: Parts, b: Parts): NameMatch {
  const first = compareTokens(a.first, b.first);
  const family = compareTokens(a.family, b.family);
  const isFamilyCommon = family === 'match' || family === 'partly';
  switch (first) {
    case 'match':
      return family === 'match' || family === 'missing' ? 'match' : 'first';
    case 'partly':
      return 'partly';
    case 'missing':
    case 'incomparable':
      return isFamilyCommon ? 'partly' : 'incomparable';
    case 'differ':
      return isFamilyCommon ? 'family' : 'differ';
  }
}

/**
 * Compares two names of which at least one is in a single field: they match if every word of the shorter one is in the
 * other, but a single word matches only `partly`.
 */
function compareWhole(a: Parts, b: Parts): NameMatch {
  const [all, others] = [
    [...a.first, ...a.family],
    [...b.first, ...b.family],
  ];
  const compared = compareTokens(all, others);
  if (compared === 'match') return Math.min(all.length, others.length) > 1 ? 'match' : 'partly';
  return compared === 'missing' ? 'incomparable' : compared;
}

function compareTokens(
  a: readonly Token[],
  b: readonly Token[],
): 'match' | 'partly' | 'differ' | 'missing' | 'incomparable' {
  if (a.length === 0 || b.length === 0) return 'missing';
  if (!shareScript(a, b)) return 'incomparable';
  const [few, many] = comesFirst(a, b) ? [a, b] : [b, a];
  const left = [...many];
  const takes = (same: (each: Token) => boolean) => {
    const at = left.findIndex(same);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  // Words with the same spelling are matched first, because an initial could otherwise be matched with one of them.
  const others = few.filter((token) => !takes(({ folded }) => folded === token.folded));
  const missed = others.filter((token) => !takes((each) => sameToken(token, each)));
  if (missed.length === 0) return 'match';
  return missed.length === few.length ? 'differ' : 'partly';
}

/**
 * Returns true if the first list is shorter; ties are broken by spelling, so that the order of the arguments does not
 * matter.
 */
function comesFirst(a: readonly Token[], b: readonly Token[]): boolean {
  return a.length === b.length ? spelled(a, ' ') <= spelled(b, ' ') : a.length < b.length;
}

const shortestPrefix = 3;

/** Returns true if one word is an initial or a prefix of the other, as written or as folded: Joe matches Joel. */
function sameToken(a: Token, b: Token): boolean {
  return isPrefix(a.text, b.text) || isPrefix(a.folded, b.folded);
}

function isPrefix(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return (short.length === 1 || short.length >= shortestPrefix) && long.startsWith(short);
}

/** Titles and forms of address do not identify a person. */
const titles = new Set(
  `dr prof mr mrs ms miss mx sir madam herr frau hr fr dipl ing mag dott ssa sig sigra sr sra srta don dona mme mlle monsieur
   madame dhr mevr pan pani jr phd md mba esq ii iii iv`.split(/\s+/),
);

/** Words that people and programs write in place of a missing name. */
const placeholders = new Set(
  `unknown none null nil na anonymous noname unbekannt inconnu desconocido desconhecido sconosciuto onbekend nieznany tbd
   undefined`.split(/\s+/),
);

/** Letters that normalization does not decompose, with their plain spelling. */
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

function tokensOf(name: string | null): readonly Token[] {
  if (name === null || name.includes('@')) return [];
  const folded = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßøłđðþæœı]/g, (letter) => plain[letter] ?? letter)
    .replace(/['’`´]/g, '')
    .replace(/[ァ-ヶ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - katakanaAfterHiragana));
  const words = folded.split(/[^\p{L}\p{N}]+/u).filter((word) => /\p{L}/u.test(word));
  if (placeholders.has(words.join(''))) return [];
  const named = words.filter((word) => !titles.has(word));
  return named.map((text) => ({ text, folded: text.replace(/([aou])e/g, '$1') }));
}

const katakanaAfterHiragana = 0x60;

function spelled(tokens: readonly Token[], between: string): string {
  return tokens.map(({ folded }) => folded).join(between);
}

/** Returns the name as one word, in both orders: scripts without spaces may have it in one field. */
function joined({ first, family }: Parts): readonly string[] {
  const [one, other] = [spelled(first, ''), spelled(family, '')];
  return [`${one}${other}`, `${other}${one}`];
}

const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Han}/u,
  /\p{Script=Hiragana}|\p{Script=Katakana}/u,
  /\p{Script=Hangul}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Devanagari}/u,
];

function shareScript(a: readonly Token[], b: readonly Token[]): boolean {
  const [one, other] = [scriptsOf(a), scriptsOf(b)];
  return one.length === 0 || other.length === 0 || one.some((script) => other.includes(script));
}

function scriptsOf(tokens: readonly Token[]): readonly RegExp[] {
  const text = spelled(tokens, '');
  return scripts.filter((script) => script.test(text));
}
