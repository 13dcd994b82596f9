import { basename } from 'node:path';
import {
  countSentStepsPerInterval,
  type JournalDatabase,
  listSessions,
  type RunRecord,
} from '../../../journal/index.ts';
import {
  formatLeftBehindDetails,
  formatLeftBehindFix,
  formatLeftBehindTitle,
  leftBehindTitle,
} from '../../../model/left-behind.ts';
import { formatCount, formatDuration, formatLocalTime, formatPercent } from '../../../report/figures.ts';
import { runFileNames } from '../../../report/file-names.ts';
import { renderFactList, renderPage } from '../../../report/page/document.ts';
import { runKindLabels } from '../../../report/page/kind-words.ts';
import {
  html,
  type Markup,
  renderCountCell,
  renderScrollableTable,
  renderSummaryValue,
} from '../../../report/page/markup.ts';
import { renderRequestSection } from '../../../report/page/request-section.ts';
import { renderSessionSection, type WritesOverTime } from '../../../report/page/session-section.ts';
import { renderSpeedSection } from '../../../report/page/speed-section.ts';
import { type SessionSpan, toSessionSpans } from '../../../report/sessions.ts';
import { computePaceIntervals } from '../../../report/speed.ts';
import { formatSelectionSentence, listLabelledSteps } from '../../../report/words.ts';
import { formatCommandLine, type Invocation } from '../../run/command-line.ts';
import { formatVerificationLabel } from '../../verify/report/verification-text.ts';
import { buildRunHeadline } from './headline.ts';
import { renderOutcomeSection } from './page/outcome-section.ts';
import { renderManualActionSection } from './page/people-section.ts';
import { type ProblemWithExamples, renderProblemSection } from './page/problem-section.ts';
import type { StepCounts, Summary } from './summary.ts';
import { formatTableUseLines } from './table-uses.ts';

/** Returns the section about the mapped fields: how many contacts of the run had a value before, and have one after. */
function fillSection({ fill }: Pick<Summary, 'fill'>): Markup {
  if (fill === undefined || fill.contacts === 0 || fill.fields.length === 0) return html``;
  const { contacts, fields } = fill;
  const whole = ['fill', 'contacts'];
  const share = (index: number, when: 'before' | 'after', n: number) =>
    html`<td class="n">${renderSummaryValue(['fill', 'fields', index, when], formatPercent(n, contacts), 'percent', whole)} <span class="of">${renderSummaryValue(['fill', 'fields', index, when], formatCount(n))}</span></td>`;
  const rows = fields.map(
    ({ field, before, after }, index) =>
      html`<tr><th scope="row" class="given">${field}${bar(before, after, contacts)}</th>${share(index, 'before', before)}${share(index, 'after', after)}</tr>`,
  );
  const one = contacts === 1;
  return html`<section>
<h2>Before and after</h2>
<table class="fills">
<thead><tr><th scope="col">contacts with a value in</th><th scope="col" class="n"><i class="swatch before"></i>before</th><th scope="col" class="n"><i class="swatch after"></i>after</th></tr></thead>
<tbody>${rows}</tbody>
</table>
<p class="note">Of ${renderSummaryValue(whole, formatCount(contacts))} ${one ? 'contact' : 'contacts'} that this run created or looked at. A new contact had nothing before; of two that were merged the older one counts. Rows that were unchanged since an earlier run, rejected or skipped are not among them.</p>
</section>`;
}

const width = 800;
const height = 8;

function bar(before: number, after: number, contacts: number): Markup {
  const length = (n: number) => Math.round((width * n) / contacts);
  const [longer, shorter] = before > after ? (['before', 'after'] as const) : (['after', 'before'] as const);
  const lengths = { before: length(before), after: length(after) };
  return html`<svg class="bar" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="${height}" fill="var(--track)"/><rect width="${lengths[longer]}" height="${height}" class="${longer}"/><rect width="${lengths[shorter]}" height="${height}" class="${shorter}"/></svg>`;
}

/** The number of intervals in the chart of writes over time. */
const stretches = 90;

/**
 * Returns the page report.html: first, for the client, what was requested, done, left for manual action and proved;
 * then the technical part. The page is self-contained, without scripts, with all data escaped; its figures are those of
 * the summary.
 */
