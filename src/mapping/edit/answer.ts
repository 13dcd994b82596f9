import { FatalError } from '../../model/fatal-error.ts';
import { type Mistake, mistakesOf } from '../document/mistake.ts';
import { noAliases, plainYaml } from '../document/yaml-text.ts';
import { parseMapping } from '../load.ts';
import type { Plain } from './plain.ts';

/** An answer as it is typed, as YAML reads it: lists and maps in brackets, true, false and null; the rest is text. */
export function answerOf(answer: Plain): Plain {
  if (typeof answer !== 'string') return answer;
  const text = answer.trim();
  const read = isWritten(text) ? plainYaml(text) : { value: text };
  return 'value' in read && isPlain(read.value) ? read.value : text;
}

/** Whether an answer has an alias, which is refused there as it is in the file. */
export function hasAlias(answer: Plain): boolean {
  if (typeof answer !== 'string' || !isWritten(answer.trim())) return false;
  const read = plainYaml(answer.trim());
  return 'mistake' in read && read.mistake === noAliases;
}

function isWritten(text: string): boolean {
  return /^(?:\[.*\]|\{.*\}|".*"|'.*'|null|true|false)$/s.test(text);
}

function isPlain(value: unknown): value is Plain {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isPlain);
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** The first mistake that a mapping has and did not have before an answer; undefined where there is none. */
export function newMistake(before: string, after: string): Mistake | undefined {
  const known = mistakesIn(before);
  return mistakesIn(after).find(
    ({ key, reason }) => !known.some((each) => each.key === key && each.reason === reason),
  );
}

function mistakesIn(text: string): readonly Mistake[] {
  try {
    parseMapping(text, 'mapping');
    return [];
  } catch (error) {
    if (error instanceof FatalError) return mistakesOf(error);
    throw error;
  }
}
