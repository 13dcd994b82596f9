import { join } from 'node:path';
import { expect } from 'vitest';
import { parseStepEffects } from '../../../src/app/run/written.ts';
import { revertibleValueKinds, toValueColumnName } from '../../../src/app/undo/decide.ts';
import type { UnrevertedItem } from '../../../src/app/undo/not-reverted.ts';
import {
  listImportsAndUndos,
  listWrittenSteps,
  openJournalDatabase,
  type RunRecord,
  type WrittenStep,
} from '../../../src/journal/index.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { isWrite, type RealImport, realImport } from '../import/real-import.ts';
import type { Case } from '../plan/cases.ts';
import { edit } from '../verify/real-verify.ts';
import { undo } from './real-undo.ts';

/** How often something was met. */
export type Tally = Map<string, number>;

type Contacts = ReturnType<Sandbox['contacts']>;

/** Imports what the generated case has, takes it back, and looks at every field. */
export async function undoesWhatWasImported(one: Case, tally: Tally): Promise<void> {
  const note = (what: string, n = 1) => tally.set(what, (tally.get(what) ?? 0) + n);
  const real = await realImport(one.mapping, one.rows, one.settings, '', {
    seed: one.seed,
    extensions: { attachTags: true },
    ...one.sandbox,
  });
  const states: Contacts[] = [real.sandbox.contacts()];
  const runs: RunRecord[] = [];
  const imported = async (more = {}) => {
    runs.push((await real.import(more)).run);
    states.push(real.sandbox.contacts());
  };
  await imported();
  if (one.deferred.length > 0) await imported({ selection: { kind: 'deferred' } });
  real.write(one.later);
  await imported();
  // Each of them is taken back, the last first.
  let lasting: readonly UnrevertedItem[] = [];
  const isSettled = (await writesOf(real, () => imported())).length === 0;
  if (isSettled) {
    runs.pop();
    states.pop();
  }
  for (const run of [...runs].reverse()) {
    states.pop();
    // What is imported again is what the last run had.
    const isLast = run === runs.at(-1);
    const again = isLast && isSettled ? await importedAgain(real, run, note) : { run, kept: lasting };
    lasting = await takenBack(real, again.run, states.at(-1) ?? [], again.kept, note);
  }
}

/**
 * The import after an undo sends again what was put back, and after the undo of an undo nothing. Rows that wrote before
 * may be asked about now, because another row has led to their contact since: they send nothing.
 */
async function importedAgain(
  real: RealImport,
  run: RunRecord,
  note: (what: string, n?: number) => void,
): Promise<{ readonly run: RunRecord; readonly kept: readonly UnrevertedItem[] }> {
  const after = real.sandbox.contacts();
  const undone = await undo(real, run);
  await undo(real, undone.run);
  expect(await writesOf(real, () => real.import())).toEqual([]);
  const again = await undo(real, run);
  const { run: sent } = await real.import();
  const values = valuesOf(real, sent);
  const asked = askedLines(real);
  const [putBack, wrote] = [valuesOf(real, again.run), new Set(values)];
  expect(values.filter((value) => !putBack.includes(value))).toEqual([]);
  const unasked = new Set(valuesOf(real, run, ({ line }) => !asked.has(line)));
  const due = asked.size === 0 ? putBack : putBack.filter((value) => unasked.has(value));
  expect(due.filter((value) => !wrote.has(value))).toEqual([]);
  if (stepsOf(real, run).some(({ line }) => asked.has(line))) {
    note('asked after an undo');
    return { run: sent, kept: again.kept };
  }
  expect(real.sandbox.contacts()).toEqual(after);
  note('sent again', values.length);
  await editedBetween(real, sent, after, values, note);
  return { run: sent, kept: again.kept };
}

/** The lines of the rows that the latest import has asked about. */
function askedLines({ events }: RealImport): ReadonlySet<number | null> {
  return new Set(
    events.flatMap((event) =>
      event.kind === 'row' && event.problems.some(({ code }) => code === 'identity.ask') ? [event.line] : [],
    ),
  );
}

