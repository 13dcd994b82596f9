interface EndMark {
  /** What the program writes at the head of a dump. */
  readonly head: RegExp;
  /** What it writes at the end when it got that far, with no rows behind it. */
  readonly end: RegExp;
  readonly words: string;
}

/** What programs write at the head of a dump, and what they write at its end when they got that far. */
const marks: readonly EndMark[] = [
  { head: /^-- (?:MySQL|MariaDB) dump/m, end: /^-- Dump completed.*/m, words: '-- Dump completed' },
  {
    head: /^-- PostgreSQL database cluster dump\s*$/m,
    end: /^-- PostgreSQL database cluster dump complete/m,
    words: '-- PostgreSQL database cluster dump complete',
  },
  {
    head: /^-- PostgreSQL database dump\s*$/m,
    end: /^-- PostgreSQL database dump complete/m,
    words: '-- PostgreSQL database dump complete',
  },
  // phpMyAdmin, HeidiSQL and mysqldump without comments save this setting first and restore it last.
  {
    head: /^\/\*!40101 SET @OLD_CHARACTER_SET_CLIENT\s*=/m,
    end: /^\/\*!40101 SET CHARACTER_SET_CLIENT\s*=.*@OLD_CHARACTER_SET_CLIENT.*\*\/;/m,
    words: '/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;',
  },
  {
    head: /^(?:START|BEGIN) TRANSACTION;/m,
    end: /^COMMIT;/m,
    words: 'COMMIT;',
  },
];

/** Comments, lines for a client program, and settings that are restored: no rows can be missing among them. */
const nothingOfRows = /^(?:--.*|\\.*|\/\*!\d+ SET .*\*\/;)?\s*$/;

/** Says so where the program that wrote a dump usually writes at the end that it is complete, and this one does not. */
export function incompleteness(head: string, tail: string): string | undefined {
  const mark = marks.find((each) => each.head.test(head));
  if (mark === undefined || endsWith(tail, mark.end)) return undefined;
  return `The dump does not end with "${mark.words}", as complete dumps do: rows or tables at its end may be missing. If it is complete, add that line at its end.`;
}

/** Whether the last such mark has no rows behind it: a dump may be appended to another one. */
function endsWith(tail: string, end: RegExp): boolean {
  const last = [...tail.matchAll(new RegExp(end.source, 'gm'))].at(-1);
  if (last === undefined) return false;
  return tail
    .slice(last.index + last[0].length)
    .split('\n')
    .every((line) => nothingOfRows.test(line));
}
