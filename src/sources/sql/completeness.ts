/** What programs write at the head of a dump, and what they write at its end when they got that far. */
const marks: readonly (readonly [head: RegExp, end: RegExp, words: string])[] = [
  [/^-- (?:MySQL|MariaDB) dump/m, /^-- Dump completed/m, '-- Dump completed'],
  [
    /^-- PostgreSQL database cluster dump\s*$/m,
    /^-- PostgreSQL database cluster dump complete/m,
    '-- PostgreSQL database cluster dump complete',
  ],
  [
    /^-- PostgreSQL database dump\s*$/m,
    /^-- PostgreSQL database dump complete/m,
    '-- PostgreSQL database dump complete',
  ],
];

/** A note where the program that wrote a dump usually says at the end that it is complete, and this one does not. */
export function completeness(head: string, tail: string): readonly string[] {
  const mark = marks.find(([begins]) => begins.test(head));
  if (mark === undefined || mark[1].test(tail)) return [];
  return [
    `The dump does not end with "${mark[2]}", as whole ones do: rows or tables at its end may be missing.`,
  ];
}