/** What nobody imports. */
const edits: Readonly<Record<string, string>> = {
  firstName: 'Edited',
  email: 'edited@example.test',
  phone: '+60123450000',
};

/** A value that somebody has edited stays and is listed; all others go back. */
async function editedBetween(
  real: RealImport,
  run: RunRecord,
  after: Contacts,
  values: readonly string[],
  note: (what: string, n?: number) => void,
): Promise<void> {
  const edited = values.find((value) => (value.split(' ')[1] ?? '') in edits);
  const [id, field = ''] = (edited ?? '').split(' ');
  const contact = after.find((each) => String(each.id) === id);
  if (edited === undefined || contact === undefined) return;
  note('edited');
  await edit(real, contact.id, { [field]: edits[field] ?? null });
  const { kept, run: undone } = await undo(real, run);
  const listed = kept.filter(({ kind }) => kind === 'value');
  expect(listed.map(({ contact: of, what }) => `${of} ${what}`)).toEqual([edited]);
  const now = real.sandbox.contacts().find((each) => each.id === contact.id);
  expect(now).toHaveProperty(field, edits[field]);
  // As it was, for what comes next.
  const was = Object.entries(contact).find(([name]) => name === field)?.[1];
  await edit(real, contact.id, { [field]: typeof was === 'string' ? was : null });
  await undo(real, undone);
  expect(real.sandbox.contacts()).toEqual(after);
}

/** The requests that changed something meanwhile. */
async function writesOf(real: RealImport, work: () => Promise<unknown>): Promise<readonly string[]> {
  const from = real.sandbox.log.length;
  await work();
  return real.sandbox.log
    .slice(from)
    .filter(isWrite)
    .map(({ method, path }) => `${method} ${path}`);
}

/** Undo, undo of the undo, and undo again with an edit in between; the imports after them. */
async function takenBack(
  real: RealImport,
  run: RunRecord,
  before: Contacts,
  lasting: readonly UnrevertedItem[],
  note: (what: string, n?: number) => void,
): Promise<readonly UnrevertedItem[]> {
  const now = () => real.sandbox.contacts();
  const after = now();
  const first = await undo(real, run);
  note('put back', valuesOf(real, first.run).length);
  for (const { kind } of first.kept) note(kind);
  const all = [...lasting, ...first.kept];
  isAsBefore(before, now(), all);
  expectKept(real, run, lasting, first.kept);
  const back = await undo(real, first.run);
  // What a merge gave is as it was; so are all others.
  expect(now()).toEqual(after);
  expect(back.kept).toEqual([]);
  const again = await undo(real, run);
  expect(again.kept).toEqual(first.kept);
  isAsBefore(before, now(), all);
  const nothing = await undo(real, run);
  expect(valuesOf(real, nothing.run)).toEqual([]);
  return all;
}

/** Every contact has what it had, field by field, but for what is listed. */
function isAsBefore(before: Contacts, now: Contacts, kept: readonly UnrevertedItem[]): void {
  const merged = mergedIn(kept);
  const ids = new Set(before.map(({ id }) => id));
  for (const contact of now) {
    const was = before.find(({ id }) => id === contact.id);
    if (was === undefined || merged.has(contact.id)) continue;
    const tags = kept.flatMap(({ kind, contact: id, what }) =>
      kind === 'contactTags' && id === contact.id ? what.split(';') : [],
    );
    const { tags: hasTags, comments, ...has } = contact;
    const { tags: hadTags, comments: earlier, ...had } = was;
    const added = kept.filter(({ kind, contact: id }) => kind === 'comment' && id === contact.id);
    expect(comments.length - earlier.length).toBe(added.length);
    expect(withoutFields(has, kept)).toEqual(withoutFields(had, kept));
    expect(hasTags.filter((tag) => hadTags.includes(tag) || !tags.includes(tag))).toEqual(hadTags);
  }
  for (const { id } of before) {
    if (!now.some((contact) => contact.id === id)) expect(merged).toContain(id);
  }
  for (const contact of now.filter(({ id }) => !ids.has(id))) {
    const listed = kept.filter(({ kind }) => kind === 'contact');
    const names = [`id:${contact.id}`, `email:${contact.email}`, `phone:${contact.phone}`];
    expect(listed.some((each) => each.contact === contact.id || names.includes(each.identifier ?? ''))).toBe(
      true,
    );
  }
}

