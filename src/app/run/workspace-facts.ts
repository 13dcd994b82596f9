import { type JournalDatabase, readSlugsOfCreatedFields } from '../../journal/index.ts';
import type { Mapping } from '../../mapping/index.ts';
import type { CustomField } from '../../model/custom-field.ts';
import type { User } from '../../model/user.ts';
import { readCustomFields } from '../../steps/ensure-field.ts';
import type { WorkspaceReads } from '../../steps/port.ts';

/** The facts read from the workspace before the first row. */
export interface WorkspaceFacts {
  readonly customFields: readonly CustomField[];
  readonly users: readonly User[];
  /** The categories of the closing notes; undefined if the mapping has no rule for a category. */
  readonly closingNotes?: readonly string[];
}

/** Reads the users and custom fields of the workspace, and its closing notes if the mapping has a rule for them. */
export async function readWorkspaceFacts(
  workspace: WorkspaceReads,
  mapping: Mapping,
): Promise<WorkspaceFacts> {
  const rule = mapping.conversation?.category;
  const [users, customFields, closingNotes] = await Promise.all([
    readUsers(workspace),
    readCustomFields(workspace),
    rule === undefined ? undefined : readClosingNoteCategories(workspace),
  ]);
  return { customFields, users, ...(closingNotes && { closingNotes }) };
}

/**
 * Returns the facts with the slugs of the fields that earlier runs created, which the workspace does not list;
 * `workspace` is its number in the journal.
 */
export function addKnownSlugs(
  facts: WorkspaceFacts,
  file: JournalDatabase,
  workspace: number,
): WorkspaceFacts {
  const slugs = readSlugsOfCreatedFields(file, workspace);
  const customFields = facts.customFields.map((field) => ({
    ...field,
    slug: field.slug ?? slugs.get(field.name),
  }));
  return { ...facts, customFields };
}

async function readClosingNoteCategories(workspace: WorkspaceReads): Promise<string[]> {
  const categories: string[] = [];
  for await (const page of workspace.paginate(workspace.closingNotes.list))
    categories.push(...page.items.map(({ category }) => category));
  return categories;
}

/** Returns all users of the workspace. */
export async function readUsers(workspace: Pick<WorkspaceReads, 'users' | 'paginate'>): Promise<User[]> {
  const users: User[] = [];
  for await (const page of workspace.paginate(workspace.users.list)) users.push(...page.items);
  return users;
}
