import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OnMatch } from '../../../../src/identity/decide.ts';
import { countRows, type JournalFile, journalPath, openJournalFile } from '../../../../src/journal/index.ts';
import { FatalError } from '../../../../src/model/fatal-error.ts';
import type { Randomness } from '../../../../src/model/ports.ts';
import { seeded } from '../../../workspace/seeded.ts';
import { expected, show } from './expected.ts';
import { type Manners, ModelWorkspace } from './model-workspace.ts';
import { Network, type Trouble } from './network.ts';
import { drawScene, type Plain, type Scene } from './people.ts';
import { type SessionEnd, session } from './session.ts';
import { Life, World } from './world.ts';

/** Everything that decides a history. */
export interface HistoryPlan {
  readonly seed: number;
  readonly rows: number;
  readonly manners: Manners;
  readonly trouble: Trouble;
  readonly onMatch: OnMatch;
  readonly concurrency: number;
  /** The points at which a process dies, counted from the start of that process: one number for each process. */
  readonly deaths: readonly number[];
  /** Interrupted by a signal after that many ms, each its own process; they come after the deaths. */
  readonly stops: readonly number[];
}

export interface HistoryEnd {
  /** How many instants to die at the process went through that came to the end of the rows. */
  readonly points: number;
  /** Whom the rows created. */
  readonly created: number;
}

const fields = [
  { id: 11, name: 'Score', dataType: 'number' },
  { id: 12, name: 'Note', dataType: 'text' },
];

/** In memory where the machine offers it: what is committed there is as real as on a disk, and quicker. */
const room = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Where histories keep their journals; one directory for each suite. */
export class Journals {
  readonly #dir = mkdtempSync(join(room, 'longshore-simulation-'));

