import type { Contact } from '../../../src/model/contact.ts';
import type { ExistingWorkspaceCopy, LiveWorkspace, LiveWorkspaceInput } from '../../../src/model/ports.ts';
import type { Source } from '../../../src/model/row.ts';
import { sourceFormats } from '../../../src/sources/registry.ts';
import { systemClock } from '../../../src/workspace/index.ts';

/** A contact with little in it. */
export function contact(id: number): Contact {
  return {
    id,
    firstName: `P${id}`,
    lastName: null,
    email: `p${id}@example.com`,
    phone: null,
    language: null,
    profilePic: null,
    countryCode: null,
    custom_fields: [],
    status: 'open',
    tags: [],
    assignee: null,
    lifecycle: null,
    created_at: 1_700_000_000,
    isBlocked: false,
  };
}

/** A workspace in memory whose contact list is these pages, and what was asked of it. */
export class PagedWorkspace {
  pages: readonly (readonly Contact[])[];
  /** Asking for this page breaks off. */
  breaksAt: number | undefined;
  /** Asking for this contact's messages breaks off. */
  breaksAtMessagesOf: number | undefined;
  /** Whether a copy that was begun earlier is gone on with. */
  keeps: (copy: ExistingWorkspaceCopy) => boolean = () => true;
  readonly asked: string[] = [];
  readonly told: string[] = [];

  constructor(...pages: readonly (readonly number[])[]) {
    this.pages = pages.map((ids) => ids.map(contact));
  }

  source(spoolDir: string, options: object = {}): Source {
    const found = sourceFormats.find(({ name }) => name === 'workspace');
    if (found === undefined) throw new Error('no format workspace');
    return found.open(options, { path: '', spoolDir, live: this.#input() });
  }

  #input(): LiveWorkspaceInput {
    return {
      name: 'https://old.example.com/v1',
      purpose: 'a test',
      clock: systemClock,
      open: () => {
        this.asked.push('open');
        return Promise.resolve(this.#workspace());
      },
      keeps: (copy) => this.keeps(copy),
      tell: (text) => void this.told.push(text),
    };
  }

  #workspace(): LiveWorkspace {
    const asked = this.asked;
    const page = (at: number) => {
      asked.push(`page ${at}`);
      if (at === this.breaksAt) throw new Error('the line is cut');
      return { items: this.pages[at] ?? [], next: at + 1 < this.pages.length ? String(at + 1) : null };
    };
    const last = () => this.pages.length - 1;
    return {
      customFields: () => Promise.resolve(['Plan']),
      users: () => Promise.resolve([]),
      async *contacts(cursor = '0') {
        for (let at = Number(cursor); at <= last(); at += 1) yield page(at);
      },
      messages: (id) => {
        asked.push(`messages ${id}`);
        if (id === this.breaksAtMessagesOf) return Promise.reject(new Error('the line is cut'));
        const text = { type: 'text', text: `Hello from ${id}` };
        return Promise.resolve([
          { messageId: id * 10, channelId: 1, traffic: 'incoming', message: text, status: [] },
        ]);
      },
      close: () => {
        asked.push('close');
        return Promise.resolve();
      },
    };
  }
}
