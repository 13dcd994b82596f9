import { onTestFinished } from 'vitest';
import type { Contact } from '../../src/model/contact.ts';
import { idToIdentifier } from '../../src/model/identifier.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/index.ts';
import { startForTest } from '../sandbox/caller.ts';
import { hastyClock, hastyLimits } from '../workspace/hasty-clock.ts';
import { seeded } from '../workspace/seeded.ts';

export interface Live {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  /** The contact as the workspace gives it. */
  read(id: number): Promise<Contact>;
  /** What changed something, or tried to: `<METHOD> <path>` and the body. */
  writes(): readonly (readonly [request: string, body: unknown])[];
}

/** A sandbox for one test, and the client that talks to it. */
export async function live(options: SandboxOptions = {}): Promise<Live> {
  const { sandbox } = await startForTest({ logBodies: true, strict: true, ...options });
  const workspace = openWorkspace({
    baseUrl: sandbox.baseUrl,
    token: 'sandbox',
    limits: hastyLimits,
    clock: hastyClock(),
    randomness: seeded(1),
    signal: new AbortController().signal,
  });
  onTestFinished(() => workspace.close(1_000));
  return {
    sandbox,
    workspace,
    async read(id) {
      const answer = await workspace.contacts.read(idToIdentifier(id));
      if (answer.kind !== 'ok') throw new Error(`${answer.kind}: ${answer.message}`);
      return answer.value;
    },
    writes: () =>
      sandbox.log
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path, body }) => [`${method} ${path}`, body] as const),
  };
}

/** People, users, fields, tags and closing notes that the tests of operations share. */
export const seed: NonNullable<SandboxOptions['seed']> = {
  users: [
    { id: 1, firstName: 'Olive', lastName: 'Owner', email: 'olive@acme.test', role: 'owner' },
    { id: 2, firstName: 'Max', lastName: 'Manager', email: 'max@acme.test' },
  ],
  customFields: [
    { id: 1, name: 'Score', dataType: 'number' },
    { id: 2, name: 'VIP', dataType: 'checkbox' },
    { id: 3, name: 'Note', dataType: 'text' },
    { id: 4, name: 'Plan', dataType: 'list', allowedValues: ['gold', 'silver'] },
    { id: 5, name: 'Born', dataType: 'date' },
  ],
  closingNotes: [{ category: 'Migrated' }],
  tags: [{ name: 'vip', description: 'Matters' }],
  contacts: [
    { id: 7, firstName: 'Ada', email: 'ada@acme.test', lifecycle: 'New Lead', tags: ['vip'], created_at: 20 },
    {
      id: 8,
      firstName: 'Augusta',
      lastName: 'King',
      phone: '+60123456789',
      created_at: 10,
      custom_fields: [
        { name: 'Score', value: 42 },
        { name: 'VIP', value: true },
        { name: 'Note', value: 'met' },
      ],
    },
    { id: 9, firstName: 'Bob', email: 'bob@acme.test', assignee: 'olive@acme.test', status: 'closed' },
    { id: 10, firstName: 'Eve', email: 'eve@acme.test', status: 'blocked', isBlocked: true },
  ],
};
