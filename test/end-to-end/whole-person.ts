import type { Sandbox } from '../../src/sandbox/index.ts';
import type { InputRow } from './scene.ts';

/** A mapping with every step that a record can have, each of them for people who are there already, too. */
export const wholeMapping = `mapping: whole-person
key: ID
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
customFields:
  City: { from: City, type: text, create: true }
tags: { from: Tags, split: ";", attach: extension }
lifecycle: { from: Stage, stages: [New Lead, Hot Lead, Customer] }
assignee: { from: Owner }
conversation: { status: closed, category: Migrated, summary: "Imported {ID}", existing: true }
comments:
  existing: send
  entries:
    - { name: origin, text: "Legacy record {ID}" }
    - { name: story, text: "{Story}" }
    - { name: farewell, text: "Last seen in {City}" }
`;

export const attachTags = { attachTags: { method: 'POST', path: '/contact/{identifier}/tag', body: 'tags' } };

/** A workspace that has what such a row refers to, and none of the tags and fields that it makes. */
export const wholeSeed = {
  users: [
    { id: 1, firstName: 'Olive', lastName: 'Owner', email: 'olive@example.org' },
    { id: 2, firstName: 'Max', lastName: 'Manager', email: 'max@example.org' },
  ],
  closingNotes: [{ category: 'Migrated' }],
};

/** Longer than two comments, and no longer than three. */
export const story = Array.from({ length: 440 }, (_, n) => `w${n}`)
  .join(' ')
  .padEnd(2_350, '.');

export function wholeRow(id: string, identifiers: { Email?: string; Phone?: string }): InputRow {
  return {
    ID: id,
    First: `First ${id}`,
    Last: `Last ${id}`,
    Email: identifiers.Email ?? '',
    Phone: identifiers.Phone ?? '',
    City: `City ${id}`,
    Tags: 'blue;green',
    Stage: 'Hot Lead',
    Owner: 'max@example.org',
    Story: story,
  };
}

type ContactRecord = ReturnType<Sandbox['contacts']>[number];

/** A contact in the terms of its row: what every step of the row leaves behind, comments aside. */
export function wholeContact({ custom_fields, ...contact }: ContactRecord): object {
  return {
    firstName: contact.firstName,
    lastName: contact.lastName,
    email: contact.email,
    phone: contact.phone,
    City: custom_fields.find(({ name }) => name === 'City')?.value,
    tags: [...contact.tags].sort(),
    lifecycle: contact.lifecycle,
    assignee: contact.assignee?.email,
    status: contact.status,
    closing: contact.closing,
  };
}

export function wholeWanted(id: string, identifiers: { email: string | null; phone: string | null }): object {
  return {
    firstName: `First ${id}`,
    lastName: `Last ${id}`,
    ...identifiers,
    City: `City ${id}`,
    tags: ['blue', 'green'],
    lifecycle: 'Hot Lead',
    assignee: 'max@example.org',
    status: 'closed',
    closing: { category: 'Migrated', summary: `Imported ${id}` },
  };
}

/** The comments of such a row, in order. */
export const allComments = ['origin', 'story 1/3', 'story 2/3', 'story 3/3', 'farewell'];

/** Comments by what they are: the entry, and of a text that was split the part. */
export function labelled({ comments }: Pick<ContactRecord, 'comments'>): string[] {
  return comments.map(({ text }) => labelOf(text));
}

export function labelOf(text: string): string {
  const part = /\((\d+\/\d+)\)/.exec(text)?.[1];
  if (part !== undefined) return `story ${part}`;
  if (text.startsWith('Legacy record ')) return 'origin';
  return text.startsWith('Last seen in ') ? 'farewell' : text;
}

/** The words of the parts of a split text, without their marks. */
export function wordsOf({ comments }: Pick<ContactRecord, 'comments'>): string {
  const parts = comments.filter(({ text }) => labelOf(text).startsWith('story'));
  return parts.map(({ text }) => text.replace(/\(\d+\/\d+\)/, '').trim()).join(' ');
}
