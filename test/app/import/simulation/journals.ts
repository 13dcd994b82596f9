import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournalDatabase, toJournalPath } from '../../../../src/journal/index.ts';

/** In memory where the machine offers it: what is committed there is as real as on a disk, and quicker. */
const room = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Where histories keep their journals; one directory for each suite. */
export class Journals {
  readonly #dir = mkdtempSync(join(room, 'longshore-simulation-'));

  constructor() {
    openJournalDatabase(join(this.#dir, 'empty')).close();
  }

  /** A work dir with an empty journal. */
  fresh(): string {
    const workDir = join(this.#dir, 'run');
    rmSync(workDir, { recursive: true, force: true });
    mkdirSync(workDir, { mode: 0o700 });
    copyFileSync(toJournalPath(join(this.#dir, 'empty')), toJournalPath(workDir));
    return workDir;
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
