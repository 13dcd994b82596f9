/** What a row or a contact says of who it is, as the plain program compares it. */
export interface NaiveSide {
  readonly key: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly first: string | null;
  readonly family: string | null;
  readonly birthDate?: string | null;
}

/** The line of the table of decisions (docs: One person, by evidence) that two sides meet. */
export type TableLine = keyof typeof table;

/** Every line of the table, and what it decides. */
export const table = {
  'key: in common, missing, or e-mail equal': 'same',
  'key: nothing in common, phone equal': 'ask',
  'key: not comparable': 'ask',
  'key: nothing in common': 'reused',
  'e-mail: in common, or missing': 'same',
  'e-mail: words of their own': 'ask',
  'e-mail: nothing in common, or not comparable': 'ask',
  'weak: a contact without another identifier': 'same',
  'weak: the names match': 'same',
  'weak: no name, and one lacks the other identifier': 'same',
  'weak: no name': 'ask',
  'weak: first names match, families differ': 'ask',
  'weak: in part': 'ask',
  'weak: not comparable': 'ask',
  'weak: first names differ, and so do the others': 'different',
  'weak: first names differ, one lacks the other identifier': 'ask',
  'two dates of birth: else the same': 'ask',
  'two dates of birth and first names': 'different',
  'nothing is equal': 'different',
} as const;

/** What the table says of two sides; written from the table alone, so that it can be held against `judge`. */
export interface NaiveJudgement {
  readonly line: TableLine;
  readonly verdict: (typeof table)[TableLine];
  readonly equal: readonly ('key' | 'email' | 'phone')[];
  /** Whether a key or the e-mail of a person is equal. */
  readonly isStrong: boolean;
}

export function naiveJudge(row: NaiveSide, other: NaiveSide, otherIs: 'row' | 'contact'): NaiveJudgement {
  const equal = (['key', 'email', 'phone'] as const).filter(
    (name) => row[name] !== null && row[name] === other[name],
  );
  const line = datedLine(row, other, lineOf(row, other, otherIs, equal));
  const isStrong = equal.includes('key') || (equal.includes('email') && !isRole(row));
  return { line, verdict: table[line], equal, isStrong };
}

function lineOf(
  row: NaiveSide,
  other: NaiveSide,
  otherIs: 'row' | 'contact',
  equal: NaiveJudgement['equal'],
): TableLine {
  const names = naiveNames(row, other);
  const strongEmail = equal.includes('email') && !isRole(row);
  const weak = equal.includes('phone') || (equal.includes('email') && isRole(row));
  if (equal.includes('key')) return keyLine(names, strongEmail, weak);
  if (strongEmail) return emailLine(row, other, names);
  if (!weak) return 'nothing is equal';
  if (otherIs === 'contact' && (other.email === null || other.phone === null))
    return 'weak: a contact without another identifier';
  return weakLine(row, other, names);
}

/** What two dates of birth make of a line of the table; a key counts for more. */
function datedLine(row: NaiveSide, other: NaiveSide, line: TableLine): TableLine {
  if (line.startsWith('key') || !areBornApart(row, other)) return line;
  const isOtherFirst = ['family', 'differ'].includes(naiveNames(row, other));
  if (table[line] === 'same') return 'two dates of birth: else the same';
  return table[line] === 'ask' && isOtherFirst ? 'two dates of birth and first names' : line;
}

/** Whether both have a date of birth, and not the same one. */
export function areBornApart(one: NaiveSide, other: NaiveSide): boolean {
  const dates = new Set([one.birthDate, other.birthDate].filter(Boolean));
  return dates.size === 2;
}

function keyLine(names: NaiveNames, strongEmail: boolean, weak: boolean): TableLine {
  if (strongEmail || isInCommon(names) || (names === 'not comparable' && weak))
    return 'key: in common, missing, or e-mail equal';
  if (names === 'not comparable') return 'key: not comparable';
  return weak ? 'key: nothing in common, phone equal' : 'key: nothing in common';
}

function emailLine(row: NaiveSide, other: NaiveSide, names: NaiveNames): TableLine {
  if (!isInCommon(names)) return 'e-mail: nothing in common, or not comparable';
  if (names !== 'family' && names !== 'partly') return 'e-mail: in common, or missing';
  const words = [row, other].map((side) => Object.values(wordsOf(side)).flat());
  const isWithin = (few: readonly string[] = [], many: readonly string[] = []) =>
    few.every((word) => many.some((each) => each === word || isShort(each, word)));
  const isApart = !isWithin(words[0], words[1]) && !isWithin(words[1], words[0]);
  return isApart ? 'e-mail: words of their own' : 'e-mail: in common, or missing';
}

/** Whether two names have something in common, or one is missing. */
function isInCommon(names: NaiveNames): boolean {
  return names !== 'differ' && names !== 'not comparable';
}

