import type { CustomField } from '../../../model/custom-field.ts';
import type { ExportKind, ExportRecord } from '../../../model/export-record.ts';
import type { User } from '../../../model/user.ts';
import { jsonObjectColumn, numberColumn, type TypedRow, textColumn } from '../../../storage/columns.ts';
import { iteratePages, queryPageSize } from '../../../storage/pages.ts';
import { hasRow, select } from '../../../storage/sql.ts';
import {
  type LosslessRecord,
  parseContact,
  toContactExportRecord,
  toMessageExportRecord,
} from '../records/records.ts';
import type { StagedExport } from '../staging/staging.ts';
import { toCanonicalJson } from '../sync-state/content-hash.ts';
import type { SyncState } from '../sync-state/sync-state.ts';

/** The fetched data that export records are read from. */
export interface StagedRecordSources {
  readonly staging: StagedExport;
  readonly users: readonly User[];
  readonly customFields: readonly CustomField[];
  /** The sync state of the previous export; undefined for a full export. */
  readonly before: SyncState | undefined;
}

/** Returns the records of a kind, page by page, in an order that does not depend on the order of fetching. */
export function readStagedRecords(
  kind: ExportKind,
  staged: StagedRecordSources,
): Iterable<readonly ExportRecord[]> {
  switch (kind) {
    case 'contacts':
      return contacts(staged);
    case 'changes':
      return changes(staged);
    case 'messages':
      return messages(staged, 0);
    case 'messageUpdates':
      return messages(staged, 1);
    case 'users':
      return [staged.users.map(plain)];
    case 'customFields':
      return [staged.customFields.map(plain)];
    case 'closingNotes':
    case 'templates':
      return [staged.staging.objects(kind).map(plain)];
    case 'tags':
      return [tags(staged)];
  }
}

function plain(object: object): ExportRecord {
  const given = { ...object };
  return { given, normal: given };
}

function* contacts({ staging, customFields }: StagedRecordSources): Generator<readonly ExportRecord[]> {
  const fieldNames = customFields.map(({ name }) => name);
  for (const page of contactPages(staging)) {
    yield page.map(({ given }) => toContactExportRecord(given, fieldNames));
  }
}

function* changes({ staging, before }: StagedRecordSources): Generator<readonly ExportRecord[]> {
  for (const page of contactPages(staging)) {
    yield page.flatMap(({ id, given: now }) => {
      const then = before?.contact(id);
      return (then === undefined ? added(now) : changed(then, now)) ?? [];
    });
  }
  if (before === undefined) return;
  for (const page of before.contacts()) {
    yield page
      .filter(({ id }) => !hasRow(staging.db)`SELECT 1 FROM contact WHERE id = ${id}`)
      .map(({ given }) => gone(given));
  }
}

const contactLine = { seq: numberColumn, id: numberColumn, given: jsonObjectColumn };
type ContactLine = TypedRow<typeof contactLine>;

function* contactPages({ db }: StagedExport): Generator<readonly ContactLine[]> {
  yield* iteratePages(
    (last?: ContactLine) => select(db, contactLine)`
    SELECT seq, id, given FROM contact WHERE seq > ${last?.seq ?? 0} ORDER BY seq LIMIT ${queryPageSize}`,
  );
}

const messageLine = { id: numberColumn, contact: numberColumn, given: jsonObjectColumn, owner: textColumn };
type MessageLine = TypedRow<typeof messageLine>;

function* messages(
  { staging, users }: StagedRecordSources,
  updated: 0 | 1,
): Generator<readonly ExportRecord[]> {
  const byId = new Map(users.map((user) => [String(user.id), user]));
  const pages = iteratePages(
    (last?: MessageLine) => select(staging.db, messageLine)`
    SELECT m.id, m.contact, m.given, c.given AS owner FROM message m JOIN contact c ON c.seq = m.contact
    WHERE (m.contact, m.id) > (${last?.contact ?? 0}, ${last?.id ?? 0}) AND m.updated = ${updated}
    ORDER BY m.contact, m.id LIMIT ${queryPageSize}`,
  );
  for (const page of pages) {
    let owner: { readonly text: string; readonly contact: ReturnType<typeof parseContact> } | undefined;
    yield page.map((line) => {
      if (owner?.text !== line.owner)
        owner = { text: line.owner, contact: parseContact(jsonObjectColumn(line.owner)) };
      return toMessageExportRecord(line.given, owner.contact, byId);
    });
  }
}

/** Returns the tags of the contacts, with the number of contacts of each, as the interface has no list of tags. */
function tags({ staging }: StagedRecordSources): readonly ExportRecord[] {
  const counts = new Map<string, number>();
  for (const page of contactPages(staging)) {
    for (const { given } of page) {
      for (const tag of parseContact(given).tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, contacts]) => plain({ name, contacts }));
}

/** Returns the record of a contact that was not in the previous export. */
function added(given: LosslessRecord): ExportRecord {
  return { given, normal: { change: 'added', id: given.id, fields: null } };
}

/** Returns the record of a contact that is no longer in the export, with its last values. */
function gone(given: LosslessRecord): ExportRecord {
  return { given, normal: { change: 'gone', id: given.id, fields: null } };
}

/**
 * Returns the record of a contact that differs from the previous export, with the differences; undefined if nothing
 * differs.
 */
function changed(before: LosslessRecord, now: LosslessRecord): ExportRecord | undefined {
  if (toCanonicalJson(before) === toCanonicalJson(now)) return undefined;
  const from = flat(before);
  const to = flat(now);
  const fields = [...new Set([...from.keys(), ...to.keys()])].flatMap((name) => {
    const pair = { from: from.get(name) ?? null, to: to.get(name) ?? null };
    return toCanonicalJson(pair.from) === toCanonicalJson(pair.to) ? [] : [[name, pair] as const];
  });
  return { given: now, normal: { change: 'changed', id: now.id, fields: Object.fromEntries(fields) } };
}

/** Returns the fields of a contact by path, each custom field as `customFields.NAME`. */
function flat(given: LosslessRecord): ReadonlyMap<string, unknown> {
  const { customFields, ...others } = toContactExportRecord(given, []).normal;
  const fields =
    typeof customFields === 'object' && customFields !== null ? Object.entries(customFields) : [];
  return new Map([
    ...Object.entries(others),
    ...fields.map(([name, value]) => [`customFields.${name}`, value] as const),
  ]);
}
