import { isMap, isPair, isScalar, parseDocument, visit } from 'yaml';
import type { Knowledge, Part } from './truth.ts';

interface Open {
  readonly path: readonly string[];
  readonly question: string;
  /** Of the value, and of its key. */
  readonly from: number;
  readonly to: number;
  readonly keyFrom: number;
}

/** The text with an answer in place of every question, as a person gives it who knows the export. */
export function answeredBy(text: string, part: Part): string {
  return questions(text).reduceRight((before, open) => {
    const { value, key } = answerTo(open, part);
    const from = key === undefined ? open.from : open.keyFrom;
    return before.slice(0, from) + (key === undefined ? value : `${key}: ${value}`) + before.slice(open.to);
  }, text);
}

function questions(text: string): Open[] {
  const found: Open[] = [];
  visit(parseDocument(text), {
    Seq(_, { items }, above) {
      const pair = above.at(-1);
      if (!isPair(pair) || !isScalar(pair.key)) return;
      for (const item of items) {
        if (
          !isScalar(item) ||
          typeof item.value !== 'string' ||
          !item.value.startsWith('TODO') ||
          !item.range
        )
          continue;
        const [from, to] = item.range;
        found.push({ path: [String(pair.key.value)], question: item.value, from, to, keyFrom: from });
      }
    },
    Pair(_, pair, above) {
      const { key, value } = pair;
      if (!isScalar(key) || !isScalar(value) || typeof value.value !== 'string' || !value.range || !key.range)
        return;
      if (!value.value.startsWith('TODO')) return;
      const path = above.flatMap((node) =>
        'key' in node && isScalar(node.key) && !isMap(node) ? [String(node.key.value)] : [],
      );
      found.push({
        path: [...path, String(key.value)],
        question: value.value,
        from: value.range[0],
        to: value.range[1],
        keyFrom: key.range[0],
      });
    },
  });
  return found;
}

interface Answer {
  readonly value: string;
  /** Where the question says to write another key. */
  readonly key?: string;
}

function answerTo({ path, question }: Open, part: Part): Answer {
  const { knows } = part;
  const last = path.at(-1) ?? '';
  const parent = path.slice(0, -1).join('.');
  // No cell that the export writes more than once stands for nothing, but for its placeholders, which need no question.
  if (path.length === 1 && last === 'empty') return { value: 'null' };
  if (path.length === 1 && last === 'key')
    return { value: knows.key === undefined ? 'false' : JSON.stringify(knows.key) };
  if (last === 'system') return { value: JSON.stringify(part.system) };
  if (parent === 'lifecycle.values') return { value: JSON.stringify(stageOf(last, knows)) };
  if (path.join('.') === 'assignee.users') return { value: JSON.stringify(knows.users) };
  if (parent.endsWith('countryCode.values')) return { value: JSON.stringify(knows.countries[last] ?? null) };
  if (last === 'country' || /which country/.test(question)) return { value: knows.country };
  if (last === 'formats') return { value: dateAnswer(question, knows) };
  if (last === 'decimal') return decimalAnswer(question, knows);
  if (last === 'ragged') return { value: /write pad/.test(question) ? 'pad' : 'reject' };
  if (/(?:first|last) name/.test(question)) return { value: JSON.stringify(knows.firstName) };
  throw new Error(`A person who knows the file has no answer to ${path.join('.')}: ${question}`);
}

function stageOf(cell: string, { stages }: Knowledge): string | null {
  const found = Object.entries(stages).find(([name]) => name.toLowerCase() === cell.toLowerCase());
  return found?.[1] ?? null;
}

function dateAnswer(question: string, { dayFirst }: Knowledge): string {
  const [, month, day] =
    /write (\[.+?\]) if the month comes first, (\[.+?\]) if the day/.exec(question) ?? [];
  const answer = dayFirst ? day : month;
  if (answer === undefined) throw new Error(`A question about dates that is not understood: ${question}`);
  return answer;
}

function decimalAnswer(question: string, { decimal }: Knowledge): Answer {
  const asked = /write '(.)'/.exec(question)?.[1];
  if (asked === undefined) throw new Error(`A question about numbers that is not understood: ${question}`);
  return asked === decimal
    ? { value: JSON.stringify(asked) }
    : { key: 'thousands', value: JSON.stringify(asked) };
}
