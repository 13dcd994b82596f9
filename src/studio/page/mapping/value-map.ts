import type { MappingEditRequest, TargetOutline } from '../../wire/mapping.ts';
import { toMapFromYaml } from './rule-words.ts';

/** The table of values of a target's rule as it is written; its texts are looked up case-insensitively. */
export interface ValueMap {
  /** Returns true if the table lists a text. */
  lists(text: string): boolean;
  /** Returns the value that a text becomes: null for no value, the text itself where the table does not list it. */
  becomes(text: string): string | null;
  /** The texts that the table lists. */
  readonly listed: readonly string[];
  /** Returns the change that gives each text its value, null for none; case is ignored, the first counts. */
  set(values: readonly (readonly [text: string, value: string | null])[]): MappingEditRequest;
  /** Returns the change that removes texts from the table, so that they are kept unchanged. */
  remove(texts: readonly string[]): MappingEditRequest;
}

/** Reads the table of values of a target; it is empty where the rule has none. */
export function readValueMap({ name, path, rule }: TargetOutline): ValueMap {
  const keys = toMapFromYaml(rule);
  const key = name === 'assignee' && !keys.has('values') ? 'users' : 'values';
  const entries = [...toMapFromYaml(keys.get(key))].map(([text, value]) => ({
    text,
    value: value === null ? null : String(value),
  }));
  const byText = new Map(entries.map((entry) => [entry.text.toLowerCase(), entry]));
  const find = (text: string) => byText.get(text.toLowerCase());
  const place = { target: [...path], key: [key] };
  return {
    lists: (text) => find(text) !== undefined,
    becomes(text) {
      const entry = find(text);
      return entry === undefined ? text : entry.value;
    },
    listed: entries.map(({ text }) => text),
    set(values) {
      const wanted = new Map<string, [text: string, value: string | null]>();
      for (const [text, value] of values) {
        const key = text.toLowerCase();
        if (!wanted.has(key)) wanted.set(key, [find(text)?.text ?? text, value === '' ? null : value]);
      }
      return { kind: 'setEntries', ...place, entries: [...wanted.values()] };
    },
    remove(texts) {
      const names = texts.flatMap((text) => find(text)?.text ?? []);
      return { kind: 'removeEntries', ...place, names: [...new Set(names)] };
    },
  };
}
