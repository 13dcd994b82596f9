import type { WorkspaceAnswer } from '../../model/answer.ts';
import { AccessDeniedError } from '../../model/fatal-error.ts';
import { idToIdentifier } from '../../model/identifier.ts';
import type { LoadedExportSettings } from '../../pipeline/export-settings.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { needsWorkspaceTags } from '../../steps/tags.ts';
import { allEndpoints, type Workspace } from '../../workspace/index.ts';
import { createNoteFinding, createOkFinding, type UnformattedFinding } from './finding.ts';

/** The requests to try, by operation (`users.list`); none of them changes anything. */
type Tries = Readonly<Record<string, () => Promise<WorkspaceAnswer<unknown>>>>;

/**
 * Sends the requests. Returns one finding that lists the allowed ones, if there are any, and a finding for each request
 * answered with 403.
 */
async function tried(tries: Tries): Promise<UnformattedFinding[]> {
  const denied: UnformattedFinding[] = [];
  const allowed: string[] = [];
  for (const [operation, ask] of Object.entries(tries)) {
    try {
      await ask();
      allowed.push(kindOf(operation));
    } catch (error) {
      if (!(error instanceof AccessDeniedError)) throw error;
      denied.push({ verdict: 'wrong', text: error.message, next: error.next, denied: true });
    }
  }
  if (allowed.length === 0) return denied;
  return [createOkFinding(`the token has permission for ${allowed.join(', ')}`), ...denied];
}

const one = { limit: 1 };

/**
 * Sends the reads of an import to see whether the token allows them; lists its writes, which cannot be tried; and
 * suggests policy.workspace for an empty workspace.
 */
export async function checkImportAccess(
  { import: { mapping, policy, extensions } }: LoadedImportPipeline,
  workspace: Workspace,
): Promise<UnformattedFinding[]> {
  const { tags, lifecycle, assignee, conversation, comments, customFields } = mapping.mapping;
  const { closingNotes, contacts } = workspace;
  let isEmpty = false;
  const reads: Tries = {
    'users.list': () => workspace.users.list(one),
    'customFields.list': () => workspace.customFields.list(one),
    ...(conversation?.category !== undefined && { 'closingNotes.list': () => closingNotes.list(one) }),
    'contacts.read': () => contacts.read(idToIdentifier(1)),
    ...(policy.lookup !== 'single' && {
      'contacts.list': async () => {
        const answer = await contacts.list(one);
        isEmpty = answer.kind === 'ok' && answer.value.items.length === 0;
        return answer;
      },
    }),
  };
  const creates = Object.values(customFields ?? {}).some((rule) => 'create' in rule && rule.create === true);
  const makesTags = tags !== undefined && needsWorkspaceTags(tags.attach);
  const { attachTags } = extensions ?? {};
  const writes = [
    ...(creates ? ['customFields.create'] : []),
    ...(makesTags ? ['tags.update', 'tags.create'] : []),
    'contacts.create',
    'contacts.update',
    ...(policy.onConflict === 'merge' ? ['contacts.merge'] : []),
    ...(lifecycle === undefined ? [] : ['contacts.setLifecycle']),
    ...(comments === undefined ? [] : ['contacts.comment']),
    ...(assignee === undefined ? [] : ['conversations.assign']),
    ...(conversation === undefined ? [] : ['conversations.setStatus']),
  ].map(kindOf);
  if (tags?.attach === 'extension' && attachTags !== undefined) {
    writes.push(`${attachTags.method} ${attachTags.path}`);
  }
  const text = `not tried, because these requests change data: ${writes.join(', ')}; without one of these permissions an import stops after five rows, and continues when the token has it`;
  const found = [...(await tried(reads)), createNoteFinding(text)];
  return isEmpty && policy.workspace === undefined ? [...found, createNoteFinding(suggestsExclusive)] : found;
}

const suggestsExclusive =
  'the workspace has no contacts: with policy.workspace: exclusive a new person takes one request instead of up to three, provided that no one else creates contacts during the import';

/** Sends the reads of an export, including the messages of the first contact, to see whether the token allows them. */
export async function checkExportAccess(
  { messages, workspaceObjects }: LoadedExportSettings,
  workspace: Workspace,
): Promise<UnformattedFinding[]> {
  let first: number | undefined;
  const found = await tried({
    'users.list': () => workspace.users.list(one),
    'customFields.list': () => workspace.customFields.list(one),
    ...(workspaceObjects.includes('closingNotes') && {
      'closingNotes.list': () => workspace.closingNotes.list(one),
    }),
    'contacts.list': async () => {
      const answer = await workspace.contacts.list(one);
      if (answer.kind === 'ok') first = answer.value.items[0]?.id;
      return answer;
    },
  });
  if (messages === undefined) return found;
  const contact = first;
  if (contact === undefined)
    return [
      ...found,
      createNoteFinding(`not tried, because there is no contact: ${kindOf('messages.list')}`),
    ];
  return [
    ...found,
    ...(await tried({ 'messages.list': () => workspace.messages.list(idToIdentifier(contact), one) })),
  ];
}

/** Returns the method and path of an operation, such as `POST /contact/{identifier}`. */
function kindOf(operation: string): string {
  const endpoint = allEndpoints.find((each) => each.operation === operation);
  return endpoint === undefined ? operation : `${endpoint.method} ${endpoint.template}`;
}
