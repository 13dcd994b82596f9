import { type ContactFieldName, type ContactFields, contactFieldNames } from '../model/contact.ts';
import type { CustomValue } from '../model/custom-field.ts';
import type { Draft } from '../model/draft.ts';
import type { KeepRule, KeepRulesByField } from '../model/keep.ts';
import type { Problem } from '../model/problem.ts';
import { toComparableEmail, toComparablePhone } from './comparable.ts';
import { chooseKeptValue } from './kept-value.ts';
import { hasOnlyInitialsOf } from './names.ts';

/**
 * Folds the drafts of one person, given in the input's order, into one (`policy.duplicates: merge`).
 * `dropped` of the result is empty, because each row reports its own dropped values; throws an Error if there
 * are no drafts.
 */
export function foldDrafts(drafts: readonly Draft[], keep: KeepRulesByField): Draft {
  const last = drafts.at(-1);
  if (last === undefined) throw new Error('There is no draft to fold.');
  const contact = foldContact(drafts, keep);
  return {
    key: last.key,
    emailAsWritten: spellingOf(contact.email, drafts),
    values: { contact, customFields: foldCustomFields(drafts, keep) },
    defaults: last.defaults,
    ...foldTags(drafts),
    ...foldStage(drafts),
    ...lastDesiredStates(drafts),
    ...foldComments(drafts),
    dropped: [],
  };
}

function foldContact(drafts: readonly Draft[], keep: KeepRulesByField): ContactFields {
  const contact: { [F in ContactFieldName]?: string | null } = {};
  for (const field of contactFieldNames) {
    const rule = ruleFor(field, keep);
    const said = rule === undefined ? listFirstValues(field, drafts) : listValues(field, drafts);
    const isName = field === 'firstName' || field === 'lastName';
    const kept = chooseKeptValue(said, rule);
    const value = isName && rule === undefined ? spellOut(kept, said) : kept;
    if (value !== undefined) contact[field] = value;
  }
  return contact;
}

function listValues(
  field: ContactFieldName,
  drafts: readonly Draft[],
): readonly (string | null | undefined)[] {
  return drafts.map(({ values }) => values.contact[field]);
}

/**
 * Returns the values without e-mails and phones that another row has as its second one: they do not replace its first
 * one. All values if no other would be left.
 */
function listFirstValues(
  field: ContactFieldName,
  drafts: readonly Draft[],
): readonly (string | null | undefined)[] {
  const all = listValues(field, drafts);
  if (field !== 'email' && field !== 'phone') return all;
  const further = listFurtherValues(field, drafts);
  const firsts = all.filter((value) => !value || !further.has(comparableValue(field, value)));
  return firsts.some(Boolean) ? firsts : all;
}

function listFurtherValues(field: 'email' | 'phone', drafts: readonly Draft[]): ReadonlySet<string> {
  return new Set(
    drafts.flatMap(({ furtherIdentifiers = [] }) =>
      furtherIdentifiers.flatMap(({ kind, value }) => (kind === field ? comparableValue(field, value) : [])),
    ),
  );
}

/**
 * Returns the latest name whose initials the value is, else the value; in the latest spelling of it that is neither in
 * capitals nor in small letters throughout, if there is one.
 */
function spellOut(value: string | null | undefined, said: readonly (string | null | undefined)[]) {
  if (!value) return value;
  const whole = said.findLast((name) => name && hasOnlyInitialsOf(value, name)) ?? value;
  const isSame = (name: string) => name.toLowerCase() === whole.toLowerCase();
  return said.findLast((name) => name && isSame(name) && hasBothCases(name)) ?? whole;
}

function hasBothCases(name: string): boolean {
  return name !== name.toUpperCase() && name !== name.toLowerCase();
}

/** `union` does not apply to e-mails and phones: two addresses joined are not an address. */
function ruleFor(field: ContactFieldName, keep: KeepRulesByField): KeepRule | undefined {
  const rule = keep.contact[field];
  return (field === 'email' || field === 'phone') && rule?.keep === 'union' ? undefined : rule;
}

function foldCustomFields(
  drafts: readonly Draft[],
  keep: KeepRulesByField,
): Readonly<Record<string, CustomValue>> {
  const of = drafts.map(({ values }) => new Map(Object.entries(values.customFields)));
  const names = new Set(of.flatMap((fields) => [...fields.keys()]));
  const rules = new Map(Object.entries(keep.customFields));
  return Object.fromEntries(
    [...names].map((name) => {
      const said = of.map((fields) => fields.get(name));
      return [name, chooseKeptValue(said, rules.get(name)) ?? null];
    }),
  );
}

