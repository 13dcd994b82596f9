import { z } from 'zod';
import {
  findRunById,
  type IrreversibleStep,
  type JournalDatabase,
  listIrreversibleSteps,
  listRowsWithProblemsAndContact,
  listWorkspaceSteps,
  type RunRecord,
  type UndoSelection,
  type WorkspaceStep,
} from '../../journal/index.ts';
import { formatIdentifier, type Identifier, idToIdentifier } from '../../model/identifier.ts';
import type { Problem } from '../../model/problem.ts';
import { contactCreateStep } from '../../steps/create-contact.ts';
import { tagDeleteStep } from '../../steps/delete-tag.ts';
import { customFieldEnsureStep } from '../../steps/ensure-field.ts';
import { tagEnsureStep } from '../../steps/ensure-tag.ts';
import { contactMergeStep } from '../../steps/merge-contacts.ts';
import { parseAttachTagsEffect } from '../../steps/tags.ts';
import type { ReturnedIdentifiers } from './returned-identifiers.ts';

/** The kinds of items that an undo does not revert. */
export const unrevertedItemKinds = [
  'contact',
  'merge',
  'comment',
  'contactTags',
  'customField',
  'tag',
  'value',
  'conversation',
  'failed',
] as const;

/** An item that an undo did not revert: a line of undo-kept.csv. */
export interface UnrevertedItem {
  readonly kind: (typeof unrevertedItemKinds)[number];
  readonly contact: number | null;
  /** `email:…`, `phone:…` or `id:…`; null where none is known, as for a tag of the workspace. */
  readonly identifier: string | null;
  /** The line of the row in the input of the undone run. */
  readonly line: number | null;
  /** The row's sheet, if several sheets are one input. */
  readonly sheet: string | null;
  /** The field, comment, tags or merge (`17 into 4`); empty for a contact that the run created. */
  readonly what: string;
  readonly why: string;
  /** The manual action to take. */
  readonly todo: string;
  /** True for a contact that the run created with an e-mail or phone that the undo puts back into another contact. */
  readonly sharesIdentifier?: boolean;
}

const pageSize = 500;

/**
 * Yields all items that an undo did not revert, page by page, read from the journal. Without `returned`, a created
 * contact does not say who has its e-mail or phone again.
 */
