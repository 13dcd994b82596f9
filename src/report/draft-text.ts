import type { Draft } from '../runs/draft/draft.ts';

/** What a draft found, for a person at a terminal. */
export function draftText(drafted: Draft, next: string): string {
  const { format, options, rows, broken, notes, columns, todos } = drafted;
  const stated = Object.entries(options).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  const width = Math.min(40, Math.max(0, ...columns.map(({ name }) => name.length)));
  const table = columns.map(({ name, filled, type, distinct }) => {
    const share = rows === 0 ? 0 : Math.round((filled / rows) * 100);
    const few = distinct === null || filled === 0 ? '' : `  ${distinct} distinct`;
    return `  ${name.slice(0, width).padEnd(width)}  ${`${share} %`.padStart(5)}  ${type.padEnd(8)}${few}`.trimEnd();
  });
  const open =
    todos.length === 0
      ? ['Nothing is left to decide; look it over, then:']
      : ['Left to decide:', ...questions(todos), 'Then:'];
  return [
    `${format}${stated.length === 0 ? '' : `, ${stated.join(', ')}`}: ${rows.toLocaleString('en-US')} rows${broken === 0 ? '' : `, and ${broken.toLocaleString('en-US')} that cannot be read`}`,
    ...notes.map((note) => `  ${note}`),
    '',
    ...table,
    '',
    `Written: ${drafted.mapping.file}, ${drafted.pipeline.file}`,
    '',
    ...open,
    `  ${next}`,
  ].join('\n');
}

/** The questions with their places; one that is asked in several lines stands here once. */
function questions(todos: Draft['todos']): readonly string[] {
  const lines = new Map<string, number[]>();
  for (const { file, line, question } of todos) {
    const key = `${question}\n${file}`;
    const known = lines.get(key);
    if (known === undefined) lines.set(key, [line]);
    else known.push(line);
  }
  return [...lines].map(([key, [first = 0, ...others]]) => {
    const [question = '', file = ''] = key.split('\n');
    const last = others.at(-1);
    return `  ${file}:${first}${last === undefined ? '' : ` to ${last}`}: ${question}`;
  });
}
