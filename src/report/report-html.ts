import { basename } from 'node:path';
import { scaleLinear } from 'd3-scale';
import {
  countSteps,
  type JournalFile,
  listSessions,
  type RunRecord,
  type StepState,
  sentSteps,
  workspacePlace,
} from '../journal/index.ts';
import { count, counted, duration, localTime, rate } from './figures.ts';
import { headline } from './headline.ts';
import { countProposals, countTagged } from './lists.ts';
import { type CommandContext, nextSteps } from './next-steps.ts';
import { html, Markup } from './page/markup.ts';
import { outcomeSection } from './page/outcome-section.ts';
import { peopleSection } from './page/people-section.ts';
import { requestSection } from './page/request-section.ts';
import { type Pace, sessionSection } from './page/session-section.ts';
import { speedSection } from './page/speed-section.ts';
import { style } from './page/style.ts';
import { consequences, type ProblemDigest, type ProblemExample } from './problem-digest.ts';
import { type SessionSpan, sessionSpans } from './sessions.ts';
import { fileNames, type StepCounts, type Summary } from './summary.ts';
import { unknowable } from './unknowable.ts';
import { namedSteps, selectionSentence } from './words.ts';

const most = 20;
const examplesShown = 3;
const longest = 280;
const width = 800;
const height = 8;

/** Problems by code, most frequent first, each with the first lines it stands in. */
function problemSection(problems: readonly ProblemDigest[]): Markup {
  if (problems.length === 0) return html``;
  const shown = problems.slice(0, most);
  const scale = scaleLinear([0, Math.max(...shown.map(({ n }) => n))], [0, width]);
  const rest = problems.slice(most);
  const more = rest.reduce((sum, { n }) => sum + n, 0);
  return html`<section>
<h2>Problems</h2>
<ol class="problems">${shown.map((problem) => item(problem, Math.max(4, Math.round(scale(problem.n)))))}</ol>
${more === 0 ? undefined : html`<p class="quiet">And ${counted(more, 'problem')} under ${counted(rest.length, 'further code')}; see the lists next to this page.</p>`}
</section>`;
}

function item(problem: ProblemDigest, length: number): Markup {
  const { consequence, code, n, examples } = problem;
  const { label, tone } = consequences[consequence];
  const shown = examples.slice(0, examplesShown);
  const rest = n - shown.length;
  const where = tone === 'bad' ? 'rejects.csv' : 'dropped.csv';
  return html`<li>
<div class="problem"><code>${code}</code><span class="tag ${tone}">${label}</span><b class="n">${count(n)}</b></div>
<svg class="bar" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="${height}" fill="var(--track)"/><rect width="${length}" height="${height}" fill="var(--${consequence})"/></svg>
<ul class="examples">${shown.map(example)}${rest > 0 ? html`<li class="quiet">and ${count(rest)} more in ${where}</li>` : html``}</ul>
</li>`;
}

function example({ line, column, reason }: ProblemExample): Markup {
  const text = reason.length > longest ? `${reason.slice(0, longest)}…` : reason;
  return html`<li><span class="line">line ${line}</span>${column === null ? undefined : html`<span class="column">${column}</span>`}<span class="reason">${text}</span></li>`;
}

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
  const sessions = listSessions(file, run.number);
  const spans = sessionSpans(run, sessions);
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
${speedSection(summary, sessions)}
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

/** What was done, step by step: how many of each kind the workspace took, and how many it did not. */
function stepSection({ steps }: Pick<Summary, 'steps'>): Markup {
  const named = namedSteps(steps);
  if (named.length === 0) return html``;
  return html`<section>
<h2>What was done, step by step</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Steps"><table class="figures">
<thead><tr><th scope="col">step</th><th scope="col" class="n">acknowledged</th><th scope="col" class="n">uncertain</th><th scope="col" class="n">refused or failed</th></tr></thead>
<tbody>${named.map(({ label, step }) => stepRow(label, step))}</tbody>
</table></div>
<p class="note">A row of the input takes as many steps as it asks for. Uncertain: sent, and nobody knows yet or ever whether it took effect.</p>
</section>`;
}

function stepRow(label: string, { acked, uncertain, failed }: StepCounts): Markup {
  return html`<tr><th scope="row">${label}</th>${[acked, uncertain, failed].map(figure)}</tr>`;
}

function figure(n: number): Markup {
  return html`<td class="n${n === 0 ? ' none' : ''}">${n === 0 ? '–' : count(n)}</td>`;
}
