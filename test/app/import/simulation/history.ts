import {
  countFilledFields,
  type JournalDatabase,
  openJournalDatabase,
  type RowSelection,
} from '../../../../src/journal/index.ts';
import { FatalError } from '../../../../src/model/fatal-error.ts';
import type { Randomness } from '../../../../src/model/ports.ts';
import { seeded } from '../../../workspace/seeded.ts';
import { checkContacts, checkEnd } from './checks.ts';
import { Doubts } from './doubts.ts';
import { expected } from './expected.ts';
import type { Journals } from './journals.ts';
import { fillFields } from './map-row.ts';
import { type Manners, ModelWorkspace } from './model-workspace.ts';
import { Network, type Trouble } from './network.ts';
import { drawScene, type Scene } from './people.ts';
import type { SimulatedPolicy } from './policy.ts';
import { type SessionEnd, session } from './session.ts';
import { Life, World } from './world.ts';

/** Everything that decides a history. */
export interface HistoryPlan {
  readonly seed: number;
  readonly rows: number;
  readonly manners: Manners;
  readonly trouble: Trouble;
  readonly policy: SimulatedPolicy;
  /** Whether every row has a key; otherwise a person is remembered by the identity. */
  readonly keyed: boolean;
  /** Whether the second run compares everything with the workspace, or trusts its memory. */
  readonly full: boolean;
  readonly concurrency: number | 'auto';
  /** The points at which a process dies, counted from the start of that process: one number for each process. */
  readonly deaths: readonly number[];
  /** Interrupted by a signal after that many ms, each its own process; they come after the deaths. */
  readonly stops: readonly number[];
  /** In place of a scene that is drawn. */
  readonly scene?: Scene;
}

export interface HistoryEnd {
  /** How many instants to die at the process went through that came to the end of the rows. */
  readonly points: number;
  /** Whom the rows created. */
  readonly created: number;
  /** How many contacts had a value for each field before and after, as JSON. */
  readonly fill: string;
}

const fields = [
  { id: 11, name: 'Score', dataType: 'number' },
  { id: 12, name: 'Note', dataType: 'text' },
  { id: 13, name: 'Born', dataType: 'date' },
];

const all: RowSelection = { kind: 'all' };

