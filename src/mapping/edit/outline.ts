import { parseYamlMap } from '../document/yaml-text.ts';
import { listTemplateColumns } from '../template.ts';
import type { YamlPath } from './plain.ts';

/** A column that a target reads, and the kind of key that names it. */
export interface ColumnInTarget {
  readonly column: string;
  /**
   * `from`: a key `from` names the column, which can be replaced by another; `template`: a text contains it; `other`:
   * one of the keys `country`, `each`, `key` and `order` names it.
   */
  readonly as: 'from' | 'template' | 'other';
}

/** A target as written in the text, whether valid or not. */
export interface TargetOutline {
  /** `contact.email`, `customFields.Plan`, `tags`; all comments are called `comments`. */
  readonly name: string;
  readonly path: YamlPath;
  /** The name of a comment, or of its list; null for other targets. */
  readonly label: string | null;
  readonly columns: readonly ColumnInTarget[];
  /** The parsed YAML of the rule, not validated. */
  readonly rule: unknown;
}

/** The targets of a mapping and their columns, read from a text that may still have mistakes and open questions. */
export interface MappingOutline {
  readonly key: string | null;
  readonly identify: readonly string[];
  readonly targets: readonly TargetOutline[];
  readonly tests: number;
  /** True if contacts that were there before get the comments, too. */
  readonly sendsCommentsToExisting: boolean;
}

/** Returns the outline of a mapping; null if the text is not a valid YAML map without aliases. */
export function outlineMapping(text: string): MappingOutline | null {
  const document = parseYamlMap(text);
  if ('mistake' in document) return null;
  const root = keysOf(document.toJS({ maxAliasCount: 0 }));
  const key = root.get('key');
  const tests = root.get('tests');
  const identify = root.get('identify') ?? ['email', 'phone'];
  return {
    key: typeof key === 'string' ? key : null,
    identify: namesIn(identify),
    targets: [
      ...named('contact', root),
      ...named('customFields', root),
      ...['tags', 'lifecycle', 'assignee', 'conversation'].flatMap((name) =>
        root.has(name) ? [targetAt([name], name, root.get(name))] : [],
      ),
      ...comments(root.get('comments')),
    ],
    tests: Array.isArray(tests) ? tests.length : 0,
    sendsCommentsToExisting: keysOf(root.get('comments')).get('existing') === 'send',
  };
}

function named(part: string, root: ReadonlyMap<string, unknown>): readonly TargetOutline[] {
  return [...keysOf(root.get(part))].map(([name, rule]) => targetAt([part, name], `${part}.${name}`, rule));
}

function comments(written: unknown): readonly TargetOutline[] {
  const [entries, above] = Array.isArray(written)
    ? [written, ['comments']]
    : [keysOf(written).get('entries'), ['comments', 'entries']];
  if (!Array.isArray(entries)) return [];
  return entries.map((entry, index) => {
    const keys = keysOf(entry);
    const label = keys.get('name') ?? keys.get('each');
    return targetAt([...above, index], 'comments', entry, typeof label === 'string' ? label : null);
  });
}

function targetAt(path: YamlPath, name: string, rule: unknown, label: string | null = null): TargetOutline {
  const keys = keysOf(rule);
  const templates = ['template', 'summary', 'text'].flatMap((key) => namesIn(keys.get(key)));
  const others = [
    keysOf(keys.get('country')).get('from'),
    ...['each', 'key', 'order', 'needs'].map((key) => keys.get(key)),
  ];
  return {
    ...{ name, path, label, rule },
    columns: [
      ...[keys.get('from'), keysOf(keys.get('status')).get('from')]
        .flatMap(namesIn)
        .map((column) => ({ column, as: 'from' as const })),
      ...[...new Set(templates.flatMap(listTemplateColumns))].map((column) => ({
        column,
        as: 'template' as const,
      })),
      ...others.flatMap(namesIn).map((column) => ({ column, as: 'other' as const })),
    ],
  };
}

/** Returns the names in a value that is a name or a list of names. */
function namesIn(written: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(written) ? written : [written];
  return all.filter((each) => typeof each === 'string');
}

function keysOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}
