import { commandLine } from '../../../../model/command-line.ts';
import { count, localTime } from '../../../../report/figures.ts';
import { fileNames } from '../../../../report/file-names.ts';
import { kindWords } from '../../../../report/page/kind-words.ts';
import { figure, html, type Markup } from '../../../../report/page/markup.ts';
import { verificationTag } from '../../../verify/report/verification-text.ts';
import type { Summary } from '../summary.ts';

/** What a verification found, or how to make one. */
export function proofSection(
  { kind, run, verification }: Pick<Summary, 'kind' | 'run' | 'verification'>,
  workDir: string | undefined,
): Markup {
  if (verification === undefined) {
    const command = commandLine(['verify', run], { workDir });
    return html`<section class="proof"><h2>Proof</h2><p>${kindWords[kind].proof}:</p><pre>${command}</pre></section>`;
  }
  const { contacts, values, sample, exitCode } = verification;
  const at = (...path: readonly string[]) => ['verification', ...path];
  return html`<section class="proof"><h2>Proof <span class="tag ${exitCode === 0 ? 'good' : 'look'}">${verificationTag(verification)}</span></h2>
<p>${figure(at('headline'), verification.headline, 'text')} ${figure(at('values', 'matched'), count(values.matched))} ${values.matched === 1 ? 'value is' : 'values are'} as written; ${figure(at('contacts', 'written'), count(contacts.written))} ${contacts.written === 1 ? 'contact was' : 'contacts were'} written.</p>
${sample === null ? undefined : html`<p>${figure(at('sample'), sample, 'text')}</p>`}
<p class="note">Read back from the workspace on ${figure(at('finishedAt'), localTime(verification.finishedAt), 'time')}. <a href="${fileNames.verificationPage}">${fileNames.verificationPage}</a> has all figures and a place for a signature.</p></section>`;
}