/**
 * Returns the e-mail as the rows spell it, the latest of several spellings; null if there is no e-mail, or if no row
 * spells it differently.
 */
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

/** Returns the value of the last draft that has one. */
function lastSaid<T>(drafts: readonly Draft[], of: (draft: Draft) => T | undefined): T | undefined {
  const draft = drafts.findLast((each) => of(each) !== undefined);
  return draft === undefined ? undefined : of(draft);
}

/**
 * Returns the last stage that a row names. Null, which takes the contact out of its stage, counts only if no row names
 * one.
 */
function foldStage(drafts: readonly Draft[]): Pick<Draft, 'lifecycle' | 'defaultLifecycle'> {
  const named = lastSaid(drafts, ({ lifecycle }) => lifecycle ?? undefined);
  const lifecycle = named ?? lastSaid(drafts, (draft) => draft.lifecycle);
  const defaultLifecycle = lastSaid(drafts, (draft) => draft.defaultLifecycle);
  return {
    ...(lifecycle !== undefined && { lifecycle }),
    ...(defaultLifecycle !== undefined && { defaultLifecycle }),
  };
}

/** Returns the other desired states, such as the assignee, each from the last draft that has it. */
function lastDesiredStates(drafts: readonly Draft[]): Partial<Draft> {
  let states: Partial<Draft> = {};
  for (const draft of drafts) {
    const { key, emailAsWritten, furtherIdentifiers, values, defaults, dropped, ...wanted } = draft;
    const { tags, lifecycle, defaultLifecycle, comments, ...others } = wanted;
    states = { ...states, ...others };
  }
  return states;
}

function foldComments(drafts: readonly Draft[]): Pick<Draft, 'comments'> {
  const some = drafts.some(({ comments }) => comments !== undefined);
  return some ? { comments: drafts.flatMap(({ comments = [] }) => comments) } : {};
}

/**
 * Returns, for each draft, a note for each field in which another draft's value was kept. No note is made for values
 * that differ only in case, blanks or the form of a phone, or that `keep: union` joined.
 */
export function listFoldNotes(
  drafts: readonly Draft[],
  folded: Draft,
  keep: KeepRulesByField,
): readonly (readonly Problem[])[] {
  const stayed = new Map(saidBy(folded));
  const custom = new Map(Object.entries(keep.customFields));
  const isUnited = (field: string, value: Said) => {
    const name = contactFieldNames.find((each) => each === field);
    const rule = name === undefined ? custom.get(field.slice(customPrefix.length)) : ruleFor(name, keep);
    return rule?.keep === 'union' && typeof value === 'string';
  };
  const further = new Map<string, ReadonlySet<string>>(
    (['email', 'phone'] as const).map((kind) => [kind, listFurtherValues(kind, drafts)]),
  );
  return drafts.map((draft) =>
    saidBy(draft).flatMap(([field, value]) => {
      const kept = stayed.get(field);
      if (kept === undefined || isUnited(field, kept)) return [];
      if (comparableValue(field, value) === comparableValue(field, kept)) return [];
      // The rules of the row that has it as its second one keep or list it.
      if (further.get(field)?.has(comparableValue(field, value))) return [];
      const reason = `${quoted(value)} is left out: another row is the same person, and ${quoted(kept)} stays`;
      return [{ code: `${field}.folded`, column: null, reason }];
    }),
  );
}

type Said = string | number | boolean;

/** Quotes a value: a spreadsheet would take a sentence that begins with +49 for a formula. */
function quoted(value: Said): string {
  return JSON.stringify(String(value));
}

const customPrefix = 'customFields.';

/**
 * Returns the values of a draft by field, as problem codes name it; without comments and tags, which are all kept.
 */
function saidBy({ values, assignee, lifecycle, conversation }: Draft): readonly (readonly [string, Said])[] {
  const { contact, customFields } = values;
  const desired = conversation && [conversation.status, conversation.category, conversation.summary];
  const all = [
    ...contactFieldNames.map((field) => [field, contact[field]] as const),
    ...Object.entries(customFields).map(([name, value]) => [`${customPrefix}${name}`, value] as const),
    ['assignee', assignee?.as] as const,
    ['lifecycle', lifecycle] as const,
    ['conversation', desired?.filter((part) => part !== undefined).join(', ')] as const,
  ];
  return all.flatMap(([field, value]) =>
    value === undefined || value === null || value === '' ? [] : [[field, value] as const],
  );
}

function comparableValue(field: string, value: Said): string {
  const text = String(value);
  if (field === 'email') return toComparableEmail(text) ?? text;
  if (field === 'phone') return toComparablePhone(text) ?? text;
  return text.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
}
