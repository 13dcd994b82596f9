import { isPair, isScalar, isSeq, LineCounter, visit } from 'yaml';
import { isTodoPlaceholder } from '../../model/todo.ts';
import { checkYamlLimits, parseYamlDocuments } from '../document/yaml-text.ts';
import { editMapping } from './edit-mapping.ts';
import type { YamlPath } from './plain.ts';

/** An open question of a YAML text: a TODO in place of a value. */
export interface YamlQuestion {
  readonly path: YamlPath;
  readonly line: number;
  /** The whole value, including its TODO. */
  readonly value: string;
  readonly question: string;
}

/** Returns the questions of a text that are still open, in its order. */
export function findYamlQuestions(text: string): readonly YamlQuestion[] {
  const lineCounter = new LineCounter();
  const found: YamlQuestion[] = [];
  const [document] = checkYamlLimits(text) === undefined ? parseYamlDocuments(text, lineCounter) : [];
  if (document === undefined) return [];
  visit(document, {
    Scalar(position, { value, range }, above) {
      if (position === 'key' || typeof value !== 'string' || !isTodoPlaceholder(value)) return;
      const line = lineCounter.linePos(range?.[0] ?? 0).line;
      const path: (string | number)[] = [];
      for (const [index, node] of above.entries()) {
        const next = above[index + 1];
        if (isPair(node)) path.push(String(isScalar(node.key) ? node.key.value : node.key));
        else if (isSeq(node)) path.push(next === undefined ? Number(position) : node.items.indexOf(next));
      }
      found.push({ path, line, value, question: value.replace(/^TODO:?\s*/, '') });
    },
  });
  return found;
}

/**
 * Returns a mapping without the parts that have open questions, so that the rest can be checked; its lines keep their
 * numbers. `left` has the dotted paths of the removed parts.
 */
export function removePartsWithOpenQuestions(text: string): {
  readonly text: string;
  readonly left: readonly string[];
} {
  const left: string[] = [];
  let rest = text;
  for (const { path } of findYamlQuestions(text)) {
    const without = askedAbout(path);
    const edited = editMapping(rest, { kind: 'removeKey', target: [], key: without });
    if (!edited.ok) continue;
    left.push(without.join('.'));
    rest = sameLines(rest, edited.text);
  }
  return { text: rest, left };
}

/**
 * Returns the path of the part that cannot be used while its question is open: the option of a contact field that has
 * the question (except `from` and `template`), otherwise the whole target or test.
 */
function askedAbout(path: YamlPath): YamlPath {
  const [part, , key] = path;
  const isSource = key === undefined || key === 'from' || key === 'template';
  if (part === 'contact') return path.slice(0, isSource ? 2 : 3);
  return path.slice(0, part === 'customFields' || part === 'tests' ? 2 : 1);
}

/** Returns `after` with blank lines where lines of `before` were removed. */
function sameLines(before: string, after: string): string {
  const [one, other] = [before.split('\n'), after.split('\n')];
  const at = one.findIndex((line, index) => line !== other[index]);
  const missing = Array.from({ length: one.length - other.length }, () => '');
  return at < 0 ? after : other.toSpliced(at, 0, ...missing).join('\n');
}
