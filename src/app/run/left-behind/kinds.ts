/**
 * A kind of loss: the title under which it is shown, the problem codes that count as this kind, the file that lists all
 * losses of this kind, and how a user can avoid them.
 */
export interface LossKind {
  readonly kind: string;
  readonly title: string;
  /** The title where rows are counted and not yet contacts, as before an import. */
  readonly titleOfRows?: string;
  /**
   * Problem codes; `phone.*` stands for the codes of `phone` that no other kind names, `*.folded` for the code `folded`
   * of any field.
   */
  readonly codes: readonly string[];
  /** The file of the run that lists all losses of this kind; null if none does. */
  readonly file: string | null;
  readonly fix: string;
  /** Set where its values are the fields, with how many rows lose one. */
  readonly byField?: true;
  /** Codes whose problems are also counted by the value of the cell. */
  readonly byValue?: readonly string[];
  /** Set if its codes reject rows; these rows are not counted in the kind `rejected`. */
  readonly ofRows?: true;
  /** Set where the loss depends on facts that only the workspace knows. */
  readonly known?: 'workspace';
}

/** Codes of losses that are counted for a run and not for a row. */
export const runLossCodes = {
  rejected: 'run.rejected',
  rejectedIfNew: 'run.rejectedIfNew',
  notReached: 'run.notReached',
  unjoined: 'run.unjoined',
  unresolved: 'run.unresolved',
  notRead: 'run.notRead',
  columns: 'run.columns',
  times: 'run.times',
  tagsByHand: 'run.tagsByHand',
  deferred: 'run.deferred',
  owners: 'run.owners',
  listValues: 'run.listValues',
} as const;

const dropped = 'dropped.csv';

