import { isDeepStrictEqual } from 'node:util';
import { isMap } from 'yaml';
import type * as z from 'zod';
import { FatalError } from '../../model/fatal-error.ts';
import { parseYamlWithSchema } from '../document/load.ts';
import { listMistakes, type YamlMistake } from '../document/mistake.ts';
import { findValueAtPath } from '../document/schema-keys.ts';
import { aliasesUnsupportedMessage, parsePlainYaml, parseYamlMap } from '../document/yaml-text.ts';
import { mappingSchema } from '../schema.ts';
import { createEditFailure, type JsonValue, type YamlEditResult, type YamlPath } from './plain.ts';
import {
  type EditableYaml,
  removeYamlValue,
  setYamlKeys,
  setYamlValue,
  wrapYamlList,
  YamlNodeOffsets,
} from './splice.ts';

/**
 * One change of a mapping. A target is `contact.email`, `customFields.Plan`, `tags` and so on; an empty path is the
 * mapping itself.
 */
export type MappingEdit =
  /** Adds a target, or replaces its rule. */
  | { readonly kind: 'setTarget'; readonly target: YamlPath; readonly rule: JsonValue }
  | { readonly kind: 'removeTarget'; readonly target: YamlPath }
  /** Sets a key of an existing target: `['from']`, `['values', 'Gold']`. */
  | { readonly kind: 'setKey'; readonly target: YamlPath; readonly key: YamlPath; readonly value: JsonValue }
  | { readonly kind: 'removeKey'; readonly target: YamlPath; readonly key: YamlPath }
  /** Sets entries of the table at a key of an existing target, `['values']`; refused if a value is invalid there. */
  | {
      readonly kind: 'setEntries';
      readonly target: YamlPath;
      readonly key: YamlPath;
      readonly entries: readonly (readonly [name: string, value: JsonValue])[];
    }
  | {
      readonly kind: 'removeEntries';
      readonly target: YamlPath;
      readonly key: YamlPath;
      readonly names: readonly string[];
    }
  /** Replaces an open question by an answer. */
  | {
      readonly kind: 'answer';
      readonly path: YamlPath;
      readonly question: string;
      readonly answer: JsonValue;
    }
  | { readonly kind: 'addTest'; readonly test: JsonValue }
  /** Sets whether contacts that were there before get the comments, too. */
  | { readonly kind: 'sendCommentsToExisting'; readonly sends: boolean };

/**
 * Returns the mapping with one change and the rest of its text unchanged, or the reason why it cannot be changed. An
 * answer that is refused as a text is read as a table (`Jane = jane@example.com`, one pair on each line).
 */
export function editMapping(text: string, edit: MappingEdit): YamlEditResult {
  if (edit.kind === 'removeEntries') return removeEntries(text, edit);
  const edited = applyEdit(text, edit);
  if (edited.ok || edit.kind !== 'answer') return edited;
  const pairs = parsePairs(edit.answer);
  if (pairs === undefined) return edited;
  const table = Object.fromEntries(pairs);
  const twice = pairs.find(([name, value]) => table[name] !== value)?.[0];
  if (twice !== undefined)
    return createEditFailure(`This answer does not fit: it has two different values for ${twice}.`);
  const withTable = applyEdit(text, { ...edit, answer: table });
  return withTable.ok ? withTable : edited;
}

/** A kind of YAML file: its schema, and the user's word for it. */
export interface YamlFileKind {
  readonly schema: z.ZodType;
  readonly what: string;
}

const mappingKind: YamlFileKind = { schema: mappingSchema, what: 'mapping' };

/**
 * Returns a YAML text of any kind with an open question replaced by an answer, and the rest of its text unchanged; or
 * the reason why it cannot be changed.
 */
export function answerYamlQuestion(
  text: string,
  edit: Extract<MappingEdit, { readonly kind: 'answer' }>,
  kind: YamlFileKind,
): YamlEditResult {
  return applyEdit(text, edit, kind);
}

/**
 * Returns a YAML text with the values at paths set, or removed where they are undefined, and the rest of its text
 * unchanged; or the reason why it cannot be changed.
 */
