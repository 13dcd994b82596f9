import { parse } from 'yaml';
import { FatalError } from '../../model/fatal-error.ts';
import { type Mistake, mistakesOf } from '../document/mistake.ts';
import { parseMapping } from '../load.ts';
import type { Plain } from './plain.ts';

/** An answer as it is typed, as YAML reads it: lists and maps in brackets, true, false and null; the rest is text. */
export function answerOf(answer: Plain): Plain {
  if (typeof answer !== 'string') return answer;
  const text = answer.trim();
  const isWritten = /^(?:\[.*\]|\{.*\}|".*"|'.*'|null|true|false)$/s.test(text);
  return isWritten ? read(text) : text;
}

function read(text: string): Plain {
  try {
    return parse(text, { version: '1.2', schema: 'core' }) as Plain;
  } catch {
    return text;
  }
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
