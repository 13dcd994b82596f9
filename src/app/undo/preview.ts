import {
  findRunByNumber,
  type JournalDatabase,
  listWorkspaceSteps,
  openJournalDatabase,
  type RunRecord,
} from '../../journal/index.ts';
import { idToIdentifier } from '../../model/identifier.ts';
import { tagDeleteStep } from '../../steps/delete-tag.ts';
import { readCustomFields } from '../../steps/ensure-field.ts';
import { tagEnsureStep } from '../../steps/ensure-tag.ts';
import { createFieldComparator } from '../../steps/field-rules.ts';
import type { WorkspaceReads } from '../../steps/port.ts';
import { forEachConcurrently, type WaitWithoutSlot } from '../run/at-once.ts';
import { findUnfinishedUndo, getRunToUndo, type UndoRequestBase } from './begin.ts';
import {
  decideContactReversion,
  missingContactProblem,
  toValueColumnName,
  type ValueReversion,
} from './decide.ts';
import {
  listUnrevertedFieldsAndTags,
  readIrreversibleEffects,
  toUnrevertedItem,
  type UnrevertedItem,
} from './not-reverted.ts';
import { collectReturnedIdentifiers, type ReturnedIdentifiers } from './returned-identifiers.ts';
import { findTaggedContact } from './revert-tags.ts';
import { withWrittenValues } from './with-wrote.ts';
import type { WrittenContact, WrittenValueStore } from './written-values.ts';

const pageSize = 500;

/** The request for a preview of an undo, with the client that reads the workspace. */
export interface UndoPreviewRequest extends UndoRequestBase {
  readonly workDir: string;
  /** The workspace, for reading only. */
  readonly workspace: WorkspaceReads;
  readonly concurrency: number;
  /** The maximum number of contacts shown with their values. */
  readonly sample: number;
  readonly progress: (read: number) => void;
}

/** A contact, with the values that would be put back. */
export interface UndoPreviewSample extends WrittenContact {
  /** The values that would be put back. */
  readonly putBack: readonly ValueReversion[];
}

/** The effects that an undo would have. */
export interface UndoPreview {
  /** The id of the run that would be undone. */
  readonly run: string;
  /** The id of the unfinished undo that would be continued; null if there is none. */
  readonly continues: string | null;
  /** The number of contacts that the run wrote to and did not create. */
  readonly contacts: number;
  /** The number of these contacts that would change. */
  readonly changed: number;
  /**
   * By field: the number of contacts whose value would be put back, and the number of these whose field would become
   * empty (`emptied`).
   */
  readonly fields: Readonly<Record<string, { readonly contacts: number; readonly emptied: number }>>;
  /** Tags that would be deleted. */
  readonly deletedTags: readonly string[];
  /** Tags that would be created again, because the run is itself an undo and deleted them. */
  readonly createdTags: readonly string[];
  /** The number of items that would stay as they are, by kind. */
  readonly kept: Readonly<Partial<Record<UnrevertedItem['kind'], number>>>;
  /** The number of contacts that the run created with an e-mail or phone that would be put back into another contact. */
  readonly sharedIdentifiers: number;
  /** The number of items that would stay as they are, by reason. */
  readonly why: Readonly<Record<string, number>>;
  /** The first few contacts that would change. */
  readonly samples: readonly UndoPreviewSample[];
  /** The number of contacts that could not be read. */
  readonly unread: number;
}

/**
 * Computes the effects of an undo: reads every contact that the run wrote to and did not create, and writes nothing.
 */
export async function previewUndo(request: UndoPreviewRequest): Promise<UndoPreview> {
  const journal = openJournalDatabase(request.workDir);
  try {
    const target = getRunToUndo(journal, request);
    return await withWrittenValues(journal, request.workDir, target, (wrote) =>
      look(request, journal, target, wrote),
    );
  } finally {
    journal.close();
  }
}

async function look(
  request: UndoPreviewRequest,
  journal: JournalDatabase,
  target: RunRecord,
  wrote: WrittenValueStore,
): Promise<UndoPreview> {
  const { workspace, undo } = request;
  const rules = createFieldComparator(await readCustomFields(workspace));
  const idOf = (run: number) => findRunByNumber(journal, run)?.id ?? String(run);
  const by = { rules, conversations: undo.conversations, idOf };
  const returned = await collectReturnedIdentifiers(journal, target, wrote.file);
  const tally = new Tally(request.sample, returned);
  await eachSubject(request, wrote, async (subject, withoutSlot) => {
    const answer = await workspace.contacts.read(idToIdentifier(subject.contact), { waits: { withoutSlot } });
    if (answer.kind !== 'ok' && answer.kind !== 'absent') tally.unread += 1;
    else if (answer.kind === 'absent' || answer.value.id !== subject.contact) tally.gone(subject);
    else if (!wrote.isOwn(answer.value)) {
      const { putBack, kept } = decideContactReversion(answer.value, wrote.valuesOf(subject.contact), by);
      tally.add(subject, putBack);
      for (const problem of kept) tally.keep(toUnrevertedItem(subject, problem));
    }
  });
  for await (const page of readIrreversibleEffects(journal, target, returned))
    for (const kept of page) tally.keep(kept);
  const tags = await tagsToRevert(request, journal, target);
  for (const kept of listUnrevertedFieldsAndTags(
    listWorkspaceSteps(journal, target.number),
    undo,
    tags.asDone,
  ))
    tally.keep(kept);
  return {
    run: target.id,
    continues: findUnfinishedUndo(journal, target)?.id ?? null,
    contacts: wrote.count(),
    deletedTags: tags.deleted,
    createdTags: tags.created,
    ...tally.counts(),
  };
}

