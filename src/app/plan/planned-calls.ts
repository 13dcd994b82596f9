import { z } from 'zod';
import type { WorkspaceAnswer } from '../../model/answer.ts';
import type { Contact } from '../../model/contact.ts';
import { type Identifier, parseIdentifier } from '../../model/identifier.ts';
import type { Clock } from '../../model/ports.ts';
import { contactBodySchema } from '../../steps/field-change.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import type {
  CallEndpoint,
  CallRequest,
  Endpoint,
  EndpointCallOptions,
  Workspace,
} from '../../workspace/index.ts';
import { firstPlannedId } from '../run/plan-file.ts';
import { applyContactBody, PlannedContacts } from './planned-contacts.ts';
import { UserNameRecorder } from './user-names.ts';

/** The workspace that is read, and the plan's file. */
export interface DryRunClientOptions {
  readonly workspace: Workspace;
  /** The plan's file, which stores every write. */
  readonly file: SqliteConnection;
  readonly clock: Clock;
}

/** An answer in the form that the workspace's specification describes, not parsed yet. */
type Given = WorkspaceAnswer<unknown>;

/** The page size of lists; the specification states two limits, and this is below both. */
const pageSize = 99;

const fieldsPage = z.object({ items: z.array(z.unknown()), next: z.string().nullable() });
const createBody = contactBodySchema;
const mergeBody = z.looseObject({ contactIds: z.tuple([z.number(), z.number()]) });
const lifecycleBody = z.object({ name: z.string() });
const assigneeBody = z.object({ assignee: z.string().nullable() });
const statusBody = z.looseObject({ status: z.enum(['open', 'close']) });
const commentBody = z.object({ text: z.string() });
const tagBody = z.looseObject({ name: z.string().optional(), currentName: z.string().optional() });
const fieldBody = z.looseObject({ name: z.string() });
const tagNames = z.array(z.string());

const acknowledged: Given = { kind: 'ok', value: { code: 200, message: 'planned' } };

/**
 * Makes the calls of a plan, none of which changes the workspace. Reads are sent, and their answers include the writes
 * planned so far. Writes are stored in the plan, and answered as the specification says.
 */
export class DryRunClient {
  readonly #options: DryRunClientOptions;
  readonly #contacts: PlannedContacts;
  readonly #fields: unknown[] = [];
  readonly #users: UserNameRecorder;
  readonly #note;
  readonly #countRead;

