import { trimmed } from '../datatypes/index.ts';
import { type ContactFieldName, contactFieldNames } from '../model/contact.ts';
import type { CustomField, CustomValue } from '../model/custom-field.ts';
import type { FieldValues, Mapped } from '../model/draft.ts';
import type { Problem } from '../model/problem.ts';
import type { Row } from '../model/row.ts';
import { compilePhoneCountry } from './compile/country.ts';
import type { FieldResult } from './compile/field.ts';
import { compileContactField, compileCustomField } from './compile/readings.ts';
import type { Mistake } from './document/mistake.ts';
import type { LoadedMapping } from './load.ts';

/** What the workspace adds to a mapping: list values are checked against its own fields. */
export interface CompileContext {
  readonly customFields?: readonly CustomField[];
}

const notYet = {
  tags: 'attach tags',
  lifecycle: 'set lifecycle stages',
  assignee: 'assign contacts',
  conversation: 'open or close conversations',
  comments: 'add comments',
} as const;

/**
 * A mapping as a pure function from a row to a draft or to what is wrong with the row. Throws a FatalError (usage) for
 * what the mapping asks and this version does not do, and for defaults that are not valid themselves.
 */
export function compileMapping(mapping: LoadedMapping, context: CompileContext = {}): (row: Row) => Mapped {
  const mistakes: Mistake[] = unsupported(mapping);
  const note = (path: readonly string[], message: string): void => {
    mistakes.push(mapping.mistake(path, message));
  };
  const { contact, customFields, key, identify } = mapping.mapping;
  const phoneCountry = compilePhoneCountry(contact.phone?.country);
  // The country comes first: a phone may be read with it.
  const order: readonly ContactFieldName[] = [
    'countryCode',
    ...contactFieldNames.filter((name) => name !== 'countryCode'),
  ];
  const contactReaders = order.flatMap((name) => {
    const rule = contact[name];
    return rule ? [{ name, read: compileContactField(name, rule, note) }] : [];
  });
  const customReaders = Object.entries(customFields ?? {}).map(([name, rule]) => {
    const field = context.customFields?.find((each) => each.name === name);
    return { name, read: compileCustomField(name, rule, field, note) };
  });
  if (mistakes.length > 0) throw mapping.refusal(mistakes);

  return (row) => {
    const draft = new DraftInProgress();
    for (const { name, read } of contactReaders) {
      const country = name === 'phone' ? phoneCountry(row, draft.countryCode()) : undefined;
      draft.takeContact(name, read(row, country));
    }
    for (const { name, read } of customReaders) draft.takeCustom(name, read(row, undefined));
    const rowKey = key === undefined ? null : trimmed(row.cell(key) ?? '') || null;
    return draft.finish(rowKey, identify);
  };
}

function unsupported(mapping: LoadedMapping): Mistake[] {
  return Object.entries(notYet).flatMap(([key, what]) =>
    Object.hasOwn(mapping.mapping, key)
      ? [mapping.mistake([key], `Longshore does not ${what} yet; take this key out of the mapping`)]
      : [],
  );
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Collects what the fields of one row came to. */
class DraftInProgress {
  readonly #contact: Writable<FieldValues['contact']> = {};
  readonly #contactDefaults: Writable<FieldValues['contact']> = {};
  readonly #customFields: Record<string, CustomValue> = {};
  readonly #customDefaults: Record<string, CustomValue> = {};
  readonly #problems: Problem[] = [];
  readonly #notes: Problem[] = [];
  #emailAsWritten: string | null = null;

  countryCode(): string | undefined {
    return this.#contact.countryCode ?? this.#contactDefaults.countryCode ?? undefined;
  }

  takeContact(name: ContactFieldName, result: FieldResult<string>): void {
    if (result.value !== undefined) this.#contact[name] = result.value;
    if (result.fallback !== undefined) this.#contactDefaults[name] = result.fallback;
    if (name === 'email' && result.text !== undefined && result.text !== result.value)
      this.#emailAsWritten = result.text;
    this.#takeProblems(result);
  }

  takeCustom(name: string, result: FieldResult<string | number | boolean>): void {
    if (result.value !== undefined) this.#customFields[name] = result.value;
    if (result.fallback !== undefined) this.#customDefaults[name] = result.fallback;
    this.#takeProblems(result);
  }

  #takeProblems({ rejected, notes }: FieldResult<unknown>): void {
    if (rejected) this.#problems.push(rejected);
    for (const note of notes) this.#notes.push(note);
  }

  finish(key: string | null, identify: readonly ('email' | 'phone')[]): Mapped {
    const identified = identify.some((name) => this.#contact[name]);
    // An identifier that is wrong has been named already; "missing" would only be said on top of it.
    const explained = this.#problems.some(({ code }) => /^(?:email|phone)\./.test(code));
    if (!identified && !explained) {
      const reason = `The row has no ${identify.map((name) => identifierWords[name]).join(' and no ')}: a contact cannot be found or created without.`;
      this.#problems.push({ code: 'identity.missing', column: null, reason });
    }
    if (this.#problems.length > 0) return { ok: false, key, problems: this.#problems };
    return {
      ok: true,
      draft: {
        key,
        emailAsWritten: this.#emailAsWritten,
        values: { contact: this.#contact, customFields: this.#customFields },
        defaults: { contact: this.#contactDefaults, customFields: this.#customDefaults },
        dropped: this.#notes,
      },
    };
  }
}

const identifierWords = { email: 'e-mail address', phone: 'phone number' } as const;
