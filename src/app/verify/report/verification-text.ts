import { formatCount, formatQuantity } from '../../../report/figures.ts';
import { alignColumns, createTerminalStyler, joinBlocks } from '../../../report/layout.ts';
import type { Verification } from './verification.ts';

/** Formats a verdict and its cause in words. */
export function formatVerdictCause(verdict: string, cause: string): string {
  return words[`${verdict}.${cause}`] ?? words[verdict] ?? verdict;
}

const words: Readonly<Record<string, string>> = {
  'different.lost': 'lost write: the old value is still there',
  'different.normalised': 'changed by the workspace in the same way on many contacts',
  'different.edited': 'edited since',
  'different.merged': 'changed by a merge since',
  missing: 'the contact is not there',
  unread: 'the contact could not be read',
  gone: 'merged into another contact, as it should be',
  'notYet.deferred': 'deferred step, where the row asks for it',
  'notYet.tagsByFile': 'waits for the import of contact-tags.csv',
  'notYet.inFlight': 'its answer was lost: resume or retry the run',
  cannotVerify: 'cannot be verified through the API',
  uncertain: 'the answer was lost: it may be there or not',
};

/** Formats the result of a verification as one line. */
export function formatVerificationHeadline({
  contacts,
  values,
  sample,
  uncertain,
  exitCode,
}: Verification): string {
  const { written, matched, gone } = contacts;
  if (written === 0) return 'Nothing to verify: no contact was written.';
  const read = sample?.contacts ?? written;
  if (exitCode === 0 && matched === read && values.matched === 0)
    return `Verified: ${formatQuantity(read, 'contact is', 'contacts are')} there; nothing that can be read back was written to ${read === 1 ? 'it' : 'them'}.`;
  if (exitCode === 0) {
    return matched + gone === read
      ? `Verified: ${formatQuantity(read, 'contact is', 'contacts are')} as written.`
      : `Verified: nothing is lost or changed; ${formatQuantity(read - matched - gone, 'contact waits', 'contacts wait')} for deferred steps.`;
  }
  return formatOpenHeadline({ contacts, uncertain }, read);
}

/** Formats the result of a verification that found something open, for the number of contacts read. */
function formatOpenHeadline(
  { contacts, uncertain }: Pick<Verification, 'contacts' | 'uncertain'>,
  read: number,
): string {
  const { different, missing, unread, notYet } = contacts;
  const comments = uncertain === 0 ? '' : formatUncertainCount(uncertain);
  const join = (parts: readonly string[], by: string) => parts.filter((part) => part !== '').join(by);
  if (different + missing + unread === 0) {
    const waiting = `${formatCount(notYet)} of ${formatQuantity(read, 'contact')} ${notYet === 1 ? 'is' : 'are'} not complete yet`;
    const what = uncertain === 0 ? 'Nothing' : 'Nothing that can be read back';
    return `${what} is lost or changed, but ${join([notYet === 0 ? '' : waiting, comments], ', and ')}.`;
  }
  const parts = [
    different > 0 ? `${formatCount(different)} ${different === 1 ? 'differs' : 'differ'}` : '',
    missing > 0 ? `${formatCount(missing)} ${missing === 1 ? 'is' : 'are'} missing` : '',
    unread > 0 ? `${formatCount(unread)} could not be read` : '',
    comments,
  ];
  return `Of ${formatQuantity(read, 'contact')}, ${join(parts, ', ')}.`;
}

function formatUncertainCount(n: number): string {
  return `${formatQuantity(n, 'comment')} ${n === 1 ? 'is' : 'are'} uncertain`;
}

/** Returns a sentence about the uncertain comments; undefined if there are none. */
export function formatUncertainComments({ uncertain, all }: Verification): string | undefined {
  if (uncertain === 0) return undefined;
  const they = uncertain === 1 ? 'it may be there or not' : 'they may be there or not';
  const list = all ? 'uncertain.csv of their runs' : 'uncertain.csv of the run';
  return `${formatUncertainCount(uncertain)}: the answer was lost, so ${they}. Look for ${uncertain === 1 ? 'it' : 'them'} in the workspace, and write into ${list} what you found.`;
}

/** Formats the result of a verification in one or two words. */
export function formatVerificationLabel({
  contacts,
  exitCode,
}: Pick<Verification, 'contacts' | 'exitCode'>): string {
  if (exitCode === 0) return 'verified';
  if (contacts.different + contacts.missing + contacts.unread > 0) return 'differences';
  return contacts.notYet > 0 ? 'not complete' : 'uncertain';
}

/** Returns the counts of contacts by verdict, with their labels, without zeros. */
export function listContactVerdictCounts({
  contacts,
}: Verification): readonly (readonly [words: string, n: number])[] {
  const lines = [
    ['as written', contacts.matched],
    ['merged into another contact, as it should be', contacts.gone],
    ['different', contacts.different],
    ['missing', contacts.missing],
    ['could not be read', contacts.unread],
    ['not complete yet', contacts.notYet],
  ] as const;
  return lines.filter(([, n]) => n > 0);
}

/** Returns the effects that cannot be read back, one sentence each. */
export function formatUnverifiableEffects({ cannotVerify }: Verification): readonly string[] {
  const { comments, closings, workspaceTags } = cannotVerify;
  return [
    ...(comments === 0 ? [] : [`${formatQuantity(comments, 'comment')}: the API cannot read them.`]),
    ...(closings === 0
      ? []
      : [`Category and summary of ${formatQuantity(closings, 'closing')}: the API does not show them.`]),
    ...(workspaceTags === 0
      ? []
      : [
          `${formatQuantity(workspaceTags, 'tag')} of the workspace: asking for one is a write, and nothing was written.`,
        ]),
  ];
}

/** Returns the counts by field without those that are shown in a sentence of their own. */
export function listShownFields({ fields }: Verification): Verification['fields'] {
  const elsewhere = ['gone', 'cannotVerify', 'uncertain'];
  return fields.filter(({ verdict }) => !elsewhere.includes(verdict));
}

/** Renders a verification as text for a terminal. */
export function renderVerification(
  verification: Verification,
  { colour }: { readonly colour: boolean },
): string {
  const { bold, tone } = createTerminalStyler(colour);
  const { values, normalised, sample, method, files, exitCode } = verification;
  const shown = listShownFields(verification);
  const uncertain = formatUncertainComments(verification);
  const table = shown.map(({ field, verdict, cause, n }) => [
    `  ${formatCount(n)}`,
    field === '' ? 'contact' : field,
    formatVerdictCause(verdict, cause),
  ]);
  return joinBlocks([
    [tone(exitCode === 0 ? 'good' : 'look', bold(formatVerificationHeadline(verification)))],
    alignColumns(
      listContactVerdictCounts(verification).map(([what, n]) => [`  ${formatCount(n)}`, what]),
      [0],
    ),
    [
      `${formatQuantity(values.matched, 'value')} matched${values.byLaterRun === 0 ? '' : `; ${formatCount(values.byLaterRun)} compared with what a later run wrote`}. ${method.why}`,
    ],
    sample === null ? [] : [sample.sentence],
    alignColumns(table, [0]),
    normalised.map(({ field, what, n }) => `  ${field}: ${what} (${formatCount(n)})`),
    uncertain === undefined ? [] : [uncertain],
    formatUnverifiableEffects(verification).length === 0
      ? []
      : ['Cannot be verified:', ...formatUnverifiableEffects(verification).map((each) => `  ${each}`)],
    [...(files.verification === null ? [] : [`List: ${files.verification}`]), `Page: ${files.page}`],
  ]);
}