/** The contacts of merges, those that remain and those that are gone. */
function mergedIn(kept: readonly UnrevertedItem[]): ReadonlySet<number> {
  return new Set(
    kept.flatMap(({ kind, what }) => (kind === 'merge' ? what.split(' into ').map(Number) : [])),
  );
}

/** A contact without the fields that are listed as kept. */
function withoutFields(
  contact: Omit<Contacts[number], 'tags' | 'comments'>,
  kept: readonly UnrevertedItem[],
): Readonly<Record<string, unknown>> {
  const listed = new Set(kept.flatMap(({ contact: id, what }) => (id === contact.id ? [what] : [])));
  const { custom_fields, status, ...own } = contact;
  const custom = custom_fields
    .filter(({ value }) => value !== null)
    .map(({ name, value }) => [`customFields.${name}`, value] as const);
  const all = Object.entries({ ...own, conversation: status, ...Object.fromEntries(custom) });
  return Object.fromEntries(all.filter(([name]) => !listed.has(name)));
}

/** Nothing is listed that is not so: only what the interface cannot take back. */
function expectKept(
  real: RealImport,
  run: RunRecord,
  lasting: readonly UnrevertedItem[],
  kept: readonly UnrevertedItem[],
): void {
  const of = (kind: UnrevertedItem['kind']) => kept.filter((each) => each.kind === kind);
  for (const kind of ['conversation', 'failed'] as const) expect(of(kind)).toEqual([]);
  // What a later run has merged is not ours any more.
  const merged = mergedIn(lasting);
  expect(of('value').filter(({ contact }) => !merged.has(contact ?? 0))).toEqual([]);
  const steps = stepsOf(real, run);
  const named = (name: string) => steps.filter((step) => step.name === name);
  expect(of('contact')).toHaveLength(named('create').length);
  expect(of('merge')).toHaveLength(named('merge').length);
  const created = new Set(named('create').map(({ seq }) => seq));
  const others = (name: string) => named(name).filter(({ seq }) => !created.has(seq));
  expect(of('comment')).toHaveLength(others('comment').length);
  expect(of('contactTags')).toHaveLength(others('attachTags').length);
}

function stepsOf(real: RealImport, run: RunRecord): readonly WrittenStep[] {
  const journal = openJournalDatabase(join(real.folder, 'work'));
  try {
    const written = listImportsAndUndos(journal, 1).find(({ id }) => id === run.id);
    if (written === undefined) throw new Error(`there is no run ${run.id}`);
    return listWrittenSteps(journal, written, { seq: -1, name: '', item: '' }, 10_000).filter(
      ({ seq }) => seq >= 0,
    );
  } finally {
    journal.close();
  }
}

/** The values that the steps of a run wrote to contacts, as `contact field`. */
function valuesOf(
  real: RealImport,
  run: RunRecord,
  isWanted: (step: WrittenStep) => boolean = () => true,
): readonly string[] {
  return stepsOf(real, run)
    .filter(isWanted)
    .flatMap((step) => {
      const { contact, values = [] } = parseStepEffects(step) ?? {};
      return values.flatMap(({ kind, name }) => {
        const own = revertibleValueKinds.find((each) => each === kind);
        return own === undefined ? [] : [`${contact} ${toValueColumnName({ kind: own, name })}`];
      });
    });
}
