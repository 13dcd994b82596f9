import { onTestFinished } from 'vitest';
import type { ImportContext } from '../../../src/app/import/context.ts';
import { ContactLockQueue } from '../../../src/app/import/person/turns.ts';
import { RowPool } from '../../../src/app/import/pool.ts';
import {
  beginRun,
  type JournalDatabase,
  listStepsOfUnfinishedItems,
  openJournalDatabase,
  openRunJournal,
  type RunJournal,
  registerWorkspace,
  type StepRecord,
} from '../../../src/journal/index.ts';
import type { Clock, TransportRequest, TransportResponse } from '../../../src/model/ports.ts';
import type { StepRules } from '../../../src/steps/contact-step.ts';
import { createContactSteps } from '../../../src/steps/registry.ts';
import { defaultWorkspaceLimits, openWorkspace } from '../../../src/workspace/index.ts';
import { binding, place, workDir } from '../../journal/work-dir.ts';
import { customFields, rules } from '../../steps/drafts.ts';
import { errorAnswer } from '../../workspace/open.ts';
import { seeded } from '../../workspace/seeded.ts';
import { Life, World } from './simulation/world.ts';

export const settleMs = 120_000;

/** All rows, with all their steps. */
export const scope: ImportContext['scope'] = {
  hold: new Set(),
  deferredOnly: false,
  full: false,
  resend: false,
  retrying: false,
  approvalsOf: undefined,
  answersOf: undefined,
  contactsAsFound: new Map(),
};

/** The contact steps of a mapping that lists tags, and says this of the others. */
export function stepsOf(
  mapping: StepRules['mapping'] = {},
  attachTags?: StepRules['attachTags'],
): ImportContext['steps'] {
  return createContactSteps({ mapping: { tags: { from: 'Tags', attach: 'file' }, ...mapping }, attachTags });
}

export interface Scene {
  readonly context: ImportContext;
  readonly workDir: string;
  readonly file: JournalDatabase;
  readonly journal: RunJournal;
  readonly world: World;
  readonly stop: AbortController;
  /** What the workspace answers from now on. */
  answering: Answering;
  /** Requests as `<METHOD> <path>`, in order. */
  readonly sent: string[];
  /** Lets time pass until it is settled. */
  run<T>(working: Promise<T>): Promise<T>;
  /** Milliseconds since the scene began. */
  elapsed(): number;
  /** Steps that are open in the journal, once everything is written. */
  open(): readonly StepRecord[];
  /** Another session on the same run: what a restart sees. */
  again(clock?: Clock, signal?: AbortSignal): ImportContext;
  /** A new run after this one, perhaps of other rows or under other policies. */
  next(more?: Partial<ImportContext>): ImportContext;
}

type Answering = (request: string, whole: TransportRequest, now: number) => TransportResponse;

/** Everything an import's parts share, over a real journal, on a virtual clock, with a workspace that is a function. */
export function scene(
  answering: Answering = () => errorAnswer(404, 'Contact not found'),
  more: Partial<ImportContext> = {},
): Scene {
  const world = new World();
  const life = new Life();
  const begunAt = world.now;
  const clock = world.clock(life);
  const stop = new AbortController();
  const sent: string[] = [];
  const open = (own: Clock, signal: AbortSignal) =>
    openWorkspace({
      baseUrl: 'https://workspace.test/v1',
      token: 'a-token-for-tests',
      limits: defaultWorkspaceLimits,
      clock: own,
      randomness: seeded(1),
      signal,
      transport: {
        send: async (whole) => {
          const request = `${whole.method} ${decodeURIComponent(whole.path)}`;
          sent.push(request);
          await clock.sleep(10);
          return scene.answering(request, whole, clock.now());
        },
        close: () => Promise.resolve(),
      },
    });
  const workspace = open(clock, stop.signal);
  const dir = workDir();
  const file = openJournalDatabase(dir);
  onTestFinished(() => {
    file.close();
  });
  const bound = binding(registerWorkspace(file, place));
  const run = beginRun(file, bound, clock);
  const contextOf = (journal: RunJournal): ImportContext => ({
    workspace,
    journal,
    clock,
    signal: stop.signal,
    listen: () => undefined,
    pool: new RowPool({ active: () => 4, waiting: 10 }),
    fields: customFields,
    fillFields: [],
    firstNameColumn: null,
    rules,
    turns: new ContactLockQueue(),
    keep: { contact: {}, customFields: {} },
    steps: stepsOf(),
    policy: {
      onMatch: 'update',
      onDeleted: 'skip',
      onConflict: 'review',
      samePerson: 'evidence',
      unsure: 'review',
      identify: ['email', 'phone'],
      switchboard: 5,
      exclusive: false,
    },
    scope,
    snapshot: undefined,
    limits: { settleMs, attempts: 3 },
    ...more,
  });
  const journal = openRunJournal(file, run, clock);
  const scene: Scene = {
    answering,
    context: contextOf(journal),
    workDir: dir,
    file,
    journal,
    world,
    stop,
    sent,
    elapsed: () => world.now - begunAt,
    async run(working) {
      await world.live(life, working);
      return await working;
    },
    open() {
      journal.flush();
      return listStepsOfUnfinishedItems(file, run.number, 0, 1_000);
    },
    again: (own = clock, signal = stop.signal) => ({
      ...contextOf(openRunJournal(file, run, own)),
      workspace: open(own, signal),
      clock: own,
      signal,
    }),
    next: (other = {}) => ({
      ...contextOf(openRunJournal(file, beginRun(file, bound, clock), clock)),
      ...other,
    }),
  };
  return scene;
}