export function setYamlValues(
  text: string,
  values: readonly (readonly [path: YamlPath, value: JsonValue | undefined])[],
  kind: YamlFileKind,
): YamlEditResult {
  return values.reduce<YamlEditResult>(
    (edited, [target, rule]) =>
      edited.ok
        ? applyEdit(
            edited.text,
            rule === undefined ? { kind: 'removeTarget', target } : { kind: 'setTarget', target, rule },
            kind,
          )
        : edited,
    { ok: true, text },
  );
}

type SingleEdit = Exclude<MappingEdit, { kind: 'removeEntries' }>;

function removeEntries(
  text: string,
  { target, key, names }: Extract<MappingEdit, { kind: 'removeEntries' }>,
): YamlEditResult {
  return names.reduce<YamlEditResult>(
    (edited, name) =>
      edited.ok ? applyEdit(edited.text, { kind: 'removeKey', target, key: [...key, name] }) : edited,
    { ok: true, text },
  );
}

function applyEdit(text: string, edit: SingleEdit, kind: YamlFileKind = mappingKind): YamlEditResult {
  const document = parseYamlMap(text);
  if ('mistake' in document || !isMap(document.contents)) {
    const why = 'mistake' in document ? document.mistake : 'it is no map of keys';
    return createEditFailure(`The ${kind.what} cannot be read: ${why}. Fix its text first.`);
  }
  const root = document.contents;
  const parsed: EditableYaml = { places: new YamlNodeOffsets(text), root, schema: kind.schema };
  const before: unknown = document.toJS({ maxAliasCount: 0 });
  const edited = changed(parsed, before, edit);
  if (!edited.ok) return edited;
  const after = parseYamlMap(edited.text);
  // The text was edited by offsets, so this makes sure that only the requested value has changed.
  const isAsked = !('mistake' in after) && isDeepStrictEqual(after.toJS(), expectedAfter(before, edit));
  if (!isAsked)
    return createEditFailure(
      `The ${kind.what} is written in a way that cannot be changed here. Change its text.`,
    );
  const isChecked = edit.kind === 'answer' || edit.kind === 'setEntries';
  const wrong = isChecked ? findNewMistake(text, edited.text, kind) : undefined;
  const refusal = edit.kind === 'answer' ? 'This answer does not fit' : 'This value does not fit';
  return wrong === undefined ? edited : createEditFailure(`${refusal}. ${wrong.key}: ${wrong.reason}`);
}

function changed(parsed: EditableYaml, before: unknown, edit: SingleEdit): YamlEditResult {
  const there = (path: YamlPath): unknown => (path.length === 0 ? before : findValueAtPath(before, path));
  switch (edit.kind) {
    case 'setTarget':
      return setYamlValue(parsed, edit.target, edit.rule);
    case 'removeTarget':
      return removeYamlValue(parsed, edit.target);
    case 'setKey':
      if (there(edit.target) === undefined) return gone(edit.target);
      return setYamlValue(parsed, [...edit.target, ...edit.key], edit.value);
    case 'removeKey':
      return removeYamlValue(parsed, [...edit.target, ...edit.key]);
    case 'setEntries':
      if (there(edit.target) === undefined) return gone(edit.target);
      return setYamlKeys(parsed, [...edit.target, ...edit.key], edit.entries);
    case 'answer':
      if (there(edit.path) !== edit.question)
        return createEditFailure(`${edit.path.join('.')} does not ask this any more: ${edit.question}`);
      if (hasYamlAlias(edit.answer))
        return createEditFailure(`This answer does not fit: ${aliasesUnsupportedMessage}.`);
      return setYamlValue(parsed, edit.path, parseAnswerText(edit.answer));
    case 'addTest':
      return setYamlValue(parsed, testPath(before), edit.test);
    case 'sendCommentsToExisting':
      if (there(['comments']) === undefined) return gone(['comments']);
      return Array.isArray(there(['comments']))
        ? wrapYamlList(parsed, 'comments', ['existing', existingOf(edit)], 'entries')
        : setYamlValue(parsed, ['comments', 'existing'], existingOf(edit));
  }
}

function existingOf({ sends }: Extract<MappingEdit, { kind: 'sendCommentsToExisting' }>): string {
  return sends ? 'send' : 'skip';
}

function gone(target: YamlPath): YamlEditResult {
  return createEditFailure(`${target.join('.')} is not in the mapping any more.`);
}

