import { type ContactFieldName, type ContactFields, contactFieldNames } from '../model/contact.ts';
import type { CustomValue } from '../model/custom-field.ts';
import type { Draft } from '../model/draft.ts';
import type { KeepRule, KeepRules } from '../model/keep.ts';
import type { Problem } from '../model/problem.ts';
import { comparableEmail, comparablePhone } from './comparable.ts';
import { keptValue } from './kept-value.ts';

/** A row of a group. */
export interface FoldedRow {
  readonly line: number;
  readonly draft: Draft;
}

/** The one draft of several rows of one person, given in the input's order (design: `duplicates: merge`); what was left out of a row stays the row's own. */
export function foldDrafts(rows: readonly FoldedRow[], keep: KeepRules): Draft {
  const drafts = rows.map(({ draft }) => draft);
  const last = drafts.at(-1);
  if (last === undefined) throw new Error('There is no row to fold.');
  const contact = foldContact(drafts, keep);
  return {
    key: last.key,
    emailAsWritten: spellingOf(contact.email, drafts),
    values: { contact, customFields: foldCustomFields(drafts, keep) },
    defaults: last.defaults,
    ...foldTags(drafts),
    ...foldStage(drafts),
    ...lastWishes(drafts),
    ...foldComments(drafts),
    dropped: lostIdentifiers(rows, contact),
  };
}

function foldContact(drafts: readonly Draft[], keep: KeepRules): ContactFields {
  const contact: { [F in ContactFieldName]?: string | null } = {};
  for (const field of contactFieldNames) {
    const said = drafts.map(({ values }) => values.contact[field]);
    const value = keptValue(said, ruleFor(field, keep));
    if (value !== undefined) contact[field] = value;
  }
  return contact;
}

/** Two addresses joined are no address. */
function ruleFor(field: ContactFieldName, keep: KeepRules): KeepRule | undefined {
  const rule = keep.contact[field];
  return (field === 'email' || field === 'phone') && rule?.keep === 'union' ? undefined : rule;
}

function foldCustomFields(drafts: readonly Draft[], keep: KeepRules): Readonly<Record<string, CustomValue>> {
  const of = drafts.map(({ values }) => new Map(Object.entries(values.customFields)));
  const names = new Set(of.flatMap((fields) => [...fields.keys()]));
  const rules = new Map(Object.entries(keep.customFields));
  return Object.fromEntries(
    [...names].map((name) => {
      const said = of.map((fields) => fields.get(name));
      return [name, keptValue(said, rules.get(name)) ?? null];
    }),
  );
}

/** The e-mail as the row spells it that says it; the latest of several. */
function spellingOf(email: string | null | undefined, drafts: readonly Draft[]): string | null {
  if (!email) return null;
  const same = drafts.filter(({ values }) => values.contact.email === email);
  return same.findLast(({ emailAsWritten }) => emailAsWritten !== null)?.emailAsWritten ?? null;
}

function foldTags(drafts: readonly Draft[]): Pick<Draft, 'tags'> {
  const tags = new Map<string, string>();
  for (const name of drafts.flatMap(({ tags = [] }) => tags)) {
    const folded = name.normalize('NFC').toLowerCase();
    if (!tags.has(folded)) tags.set(folded, name);
  }
  return drafts.some((draft) => draft.tags !== undefined) ? { tags: [...tags.values()] } : {};
}

/** What the last draft says that says anything. */
function lastSaid<T>(drafts: readonly Draft[], of: (draft: Draft) => T | undefined): T | undefined {
  const draft = drafts.findLast((each) => of(each) !== undefined);
  return draft === undefined ? undefined : of(draft);
}

/** Null, which takes the contact out of any stage, stands only where no row names one. */
function foldStage(drafts: readonly Draft[]): Pick<Draft, 'lifecycle' | 'defaultLifecycle'> {
  const named = lastSaid(drafts, ({ lifecycle }) => lifecycle ?? undefined);
  const lifecycle = named ?? lastSaid(drafts, (draft) => draft.lifecycle);
  const defaultLifecycle = lastSaid(drafts, (draft) => draft.defaultLifecycle);
  return {
    ...(lifecycle !== undefined && { lifecycle }),
    ...(defaultLifecycle !== undefined && { defaultLifecycle }),
  };
}

/** Of everything else that a draft can want the last word counts. */
function lastWishes(drafts: readonly Draft[]): Partial<Draft> {
  let wishes: Partial<Draft> = {};
  for (const draft of drafts) {
    const { key, emailAsWritten, values, defaults, dropped, ...wanted } = draft;
    const { tags, lifecycle, defaultLifecycle, comments, ...others } = wanted;
    wishes = { ...wishes, ...others };
  }
  return wishes;
}

function foldComments(drafts: readonly Draft[]): Pick<Draft, 'comments'> {
  const some = drafts.some(({ comments }) => comments !== undefined);
  return some ? { comments: drafts.flatMap(({ comments = [] }) => comments) } : {};
}

const identifiers = [
  { field: 'email', word: 'e-mail', comparable: comparableEmail },
  { field: 'phone', word: 'phone', comparable: comparablePhone },
] as const;

/** A contact has one e-mail and one phone: every other one that its rows say is named, once, with its first line. */
function lostIdentifiers(rows: readonly FoldedRow[], contact: ContactFields): readonly Problem[] {
  const notes: Problem[] = [];
  for (const { field, word, comparable } of identifiers) {
    const stayed = contact[field];
    if (!stayed) continue;
    const told = new Set([comparable(stayed)]);
    for (const { line, draft } of rows) {
      const value = draft.values.contact[field];
      const compared = value ? comparable(value) : null;
      if (compared === null || told.has(compared)) continue;
      told.add(compared);
      notes.push({
        code: `${field}.folded`,
        column: null,
        reason: `the ${word} ${value} of line ${line} is left out: the rows are one person, a contact has one ${word}, and ${stayed} stays`,
      });
    }
  }
  return notes;
}
