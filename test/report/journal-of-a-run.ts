import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  beginRun,
  endRun,
  findRunById,
  type JournalDatabase,
  type KnownKeyRecord,
  markRunRunning,
  openJournalDatabase,
  openRunJournal,
  type PersonResultRecords,
  type RowRecord,
  type RunBinding,
  type RunJournal,
  type RunRecord,
  type RunState,
  registerWorkspace,
  type SessionHeartbeat,
} from '../../src/journal/index.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { Clock } from '../../src/model/ports.ts';

/** A journal in a folder of its own, with one run, under a clock that only the test moves. */
export class JournalOfARun {
  readonly workDir = mkdtempSync(join(tmpdir(), 'longshore-report-'));
  readonly file: JournalDatabase;
  readonly clock: Clock;
  now = Date.UTC(2026, 2, 1, 10, 0, 0);
  run: RunRecord;
  readonly #binding: RunBinding;
  #session: RunJournal;

  constructor(items: number, binding: Partial<RunBinding> = {}) {
    this.file = openJournalDatabase(this.workDir);
    this.clock = { now: () => this.now, sleep: () => Promise.reject(new Error('nobody sleeps here')) };
    const place = 'https://workspace.example/v1';
    const workspace = registerWorkspace(this.file, { place, users: [1], fields: [2] });
    this.#binding = {
      kind: 'import',
      pipeline: 'import-acme',
      file: 'pipelines/import-acme.yaml',
      workspace,
      target: place,
      mapping: 'm1',
      memory: 'acme-contacts',
      input: 'i1',
      inputName: 'fixtures/acme/contacts.csv',
      items,
      selection: { kind: 'all' },
      full: false,
      ...binding,
    };
    this.run = beginRun(this.file, this.#binding, this.clock);
    this.#session = openRunJournal(this.file, this.run, this.clock);
  }

  get runDir(): string {
    return join(this.workDir, 'runs', this.run.id);
  }

  finish(
    seq: number,
    outcome: Outcome,
    more: Partial<RowRecord> = {},
    end: Partial<Pick<PersonResultRecords, 'proposals' | 'tagged'>> = {},
  ): void {
    const row = {
      seq,
      line: seq + 2,
      outcome,
      key: null,
      contact: null,
      problems: [],
      cells: null,
      raw: null,
      hash: null,
      ...more,
    };
    this.#session.finish({ rows: [row], proposals: [], tagged: undefined, also: [], ...end });
  }

  /** The run's input has this source key. */
  knows(key: string, more: Partial<KnownKeyRecord> = {}): void {
    const known = { key, contact: null, identifiers: [], created: true, applied: {}, line: 2, ...more };
    const also = [this.#session.known.remember(known)];
    this.#session.finish({ rows: [], proposals: [], tagged: undefined, also });
  }

  /** A step that has left; with a state, also how it ended. */
  async send(
    seq: number,
    name: string,
    state?: 'acked' | 'refused' | 'uncertain',
    more: { readonly item?: string; readonly intent?: unknown } = {},
  ): Promise<void> {
    const step = { seq, name, item: '', intent: {}, before: null, sentAt: this.now, ...more };
    const durable = this.#session.intend({ ...step, state: 'sent' }, []);
    if (state !== undefined) this.#session.mark(step, state);
    this.#session.flush();
    await durable;
  }

  beat(requests: unknown = {}, report?: SessionHeartbeat): void {
    this.#session.beat(requests, report);
    this.#session.flush();
  }

  /** The process is gone, and another one goes on after `ms`. */
  goOn(ms: number): void {
    this.#session.flush();
    this.now += ms;
    this.run = markRunRunning(this.file, this.run);
    this.#session = openRunJournal(this.file, this.run, this.clock);
  }

  /** Another run after this one, which has ended. */
  beginAnother(more: Partial<RunBinding> = {}): void {
    this.run = beginRun(this.file, { ...this.#binding, ...more }, this.clock);
    this.#session = openRunJournal(this.file, this.run, this.clock);
  }

  end(state: RunState, exitCode: number, message: string | null = null): void {
    this.#session.flush();
    endRun(this.file, this.run.number, { state, exitCode, message, endedAt: this.now });
    const ended = findRunById(this.file, this.run.id);
    if (ended === undefined) throw new Error('the run is not in its journal');
    this.run = ended;
  }

  flush(): void {
    this.#session.flush();
  }

  remove(): void {
    this.file.close();
    rmSync(this.workDir, { recursive: true, force: true });
  }
}

export const asItIs = (text: string): string => text;
