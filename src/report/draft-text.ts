import type { Draft } from '../runs/draft/draft.ts';

/** What a draft found, for a person at a terminal. */
export function draftText(
  drafted: Draft,
  { next, shown }: { readonly next: string; readonly shown: (file: string) => string },
): string {
  const { format, options, rows, broken, problems, notes, columns, todos } = drafted;
  const stated = Object.entries(options).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  const width = Math.min(40, Math.max(0, ...columns.map(({ name }) => name.length)));
  const table = columns.map(({ name, filled, type, distinct, field }) => {
    const share = !rows ? 0 : Math.round((filled / rows) * 100);
    const few = distinct === null || filled === 0 ? '' : `${distinct} distinct`;
    const cells = [`${share} %`.padStart(5), type.padEnd(8), few.padEnd(11), field ?? '-'];
    return `  ${name.slice(0, width).padEnd(width)}  ${cells.join('  ')}`.trimEnd();
  });
  const open =
    todos.length === 0
      ? ['Nothing is left to decide; look it over, then:']
      : ['Left to decide:', ...questions(todos, shown), 'Then:'];
  return [
    `${format}${stated.length === 0 ? '' : `, ${stated.join(', ')}`}: ${rowWords(rows)}${broken === 0 ? '' : `, and ${broken.toLocaleString('en-US')} that cannot be read (${Object.keys(problems).join(', ')})`}`,
    ...notes.map((note) => `  ${note}`),
    '',
    ...table,
    '',
    `Written: ${shown(drafted.mapping.file)}, ${shown(drafted.pipeline.file)}`,
    '',
    ...open,
    `  ${next}`,
  ].join('\n');
}

function rowWords(rows: number | null): string {
  return rows === null ? 'not read yet' : `${rows.toLocaleString('en-US')} rows`;
}

/** The questions with their places; one that is asked in several lines stands here once. */
function questions(todos: Draft['todos'], shown: (file: string) => string): readonly string[] {
  const lines = new Map<string, number[]>();
  for (const { file, line, question } of todos) {
    const key = `${question}\n${shown(file)}`;
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
