import { FatalError } from '../../model/fatal-error.ts';
import { idToIdentifier } from '../../model/identifier.ts';
import type { Message } from '../../model/message.ts';
import type { Clock, LiveWorkspace } from '../../model/ports.ts';
import { readCustomFields } from '../../steps/ensure-field.ts';
import type { Workspace } from '../../workspace/index.ts';
import { readUsers } from './workspace-facts.ts';

/** A workspace that is only read, as an input of an import. */
export interface OpenedSourceWorkspace {
  readonly workspace: Workspace;
  /** The name that identifies it: its base URL, or `sandbox:<id>`. */
  readonly place: string;
  /** Closes what was opened for the client, such as a local workspace, but not the client itself. */
  close(): Promise<void>;
}

/** The workspace that a pipeline reads (format: workspace), as the command found it; nothing is opened yet. */
export interface SourceWorkspaceOpener {
  /** The name shown to users: its base URL, or the file of a local workspace. */
  readonly name: string;
  readonly clock: Clock;
  open(): Promise<OpenedSourceWorkspace>;
}

/**
 * Returns the operations with which an input reads a workspace. A FatalError that they throw names the workspace,
 * unless `signal` is aborted.
 */
export function createSourceWorkspaceReader(
  { workspace, close }: OpenedSourceWorkspace,
  { name }: Pick<SourceWorkspaceOpener, 'name'>,
  signal: AbortSignal,
): LiveWorkspace {
  const about = (error: unknown): unknown => (signal.aborted ? error : named(error, name));
  const told = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked;
    } catch (error) {
      throw about(error);
    }
  };
  return {
    customFields: async () => (await told(readCustomFields(workspace))).map((field) => field.name),
    users: () => told(readUsers(workspace)),
    async *contacts(cursor) {
      try {
        yield* workspace.paginate((page) => workspace.contacts.list(page), { cursor });
      } catch (error) {
        throw about(error);
      }
    },
    messages: (contact) => told(readMessages(workspace, contact)),
    async close() {
      await workspace.close(0);
      await close();
    },
  };
}

/** Returns all messages of a contact; none if the contact was deleted after it was listed. */
async function readMessages(workspace: Workspace, contact: number): Promise<readonly Message[]> {
  const messages: Message[] = [];
  const list: typeof workspace.messages.list = async (identifier, page) => {
    const answer = await workspace.messages.list(identifier, page);
    return answer.kind === 'absent' ? { kind: 'ok', value: { items: [], next: null } } : answer;
  };
  for await (const page of workspace.paginate((query) => list(idToIdentifier(contact), query))) {
    messages.push(...page.items);
  }
  return messages;
}

function named(error: unknown, name: string): unknown {
  if (!(error instanceof FatalError)) return error;
  const { reason, message, place, next, cause } = error;
  const hint =
    reason === 'unauthorized'
      ? 'Check the token of the workspace that is read (source.tokenEnv, otherwise LONGSHORE_SOURCE_TOKEN), then run the same command again.'
      : next === undefined
        ? 'Run the same command again: copying continues where it stopped; --fresh starts over.'
        : typeof next === 'string' && reason === 'unreachable'
          ? `${next} Then copying continues where it stopped; --fresh starts over.`
          : next;
  return new FatalError(reason, `The input ${name}: ${message}`, {
    ...(place && { place }),
    next: hint,
    cause,
  });
}