  constructor(options: DryRunClientOptions) {
    const { file, workspace } = options;
    this.#options = options;
    this.#users = new UserNameRecorder(file);
    this.#contacts = new PlannedContacts(
      file,
      async (identifier, options) => {
        const answer = await workspace.contacts.read(identifier, options);
        if (answer.kind === 'ok') this.#users.note(answer.value.assignee);
        return answer;
      },
      (identifier) => contactsWith(workspace, identifier),
    );
    this.#note = file.prepare<[string, string, string, string, number]>(
      'INSERT INTO request (method, path, body, template, perhaps) VALUES (?, ?, ?, ?, ?)',
    );
    this.#countRead = file.prepare<[string]>(
      'INSERT INTO reads VALUES (?, 1) ON CONFLICT DO UPDATE SET count = count + 1',
    );
  }

  /**
   * Handles a call in place of `live`, to which it passes only reads. Throws for a write whose effect the plan does not
   * know.
   */
  async call<T>(
    live: CallEndpoint,
    endpoint: Endpoint<T>,
    request: CallRequest,
    options?: EndpointCallOptions,
  ): Promise<WorkspaceAnswer<T>> {
    const { path, body } = request;
    if (path === null) return await live(endpoint, request, options);
    if (endpoint.method !== 'GET' && endpoint.readOnly !== true) {
      this.#note.run(endpoint.method, path, JSON.stringify(body ?? null), endpoint.template, 0);
      return checked(endpoint, await this.#write(endpoint, path, body));
    }
    this.#countRead.run(`${endpoint.method} ${endpoint.template}`);
    switch (endpoint.operation) {
      case 'contacts.read':
        return checked(endpoint, await this.#contacts.read(identifierIn(endpoint, path), options));
      case 'customFields.list':
        return this.#withFields(endpoint, await live(endpoint, request, options));
      case 'users.list':
        return noting(await live(endpoint, request, options), (page) => this.#users.ofUsers(page));
      case 'contacts.list':
        return noting(await live(endpoint, request, options), (page) => this.#users.ofContacts(page));
      default:
        return await live(endpoint, request, options);
    }
  }

  async #write(endpoint: Endpoint<unknown>, path: string, body: unknown): Promise<Given> {
    const contacts = this.#contacts;
    const contact = () => identifierIn(endpoint, path);
    switch (endpoint.operation) {
      case 'contacts.create':
        contacts.create(createBody.parse(body), this.#seconds());
        return acknowledged;
      case 'contacts.update':
        return reference(
          await contacts.change(contact(), (was) => applyContactBody(was, createBody.parse(body))),
        );
      case 'contacts.merge':
        return reference(await contacts.merge(mergeBody.parse(body).contactIds, createBody.parse(body)));
      case 'contacts.setLifecycle': {
        const lifecycle = lifecycleBody.parse(body).name || null;
        const answer = await contacts.change(contact(), () => ({ lifecycle }));
        return answer.kind === 'ok' ? acknowledged : answer;
      }
      case 'contacts.comment': {
        const answer = await contacts.change(contact(), () => ({}));
        if (answer.kind !== 'ok') return answer;
        const { text } = commentBody.parse(body);
        return { kind: 'ok', value: { contactId: answer.value.id, text, created_at: this.#seconds() } };
      }
      case 'conversations.assign': {
        const { assignee } = assigneeBody.parse(body);
        const user =
          assignee === null ? null : { id: Number(assignee), firstName: '', lastName: '', email: '' };
        return reference(await contacts.change(contact(), () => ({ assignee: user })));
      }
      case 'conversations.setStatus': {
        const status = statusBody.parse(body).status === 'close' ? 'closed' : 'open';
        return reference(await contacts.change(contact(), () => ({ status })));
      }
      case 'customFields.create': {
        const field = { ...fieldBody.parse(body), id: firstPlannedId + this.#fields.length };
        this.#fields.push(field);
        return { kind: 'ok', value: field };
      }
      case 'tags.update': {
        const { currentName, ...look } = tagBody.parse(body);
        // Only a write shows whether the tag exists, so the plan counts its creation as a request that may be needed.
        const create = JSON.stringify({ name: currentName, ...look });
        this.#note.run('POST', '/space/tag', create, '/space/tag', 1);
        return { kind: 'ok', value: { id: firstPlannedId, name: currentName, ...look } };
      }
      case 'extensions.call': {
        const tags = tagNames.parse(body);
        const answer = await contacts.change(contact(), (was) => ({ tags: [...was.tags, ...tags] }));
        return answer.kind === 'ok' ? { kind: 'ok', value: null } : answer;
      }
      default:
        throw new Error(`a plan does not know what ${endpoint.operation} would change`);
    }
  }

  /** Adds the custom fields that the plan creates to the last page of a list. */
  #withFields<T>(endpoint: Endpoint<T>, answer: WorkspaceAnswer<T>): WorkspaceAnswer<T> {
    if (answer.kind !== 'ok' || this.#fields.length === 0) return answer;
    const { items, next } = fieldsPage.parse(answer.value);
    return next === null
      ? { kind: 'ok', value: endpoint.response.parse({ items: [...items, ...this.#fields] }) }
      : answer;
  }

  #seconds(): number {
    return Math.floor(this.#options.clock.now() / 1_000);
  }
}

function noting<T>(answer: WorkspaceAnswer<T>, note: (value: T) => void): WorkspaceAnswer<T> {
  if (answer.kind === 'ok') note(answer.value);
  return answer;
}

function checked<T>(endpoint: Endpoint<T>, answer: Given): WorkspaceAnswer<T> {
  return answer.kind === 'ok' ? { kind: 'ok', value: endpoint.response.parse(answer.value) } : answer;
}

function reference(answer: WorkspaceAnswer<Contact>): Given {
  return answer.kind === 'ok' ? { kind: 'ok', value: { contactId: answer.value.id } } : answer;
}

/** Returns the identifier in a path, at its place in the endpoint's template. */
function identifierIn({ template }: Endpoint<unknown>, path: string): Identifier {
  const at = template.split('/').indexOf('{identifier}');
  return parseIdentifier(decodeURIComponent(path.split('/')[at] ?? ''));
}

/** Returns all contacts with this e-mail or phone; a read by identifier returns only the first of them. */
async function contactsWith(workspace: Workspace, { kind, value }: Identifier): Promise<readonly Contact[]> {
  const found: Contact[] = [];
  const condition = { category: 'contactField', field: kind, operator: 'isEqualTo', value } as const;
  const list = (page: object) =>
    workspace.contacts.list({ ...page, filter: { $and: [condition] }, limit: pageSize });
  for await (const { items } of workspace.paginate(list)) found.push(...items);
  return found;
}
