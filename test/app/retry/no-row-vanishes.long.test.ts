import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Ended, type Retrying, retrying } from './retrying.ts';

/** ID, name and e-mail; with a fourth cell the line cannot be parsed. */
type Line = readonly string[];

const header: Line = ['ID', 'Name', 'E-Mail'];

const mapping = (key: boolean) => `mapping: people
${key ? 'key: ID\n' : ''}contact:
  firstName: { from: Name }
  email: { from: E-Mail }
`;

// Few values, so that rows are often equal, share a key, or are each other's correction.
const line: fc.Arbitrary<Line> = fc
  .record({
    id: fc.constantFrom('1', '2', '3', '4', ''),
    name: fc.constantFrom('Ada', 'Bob', 'Cy', ''),
    email: fc.constantFrom(
      'ada@ex.de',
      'bob@ex.de',
      'cy@ex.de',
      'dee@ex.de',
      'ada at ex.de',
      'bob at ex.de',
      '',
    ),
    extra: fc.constantFrom(...['', '', '', '', 'x']),
  })
  .map(({ id, name, email, extra }) => (extra === '' ? [id, name, email] : [id, name, email, extra]));

const at = fc.nat(20);
const edit = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), at, line }),
  fc.record({ kind: fc.constant('remove' as const), at }),
  fc.record({ kind: fc.constant('move' as const), at, to: at }),
  fc.record({ kind: fc.constant('change' as const), at, column: fc.nat(2), line }),
  fc.record({ kind: fc.constant('fix' as const), at }),
  fc.record({ kind: fc.constant('double' as const), at, to: at }),
  fc.record({ kind: fc.constant('reverse' as const) }),
);
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function edited(lines: readonly Line[], edits: readonly Edit[]): readonly Line[] {
  return edits.reduce(withEdit, lines);
}

function withEdit(lines: readonly Line[], change: Edit): readonly Line[] {
  if (change.kind === 'reverse') return lines.toReversed();
  const place = lines.length === 0 ? 0 : change.at % lines.length;
  const found = lines[place];
  if (change.kind === 'add') return lines.toSpliced(place, 0, change.line);
  if (found === undefined) return lines;
  switch (change.kind) {
    case 'remove':
      return lines.toSpliced(place, 1);
    case 'move':
      return lines.toSpliced(place, 1).toSpliced(change.to % lines.length, 0, found);
    case 'double':
      return lines.toSpliced(change.to % lines.length, 0, found);
    case 'fix':
      return lines.with(place, [found[0] ?? '', found[1] ?? '', (found[2] ?? '').replace(' at ', '@')]);
    case 'change':
      return lines.with(place, found.with(change.column, change.line[change.column] ?? ''));
  }
}

const text = (lines: readonly Line[]) => [header, ...lines].map((cells) => `${cells.join(';')}\n`).join('');

const open = ['rejected', 'failed', 'uncertain'];

/** Returns the outcomes of the lines that a run took, by the number of the line among the rows. */
function outcomes({ workDir }: Retrying, run: string): ReadonlyMap<number, string> {
  const db = new Database(join(workDir, 'journal.db'), { readonly: true });
  try {
    const rows = db
      .prepare<[string], { line: number; outcome: string }>(
        'SELECT line, outcome FROM row WHERE run = (SELECT number FROM run WHERE id = ?)',
      )
      .all(run);
    return new Map(rows.map(({ line: at, outcome }) => [at - 2, outcome]));
  } finally {
    db.close();
  }
}

/** The rows that runs have finished: rows of the file that are neither taken nor listed must be among them. */
class Finished {
  readonly #contents: string[] = [];

  add(lines: readonly Line[], ended: ReadonlyMap<number, string>): void {
    for (const [n, outcome] of ended)
      if (!open.includes(outcome)) this.#contents.push(JSON.stringify(lines[n]));
  }

  /** Without a key each finished row accounts for one row only. */
  expectAll(lines: readonly Line[], keyed: boolean): void {
    const left = [...this.#contents];
    for (const cells of lines) {
      const found = left.indexOf(JSON.stringify(cells));
      expect(found, `${JSON.stringify(cells)} is neither sent nor listed`).toBeGreaterThanOrEqual(0);
      if (!keyed || cells[0] === '') left.splice(found, 1);
    }
  }
}

/** Expects each row of the file to be taken, listed, or finished as it is, and each valid person in the workspace. */
function expectNoneLost(
  site: Retrying,
  lines: readonly Line[],
  retry: Ended,
  before: Finished,
  keyed: boolean,
): void {
  const { summary, exitCode } = retry;
  const { matched, rows } = summary;
  if (matched === undefined) throw new Error('the retry has no counts of its input');
  const taken = outcomes(site, summary.run);
  const listed = new Set(retry.csv('not-taken.csv').map(({ _now }) => Number(_now) - 2));
  const others = lines.filter((_, n) => !taken.has(n) && !listed.has(n));
  before.expectAll(others, keyed);
  expect(matched.input).toBe(lines.length);
  expect(matched.done).toBe(others.length);
  const emails = new Set(site.sandbox.contacts().map(({ email }) => email));
  // Rows that share a key are one person with one e-mail.
  for (const [n, cells] of keyed ? [] : lines.entries()) {
    const [, name = '', email = ''] = cells;
    const isValid = cells.length === 3 && name !== '' && email.includes('@');
    if (isValid && !listed.has(n) && !open.includes(taken.get(n) ?? '')) expect(emails).toContain(email);
  }
  const isOpen = rows.rejected + rows.failed + rows.uncertain + matched.missing + matched.changed > 0;
  expect(exitCode).toBe(isOpen ? 3 : 0);
}

it('a retry sends or lists every row of a file that was edited in any way, and so does the next', async () => {
  const edits = fc.array(edit, { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(line, { minLength: 1, maxLength: 7 }),
      edits,
      edits,
      async (keyed, lines, firstEdits, secondEdits) => {
        const source = { format: 'csv', path: 'people.csv', header: true, delimiter: ';' };
        const site = await retrying({ mapping: mapping(keyed), source });
        try {
          site.write('people.csv', text(lines));
          const first = await site.import();
          const finished = new Finished();
          const ended = outcomes(site, first.summary.run);
          finished.add(lines, ended);
          let now = edited(lines, firstEdits);
          if (now.length === 0) return;
          site.write('people.csv', text(now));
          const second = await site.retry(first.summary.run);
          expectNoneLost(site, now, second, finished, keyed);
          const { taken = 0, added = 0, missing = 0, removed = 0 } = second.summary.matched ?? {};
          const wasOpen = [...ended.values()].filter((outcome) => open.includes(outcome)).length;
          expect(taken - added + missing + removed, 'each open row is taken or listed').toBe(wasOpen);
          finished.add(now, outcomes(site, second.summary.run));
          now = edited(now, secondEdits);
          if (now.length === 0) return;
          site.write('people.csv', text(now));
          expectNoneLost(site, now, await site.retry(second.summary.run), finished, keyed);
        } finally {
          await site.close();
        }
      },
    ),
    { numRuns: 40, seed: 20_240_501 },
  );
});
