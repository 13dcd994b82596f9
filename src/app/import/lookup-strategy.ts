import { join } from 'node:path';
import { planLookup } from '../../identity/look-up-plan.ts';
import { type ContactSnapshot, takeContactSnapshot } from '../../identity/snapshot.ts';
import {
  countRunRows,
  findLastConcurrencyLimit,
  type JournalDatabase,
  readContactCount,
  readLatencies,
  storeContactCount,
} from '../../journal/index.ts';
import type { Contact } from '../../model/contact.ts';
import { estimateConcurrency } from '../../workspace/index.ts';
import type { ImportRequest, PreparedImport } from './request.ts';

/** The largest page size within both limits that the API's documentation states. */
const pageSize = 99;

/**
 * Decides how contacts are looked up, reports the decision with its reason, and takes the snapshot if one is used.
 * Returns undefined where contacts are looked up by single reads.
 */
export async function prepareLookupSnapshot({
  request: { pipeline, workspace, workDir, listen },
  file,
  run,
  lookupsNeeded,
  index,
}: PreparedImport): Promise<ContactSnapshot | undefined> {
  const { policy, limits } = pipeline.import;
  // A selection has few rows, most of them known: reading the whole contact list is not worth it.
  if (run.selection.kind !== 'all') return undefined;
  const lookUps = lookupsNeeded ?? countRunRows(file, run).notReached;
  const plan = planLookup({
    policy: policy.lookup,
    lookUps,
    identifiersPerRow: identifiersPerRow(index.counts()),
    contacts: readContactCount(file, run.workspace),
    perSecond: limits.perPath,
    pageSize,
    concurrency: estimateConcurrency(limits.concurrency, findLastConcurrencyLimit(file, run.workspace)),
    readSeconds: measuredRead(file, run.workspace),
    exclusive: policy.workspace === 'exclusive',
  });
  if (plan.strategy === 'single') {
    if (lookUps > 0) listen({ kind: 'note', text: plan.why });
    return undefined;
  }
  const path = join(workDir, 'spool', `${run.id}.contacts.db`);
  const taken = await takeContactSnapshot(path, listContactPages(workspace), { mostPages: plan.mostPages });
  if (taken.kind === 'tooLarge') {
    storeContactCount(file, run.workspace, taken.contactsSeen);
    const text = `The workspace has more than ${taken.contactsSeen} contacts, so people are looked up by single reads.`;
    listen({ kind: 'note', text });
    return undefined;
  }
  const { count } = taken.snapshot;
  storeContactCount(file, run.workspace, count);
  if (count > 0) listen({ kind: 'note', text: seen(count, taken.snapshot.duplicates()) });
  return taken.snapshot;
}

/**
 * Returns the mean duration of a contact read in the last sessions (seconds); undefined if none was measured.
 */
function measuredRead(file: JournalDatabase, workspace: number): number | undefined {
  const read = readLatencies(file, workspace).get('GET /contact/{identifier}');
  return read === undefined ? undefined : read.mean / 1_000;
}

function identifiersPerRow({ rows, identifiers }: { rows: number; identifiers: number }): number {
  return rows === 0 ? 1 : identifiers / rows;
}

function seen(contacts: number, duplicates: number): string {
  const all = `The workspace's contact list was read once, ${contacts.toLocaleString('en-US')} contacts, to see who is there`;
  if (duplicates === 0) return `${all}.`;
  return `${all}; ${duplicates === 1 ? 'one e-mail or phone leads' : `${duplicates} e-mails and phones lead`} to several of them.`;
}

/** Yields the pages of the contact list. */
export async function* listContactPages(
  workspace: ImportRequest['workspace'],
): AsyncGenerator<readonly Contact[], void, undefined> {
  const list = (page: object) => workspace.contacts.list({ ...page, limit: pageSize });
  for await (const { items } of workspace.paginate(list)) yield items;
}
