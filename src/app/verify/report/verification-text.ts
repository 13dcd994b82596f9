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
};

/** Formats the result of a verification as one line. */
export function formatVerificationHeadline({ contacts, values, sample, exitCode }: Verification): string {
  const { written, matched, gone, different, missing, unread } = contacts;
  if (written === 0) return 'Nothing to verify: no contact was written.';
  const read = sample?.contacts ?? written;
  if (exitCode === 0 && matched === read && values.matched === 0)
    return `Verified: ${formatQuantity(read, 'contact is', 'contacts are')} there; nothing that can be read back was written to ${read === 1 ? 'it' : 'them'}.`;
  if (exitCode === 0) {
    return matched + gone === read
      ? `Verified: ${formatQuantity(read, 'contact is', 'contacts are')} as written.`
      : `Verified: nothing is lost or changed; ${formatQuantity(read - matched - gone, 'contact waits', 'contacts wait')} for deferred steps.`;
  }
  if (different + missing + unread === 0) {
    return `Nothing is lost or changed, but ${formatCount(contacts.notYet)} of ${formatQuantity(read, 'contact')} ${contacts.notYet === 1 ? 'is' : 'are'} not complete yet.`;
  }
  const parts = [
    different > 0 ? `${formatCount(different)} ${different === 1 ? 'differs' : 'differ'}` : '',
    missing > 0 ? `${formatCount(missing)} ${missing === 1 ? 'is' : 'are'} missing` : '',
    unread > 0 ? `${formatCount(unread)} could not be read` : '',
  ];
  return `Of ${formatQuantity(read, 'contact')}, ${parts.filter((part) => part !== '').join(', ')}.`;
}

/** Formats the result of a verification in one or two words. */
export function formatVerificationLabel({
  contacts,
  exitCode,
}: Pick<Verification, 'contacts' | 'exitCode'>): string {
  if (exitCode === 0) return 'verified';
  return contacts.different + contacts.missing + contacts.unread > 0 ? 'differences' : 'not complete';
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

/** Renders a verification as text for a terminal. */
export function renderVerification(
  verification: Verification,
  { colour }: { readonly colour: boolean },
): string {
  const { bold, tone } = createTerminalStyler(colour);
  const { values, fields, normalised, sample, method, files, exitCode } = verification;
  const shown = fields.filter(({ verdict }) => verdict !== 'gone' && verdict !== 'cannotVerify');
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
    formatUnverifiableEffects(verification).length === 0
      ? []
      : ['Cannot be verified:', ...formatUnverifiableEffects(verification).map((each) => `  ${each}`)],
    [...(files.verification === null ? [] : [`List: ${files.verification}`]), `Page: ${files.page}`],
  ]);
}