/** Every kind of loss, in the order in which they are shown. */
export const lossKinds: readonly LossKind[] = [
  {
    kind: 'rejected',
    title: 'Rows rejected',
    codes: [runLossCodes.rejected],
    file: 'rejects.csv',
    fix: 'Fix the cells in the file, or the rules of the mapping; "onInvalid: drop" imports a row without the value.',
  },
  {
    kind: 'rejectedIfNew',
    title: 'Rows rejected where the contact does not exist yet',
    codes: [runLossCodes.rejectedIfNew],
    file: 'rejects.csv',
    fix: 'Give the field a default in the mapping, or fill it in the file.',
    known: 'workspace',
  },
  {
    kind: 'notReached',
    title: 'Rows not reached, because the error budget stops the import',
    codes: [runLossCodes.notReached],
    file: null,
    fix: 'Fix the rejected rows, or raise policy.maxErrors in the pipeline.',
  },
  {
    kind: 'unjoined',
    title: 'Rows of joined tables that belong to no person',
    codes: [runLossCodes.unjoined],
    file: 'unjoined.csv',
    fix: 'Fix the ids in the file, or change the join in the pipeline.',
  },
  {
    kind: 'unresolved',
    title: 'Rows that name a row of a joined table that is not there',
    codes: [runLossCodes.unresolved],
    file: null,
    fix: 'Add the missing rows to the file: the values from them are left out.',
  },
  {
    kind: 'notRead',
    title: 'Sheets and tables of the input that are not read',
    codes: [runLossCodes.notRead],
    file: 'summary.json',
    fix: 'If they hold people, draft a mapping for them, too; tables that belong to these people can be joined in the pipeline.',
  },
  {
    kind: 'folded',
    title: 'Rows merged into another row, as the same person',
    codes: ['identity.folded'],
    file: dropped,
    fix: 'If they are two people, fix the key, e-mail, phone or name in the file.',
  },
  {
    kind: 'foldedValues',
    title: 'Values of merged rows left out, because another one stays',
    codes: ['*.folded'],
    byField: true,
    file: dropped,
    fix: 'Set keep on the field in the mapping, make a comment of each row, or map a further e-mail or phone to a custom field.',
  },
  {
    kind: 'duplicates',
    title: 'Rows skipped, because another row is the same person',
    codes: ['identity.duplicate'],
    file: dropped,
    fix: 'Set policy.duplicates: merge in the pipeline.',
  },
  {
    kind: 'questions',
    title: 'Rows that may be the same person as another',
    codes: ['identity.ask'],
    file: 'same-person.csv',
    fix: 'Write same or different in it, then type import with --approve.',
  },
  {
    kind: 'perhapsForgotten',
    title: 'Rows skipped, because they may be a person who asked to be forgotten',
    codes: ['identity.forgotten'],
    file: dropped,
    fix: 'If they are two people, take the phone or e-mail that both have out of the row and import again.',
  },
  {
    kind: 'conflicts',
    title: 'Rows whose e-mail and phone belong to different contacts',
    codes: ['identity.conflict'],
    file: 'merge-proposals.csv',
    fix: 'Write yes in it where two contacts are one person, then type import with --approve.',
  },
  {
    kind: 'keysReused',
    title: 'Rows whose key belongs to another person',
    codes: ['key.reused'],
    ofRows: true,
    file: 'rejects.csv',
    fix: 'Set source.system in the pipeline if the file comes from another system, or fix the keys in the file.',
  },
  {
    kind: 'byPhoneAlone',
    title: 'Rows matched by a phone or a shared e-mail alone',
    codes: ['identity.byPhoneAlone'],
    file: dropped,
    fix: 'Check these contacts; where it is another person, give the row another identifier in the file.',
  },
  {
    kind: 'shared',
    title: 'Phones and e-mails that belong to another person',
    codes: ['phone.shared', 'email.shared', 'phone.leftOut', 'email.leftOut'],
    file: dropped,
    fix: 'Give each person an e-mail or a phone of their own, or map the shared one to a custom field.',
  },
  {
    kind: 'countryUnknown',
    title: 'Phones left out, because the country is not understood',
    codes: ['phone.countryUnknown'],
    file: dropped,
    fix: 'Add the country under contact.phone.country.values in the mapping.',
  },
  {
    kind: 'phones',
    title: 'Phones left out',
    codes: ['phone.*'],
    file: dropped,
    fix: 'Fix them in the file, or set contact.phone.country in the mapping.',
  },
  {
    kind: 'countryAssumed',
    title: 'Phones whose country was assumed',
    codes: ['phone.countryAssumed'],
    file: dropped,
    fix: 'Check contact.phone.country in the mapping, or write the country code in the file.',
  },
  {
    kind: 'namesDefaulted',
    title: 'Contacts created with the default first name, because the file has none',
    codes: ['firstName.default'],
    file: dropped,
    fix: 'Fill in the names in the file, or add another column, such as the company, to contact.firstName.from in the mapping.',
  },
  {
    kind: 'furtherPhones',
    title: 'Further phones that have no field',
    codes: ['phone.other'],
    file: dropped,
    fix: 'Map them to a custom field.',
  },
  {
    kind: 'perhapsRounded',
    title: 'Phones imported that end in zeros, as if a spreadsheet had rounded them',
    codes: ['phone.rounded'],
    file: dropped,
    fix: 'Compare them with the old system. If they are rounded, export the column as text and import that file.',
  },
  {
    kind: 'extensions',
    title: 'Phone extensions left out',
    codes: ['phone.extension'],
    file: dropped,
    fix: 'Map the column to a custom field, too.',
  },
  {
    kind: 'emails',
    title: 'E-mails left out',
    codes: ['email.*'],
    file: dropped,
    fix: 'Fix them in the file.',
  },
  {
    kind: 'furtherEmails',
    title: 'Further e-mails that have no field',
    codes: ['email.other'],
    file: dropped,
    fix: 'Map them to a custom field.',
  },
  {
    kind: 'values',
    title: 'Other values left out',
    codes: ['firstName.*', 'lastName.*', 'language.*', 'profilePic.*', 'countryCode.*', 'customFields.*'],
    file: dropped,
    fix: 'Fix them in the file, or change the rule of the field in the mapping.',
  },
  {
    kind: 'kept',
    title: 'Values left out, because the contact has another one (onMatch: fill)',
    codes: ['*.kept'],
    file: dropped,
    fix: 'Set policy.onMatch: update in the pipeline if the values of the file are to replace them.',
  },
  {
    kind: 'owners',
    title: 'Rows whose owner is no user of the workspace',
    codes: ['assignee.*'],
    byValue: ['assignee.unknown'],
    file: dropped,
    fix: 'Name their users under assignee.users in the mapping (null: unassigned), or set assignee.unknown.',
  },
  {
    kind: 'ownersNotAsked',
    title: 'Rows whose owner was not compared with the users of the workspace',
    codes: [runLossCodes.owners],
    file: null,
    fix: 'Type check with --online.',
    known: 'workspace',
  },
  {
    kind: 'listValuesNotAsked',
    title: 'Rows with list values that were not compared with those that the workspace allows',
    codes: [runLossCodes.listValues],
    file: null,
    fix: 'Type check with --online.',
    known: 'workspace',
  },
  {
    kind: 'stages',
    title: 'Rows whose lifecycle stage is not in the list of stages',
    codes: ['lifecycle.*'],
    byValue: ['lifecycle.unknown'],
    file: dropped,
    fix: 'Add them to lifecycle.stages in the mapping, or map them under lifecycle.values.',
  },
  {
    kind: 'stagesKept',
    title: 'Contacts left in their lifecycle stage',
    codes: ['lifecycle.backward', 'lifecycle.unlisted'],
    file: dropped,
    fix: 'Set lifecycle.allowBackward, or add the stage to lifecycle.stages in the mapping.',
  },
  {
    kind: 'tagsByHand',
    title: 'Contacts whose tags need to be attached by hand',
    titleOfRows: 'Rows whose tags need to be attached by hand',
    codes: [runLossCodes.tagsByHand],
    file: 'contact-tags.csv',
    fix: 'Import the file in the workspace, or set tags.attach in the mapping.',
  },
  {
    kind: 'tags',
    title: 'Tags left out',
    codes: ['tags.*'],
    file: dropped,
    fix: 'Map them under tags.values in the mapping, or to a custom field.',
  },
  {
    kind: 'commentsSplit',
    title: 'Comments sent in several parts',
    codes: ['comments.split'],
    file: dropped,
    fix: 'Nothing is lost; shorten the text of the comment in the mapping to send one.',
  },
  {
    kind: 'commentsForExisting',
    title: 'Comments left out, because the contact was there before',
    codes: ['comments.left'],
    file: dropped,
    fix: 'Set comments.existing: send in the mapping and import again, if the contacts do not have them yet.',
  },
  {
    kind: 'comments',
    title: 'Comments left out',
    codes: ['comments.edited', 'comments.noKey', 'comments.sameKey'],
    file: dropped,
    fix: 'The file says why for each. Add a text that has changed by hand.',
  },
  {
    kind: 'commentsRepeated',
    title: 'Repeated comments, sent once',
    codes: ['comments.repeated'],
    file: dropped,
    fix: 'A contact gets the same comment once. If you want both, give the comments a key in the mapping.',
  },
  {
    kind: 'summaries',
    title: 'Summaries of conversations cut',
    codes: ['conversation.tooLong'],
    file: dropped,
    fix: 'Shorten conversation.summary in the mapping.',
  },
  {
    kind: 'conversations',
    title: 'Conversations left alone',
    codes: ['conversation.*'],
    byValue: ['conversation.unknown'],
    file: dropped,
    fix: 'Map the state under conversation.status.values in the mapping, or unblock the contact.',
  },
  {
    kind: 'columns',
    title: 'Columns left out',
    codes: [runLossCodes.columns],
    file: 'summary.json',
    fix: 'Map them to a custom field or a comment.',
  },
  {
    kind: 'times',
    title: 'Rows that lose a time of day, because a field of type date keeps the day',
    codes: [runLossCodes.times],
    file: null,
    fix: 'Map the column to a field of type text, too, if the time matters.',
  },
  {
    kind: 'deferred',
    title: 'Rows with steps that wait',
    codes: [runLossCodes.deferred],
    file: 'contacts.csv',
    fix: 'Type import with --deferred, or take the step out of "deferred" in the pipeline.',
  },
];

const byCode = new Map(lossKinds.flatMap((kind) => kind.codes.map((code) => [code, kind] as const)));
const byValue: ReadonlySet<string> = new Set(lossKinds.flatMap((kind) => kind.byValue ?? []));

/** Returns the kind of loss that a code counts as; undefined if nothing of the input is lost. */
export function findLossKind(code: string): LossKind | undefined {
  const [field] = code.split('.', 1);
  return byCode.get(code) ?? byCode.get(`*${/\.[^.]*$/.exec(code)?.[0]}`) ?? byCode.get(`${field}.*`);
}

/** Returns true if problems with this code are also counted by the value of the cell. */
export function isProblemCodeCountedByCellValue(code: string): boolean {
  return byValue.has(code);
}

/** Returns true if rows rejected for this code are a kind of loss of their own, apart from `rejected`. */
export function isSeparateRejectionCode(code: string): boolean {
  return findLossKind(code)?.ofRows === true;
}

/** Returns true for a code that is counted for the run and not for a row. */
export function isRunLossCode(code: string): boolean {
  return code.startsWith('run.');
}