function testPath(before: unknown): YamlPath {
  const tests = findValueAtPath(before, ['tests']);
  return ['tests', Array.isArray(tests) ? tests.length : 0];
}

/** Returns the values that the text must have after the edit. */
function expectedAfter(before: unknown, edit: SingleEdit): unknown {
  switch (edit.kind) {
    case 'setTarget':
      return withValue(before, edit.target, edit.rule);
    case 'removeTarget':
      return withValue(before, edit.target, undefined);
    case 'setKey':
      return withValue(before, [...edit.target, ...edit.key], edit.value);
    case 'removeKey':
      return withValue(before, [...edit.target, ...edit.key], undefined);
    case 'setEntries': {
      const path = [...edit.target, ...edit.key];
      const table = findValueAtPath(before, path);
      const entries = typeof table === 'object' && table !== null ? Object.entries(table) : [];
      return withValue(before, path, Object.fromEntries([...entries, ...edit.entries]));
    }
    case 'answer':
      return withValue(before, edit.path, parseAnswerText(edit.answer));
    case 'addTest':
      return withValue(before, testPath(before), edit.test);
    case 'sendCommentsToExisting': {
      const comments = findValueAtPath(before, ['comments']);
      const entries = Array.isArray(comments) ? { entries: comments } : comments;
      return withValue(withValue(before, ['comments'], entries), ['comments', 'existing'], existingOf(edit));
    }
  }
}

/** Returns the values with another value at a path; undefined removes it, and parents that become empty. */
function withValue(at: unknown, [step, ...rest]: YamlPath, value: unknown): unknown {
  if (step === undefined) return value;
  const below = withValue(findValueAtPath(at, [step]), rest, value);
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

/**
 * Parses a typed answer: bracketed lists and maps, quoted texts, true, false and null as YAML; anything else is text.
 */
export function parseAnswerText(answer: JsonValue): JsonValue {
  if (typeof answer !== 'string') return answer;
  const text = answer.trim();
  const read = isWritten(text) ? parsePlainYaml(text) : { value: text };
  return 'value' in read && isPlain(read.value) ? read.value : text;
}

/**
 * Parses a typed or pasted table of two columns, one pair on each line or between semicolons; undefined if a part is
 * not a pair.
 */
function parsePairs(answer: JsonValue): readonly (readonly [string, string | null])[] | undefined {
  if (typeof answer !== 'string' || isWritten(answer.trim())) return undefined;
  const lines = answer.split(/[\n;]/).filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^(.+?)\s*(?:\t|=>|->|=|:\s)\s*(.+)$/.exec(line.trim()));
  const entries = pairs.flatMap((pair) =>
    pair === null ? [] : [[unquoted(pair[1]), unquoted(pair[2])] as const],
  );
  if (entries.length === 0 || entries.length < lines.length) return undefined;
  return entries.map(([key, value]) => [key, value === 'null' ? null : value] as const);
}

function unquoted(text = ''): string {
  return /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
}

/** Returns true if an answer has a YAML alias, which is not supported. */
export function hasYamlAlias(answer: JsonValue): boolean {
  if (typeof answer !== 'string' || !isWritten(answer.trim())) return false;
  const read = parsePlainYaml(answer.trim());
  return 'mistake' in read && read.mistake === aliasesUnsupportedMessage;
}

function isWritten(text: string): boolean {
  return /^(?:\[.*\]|\{.*\}|".*"|'.*'|null|true|false)$/s.test(text);
}

function isPlain(value: unknown): value is JsonValue {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isPlain);
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** Returns the first mistake that a file has after an answer and did not have before; undefined if there is none. */
function findNewMistake(before: string, after: string, kind: YamlFileKind): YamlMistake | undefined {
  const known = mistakesIn(before, kind);
  return mistakesIn(after, kind).find(
    ({ key, reason }) => !known.some((each) => each.key === key && each.reason === reason),
  );
}

function mistakesIn(text: string, { schema, what }: YamlFileKind): readonly YamlMistake[] {
  try {
    parseYamlWithSchema(text, what, schema, what);
    return [];
  } catch (error) {
    if (error instanceof FatalError) return listMistakes(error);
    throw error;
  }
}
