import type { WorkspaceAnswer } from '../../src/model/answer.ts';
import { type Identifier, idToIdentifier } from '../../src/model/identifier.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import type { Workspace } from '../../src/workspace/index.ts';

/** One operation of the specification, and how it is called; `n` makes every call's names its own. */
export interface OperationRow {
  readonly operation: string;
  readonly method: string;
  readonly template: string;
  /** Whether the client sends it again after a lost answer. */
  readonly again: boolean;
  /** Documented error statuses besides 401, 429 and 500 (specification: Errors). */
  readonly documents: readonly (400 | 404 | 449)[];
  prepare?(sandbox: Sandbox, n: number): void;
  call(workspace: Workspace, n: number): Promise<WorkspaceAnswer<unknown>>;
  /** What a good answer holds. */
  value(n: number): unknown;
  /** Breaks a rule of the interface. */
  invalid?(workspace: Workspace): Promise<WorkspaceAnswer<unknown>>;
  /** Is about something that is not there. */
  absent?(workspace: Workspace): Promise<WorkspaceAnswer<unknown>>;
}

export const seed: NonNullable<SandboxOptions['seed']> = {
  users: [
    { id: 1, firstName: 'Olive', lastName: 'Owner', email: 'olive@acme.test', role: 'owner' },
    { id: 2, firstName: 'Max', lastName: 'Manager', email: 'max@acme.test', role: 'manager', team: null },
  ],
  customFields: [
    { id: 1, name: 'Plan', dataType: 'list', allowedValues: ['gold', 'silver'] },
    { id: 2, name: 'Score', dataType: 'number' },
  ],
  closingNotes: [{ category: 'Migrated', description: 'From elsewhere' }, { category: 'Resolved' }],
  channels: [{ id: 12, templates: [{ id: 5, name: 'welcome' }] }],
  contacts: [
    {
      id: 1,
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@acme.test',
      phone: '+60123456789',
      tags: ['vip'],
      assignee: 'olive@acme.test',
      lifecycle: 'Customer',
      custom_fields: [{ name: 'Plan', value: 'gold' }],
    },
  ],
  messages: [
    { messageId: 7, contactId: 1, channelId: 12, traffic: 'incoming', message: { type: 'text', text: 'Hi' } },
  ],
};

export const ada = idToIdentifier(1);
export const nobody = idToIdentifier(999_999);
export const nonsense: Identifier = { kind: 'email', value: 'not an address' };
export const fresh = (n: number): Identifier => ({ kind: 'email', value: `fresh${n}@acme.test` });
