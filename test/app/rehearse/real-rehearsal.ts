import { existsSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { createLocalWorkspaceFactory, getLocalCopyPaths } from '../../../src/app/rehearse/local-copy.ts';
import { type Rehearsal, type RehearsalRequest, rehearseImport } from '../../../src/app/rehearse/rehearse.ts';
import { countRunRows } from '../../../src/journal/index.ts';
import { toCommand } from '../../../src/model/command.ts';
import type { RowCounts } from '../../../src/model/outcome.ts';
import { loadImportPipeline } from '../../../src/pipeline/index.ts';
import { firstContactIdCreatedInCopy, openWorkspaceComparison } from '../../../src/sandbox/index.ts';
import { systemClock } from '../../../src/workspace/index.ts';
import { usualInvocation } from '../../invocation.ts';
import { isWrite, type RealImport } from '../import/real-import.ts';

type States = ReturnType<typeof openWorkspaceComparison>;
type ContactRecord = ReturnType<States['contactsAfter']>[number];

/** A contact as it is compared: without what nobody can foretell. */
export type Compared = Omit<ContactRecord, 'id' | 'created_at' | 'processing' | 'comments'> & {
  readonly id: number | string;
};

/** What a rehearsal or an import left. */
export interface Left {
  /** Contacts that it changed, and undefined for those that it merged into others. */
  readonly contacts: Readonly<Record<string, Compared | undefined>>;
  /** The texts of the comments that it added. */
  readonly comments: readonly string[];
}

export interface Rehearsed extends Left {
  readonly rows: RowCounts;
  readonly exitCode: number;
  readonly rehearsal: Rehearsal;
}

/** Rehearses what `real` would import; the workspace has seen reads only, and nothing is left of the copy. */
export async function rehearsed(real: RealImport, more: Partial<RehearsalRequest> = {}): Promise<Rehearsed> {
  const stop = new AbortController();
  const pipeline = await loadImportPipeline(real.pipelineFile);
  const { limits, extensions } = pipeline.import;
  const workspace = real.open(stop.signal);
  onTestFinished(() => workspace.close(0));
  const from = real.sandbox.log.length;
  const rehearsal = await rehearseImport({
    ...{ pipeline, workspace, place: `sandbox:${real.sandbox.id}`, target: real.sandbox.baseUrl },
    workDir: `${real.folder}/work`,
    ...{ fresh: false, selection: { kind: 'all' }, full: false, limit: Number.POSITIVE_INFINITY },
    command: toCommand,
    invocation: usualInvocation,
    ...{ clock: systemClock, listen: () => undefined, stop },
    local: createLocalWorkspaceFactory(limits, extensions?.attachTags !== undefined),
    ...{ all: false, speed: undefined, beyondGuard: undefined },
    ...more,
  });
  expect(real.sandbox.log.slice(from).filter(isWrite)).toEqual([]);
  const { end, folder } = rehearsal;
  const rows = countRunRows(end.file, end.run);
  end.file.close();
  const states = openWorkspaceComparison(getLocalCopyPaths(folder));
  const all = (state: 'before' | 'after') => states.contactsAfter(state, 0, 10_000);
  const left = differences(all('before'), all('after'));
  states.close();
  await rehearsal.remove();
  expect(existsSync(folder)).toBe(false);
  return { ...left, rows, exitCode: end.exitCode, rehearsal };
}

/** What became of the contacts in between. New ones are numbered by what they hold: the order of their creation depends on waits. */
export function differences(before: readonly ContactRecord[], after: readonly ContactRecord[]): Left {
  const [was, is] = [byId(before), byId(after)];
  const textOf = (contact: ContactRecord) => JSON.stringify(compared(contact, () => 0));
  const created = after
    .filter(({ id }) => !was.has(id))
    .map((contact) => [textOf(contact), contact.id] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, id]) => id);
  const nameOf = (id: number) => {
    const place = created.indexOf(id);
    return place === -1 ? id : `new ${place + 1}`;
  };
  const ids = [...new Set([...was.keys(), ...is.keys()])];
  const contacts = ids.flatMap((id) => {
    const [one, other] = [was.get(id), is.get(id)].map((contact) => contact && compared(contact, nameOf));
    return JSON.stringify(one) === JSON.stringify(other) ? [] : [[String(nameOf(id)), other] as const];
  });
  return { contacts: Object.fromEntries(contacts), comments: newTexts(before, after) };
}

function byId(contacts: readonly ContactRecord[]): ReadonlyMap<number, ContactRecord> {
  return new Map(contacts.map((contact) => [contact.id, contact]));
}

function compared(contact: ContactRecord, nameOf: (id: number) => number | string): Compared {
  const { created_at: _, processing: _now, comments: _texts, custom_fields, ...rest } = contact;
  // The order of the definitions is that in which they came, and each contact has those without a value, too.
  const sorted = custom_fields
    .filter(({ value }) => value !== null)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { ...rest, custom_fields: sorted, id: nameOf(contact.id) };
}

function newTexts(before: readonly ContactRecord[], after: readonly ContactRecord[]): readonly string[] {
  const texts = (contacts: readonly ContactRecord[]) =>
    contacts.flatMap(({ comments }) => comments.map(({ text }) => text)).sort();
  const left = texts(after);
  for (const text of texts(before)) left.splice(left.indexOf(text), 1);
  return left;
}

/** Rehearses and then imports: what the rehearsal left is what the import leaves. */
export async function rehearsesWhatIsDone(
  real: RealImport,
  more: Partial<RehearsalRequest> = {},
  look: Parameters<RealImport['import']>[1] = () => undefined,
) {
  const { rows, exitCode, rehearsal, ...left } = await rehearsed(real, more);
  const before = real.sandbox.contacts();
  let done: RowCounts | undefined;
  const { fresh, selection, approvals, full, limit } = more;
  const asked = { fresh, selection, approvals, full, limit };
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const end = await real.import(given, async (ended) => {
    done = countRunRows(ended.file, ended.run);
    await look(ended);
  });
  expect(left).toEqual(differences(before, real.sandbox.contacts()));
  expect([rows, exitCode]).toEqual([done, end.exitCode]);
  for (const id of Object.keys(left.contacts))
    expect(Number(id)).not.toBeGreaterThanOrEqual(firstContactIdCreatedInCopy);
  return { run: end.run, rows, rehearsal, left };
}