/** The one address of a role that the generators write. */
function isRole({ email }: NaiveSide): boolean {
  return email?.startsWith('info@') === true;
}

/** Whether two who share nothing fit one person, judged as if they shared what links each of them to a third. */
export function naiveFits(one: NaiveSide, other: NaiveSide, link: 'strong' | 'weak'): boolean {
  if (areBornApart(one, other)) return false;
  const names = naiveNames(one, other);
  if (link === 'strong') return table[emailLine(one, other, names)] === 'same';
  return table[weakLine(one, other, names)] === 'same';
}

function weakLine(row: NaiveSide, other: NaiveSide, names: NaiveNames): TableLine {
  const isAnyLacking = [row.email, row.phone, other.email, other.phone].includes(null);
  const isAllEqual = row.email === other.email && row.phone === other.phone;
  switch (names) {
    case 'match':
      return 'weak: the names match';
    case 'missing':
      return isAnyLacking || isAllEqual
        ? 'weak: no name, and one lacks the other identifier'
        : 'weak: no name';
    case 'first':
      return 'weak: first names match, families differ';
    case 'partly':
      return 'weak: in part';
    case 'not comparable':
      return 'weak: not comparable';
    case 'family':
    case 'differ':
      return isAnyLacking || isAllEqual
        ? 'weak: first names differ, one lacks the other identifier'
        : 'weak: first names differ, and so do the others';
  }
}

export type NaiveNames = 'match' | 'first' | 'family' | 'partly' | 'differ' | 'missing' | 'not comparable';

type Named = Pick<NaiveSide, 'first' | 'family'>;

/** Compares names of Latin or Cyrillic words, with or without a family name, as the generators write them. */
export function naiveNames(one: Named, other: Named): NaiveNames {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const all = [a, b].map(({ first, family }) => [...first, ...family]);
  if (all.some((words) => words.length === 0)) return 'missing';
  if (areApart(all[0] ?? [], all[1] ?? [])) return 'not comparable';
  if (all.map((words) => words.toSorted().join(' ')).every((text, _n, texts) => text === texts[0]))
    return 'match';
  const [first, family] = [shared(a.first, b.first), shared(a.family, b.family)];
  if (first === 'all') return family === 'all' || family === 'missing' ? 'match' : 'first';
  if ([a, b].some((each) => each.first.length === 0 || each.family.length === 0))
    return naiveWhole(all[0] ?? [], all[1] ?? []);
  if (shared(a.first, b.family) === 'all' && shared(a.family, b.first) === 'all') return 'match';
  if (first === 'some') return 'partly';
  const isFamilyShared = family === 'all' || family === 'some';
  if (first === 'apart') return isFamilyShared ? 'partly' : 'not comparable';
  return isFamilyShared ? 'family' : 'differ';
}

/** Where the words of one stand in a single field. */
function naiveWhole(one: readonly string[], other: readonly string[]): NaiveNames {
  const whole = shared(one, other);
  if (whole === 'none') return 'differ';
  return whole === 'all' && one.length > 1 && other.length > 1 ? 'match' : 'partly';
}

/** How many of the words of the shorter side the other one has. */
function shared(
  one: readonly string[],
  other: readonly string[],
): 'all' | 'some' | 'none' | 'missing' | 'apart' {
  if (one.length === 0 || other.length === 0) return 'missing';
  if (areApart(one, other)) return 'apart';
  const [few, many] = one.length <= other.length ? [one, other] : [other, one];
  const left = [...many];
  let found = 0;
  for (const isOne of [(a: string, b: string) => a === b, isShort]) {
    for (const word of few) {
      const at = found < few.length ? left.findIndex((each) => isOne(word, each)) : -1;
      if (at >= 0) {
        left.splice(at, 1);
        found += 1;
      }
    }
  }
  return found === few.length ? 'all' : found === 0 ? 'none' : 'some';
}

/** An initial, or a beginning of three letters. */
function isShort(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other].sort((a, b) => a.length - b.length);
  return (short.length === 1 || short.length > 2) && long.startsWith(short);
}

function wordsOf({ first, family }: Named) {
  const words = (text: string | null) => {
    const plain = (text ?? '').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    return ['n/a', 'unknown'].includes(plain) ? [] : (plain.match(/\p{L}+/gu) ?? []);
  };
  return { first: words(first), family: words(family) };
}

/** Whether no word of the one is in a script of the other. */
function areApart(one: readonly string[], other: readonly string[]): boolean {
  const scripts = new Set(one.map(isCyrillic));
  return !other.some((word) => scripts.has(isCyrillic(word)));
}

function isCyrillic(word: string): boolean {
  return /\p{Script=Cyrillic}/u.test(word);
}
