import { doubledContactCode } from '../../../../src/app/import/closing-pass.ts';
import {
  countRowsWithProblem,
  countRunRows,
  listUncertainSteps,
  openJournalDatabase,
  type RunRecord,
} from '../../../../src/journal/index.ts';
import type { Doubts } from './doubts.ts';
import type { Expected } from './expected.ts';
import { isRecord } from './model-body.ts';
import type { ModelWorkspace } from './model-workspace.ts';
import { show } from './plain.ts';

/** What a test holds against each other when a run has come to the end of its rows. */
export interface Ended {
  readonly workDir: string;
  readonly run: RunRecord;
  readonly workspace: ModelWorkspace;
  readonly wanted: Expected;
  readonly doubts: Doubts;
}

/** The workspace is exact, the rows say so and add up, and only what nobody can know is uncertain. */
export function checkEnd(ended: Ended): void {
  const { workDir, run, wanted } = ended;
  const file = openJournalDatabase(workDir);
  try {
    checkContacts(ended);
    const counts = countRunRows(file, run);
    const sum = Object.values(counts).reduce((all, n) => all + n, 0) - counts.read;
    if (counts.notReached !== 0 || sum !== counts.read || counts.read !== wanted.outcomes.length)
      throw new Error(`rows do not add up: ${JSON.stringify(counts)}`);
    const uncertain = listUncertainSteps(file, run.number, { seq: -1, name: '', item: '' }, 1_000);
    const carriers = new Set(uncertain.map(({ seq }) => seq));
    const rows = file
      .prepare<[number], { outcome: string }>('SELECT outcome FROM row WHERE run = ? ORDER BY seq')
      .all(run.number);
    same(
      'outcomes',
      rows.map(({ outcome }) => outcome),
      wanted.outcomes.map((outcome, item) => (carriers.has(item) ? 'uncertain' : outcome)),
    );
    checkComments(ended, new Set(uncertain.map(({ intent }) => textOf(intent))));
    const parts = file.prepare<[], string>('SELECT parts FROM comment').pluck().all();
    const open = parts.filter((each) => each.includes('open'));
    const doubtful = parts.flatMap((each) => each.match(/uncertain/g) ?? []).length;
    if (open.length > 0) throw new Error(`comments are remembered as open: ${open.join(' ')}`);
    if (doubtful !== uncertain.length)
      throw new Error(
        `${doubtful} parts of comments are remembered as uncertain, ${uncertain.length} steps are`,
      );
    const sent = file
      .prepare<[number], string>("SELECT name FROM step WHERE run = ? AND seq >= 0 AND state = 'sent'")
      .pluck()
      .all(run.number);
    if (sent.length > 0) throw new Error(`still in the air: ${sent.join(' ')}`);
    // Nobody else creates contacts in these histories.
    if (countRowsWithProblem(file, run.number, doubledContactCode) > 0)
      throw new Error('somebody is there twice');
  } finally {
    file.close();
  }
}

/** Every contact is there once, as it should be, and no contact was merged twice. */
export function checkContacts({ workspace, wanted }: Pick<Ended, 'workspace' | 'wanted'>): void {
  const actual = [...workspace.people.values()].map(({ now }) => show(now)).sort();
  same('contacts', actual, wanted.people.map(({ now }) => show(now)).sort());
  if (workspace.merges !== wanted.merges)
    throw new Error(`${workspace.merges} merges instead of ${wanted.merges}`);
}

function checkComments({ workspace, wanted, doubts }: Ended, uncertain: ReadonlySet<string>): void {
  for (const text of uncertain) {
    if (!doubts.justified.has(text)) throw new Error(`uncertain for no reason: ${text}`);
  }
  const all = [...workspace.people.values()];
  const there = all.flatMap(({ comments }) => comments);
  if (new Set(there).size !== there.length)
    throw new Error(`a comment is there twice: ${there.sort().join('\n')}`);
  const asked = new Set(wanted.comments.flatMap(({ texts }) => texts));
  for (const text of [...there, ...uncertain])
    if (!asked.has(text)) throw new Error(`nobody asked for ${text}`);
  for (const { on, texts } of wanted.comments) {
    const sure = texts.filter((text) => !uncertain.has(text));
    const got = all
      .filter(({ now }) => show(now) === show(on.now))
      .map(({ comments }) => comments.filter((text) => sure.includes(text)));
    if (!got.some((each) => JSON.stringify(each) === JSON.stringify(sure)))
      throw new Error(`comments\n  are     ${JSON.stringify(got)}\n  but not ${JSON.stringify(sure)}`);
  }
}

function textOf(intent: unknown): string {
  return isRecord(intent) ? String(intent.text) : '';
}

function same(what: string, actual: readonly string[], wanted: readonly string[]): void {
  if (JSON.stringify(actual) === JSON.stringify(wanted)) return;
  throw new Error(
    `${what}\n  are     ${actual.join('\n          ')}\n  but not ${wanted.join('\n          ')}`,
  );
}