/** Plays an import through all its deaths to its end, and a second one after it; throws where something is not exact. */
export async function play(plan: HistoryPlan, journals: Journals): Promise<HistoryEnd> {
  const history = new History(plan, journals.fresh());
  try {
    await history.toItsEnd();
    const { points, created, fill } = history;
    if (plan.policy.hold) await history.whatWasHeld();
    await history.onceMore();
    return { points, created, fill };
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new Error(
      `${why}\nhistory ${JSON.stringify({ ...plan, scene: undefined })}\n${history.log.join('\n')}`,
    );
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
  readonly #doubts = new Doubts();
  readonly #network: Network;
  #life = new Life();
  #file: JournalDatabase | undefined;
  #dieAt = Number.POSITIVE_INFINITY;
  #wrong: unknown;
  #isOver = false;
  points = 0;
  fill = '';

  constructor(plan: HistoryPlan, workDir: string) {
    this.#plan = plan;
    this.#workDir = workDir;
    this.#randomness = seeded(plan.seed);
    this.#scene = plan.scene ?? drawScene(this.#randomness, plan.rows, plan.keyed);
    this.#workspace = new ModelWorkspace(plan.manners, fields);
    for (const person of this.#scene.there) this.#workspace.plant(person);
    const point = () => this.#point();
    this.#network = new Network(
      this.#world,
      this.#workspace,
      this.#randomness,
      plan.trouble,
      this.#doubts,
      point,
    );
  }

  get created(): number {
    return this.#workspace.people.size + this.#workspace.merges - this.#scene.there.length;
  }

  get log(): readonly string[] {
    return this.#network.log;
  }

  close(): void {
    this.#life.die();
    this.#file?.close();
  }

  async toItsEnd(): Promise<void> {
    const { policy, deaths, stops } = this.#plan;
    const { run } = await this.#throughItsDeaths(all, deaths, stops);
    const wanted = expected(this.#scene, policy, policy.hold ? 'notHeld' : 'all');
    this.fill = this.#fillOf(run.number);
    checkEnd({ workDir: this.#workDir, run, workspace: this.#workspace, wanted, doubts: this.#doubts });
  }

  #fillOf(number: number): string {
    const file = openJournalDatabase(this.#workDir);
    try {
      return JSON.stringify(countFilledFields(file, { number, fields: fillFields }));
    } finally {
      file.close();
    }
  }

  /** The steps that were held back, in a run of their own that dies as often. */
  async whatWasHeld(): Promise<void> {
    const { policy, deaths } = this.#plan;
    await this.#throughItsDeaths({ kind: 'deferred' }, deaths, []);
    checkContacts({ workspace: this.#workspace, wanted: expected(this.#scene, policy, 'all') });
  }

  /** Another import of the same rows changes nothing, also where everything is compared. */
  async onceMore(): Promise<void> {
    const { policy } = this.#plan;
    const writes = this.#network.writes.length;
    this.#isOver = true;
    this.#doubts.nextRun();
    const end = await this.#process(all, Number.POSITIVE_INFINITY, undefined);
    if (end?.error !== undefined) throw end.error;
    const sent = this.#network.writes.slice(writes);
    if (sent.length > 0) throw new Error(`a second run sent ${sent.join('\n')}`);
    checkContacts({ workspace: this.#workspace, wanted: expected(this.#scene, policy, 'all') });
  }

  /** Process after process, until one has come to the end of the rows, and everything has arrived that was sent. */
  async #throughItsDeaths(
    selection: RowSelection,
    deaths: readonly number[],
    stops: readonly number[],
  ): Promise<SessionEnd> {
    const never = Number.POSITIVE_INFINITY;
    const processes = [
      ...deaths.map((death) => () => this.#process(selection, death, undefined)),
      ...stops.map((ms) => () => this.#process(selection, never, ms)),
      () => this.#process(selection, never, undefined),
    ];
    for (const process of processes) {
      const end = await process();
      if (end !== undefined && end.run.state !== 'finished' && end.error?.reason !== 'interrupted')
        throw end.error ?? new Error('not all rows were reached');
      if (end?.run.state !== 'finished') continue;
      await this.#world.pass(2 * this.#plan.trouble.latestMs + this.#plan.manners.processingMs + 1_000);
      return end;
    }
    throw new Error('the last process did not come to the end of the rows');
  }

  /** One process; undefined where it died, or was interrupted before it began. */
  async #process(
    selection: RowSelection,
    dieAt: number,
    stopAfter: number | undefined,
  ): Promise<SessionEnd | undefined> {
    const life = new Life();
    this.#life = life;
    this.points = 0;
    this.#dieAt = dieAt;
    const stop = new AbortController();
    const { policy, concurrency, full } = this.#plan;
    if (stopAfter !== undefined) {
      this.#world.after(stopAfter, life, () => stop.abort(new FatalError('interrupted', 'interrupted.')));
    }
    const working = session({
      ...{ workDir: this.#workDir, items: this.#scene.items, policy, selection, concurrency, stop },
      full: full && this.#isOver,
      clock: this.#world.clock(life),
      randomness: this.#randomness,
      transport: this.#network.transport(life),
      opened: (file) => this.#watch(file, life),
    });
    try {
      const end = await this.#world.live(life, working);
      if (end?.error?.reason === 'unexpected') throw end.error;
      life.die();
      if (this.#wrong !== undefined) throw this.#wrong;
      return end;
    } catch (error) {
      // Interrupted before there was a run.
      if (error instanceof FatalError && error.reason === 'interrupted') return undefined;
      throw error;
    } finally {
      life.die();
    }
  }

  /** Dies before or after a commit; with the process goes its hold on the file, and what it had not committed. */
  #watch(file: JournalDatabase, life: Life): void {
    this.#file = file;
    life.onDeath(() => {
      try {
        if (this.points === this.#dieAt) this.#doubts.died(file, this.#world.now);
        else if (file.open) this.#doubts.ended(file);
      } catch (error) {
        this.#wrong ??= error;
      }
      file.close();
    });
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
}
