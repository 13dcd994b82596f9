import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { expect } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import type { InputRow } from '../../end-to-end/scene.ts';
import {
  allComments,
  labelOf,
  wholeContact,
  wholeMapping,
  wholeRow,
  wholeSeed,
  wholeWanted,
} from '../../end-to-end/whole-person.ts';

export const mapping = wholeMapping;

/** The entry of the mapping that a comment comes from. */
export function kindOf(text: string): string {
  return text.startsWith('Story of') ? 'story' : labelOf(text);
}

/** A workspace of a history: its sandbox, the rows that were imported into it, the messages that it was given. */
export class HistoryWorkspace {
  readonly name: string;
  readonly sandbox: Sandbox;
  readonly #folder: string;
  readonly #rows: InputRow[] = [];
  readonly messages = new Set<number>();

  private constructor(name: string, sandbox: Sandbox, folder: string) {
    this.name = name;
    this.sandbox = sandbox;
    this.#folder = folder;
  }

  static async open(name: string, folder: string): Promise<HistoryWorkspace> {
    const sandbox = await startSandbox({
      seed: { ...wholeSeed, contacts: [{ id: 1, firstName: 'Chatty', email: 'chatty@example.com' }] },
      strict: true,
      processingMs: 200,
      extensions: { attachTags: true },
      faults: { latency: { min: 5, max: 25 } },
      logSize: 1_000_000,
    });
    return new HistoryWorkspace(name, sandbox, folder);
  }

  /** Adds rows to the input and messages to the workspace. */
  grow(rows: number, messages: number): void {
    for (let n = 0; n < rows; n += 1) {
      const id = String(this.#rows.length + 1);
      this.#rows.push({ ...wholeRow(id, this.#identifiers(id)), Story: `Story of ${id}` });
    }
    writeFileSync(join(this.#folder, `${this.name}.csv`), stringify(this.#rows, { header: true }));
    const added = Array.from({ length: messages }, (_, n) => ({
      messageId: this.messages.size + n + 1,
      contactId: 1,
      channelId: 1,
      traffic: 'incoming' as const,
      message: { type: 'text', text: `message ${this.messages.size + n + 1}` },
      status: [],
    }));
    this.sandbox.add({ messages: added });
    for (const { messageId } of added) this.messages.add(messageId);
  }

  #identifiers(id: string) {
    return { Email: `person${id}@example.com`, Phone: `+1201555${id.padStart(4, '0')}` };
  }

  /**
   * Every row is exactly one contact with everything in its place, and no comment is there twice; answers which comments are
   * missing, as `person/comment`.
   */
  expectExact(): string[] {
    const people = this.sandbox.contacts().filter(({ email }) => email !== 'chatty@example.com');
    const found = people.map((contact) => JSON.stringify(wholeContact(contact))).sort();
    const wanted = this.#rows.map(({ ID: id = '' }) => {
      const { Email, Phone } = this.#identifiers(id);
      return JSON.stringify(wholeWanted(id, { email: Email, phone: Phone }));
    });
    expect(found, this.name).toEqual(wanted.sort());
    const expected = allComments.filter((label) => !label.startsWith('story')).concat('story');
    return people.flatMap((contact) => {
      const labels = contact.comments.map(({ text }) => kindOf(text));
      expect(new Set(labels).size, `${this.name} ${contact.email}: ${labels.join(', ')}`).toBe(labels.length);
      return expected.filter((label) => !labels.includes(label)).map((label) => `${contact.email}/${label}`);
    });
  }

  /** Requests that made a contact, by their path; each once. */
  expectCreatedOnce(): void {
    const creates = this.sandbox.log.filter(
      ({ method, path, applied }) =>
        method === 'POST' && applied && /^\/contact\/[^/]+$/.test(path) && path !== '/contact/list',
    );
    const paths = creates.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  }
}
