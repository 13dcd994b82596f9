import type { Builder, Person } from './builder.ts';

/** Delimited text whose columns bear the most awkward names; every cell that could need quotes has them. */
export function delimited(extension: string, delimiter: string): Builder {
  const record = (cells: readonly string[]) =>
    `${cells.map((cell) => (/[^\p{L}\d]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)}\n`;
  const ofPerson = ({ id, name, note }: Person) => record([name, note, id]);
  const head = record(['name', '', '__proto__']);
  return {
    extension,
    columns: { id: '__proto__', name: 'name', note: '' },
    build: (people) => Buffer.from(head + Array.from(people, ofPerson).join('')),
    lines(people) {
      let line = 2;
      return people.map((person) => {
        const own = line;
        line += ofPerson(person).split('\n').length - 1;
        return own;
      });
    },
    inOneLine: null,
    broken: {
      build: (before, after) => Buffer.from(`${head}${ofPerson(before)}x${delimiter}y\n${ofPerson(after)}`),
      code: 'row.ragged',
    },
    encodings: ['utf-8', 'utf-16', 'windows-1252'],
    // Cut within its last cell a record still looks whole: that no reader can see.
    cuts: (whole) => [whole.lastIndexOf(delimiter, whole.length / 3), whole.lastIndexOf(delimiter)],
  };
}
