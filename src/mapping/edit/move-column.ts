import { editMapping } from './edit-mapping.ts';
import { outlineMapping, type TargetOutline } from './outline.ts';
import { createEditFailure, type JsonValue, type YamlEditResult, type YamlPath } from './plain.ts';

/** The move of a column to another target. */
export interface ColumnMove {
  readonly column: string;
  /** The target that stops reading the column; null for none. */
  readonly from: YamlPath | null;
  /** The target that starts reading it, `['comments']` for a new comment; null for none. */
  readonly to: YamlPath | null;
  /** The keys, besides the column, of the rule that is added if the target does not exist yet. */
  readonly rule: { readonly [key: string]: JsonValue };
}

/**
 * Returns the mapping with a column moved from one target to another; a target with several columns keeps the others.
 */
export function moveColumn(text: string, move: ColumnMove): YamlEditResult {
  const added = move.to === null ? { ok: true as const, text } : addColumn(text, move.to, move);
  if (!added.ok || move.from === null) return added;
  return takeColumn(added.text, move.from, move.column);
}

function addColumn(text: string, to: YamlPath, { column, rule }: ColumnMove): YamlEditResult {
  if (to.length === 1 && to[0] === 'comments') return addComment(text, column);
  const found = targetAt(text, to);
  const written = found?.rule;
  const from = to[0] === 'conversation' ? { status: { from: column } } : { from: column };
  if (found === undefined || typeof written !== 'object' || written === null)
    return editMapping(text, { kind: 'setTarget', target: to, rule: { ...from, ...rule } });
  if (to[0] === 'conversation')
    return editMapping(text, { kind: 'setKey', target: to, key: ['status'], value: { from: column } });
  if (found.columns.some(({ as }) => as === 'template'))
    return createEditFailure(`${found.name} is made by a template: add {${column}} to it.`);
  const columns = found.columns.filter(({ as }) => as === 'from').map((each) => each.column);
  if (columns.includes(column)) return createEditFailure(`${found.name} already reads ${column}.`);
  const value = columns.length === 0 ? column : [...columns, column];
  return editMapping(text, { kind: 'setKey', target: to, key: ['from'], value });
}

function addComment(text: string, column: string): YamlEditResult {
  if (/[{}]/.test(column)) return createEditFailure(`A template cannot name ${column}: it has a brace.`);
  const targets = outlineMapping(text)?.targets ?? [];
  const comments = targets.filter(({ name }) => name === 'comments');
  const labels = new Set(comments.map(({ label }) => label));
  const base = column.replaceAll(':', ' ').trim().toLowerCase() || 'comment';
  let name = base;
  for (let n = 2; labels.has(name); n += 1) name = `${base} ${n}`;
  const above = comments[0]?.path.slice(0, -1) ?? ['comments'];
  const rule = { name, text: `{${column}}` };
  return editMapping(
    text,
    comments.length === 0
      ? { kind: 'setTarget', target: above, rule: [rule] }
      : { kind: 'setTarget', target: [...above, comments.length], rule },
  );
}

/**
 * Returns the mapping with a column removed from the `from:` of a target; a target that reads no other column is
 * removed.
 */
function takeColumn(text: string, from: YamlPath, column: string): YamlEditResult {
  const found = targetAt(text, from);
  if (found === undefined) return createEditFailure(`${from.join('.')} is not in the mapping any more.`);
  const columns = found.columns.filter(({ as }) => as === 'from').map((each) => each.column);
  if (!columns.includes(column)) {
    const isAlone = found.columns.every((each) => each.column === column);
    if (found.name === 'comments' && isAlone)
      return editMapping(text, { kind: 'removeTarget', target: from });
    return createEditFailure(`${found.label ?? found.name} uses ${column} in a text: change it there.`);
  }
  const [first, ...rest] = columns.filter((each) => each !== column);
  if (first === undefined) return editMapping(text, { kind: 'removeTarget', target: from });
  return editMapping(text, {
    ...{ kind: 'setKey', target: from, key: ['from'] },
    value: rest.length === 0 ? first : [first, ...rest],
  });
}

function targetAt(text: string, path: YamlPath): TargetOutline | undefined {
  const wanted = JSON.stringify(path);
  return outlineMapping(text)?.targets.find((target) => JSON.stringify(target.path) === wanted);
}