async function eachSubject(
  { concurrency, progress }: UndoPreviewRequest,
  wrote: WrittenValueStore,
  work: (subject: WrittenContact, withoutSlot: WaitWithoutSlot) => Promise<void>,
): Promise<void> {
  let read = 0;
  await forEachConcurrently(concurrency, subjectsOf(wrote), async (subject, withoutSlot) => {
    await work(subject, withoutSlot);
    read += 1;
    progress(read);
  });
}

function* subjectsOf(wrote: WrittenValueStore): Generator<WrittenContact> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const page = wrote.subjectsAfter(after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.contact;
    yield* page;
  }
}

/** Returns the tags that an undo would delete and create, and the steps as the journal would record them. */
async function tagsToRevert(
  { workspace, undo }: UndoPreviewRequest,
  journal: JournalDatabase,
  target: RunRecord,
) {
  const steps = listWorkspaceSteps(journal, target.number).filter(({ state }) => state === 'acked');
  const deletable = undo.deleteTags
    ? steps.filter(({ name, created }) => name === tagEnsureStep.name && created === true)
    : [];
  const deletions = [];
  for (const step of deletable) {
    const carriedBy = await findTaggedContact({ workspace }, tagEnsureStep.parse(step.intent).name);
    const isFree = carriedBy === undefined;
    deletions.push({
      ...step,
      name: tagDeleteStep.name,
      state: isFree ? ('acked' as const) : ('planned' as const),
      before: isFree ? null : { carriedBy },
    });
  }
  const again = steps
    .filter(({ name }) => name === tagDeleteStep.name)
    .map((step) => ({ ...step, name: tagEnsureStep.name }));
  return {
    deleted: deletions
      .filter(({ state }) => state === 'acked')
      .map(({ intent }) => tagDeleteStep.parse(intent).name),
    created: again.map(({ intent }) => tagDeleteStep.parse(intent).name),
    asDone: [...deletions, ...again],
  };
}

class Tally {
  unread = 0;
  readonly #sample: number;
  #changed = 0;
  readonly #fields = new Map<string, { contacts: number; emptied: number }>();
  readonly #kept = new Map<UnrevertedItem['kind'], number>();
  readonly #why = new Map<string, number>();
  readonly #samples: UndoPreviewSample[] = [];
  readonly #returned: ReturnedIdentifiers;
  #sharedIdentifiers = 0;

  constructor(sample: number, returned: ReturnedIdentifiers) {
    this.#sample = sample;
    this.#returned = returned;
  }

  add(subject: WrittenContact, putBack: readonly ValueReversion[]): void {
    if (putBack.length === 0) return;
    this.#changed += 1;
    for (const value of putBack) {
      this.#returned.add(subject.contact, value);
      const field = toValueColumnName(value);
      const { contacts, emptied } = this.#fields.get(field) ?? { contacts: 0, emptied: 0 };
      const empty = value.to === null || value.to === '' ? 1 : 0;
      this.#fields.set(field, { contacts: contacts + 1, emptied: emptied + empty });
    }
    if (this.#samples.length < this.#sample) this.#samples.push({ ...subject, putBack });
  }

  gone(subject: WrittenContact): void {
    this.keep(toUnrevertedItem(subject, missingContactProblem));
  }

  keep(kept: UnrevertedItem | undefined): void {
    if (kept === undefined) return;
    this.#kept.set(kept.kind, (this.#kept.get(kept.kind) ?? 0) + 1);
    this.#why.set(kept.why, (this.#why.get(kept.why) ?? 0) + 1);
    if (kept.sharesIdentifier) this.#sharedIdentifiers += 1;
  }

  counts() {
    return {
      changed: this.#changed,
      fields: Object.fromEntries(this.#fields),
      kept: Object.fromEntries(this.#kept),
      why: Object.fromEntries(this.#why),
      sharedIdentifiers: this.#sharedIdentifiers,
      samples: this.#samples,
      unread: this.unread,
    };
  }
}
