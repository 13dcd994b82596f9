import type { LabelledVerification } from '../../wire/history.ts';
import { t } from '../language.ts';

/** Returns what a check that found something open has found, in one sentence. */
export function formatOpenCheck({
  contacts,
  sample,
  uncertain,
}: Pick<LabelledVerification, 'contacts' | 'sample' | 'uncertain'>): string {
  const { different, missing, unread, notYet, written } = contacts;
  const parts = [
    [different, t('{n, plural, one {# differs} other {# differ}}', { n: different })],
    [missing, t('{n, plural, one {# is missing} other {# are missing}}', { n: missing })],
    [unread, t('{n, plural, one {# could not be read} other {# could not be read}}', { n: unread })],
    [notYet, t('{n, plural, one {# is not complete yet} other {# are not complete yet}}', { n: notYet })],
    [
      uncertain,
      t('{n, plural, one {# comment is uncertain} other {# comments are uncertain}}', { n: uncertain }),
    ],
  ] as const;
  return t('Of {n, plural, one {# contact} other {# contacts}}: {parts}.', {
    n: sample?.contacts ?? written,
    parts: parts.flatMap(([n, text]) => (n === 0 ? [] : [text])).join(', '),
  });
}
