import type { ExportRecord } from '../../../model/export-record.ts';
import { canonical } from '../sync-state/content-hash.ts';
import { contactExport, type Given } from './records.ts';

/** A contact that was not in the export before. */
export function added(given: Given): ExportRecord {
  return { given, normal: { change: 'added', id: given.id, fields: null } };
}

/** A contact that is in the export no more, as it was last given. */
export function gone(given: Given): ExportRecord {
  return { given, normal: { change: 'gone', id: given.id, fields: null } };
}

/** A contact that differs from how it was in the export before, and in what; undefined where nothing does. */
export function changed(before: Given, now: Given): ExportRecord | undefined {
  if (canonical(before) === canonical(now)) return undefined;
  const from = flat(before);
  const to = flat(now);
  const fields = [...new Set([...from.keys(), ...to.keys()])].flatMap((name) => {
    const pair = { from: from.get(name) ?? null, to: to.get(name) ?? null };
    return canonical(pair.from) === canonical(pair.to) ? [] : [[name, pair] as const];
  });
  return { given: now, normal: { change: 'changed', id: now.id, fields: Object.fromEntries(fields) } };
}

/** The fields of a contact by their path, custom fields one by one. */
function flat(given: Given): ReadonlyMap<string, unknown> {
  const { customFields, ...others } = contactExport(given, []).normal;
  const fields =
    typeof customFields === 'object' && customFields !== null ? Object.entries(customFields) : [];
  return new Map([
    ...Object.entries(others),
    ...fields.map(([name, value]) => [`customFields.${name}`, value] as const),
  ]);
}