  constructor() {
    openJournalFile(join(this.#dir, 'empty')).close();
  }

  /** A work dir with an empty journal. */
  fresh(): string {
    const workDir = join(this.#dir, 'run');
    rmSync(workDir, { recursive: true, force: true });
    mkdirSync(workDir, { mode: 0o700 });
    copyFileSync(journalPath(join(this.#dir, 'empty')), journalPath(workDir));
    return workDir;
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

/** Plays an import through all its deaths to its end, and a second one after it; throws where something is not exact. */
export async function play(plan: HistoryPlan, journals: Journals): Promise<HistoryEnd> {
  const history = new History(plan, journals.fresh());
  try {
    await history.toItsEnd();
    const { points, created } = history;
    await history.onceMore();
    return { points, created };
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new Error(`${why}\nhistory ${JSON.stringify(plan)}\n${history.log.join('\n')}`);
  } finally {
    history.close();
  }
}

class History {
  readonly #plan: HistoryPlan;
  readonly #workDir: string;
  readonly #randomness: Randomness;
  readonly #scene: Scene;
  readonly #world = new World();
  readonly #workspace: ModelWorkspace;
  readonly #network: Network;
  #life = new Life();
  #file: JournalFile | undefined;
  #dieAt = Number.POSITIVE_INFINITY;
  points = 0;

  constructor(plan: HistoryPlan, workDir: string) {
    this.#plan = plan;
    this.#workDir = workDir;
    this.#randomness = seeded(plan.seed);
    this.#scene = drawScene(this.#randomness, plan.rows);
    this.#workspace = new ModelWorkspace(plan.manners, fields);
    const vip = this.#scene.there.map(({ custom: { VIP: _, ...custom }, ...rest }) => ({ ...rest, custom }));
    this.#scene = { ...this.#scene, there: vip };
    for (const person of vip) this.#workspace.plant({ ...person.fields }, person.custom);
    this.#network = new Network(this.#world, this.#workspace, this.#randomness, plan.trouble, () =>
      this.#point(),
    );
  }

  get created(): number {
    return this.#workspace.people.size - this.#scene.there.length;
  }

  get log(): readonly string[] {
    return this.#network.log;
  }

  close(): void {
    this.#life.die();
    this.#file?.close();
  }

  async toItsEnd(): Promise<void> {
    const end = await this.#firstEnd();
    await this.#world.pass(2 * this.#plan.trouble.latestMs + this.#plan.manners.processingMs);
    this.#check(end);
  }

  /** Process after process, until one has come to the end of the rows. */
  async #firstEnd(): Promise<SessionEnd> {
    const { deaths, stops } = this.#plan;
    const ends = [
      ...deaths.map((death) => () => this.#process(death, undefined)),
      ...stops.map((ms) => () => this.#process(Number.POSITIVE_INFINITY, ms)),
      () => this.#process(Number.POSITIVE_INFINITY, undefined),
    ];
    for (const process of ends) {
      const end = await process();
      if (end?.run.state === 'finished') return end;
      if (end !== undefined && end.error?.reason !== 'interrupted') throw end.error;
    }
    throw new Error('the last process did not come to the end of the rows');
  }

  /** A second import writes nothing but where two rows of one person contradict each other. */
  async onceMore(): Promise<void> {
    const { onMatch, trouble } = this.#plan;
    const first = expected(this.#scene, onMatch);
    const second = expected({ ...this.#scene, there: first.people }, onMatch);
    const updates = second.outcomes.filter((outcome) => outcome === 'updated').length;
    const before = this.#network.writes;
    const applied = this.#workspace.applied;
    const end = await this.#process(Number.POSITIVE_INFINITY, undefined);
    if (end?.error !== undefined) throw end.error;
    const changed = this.#workspace.applied - applied;
    const sent = this.#network.writes - before;
    if (trouble.rate === 0 ? sent !== updates : updates === 0 && changed > 0)
      throw new Error(`a second run sent ${sent} writes, ${changed} of them applied, instead of ${updates}`);
    same('contacts', this.#contacts(), second.people.map(show).sort());
  }

  /** One process; undefined where it died, or was interrupted before it began. */
  async #process(dieAt: number, stopAfter: number | undefined): Promise<SessionEnd | undefined> {
    const life = new Life();
    this.#life = life;
    this.points = 0;
    this.#dieAt = dieAt;
    this.#world.takeTimers(life);
    const stop = new AbortController();
    const { items } = this.#scene;
    const { onMatch, concurrency } = this.#plan;
    if (stopAfter !== undefined) {
      this.#world.after(stopAfter, life, () => stop.abort(new FatalError('interrupted', 'interrupted.')));
    }
    const working = session({
      workDir: this.#workDir,
      items,
      onMatch,
      concurrency,
      stop,
      clock: this.#world.clock(life),
      randomness: this.#randomness,
      transport: this.#network.transport(life),
      opened: (file) => this.#watch(file, life),
    });
    try {
      return await this.#world.live(life, working);
    } catch (error) {
      // Interrupted before there was a run.
      if (error instanceof FatalError && error.reason === 'interrupted') return undefined;
      throw error;
    } finally {
      life.die();
      this.#world.giveTimersBack();
    }
  }

  /** Dies before or after a commit; with the process goes its hold on the file, and what it had not committed. */
  #watch(file: JournalFile, life: Life): void {
    this.#file = file;
    life.onDeath(() => file.close());
    const transaction = file.transaction.bind(file);
    const watched = (write: (...args: unknown[]) => unknown) => {
      const commit = transaction(write);
      const immediate = (...args: unknown[]) => {
        this.#world.stir();
        if (life.dead) throw new Error('dead');
        this.#point();
        if (life.dead) throw new Error('died before a commit');
        commit.immediate(...args);
        this.#point();
        if (life.dead) throw new Error('died after a commit');
      };
      return { immediate };
    };
    Object.defineProperty(file, 'transaction', { value: watched });
  }

  #point(): void {
    if (this.#life.dead) return;
    this.points += 1;
    if (this.points === this.#dieAt) {
      this.#network.log.push(`-- dies at point ${this.points}`);
      this.#life.die();
    }
  }

  #check({ run }: SessionEnd): void {
    const wanted = expected(this.#scene, this.#plan.onMatch);
    same('contacts', this.#contacts(), wanted.people.map(show).sort());
    const file = openJournalFile(this.#workDir);
    try {
      const counts = countRows(file, run);
      const sum = Object.values(counts).reduce((all, n) => all + n, 0) - counts.read;
      if (counts.notReached !== 0 || sum !== counts.read || counts.read !== this.#scene.items.length)
        throw new Error(`rows do not add up: ${JSON.stringify(counts)}`);
      const rows = file
        .prepare<[number], { outcome: string }>('SELECT outcome FROM row WHERE run = ? ORDER BY seq')
        .all(run.number);
      same(
        'outcomes',
        rows.map(({ outcome }) => outcome),
        wanted.outcomes,
      );
      const open = file
        .prepare<[number], { n: number }>(
          "SELECT count(*) AS n FROM step WHERE run = ? AND seq >= 0 AND state = 'sent'",
        )
        .get(run.number);
      if (open?.n !== 0) throw new Error(`${open?.n} steps are still in the air`);
    } finally {
      file.close();
    }
  }

  #contacts(): readonly string[] {
    return [...this.#workspace.people.values()]
      .map(({ fields: own, custom }): Plain => {
        const present = Object.entries(own).flatMap(([name, value]): [string, string][] =>
          value === null ? [] : [[name, value]],
        );
        return { fields: Object.fromEntries(present), custom: Object.fromEntries(custom) };
      })
      .map(show)
      .sort();
  }
}

function same(what: string, actual: readonly string[], wanted: readonly string[]): void {
  if (JSON.stringify(actual) === JSON.stringify(wanted)) return;
  throw new Error(
    `${what}\n  are     ${actual.join('\n          ')}\n  but not ${wanted.join('\n          ')}`,
  );
}
