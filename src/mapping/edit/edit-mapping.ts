import { isDeepStrictEqual } from 'node:util';
import { isMap } from 'yaml';
import { FatalError } from '../../model/fatal-error.ts';
import { listMistakes, type Mistake } from '../document/mistake.ts';
import { valueAt } from '../document/schema-keys.ts';
import { mapDocument, noAliases, plainYaml } from '../document/yaml-text.ts';
import { parseMapping } from '../load.ts';
import { mappingSchema } from '../schema.ts';
import { type EditResult, type Plain, refusedEdit, type YamlPath } from './plain.ts';
import { type ParsedText, PlacesInText, removeValue, setValue } from './splice.ts';

/**
 * One change of a mapping. A target is `contact.email`, `customFields.Plan`, `tags` and so on; an empty path is the
 * mapping itself.
 */
export type MappingEdit =
  /** Adds a target, or gives it another rule. */
  | { readonly kind: 'setTarget'; readonly target: YamlPath; readonly rule: Plain }
  | { readonly kind: 'removeTarget'; readonly target: YamlPath }
  /** Sets a key of an existing target: `['from']`, `['values', 'Gold']`. */
  | { readonly kind: 'setKey'; readonly target: YamlPath; readonly key: YamlPath; readonly value: Plain }
  | { readonly kind: 'removeKey'; readonly target: YamlPath; readonly key: YamlPath }
  /** Replaces an open question by an answer. */
  | { readonly kind: 'answer'; readonly path: YamlPath; readonly question: string; readonly answer: Plain }
  | { readonly kind: 'addTest'; readonly test: Plain };

/** Returns the mapping with one change and the rest of its text as written, or the reason why it cannot be changed. */
export function editMapping(text: string, edit: MappingEdit): EditResult {
  const document = mapDocument(text);
  if ('mistake' in document || !isMap(document.contents)) {
    const why = 'mistake' in document ? document.mistake : 'it is no map of keys';
    return refusedEdit(`The mapping cannot be read: ${why}. Fix its text first.`);
  }
  const root = document.contents;
  const parsed: ParsedText = { places: new PlacesInText(text), root, schema: mappingSchema };
  const before: unknown = document.toJS({ maxAliasCount: 0 });
  const edited = changed(parsed, before, edit);
  if (!edited.ok) return edited;
  const after = mapDocument(edited.text);
  // Checks that nothing but the requested change has changed.
  const isAsked = !('mistake' in after) && isDeepStrictEqual(after.toJS(), expectedAfter(before, edit));
  if (!isAsked)
    return refusedEdit('The mapping is written in a way that cannot be changed here. Change its text.');
  const wrong = edit.kind === 'answer' ? newMistake(text, edited.text) : undefined;
  return wrong === undefined
    ? edited
    : refusedEdit(`This answer does not fit. ${wrong.key}: ${wrong.reason}`);
}

function changed(parsed: ParsedText, before: unknown, edit: MappingEdit): EditResult {
  const there = (path: YamlPath): unknown => (path.length === 0 ? before : valueAt(before, path));
  switch (edit.kind) {
    case 'setTarget':
      return setValue(parsed, edit.target, edit.rule);
    case 'removeTarget':
      return removeValue(parsed, edit.target);
    case 'setKey':
      if (there(edit.target) === undefined) return gone(edit.target);
      return setValue(parsed, [...edit.target, ...edit.key], edit.value);
    case 'removeKey':
      return removeValue(parsed, [...edit.target, ...edit.key]);
    case 'answer':
      if (there(edit.path) !== edit.question)
        return refusedEdit(`${edit.path.join('.')} does not ask this any more: ${edit.question}`);
      if (hasAlias(edit.answer)) return refusedEdit(`This answer does not fit: ${noAliases}.`);
      return setValue(parsed, edit.path, parseAnswer(edit.answer));
    case 'addTest':
      return setValue(parsed, testPath(before), edit.test);
  }
}

function gone(target: YamlPath): EditResult {
  return refusedEdit(`${target.join('.')} is not in the mapping any more.`);
}

function testPath(before: unknown): YamlPath {
  const tests = valueAt(before, ['tests']);
  return ['tests', Array.isArray(tests) ? tests.length : 0];
}

/** Returns the values that the text must have after the edit. */
function expectedAfter(before: unknown, edit: MappingEdit): unknown {
  switch (edit.kind) {
    case 'setTarget':
      return withValue(before, edit.target, edit.rule);
    case 'removeTarget':
      return withValue(before, edit.target, undefined);
    case 'setKey':
      return withValue(before, [...edit.target, ...edit.key], edit.value);
    case 'removeKey':
      return withValue(before, [...edit.target, ...edit.key], undefined);
    case 'answer':
      return withValue(before, edit.path, parseAnswer(edit.answer));
    case 'addTest':
      return withValue(before, testPath(before), edit.test);
  }
}

/** Returns the values with another value at a path; undefined removes it, and parents that become empty. */
function withValue(at: unknown, [step, ...rest]: YamlPath, value: Plain | undefined): unknown {
  if (step === undefined) return value;
  const below = withValue(valueAt(at, [step]), rest, value);
  if (typeof step === 'number') {
    const items: unknown[] = Array.isArray(at) ? [...at] : [];
    items.splice(step, 1, ...(below === undefined ? [] : [below]));
    return items.length === 0 ? undefined : items;
  }
  const entries = typeof at === 'object' && at !== null ? Object.entries(at) : [];
  const isThere = entries.some(([key]) => key === step);
  const found = entries.flatMap(([key, each]) =>
    key !== step ? [[key, each] as const] : below === undefined ? [] : [[key, below] as const],
  );
  if (!isThere && below !== undefined) found.push([step, below]);
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Parses a typed answer: bracketed lists and maps, quoted texts, true, false and null as YAML; anything else is text. */
export function parseAnswer(answer: Plain): Plain {
  if (typeof answer !== 'string') return answer;
  const text = answer.trim();
  const read = isWritten(text) ? plainYaml(text) : { value: text };
  return 'value' in read && isPlain(read.value) ? read.value : text;
}

/** Returns true if an answer has a YAML alias, which is not supported. */
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

/** Returns the first mistake that a mapping has after an answer and did not have before; undefined if there is none. */
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
    if (error instanceof FatalError) return listMistakes(error);
    throw error;
  }
}
