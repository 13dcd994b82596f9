import { basename } from 'node:path';
import { type JournalDatabase, listSessions, type RunRecord } from '../../../journal/index.ts';
import { formatCount, formatDuration, formatLocalTime } from '../../../report/figures.ts';
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
import { renderSessionSection } from '../../../report/page/session-section.ts';
import { renderSpeedSection } from '../../../report/page/speed-section.ts';
import { toSessionSpans } from '../../../report/sessions.ts';
import { computePaceIntervals } from '../../../report/speed.ts';
import { formatCommandLine, type Invocation } from '../../run/command-line.ts';
import type { Manifest } from '../folder/manifest.ts';
import type { ExportSummary } from './export-summary.ts';

const words = runKindLabels.export;

/** Renders the page report.html of an export: request, result, manual actions and proof, then the technical part. */
export function renderExportHtml(
  file: JournalDatabase,
  run: RunRecord,
  summary: ExportSummary,
  { manifest, invocation }: { readonly manifest: Manifest | undefined; readonly invocation: Invocation },
): string {
  const sessions = listSessions(file, run.number);
  const isDone = summary.folder !== null;
  const into = summary.folder === null ? 'no folder' : basename(summary.folder);
  return renderPage({
    title: `${run.pipeline}: ${summary.headline}`,
    kind: words.name,
    tag: {
      tone: isDone && summary.unreadable === 0 ? 'good' : isDone ? 'look' : 'bad',
      text: summary.outcome,
    },
    headline: renderSummaryValue(['headline'], summary.headline, 'text'),
    lead: html`<p class="lead given">${run.pipeline}, ${words.lead(summary.workspace, into)}</p>
${summary.message === null ? undefined : html`<p class="why given">${summary.message}</p>`}`,
    main: html`${askedSection(summary, manifest)}
${countSection(summary)}
${peopleSection(summary)}
${proofSection(summary, invocation)}
<h2 class="part">Technical part</h2>
${fileSection(summary)}
${renderRequestSection(summary)}
${renderSpeedSection(summary, computePaceIntervals(sessions), 'Contacts and messages')}
${renderSessionSection(toSessionSpans(run, sessions), { width: 1, stretches: [] })}
${limitSection(summary)}`,
    footer: `Built from the journal of run ${run.id}.`,
  });
}

function askedSection(summary: ExportSummary, manifest: Manifest | undefined): Markup {
  const { run, pipeline, workspace, folder, startedAt, finishedAt, seconds } = summary;
  const given = (text: string) => html`<span class="given">${text}</span>`;
  const asked = [
    ...(manifest !== undefined && manifest.filter.length > 0
      ? [['Filter', given(manifest.filter.map(conditionText).join(' and '))] as const]
      : []),
    ...(manifest?.search ? [['Search', given(manifest.search)] as const] : []),
    ...(manifest?.follows
      ? [['Only what changed since', given(basename(manifest.follows.folder))] as const]
      : []),
  ];
  return html`<section>
<h2>What was asked</h2>
${renderFactList([
  ['Pipeline', given(pipeline)],
  [words.input, given(workspace)],
  [words.workspace, given(folder ?? 'none was written')],
  ...asked,
  ['Started', renderSummaryValue(['startedAt'], formatLocalTime(startedAt), 'time')],
  ['Ended', renderSummaryValue(['finishedAt'], formatLocalTime(finishedAt), 'time')],
  ['Worked', renderSummaryValue(['seconds'], formatDuration(seconds), 'duration')],
  ['Run', given(run)],
])}
</section>`;
}

function countSection({ counts }: ExportSummary): Markup {
  const kinds = Object.entries(counts ?? {});
  if (kinds.length === 0)
    return html`<section><h2>What was done</h2><p class="quiet">Nothing was written.</p></section>`;
  return html`<section><h2>What was done</h2>
<table class="figures"><thead><tr><th scope="col">in the workspace</th><th scope="col" class="n">number</th></tr></thead>
<tbody>${kinds.map(([kind, n]) => html`<tr><th scope="row">${spaced(kind)}</th>${renderCountCell(['counts', kind], n)}</tr>`)}</tbody></table>
</section>`;
}

function peopleSection({ unreadable, next }: ExportSummary): Markup {
  const list = [
    ...(unreadable === 0
      ? []
      : [
          html`<b class="n">${renderSummaryValue(['unreadable'], formatCount(unreadable))}</b><div><b>${unreadable === 1 ? 'contact' : 'contacts'} could not be read completely</b>: manifest.json lists them. The next export reads them again.</div>`,
        ]),
    ...(next === null ? [] : [html`<div>To continue:<pre>${next}</pre></div>`]),
  ];
  return html`<section><h2>Needs manual action</h2>
${list.length === 0 ? html`<p class="quiet">Nothing.</p>` : html`<ul class="todo">${list.map((item) => html`<li>${item}</li>`)}</ul>`}</section>`;
}

function proofSection({ folder }: ExportSummary, invocation: Invocation): Markup {
  if (folder === null) return html``;
  return html`<section class="proof"><h2>Proof</h2><p>${words.proof}:</p><pre>${formatCommandLine(['verify', folder], {}, invocation)}</pre></section>`;
}

function fileSection({ written }: ExportSummary): Markup {
  if (written.length === 0) return html``;
  const rows = written.map(
    ({ name, rows, bytes, sha256 }, index) =>
      html`<tr><th scope="row" class="given">${name}</th>${renderCountCell(['written', index, 'rows'], rows)}${renderCountCell(['written', index, 'bytes'], bytes)}<td><code>${sha256}</code></td></tr>`,
  );
  return html`<section><h3>Files</h3>${renderScrollableTable('Files', ['name', { n: 'rows' }, { n: 'bytes' }, 'SHA-256'], rows)}</section>`;
}

function limitSection({ knownLimits }: ExportSummary): Markup {
  if (knownLimits.length === 0) return html``;
  const notes = knownLimits.map(
    (note, index) => html`<li>${renderSummaryValue(['knownLimits', index], note, 'text')}</li>`,
  );
  return html`<section><h3>Known limits</h3><ul class="notes">${notes}</ul></section>`;
}

/** Returns a condition of the filter as text: `lifecycle isEqualTo Customer`. */
function conditionText(condition: Manifest['filter'][number]): string {
  const words = Object.values(condition).filter((word) => word !== '' && word !== null);
  return words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' ');
}

/** Returns `messageUpdates` as separate words. */
function spaced(kind: string): string {
  return kind.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
}
