import { basename } from 'node:path';
import { type JournalFile, listSessions, type RunRecord, sentSteps } from '../../../journal/index.ts';
import { fileNames } from '../../../report/file-names.ts';
import { documentOf } from '../../../report/page/document.ts';
import { kindWords } from '../../../report/page/kind-words.ts';
import { figure, html, type Markup } from '../../../report/page/markup.ts';
import { requestSection } from '../../../report/page/request-section.ts';
import { type Pace, sessionSection } from '../../../report/page/session-section.ts';
import { speedSection } from '../../../report/page/speed-section.ts';
import { type SessionSpan, sessionSpans } from '../../../report/sessions.ts';
import { stretchesOf } from '../../../report/speed.ts';
import { headline } from './headline.ts';
import { askedSection } from './page/asked-section.ts';
import { duplicateSection } from './page/duplicate-section.ts';
import { fillSection } from './page/fill-section.ts';
import { leftBehindSection } from './page/left-behind-section.ts';
import { outcomeSection } from './page/outcome-section.ts';
import { peopleSection } from './page/people-section.ts';
import { problemSection, type ShownProblem } from './page/problem-section.ts';
import { proofSection } from './page/proof-section.ts';
import { stepSection } from './page/step-section.ts';
import { tablesSection } from './page/tables-section.ts';
import type { Summary } from './summary.ts';

/** How many stretches the pace of a run is drawn in. */
const stretches = 90;

/**
 * The page report.html: first what was asked, done, left to people and proved, for whoever ordered it; then the technical
 * part. Whole in itself, without scripts, with everything from the data escaped; its figures are those of the summary.
 */
export function reportHtml(
  file: JournalFile,
  run: RunRecord,
  summary: Summary,
  problems: readonly ShownProblem[],
  { workDir }: { readonly workDir?: string | undefined },
): string {
  const sessions = listSessions(file, run.number);
  const spans = sessionSpans(run, sessions);
  const words = kindWords[run.kind];
  const { asked, message } = summary;
  return documentOf({
    title: `${run.pipeline}: ${summary.headline}`,
    kind: words.name,
    tag: { tone: headline(summary).tone, text: summary.outcome },
    headline: figure(['headline'], summary.headline, 'text'),
    lead: html`<p class="lead given">${run.pipeline}, ${words.lead(basename(asked.input.name), asked.workspace)}</p>
${message === null ? undefined : html`<p class="why given">${message}</p>`}`,
    main: html`${askedSection(summary)}
${outcomeSection(summary)}
${fillSection(summary)}
${peopleSection(summary)}
${tablesSection(summary)}
${leftBehindSection(summary)}
${proofSection(summary, workDir)}
<h2 class="part">Technical part</h2>
${nextSection(summary)}
${problemSection(problems)}
${stepSection(summary)}
${duplicateSection(summary)}
${requestSection(summary)}
${speedSection(summary, stretchesOf(sessions), 'Rows')}
${sessionSection(spans, paceOf(file, run, spans))}
${limitSection(summary)}`,
    footer: `Built from the journal of run ${run.id}.`,
  });
}

function paceOf(file: JournalFile, run: RunRecord, spans: readonly SessionSpan[]): Pace {
  const worked = spans.reduce((sum, { from, to }) => sum + (to - from), 0);
  const width = Math.max(100, Math.ceil(worked / stretches));
  return { width, stretches: sentSteps(file, run.number, spans[0]?.from ?? run.startedAt, width) };
}

function limitSection({ knownLimits }: Summary): Markup {
  const notes = knownLimits.map(
    (note, index) => html`<li>${figure(['knownLimits', index], note, 'text')}</li>`,
  );
  return html`<section><h3>Known limits</h3><ul class="notes">${notes}</ul></section>`;
}

function nextSection({ next, files }: Summary): Markup {
  // Beside this page in the same folder, so that the links hold wherever it is moved.
  const links = Object.entries(fileNames).flatMap(([name, path]) =>
    name in files && name !== 'report' ? [html`<li><a href="${path}">${path}</a></li>`] : [],
  );
  const steps = next.map(({ why, command }, index) => {
    const text = figure(['next', index, 'why'], why, 'text');
    return html`<li>${text}${command === null ? html`.` : html`:<pre>${command}</pre>`}</li>`;
  });
  return html`<section><h3>Next steps and files</h3>
${steps.length === 0 ? html`<p class="quiet">Nothing to do: every row is done. Importing the same file again sends only what has changed.</p>` : html`<ol class="steps-next">${steps}</ol>`}
<ul class="files">${links}</ul></section>`;
}