export function renderReportHtml(
  file: JournalDatabase,
  run: RunRecord,
  summary: Summary,
  problems: readonly ProblemWithExamples[],
  { invocation }: { readonly invocation: Invocation },
): string {
  const sessions = listSessions(file, run.number);
  const spans = toSessionSpans(run, sessions);
  const words = runKindLabels[run.kind];
  const { asked, message } = summary;
  return renderPage({
    title: `${run.pipeline}: ${summary.headline}`,
    kind: words.name,
    tag: { tone: buildRunHeadline(summary).tone, text: summary.outcome },
    headline: renderSummaryValue(['headline'], summary.headline, 'text'),
    lead: html`<p class="lead given">${run.pipeline}, ${words.lead(basename(asked.input.name), asked.workspace)}</p>
${message === null ? undefined : html`<p class="why given">${message}</p>`}`,
    main: html`${askedSection(summary)}
${renderOutcomeSection(summary)}
${fillSection(summary)}
${renderManualActionSection(summary)}
${tablesSection(summary)}
${leftBehindSection(summary)}
${proofSection(summary, invocation)}
<h2 class="part">Technical part</h2>
${nextSection(summary)}
${renderProblemSection(problems)}
${stepSection(summary)}
${duplicateSection(summary)}
${renderRequestSection(summary)}
${renderSpeedSection(summary, computePaceIntervals(sessions), 'Rows')}
${renderSessionSection(spans, paceOf(file, run, spans))}
${limitSection(summary)}`,
    footer: `Built from the journal of run ${run.id}.`,
  });
}

function paceOf(file: JournalDatabase, run: RunRecord, spans: readonly SessionSpan[]): WritesOverTime {
  const worked = spans.reduce((sum, { from, to }) => sum + (to - from), 0);
  const width = Math.max(100, Math.ceil(worked / stretches));
  return {
    width,
    stretches: countSentStepsPerInterval(file, run.number, spans[0]?.from ?? run.startedAt, width),
  };
}

function limitSection({ knownLimits }: Summary): Markup {
  const notes = knownLimits.map(
    (note, index) => html`<li>${renderSummaryValue(['knownLimits', index], note, 'text')}</li>`,
  );
  return html`<section><h3>Known limits</h3><ul class="notes">${notes}</ul></section>`;
}

function nextSection({ next, files }: Summary): Markup {
  // The files are in the same folder as this page, so that the links still work after a move.
  const links = Object.entries(runFileNames).flatMap(([name, path]) =>
    name in files && name !== 'report' ? [html`<li><a href="${path}">${path}</a></li>`] : [],
  );
  const steps = next.map(({ why, command }, index) => {
    const text = renderSummaryValue(['next', index, 'why'], why, 'text');
    return html`<li>${text}${command === null ? html`.` : html`:<pre>${command}</pre>`}</li>`;
  });
  return html`<section><h3>Next steps and files</h3>
${steps.length === 0 ? html`<p class="quiet">Nothing to do: every row is done. Importing the same file again sends only what has changed.</p>` : html`<ol class="steps-next">${steps}</ol>`}
<ul class="files">${links}</ul></section>`;
}

/**
 * Returns the section about the run's request: what was asked, when it was done, and the checksums of the input and the
 * mapping.
 */
function askedSection(summary: Summary): Markup {
  const { asked, kind, run, pipeline, sessions, startedAt, finishedAt, seconds } = summary;
  const words = runKindLabels[kind];
  const given = (text: string) => html`<span class="given">${text}</span>`;
  const about = formatSelectionSentence(summary.selection);
  const times =
    sessions.length > 1
      ? html` in ${renderSummaryValue(['sessions', 'length'], String(sessions.length))} sessions`
      : undefined;
  return html`<section>
<h2>What was asked</h2>
${about === undefined ? undefined : html`<p class="given">${about}</p>`}
${asked.plan === null ? undefined : html`<p>Exactly what the plan <span class="given">${basename(asked.plan)}</span> has, and nothing else.</p>`}
${renderFactList([
  ['Pipeline', given(pipeline)],
  [words.input, given(basename(asked.input.name))],
  ['Mapping', given(asked.mapping.name)],
  [words.workspace, given(asked.workspace)],
  ['Started', renderSummaryValue(['startedAt'], formatLocalTime(startedAt), 'time')],
  ['Ended', renderSummaryValue(['finishedAt'], formatLocalTime(finishedAt), 'time')],
  ['Worked', html`${renderSummaryValue(['seconds'], formatDuration(seconds), 'duration')}${times}`],
  ['Run', given(run)],
])}
${renderFactList([
  ['Checksum of the input', html`<code>${asked.input.fingerprint}</code>`],
  ['Checksum of the mapping (SHA-256)', html`<code>${asked.mapping.sha256}</code>`],
])}
</section>`;
}

