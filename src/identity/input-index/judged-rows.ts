import {
  type IdentityEvidence,
  type IdentityJudgement,
  type IdentityVerdict,
  type JudgedEvidence,
  judgeSamePerson,
  listEvidenceEmails,
  listEvidencePhones,
} from '../evidence.ts';

/** Returns the user's answer about two rows from their answer keys; undefined where there is none. */
export type AnswerLookup = (one: string, other: string) => 'same' | 'different' | undefined;

/**
 * Returns the sort key of a row, made from its content alone: its key (numbers in numeric order), then e-mail, phone,
 * names, further e-mails and phones, and date of birth. An identifier that two people share belongs to the one with the
 * lower sort key.
 */
export function createRowSortKey({
  key,
  email,
  phone,
  further = [],
  first,
  family,
  birthDate,
}: IdentityEvidence): string {
  const said = [email, phone, first, family].map((value) => value ?? '\uffff');
  const born = birthDate ? [birthDate] : [];
  return [rankOfKey(key), ...said, ...further.toSorted(), ...born].join('\u0000');
}

function rankOfKey(key: string | null): string {
  if (key === null) return '2';
  // A key may begin with its sheet: North/7.
  const { part = '', number } = /^(?<part>.*\/)?(?<number>\d+)$/.exec(key)?.groups ?? {};
  if (number === undefined) return `1${key}`;
  const digits = number.replace(/^0+/, '');
  return `${part === '' ? 0 : 1}${part}${String(digits.length).padStart(6, '0')}${digits} ${key}`;
}

/**
 * Returns the two keys under which an answer about two rows is stored: for each row its key, else its e-mail, else its
 * phone. If the two are equal, a hash of the row's content is added to each. It leaves out further identifiers, because a
 * stored question may lack them.
 */
export function createAnswerKeys(one: IdentityEvidence, other: IdentityEvidence): readonly [string, string] {
  const [a, b] = [memoryKeyOf(one), memoryKeyOf(other)];
  const contentHash = (row: IdentityEvidence) => computeFnvHash(createRowSortKey({ ...row, further: [] }));
  return a === b ? [`${a} ${contentHash(one)}`, `${b} ${contentHash(other)}`] : [a, b];
}

function memoryKeyOf({ key, email, phone }: IdentityEvidence): string {
  return key !== null ? `key:${key}` : email !== null ? `email:${email}` : `phone:${phone}`;
}

/** Returns the 32-bit FNV-1a hash of a text, for uses where a collision is harmless. */
export function computeFnvHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * The origin of a link between two rows: an answer, an equal key or personal e-mail (strong), or an equal value that
 * several people may share (weak).
 */
export type LinkStrength = 'answered' | 'strong' | 'weak';

/** The judgement on two rows. */
export interface PairJudgement extends JudgedEvidence {
  readonly verdict: IdentityVerdict;
  readonly strength: LinkStrength;
}

/** Judges two rows by their content and by the answers about them. */
export function judgeRows(
  one: IdentityEvidence,
  other: IdentityEvidence,
  answers: AnswerLookup,
): PairJudgement {
  const { verdict, equal, names, birthDatesDiffer, strong } = judgeSamePerson(one, other, 'row');
  const evidence = { equal, names, birthDatesDiffer };
  const strength = strong ? 'strong' : 'weak';
  if (equal.length === 0) return { verdict, ...evidence, strength };
  const answer = answers(...createAnswerKeys(one, other));
  if (answer === undefined) return { verdict, ...evidence, strength };
  return {
    verdict: answer === 'same' ? 'same' : getVerdictOnDifferentPeople(equal),
    ...evidence,
    strength: 'answered',
  };
}

/**
 * Returns the verdict on two people with these equal values: `reused` if the key is among them, because later runs
 * could not tell the two apart, else `different`.
 */
export function getVerdictOnDifferentPeople(equal: IdentityJudgement['equal']): 'different' | 'reused' {
  return equal.includes('key') ? 'reused' : 'different';
}

/** Returns, for each value, the places of the rows that have it: their indexes in `rows`. */
export function indexRowsByValue(rows: readonly IdentityEvidence[]): ReadonlyMap<string, readonly number[]> {
  const having = new Map<string, number[]>();
  for (const [place, row] of rows.entries()) {
    for (const value of valuesOf(row)) {
      const places = having.get(value);
      if (places === undefined) having.set(value, [place]);
      else places.push(place);
    }
  }
  return having;
}

function valuesOf(row: IdentityEvidence): readonly string[] {
  const { key } = row;
  return [
    ...(key === null ? [] : [`key:${key}`]),
    ...listEvidenceEmails(row).map((email) => `email:${email}`),
    ...listEvidencePhones(row).map((phone) => `phone:${phone}`),
  ];
}

/** Returns the number of pairs that share a value; a pair that shares two counts twice. */
export function countPairs(having: ReadonlyMap<string, readonly number[]>): number {
  let count = 0;
  for (const { length } of having.values()) count += (length * (length - 1)) / 2;
  return count;
}
