import { basename } from 'node:path';
import {
  countSteps,
  type JournalFile,
  listSessions,
  type RunRecord,
  type StepState,
  sentSteps,
  workspacePlace,
} from '../journal/index.ts';
import { countTagged } from './contact-tags-csv.ts';
import { counted, duration, localTime, rate } from './figures.ts';
import { headline } from './headline.ts';
import { type CommandContext, nextSteps } from './next-steps.ts';
import { html, Markup } from './page/markup.ts';
import { outcomeSection } from './page/outcome-section.ts';
import { peopleSection } from './page/people-section.ts';
import { problemSection } from './page/problem-section.ts';
import { requestSection } from './page/request-section.ts';
import { type Pace, sessionSection } from './page/session-section.ts';
import { stepSection } from './page/step-section.ts';
import { style } from './page/style.ts';
import type { ProblemDigest } from './problem-digest.ts';
import { countProposals } from './proposals-csv.ts';
import { selectionSentence } from './selection-words.ts';
import { type SessionSpan, sessionSpans } from './sessions.ts';
import { fileNames, type Summary } from './summary.ts';
import { unknowable } from './unknowable.ts';

/** How many stretches the pace of a run is drawn in. */
const stretches = 90;

const logo = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M12 2v6M8.5 8h7v6h-7zM3 16h18l-2.6 5.2H5.6z"/></svg>`;

// Nothing may be loaded and nothing may run, whatever stands in the data.
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The page report.html: whole in itself, without scripts, with everything from the data escaped. */
export function reportHtml(
  file: JournalFile,
  run: RunRecord,
  summary: Summary,
  problems: readonly ProblemDigest[],
  context: Pick<CommandContext, 'workDir' | 'deferred' | 'readsLists'>,
): string {
  const spans = sessionSpans(run, listSessions(file, run.number));
  const steps = countSteps(file, run.number);
  const inState = (wanted: StepState) =>
    steps.reduce((sum, { state, n }) => sum + (state === wanted ? n : 0), 0);
  const left = {
    proposals: countProposals(file, run.number),
    uncertain: inState('uncertain'),
    tagged: countTagged(file, run.number),
    gone: summary.gone ?? 0,
  };
  const about = selectionSentence(run.selection);
  const head = headline(summary);
  return html`${new Markup('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="robots" content="noindex">
<title>${run.pipeline}: ${head.text}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header>
<div class="top">${logo}<b>Longshore</b><span>${run.kind}</span><span class="tag ${head.tone}">${summary.outcome}</span></div>
<h1>${head.text}</h1>
<p class="lead">${run.pipeline}, from ${basename(run.inputName)} into ${workspacePlace(file, run.workspace) ?? 'the workspace'}</p>
${about === undefined ? undefined : html`<p class="lead">${about}</p>`}
${run.message === null ? undefined : html`<p class="why">${run.message}</p>`}
${facts(run, summary, spans.length)}
</header>
<main>
${outcomeSection(summary.rows)}
${nextSection(summary, { pipelineFile: run.file, workspace: run.target, source: run.source, ...context })}
${peopleSection(left)}
${problemSection(problems)}
${stepSection(summary)}
${requestSection(summary)}
${sessionSection(spans, paceOf(file, run, spans))}
${notesSection(unknowable(summary, spans, { ...left, inFlight: inState('sent') }))}
</main>
<footer>Built from the journal of run ${run.id}. This page loads nothing and runs no scripts.</footer>
</body>
</html>
`.text;
}

function facts(run: RunRecord, summary: Summary, sessions: number): Markup {
  const done = summary.rows.read - summary.rows.notReached;
  const speed = summary.seconds > 0 && done > 0 ? `${rate(done / summary.seconds)} rows/s` : '–';
  const list: readonly (readonly [string, string])[] = [
    ['Run', run.id],
    ['Began', localTime(summary.startedAt)],
    ['Ended', localTime(summary.finishedAt)],
    ['Worked', `${duration(summary.seconds)} in ${counted(sessions, 'session')}`],
    ['Pace', speed],
    ['Exit code', summary.exitCode === null ? 'none: the process died' : String(summary.exitCode)],
  ];
  return html`<dl class="facts">${list.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function paceOf(file: JournalFile, run: RunRecord, spans: readonly SessionSpan[]): Pace {
  const worked = spans.reduce((sum, { from, to }) => sum + (to - from), 0);
  const width = Math.max(100, Math.ceil(worked / stretches));
  return { width, stretches: sentSteps(file, run.number, spans[0]?.from ?? run.startedAt, width) };
}

function notesSection(notes: readonly string[]): Markup {
  return html`<section><h2>Known limits</h2><ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul></section>`;
}

function nextSection(summary: Summary, context: CommandContext): Markup {
  const steps = nextSteps(summary, context);
  // Beside this page in the same folder, so that the links hold wherever it is moved.
  const files = Object.keys(summary.files).flatMap((name) => {
    const path = Object.entries(fileNames).find(([known]) => known === name)?.[1];
    return path === undefined || name === 'report' ? [] : [html`<li><a href="${path}">${path}</a></li>`];
  });
  return html`<section><h2>Next steps</h2>
${steps.length === 0 ? html`<p class="quiet">Nothing to do: every row is done. Importing the same file again sends only what has changed.</p>` : undefined}
<ol class="steps-next">${steps.map(({ why, command }) => html`<li>${why}${command === null ? html`.` : html`:<pre>${command}</pre>`}</li>`)}</ol>
<ul class="files">${files}</ul></section>`;
}