export async function* readUnrevertedItems(
  file: JournalDatabase,
  undo: RunRecord,
  returned?: ReturnedIdentifiers,
): AsyncIterable<readonly UnrevertedItem[]> {
  const target = undo.undo && findRunById(file, undo.undo.run);
  if (undo.undo === undefined || target === undefined) return;
  yield listUnrevertedFieldsAndTags(
    listWorkspaceSteps(file, target.number),
    undo.undo,
    listWorkspaceSteps(file, undo.number),
  );
  yield* readIrreversibleEffects(file, target, returned);
  for (let after = -1; ; ) {
    const rows = listRowsWithProblemsAndContact(file, undo.number, after, pageSize);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.seq;
    yield rows.flatMap((row) => row.problems.flatMap((problem) => toUnrevertedItem(row, problem) ?? []));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Yields, page by page, the effects of a run on contacts, as far as no undo can revert them. */
export async function* readIrreversibleEffects(
  file: JournalDatabase,
  target: RunRecord,
  returned: ReturnedIdentifiers | undefined,
): AsyncIterable<readonly UnrevertedItem[]> {
  for (
    let after: Pick<IrreversibleStep, 'seq' | 'name' | 'item'> = { seq: -1, name: '\uffff', item: '' };
    ;
  ) {
    const steps = listIrreversibleSteps(file, target, after, pageSize);
    const last = steps.at(-1);
    if (last === undefined) return;
    after = last;
    yield steps.flatMap((step) => keptOfStep(step, returned) ?? []);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function keptOfStep(
  step: IrreversibleStep,
  returned: ReturnedIdentifiers | undefined,
): UnrevertedItem | undefined {
  const { name, item, contact, identifier, line, sheet } = step;
  const sure = step.state === 'acked';
  const of = (id: number | null) => ({
    contact: id,
    identifier: identifier ?? (id === null ? null : formatIdentifier(idToIdentifier(id))),
    line,
    sheet,
  });
  switch (name) {
    case 'create': {
      const { identifiers } = contactCreateStep.parse(step.intent);
      const [first] = identifiers;
      const created = of(contact);
      return {
        ...keptCreate(sure, returned && findOwners(identifiers, returned)),
        ...created,
        identifier: first === undefined ? created.identifier : formatIdentifier(first),
      };
    }
    case 'merge': {
      const [older, newer] = contactMergeStep.parse(step.intent).contactIds;
      return {
        kind: 'merge',
        ...of(older),
        what: `${newer} into ${older}`,
        why: sure ? 'a merge cannot be undone' : 'the merge may have been done: its answer was lost',
        todo: `Compare with the values of both contacts before the merge, in the journal of the work dir; create contact ${newer} again if they are two people`,
      };
    }
    case 'attachTags': {
      const { contactId, tags } = parseAttachTagsEffect(step.intent);
      return {
        kind: 'contactTags',
        ...of(contactId),
        what: tags.join(';'),
        why: 'the interface cannot take a tag from a contact',
        todo: 'Remove the tags from the contact in the workspace',
      };
    }
    case 'comment': {
      const id = commented.parse(step.intent).contactId;
      return {
        kind: 'comment',
        ...of(id),
        what: item,
        why: sure
          ? 'the interface cannot delete a comment'
          : 'the comment may have been added: it cannot be verified through the API',
        todo: 'Delete it in the workspace if it should not be there',
      };
    }
    default:
      return undefined;
  }
}

/** The contacts that have identifiers of a created contact again, and the words for these identifiers. */
interface Owners {
  readonly contacts: readonly number[];
  readonly what: string;
}

function findOwners(identifiers: readonly Identifier[], returned: ReturnedIdentifiers): Owners | undefined {
  const owned = identifiers.flatMap((identifier) => {
    const owner = returned.ownerOf(identifier);
    return owner === undefined ? [] : [{ owner, what: identifier.kind === 'email' ? 'e-mail' : 'phone' }];
  });
  if (owned.length === 0) return undefined;
  const once = <T>(values: readonly T[]) => [...new Set(values)];
  return {
    contacts: once(owned.map(({ owner }) => owner)),
    what: once(owned.map(({ what }) => what)).join(' and '),
  };
}

function keptCreate(
  sure: boolean,
  owners: Owners | undefined,
): Pick<UnrevertedItem, 'kind' | 'what' | 'why' | 'todo' | 'sharesIdentifier'> {
  const why = sure
    ? 'the run created this contact, and the interface cannot delete one'
    : 'the run may have created this contact: its answer was lost';
  const todo = sure ? 'Delete it in the workspace' : 'Look for it in the workspace, and delete it there';
  if (owners === undefined) return { kind: 'contact', what: '', why, todo };
  const { contacts, what } = owners;
  const keep =
    contacts.length === 1
      ? `contact ${contacts.join()}, which has its ${what} again`
      : `contacts ${contacts.join(' and ')}, which have their ${what} again`;
  return {
    kind: 'contact',
    what: '',
    why: `${why}; the undo puts its ${what} back into another contact`,
    todo: `${todo} before the next import; keep ${keep}`,
    sharesIdentifier: true,
  };
}

const commented = z.object({ contactId: z.number() });
const carried = z.object({ carriedBy: z.union([z.number(), z.enum(['unknown', 'gone'])]) });

/**
 * Returns the custom fields and tags of the workspace that an undo did not revert: those that the run created and the
 * undo did not delete, and tags that the run deleted and the undo failed to create again. `steps` are those of the run,
 * `own` those of the undo.
 */
export function listUnrevertedFieldsAndTags(
  steps: readonly WorkspaceStep[],
  asked: Pick<UndoSelection, 'deleteTags'>,
  own: readonly WorkspaceStep[],
): readonly UnrevertedItem[] {
  return steps.flatMap((step) => {
    if (step.state === 'refused' || step.state === 'planned') return [];
    if (step.name === customFieldEnsureStep.name) return [keptField(step)];
    if (step.name === tagEnsureStep.name && step.created !== false) return keptTag(step, asked, own) ?? [];
    if (step.name !== tagDeleteStep.name) return [];
    const again = own.find(({ name, item }) => name === tagEnsureStep.name && item === step.item);
    return again === undefined || again.state === 'acked'
      ? []
      : [
          setting(
            'tag',
            step,
            'it was deleted, and the workspace did not create it again',
            'Create it in the workspace',
          ),
        ];
  });
}

function keptField(step: WorkspaceStep): UnrevertedItem {
  return setting(
    'customField',
    step,
    'the run created this custom field, and the interface cannot delete one',
    'Delete it in the settings of the workspace if it is not needed',
  );
}

function keptTag(
  step: WorkspaceStep,
  { deleteTags }: Pick<UndoSelection, 'deleteTags'>,
  own: readonly WorkspaceStep[],
): UnrevertedItem | undefined {
  const todo = 'Delete it in the settings of the workspace if it is not needed';
  if (step.created === null)
    return setting('tag', step, 'the run may have created this tag: the journal does not know', todo);
  if (!deleteTags)
    return setting('tag', step, 'the run created this tag; tags are deleted only with --delete-tags', todo);
  const deletion = own.find(({ name, item }) => name === tagDeleteStep.name && item === step.item);
  if (deletion?.state === 'acked') return undefined;
  if (deletion?.state === 'refused') return setting('tag', step, 'the workspace refused to delete it', todo);
  const by = carried.safeParse(deletion?.before).data?.carriedBy;
  if (by === 'gone') return undefined;
  if (typeof by === 'number') return setting('tag', step, `contact ${by} carries it`, todo);
  return setting('tag', step, 'whether a contact carries it, or whether it was deleted, is not known', todo);
}

function setting(
  kind: 'customField' | 'tag',
  { item, intent }: WorkspaceStep,
  why: string,
  todo: string,
): UnrevertedItem {
  const what = named.safeParse(intent).data?.name ?? item;
  return { kind, contact: null, identifier: null, line: null, sheet: null, what, why, todo };
}

const named = z.object({ name: z.string() });

const todos: Readonly<Record<string, string>> = {
  'undo.edited': 'Nothing, if the new value is right; otherwise change it in the workspace',
  'undo.later': 'Undo the later run first, then this one again',
  'undo.firstName': 'Change it in the workspace',
  'undo.conversation': 'Undo again with --conversations, or change it in the workspace',
  'undo.notCleared': 'Clear it in the workspace',
  'undo.unread': 'Check in the workspace that it is empty',
  'undo.gone': 'Nothing, if it was deleted or merged on purpose',
  'undo.failed': 'Undo again: only what is left is sent',
};

/** Returns the item for a problem of a contact; undefined for a contact created by the run, which is listed anyway. */
export function toUnrevertedItem(
  { contact, identifier, line, sheet }: Pick<UnrevertedItem, 'contact' | 'identifier' | 'line' | 'sheet'>,
  { code, column, reason }: Problem,
): UnrevertedItem | undefined {
  if (code === 'undo.created') return undefined;
  const kind = code === 'undo.conversation' ? 'conversation' : code === 'undo.failed' ? 'failed' : 'value';
  return {
    kind,
    contact,
    identifier: identifier ?? (contact === null ? null : formatIdentifier(idToIdentifier(contact))),
    line,
    sheet,
    what: column ?? '',
    why: reason,
    todo: todos[code] ?? '',
  };
}