/** Returns the section about people found more than once, in the input and in the workspace. */
function duplicateSection({ duplicates, rows }: Pick<Summary, 'duplicates' | 'rows'>): Markup {
  const { people, proposals } = duplicates;
  const shown = (key: keyof typeof duplicates, one: string, many: string) =>
    html`${renderSummaryValue(['duplicates', key], formatCount(duplicates[key]))} ${duplicates[key] === 1 ? one : many}`;
  const lines = [
    ...(people > 0
      ? [
          html`In the input: ${shown('rows', 'row describes', 'rows describe')} a person who has another row, too; ${shown('people', 'person', 'people')} in all. They were merged before anything was sent.`,
        ]
      : []),
    ...(proposals > 0
      ? [
          html`In the workspace: ${shown('contacts', 'contact', 'contacts')} may be the same person as another one; ${shown('proposals', 'merge is', 'merges are')} proposed.`,
        ]
      : []),
    ...(rows.merged > 0
      ? [
          html`Merged in the workspace: ${renderSummaryValue(['rows', 'merged'], formatCount(rows.merged))} ${rows.merged === 1 ? 'row' : 'rows'} whose person was two contacts.`,
        ]
      : []),
  ];
  if (lines.length === 0) return html``;
  return html`<section><h3>Duplicates found</h3><ul class="notes">${lines.map((line) => html`<li>${line}</li>`)}</ul></section>`;
}

/**
 * Returns the section about what the import leaves behind, by kind, with an example, the file that lists all, and what
 * to change.
 */
function leftBehindSection({ leftBehind }: Pick<Summary, 'leftBehind'>): Markup {
  if (leftBehind.length === 0) return html``;
  const items = leftBehind.map((item) => {
    const details = formatLeftBehindDetails(item).map((text) => html`<br>${text}`);
    return html`<li class="given"><b>${formatLeftBehindTitle(item)}</b>${details}<br>${formatLeftBehindFix(item)}</li>`;
  });
  return html`<section>
<h2>${leftBehindTitle}</h2>
<ul class="notes">${items}</ul>
</section>`;
}

/** Returns the section about the result of a verification, or how to run one. */
function proofSection(
  { kind, run, verification }: Pick<Summary, 'kind' | 'run' | 'verification'>,
  invocation: Invocation,
): Markup {
  if (verification === undefined) {
    const command = formatCommandLine(['verify', run], {}, invocation);
    return html`<section class="proof"><h2>Proof</h2><p>${runKindLabels[kind].proof}:</p><pre>${command}</pre></section>`;
  }
  const { contacts, values, sample, exitCode } = verification;
  const at = (...path: readonly string[]) => ['verification', ...path];
  return html`<section class="proof"><h2>Proof <span class="tag ${exitCode === 0 ? 'good' : 'look'}">${formatVerificationLabel(verification)}</span></h2>
<p>${renderSummaryValue(at('headline'), verification.headline, 'text')} ${renderSummaryValue(at('values', 'matched'), formatCount(values.matched))} ${values.matched === 1 ? 'value is' : 'values are'} as written; ${renderSummaryValue(at('contacts', 'written'), formatCount(contacts.written))} ${contacts.written === 1 ? 'contact was' : 'contacts were'} written.</p>
${sample === null ? undefined : html`<p>${renderSummaryValue(at('sample'), sample, 'text')}</p>`}
<p class="note">Read back from the workspace on ${renderSummaryValue(at('finishedAt'), formatLocalTime(verification.finishedAt), 'time')}. <a href="${runFileNames.verificationPage}">${runFileNames.verificationPage}</a> has all figures and a place for a signature.</p></section>`;
}

/** Returns the section about the steps: how many of each kind the workspace accepted, and how many not. */
function stepSection({ steps }: Pick<Summary, 'steps'>): Markup {
  const named = listLabelledSteps(steps);
  if (named.length === 0) return html``;
  const head = ['step', { n: 'acknowledged' }, { n: 'uncertain' }, { n: 'refused or failed' }];
  return html`<section>
<h3>Step by step</h3>
${renderScrollableTable(
  'Steps',
  head,
  named.map(({ name, label, step }) => stepRow(name, label, step)),
)}
<p class="note">A row of the input takes as many steps as it asks for. Uncertain: sent, and whether it took effect is not known yet, or never will be.</p>
</section>`;
}

function stepRow(name: string, label: string, { acked, uncertain, failed }: StepCounts): Markup {
  const cells = Object.entries({ acked, uncertain, failed }).map(([key, n]) =>
    renderCountCell(['steps', name, key], n),
  );
  return html`<tr><th scope="row">${label}</th>${cells}</tr>`;
}

/** Returns the section about the rows of each joined table, and the tables that were not read. */
function tablesSection({ tables }: Pick<Summary, 'tables'>): Markup {
  const lines = tables === undefined ? [] : formatTableUseLines(tables);
  if (lines.length === 0) return html``;
  return html`<section>
<h2>Joined tables</h2>
<ul class="notes">${lines.map((line) => html`<li class="given">${line}</li>`)}</ul>
</section>`;
}
