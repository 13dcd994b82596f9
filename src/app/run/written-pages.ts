import {
  type JournalDatabase,
  listWrittenSteps,
  type RunRecord,
  type WrittenStep,
} from '../../journal/index.ts';
import { type SqliteConnection, withStorageErrors } from '../../storage/sqlite.ts';
import { parseStepEffects, type WrittenEffects } from './written.ts';

const pageSize = 1_000;

/**
 * Calls `note` with the effects of each step of a run on contacts, in order. The calls of each page are one transaction
 * of `file`; other work can run between pages.
 */
export async function visitWrittenEffects(
  journal: JournalDatabase,
  run: RunRecord,
  file: SqliteConnection,
  note: (step: WrittenStep, written: WrittenEffects) => void,
): Promise<void> {
  // Starts after the steps of the run itself (`seq` -1), which change no contact.
  let after = { seq: -1, name: '\uffff', item: '' };
  for (;;) {
    const page = listWrittenSteps(journal, run, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
    const notePage = file.transaction(() => {
      for (const step of page) {
        const written = parseStepEffects(step);
        if (written !== undefined) note(step, written);
      }
    });
    withStorageErrors(file.name, () => notePage());
    await new Promise((resolve) => setImmediate(resolve));
  }
}
