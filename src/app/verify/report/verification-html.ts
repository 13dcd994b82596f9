import { basename } from 'node:path';
import { formatCount, formatLocalTime } from '../../../report/figures.ts';
import { renderFactList, renderPage } from '../../../report/page/document.ts';
import { html, type Markup } from '../../../report/page/markup.ts';
import type { Verification } from './verification.ts';
import {
  formatUncertainComments,
  formatUnverifiableEffects,
  formatVerdictCause,
  formatVerificationHeadline,
  formatVerificationLabel,
  listContactVerdictCounts,
  listShownFields,
} from './verification-text.ts';

/** Renders the page verification.html, for printing and signing, without scripts or external resources. */
export function renderVerificationHtml(verification: Verification): string {
  const { run, pipeline, workspace, exitCode, sample, checksums } = verification;
  const headline = formatVerificationHeadline(verification);
  return renderPage({
    title: `${pipeline}: ${headline}`,
    kind: 'verification',
    tag: { tone: exitCode === 0 ? 'good' : 'look', text: formatVerificationLabel(verification) },
    headline: html`${headline}`,
    lead: html`<p class="lead">${pipeline}, from ${basename(checksums.input.name)} into ${workspace}</p>
${sample === null ? undefined : html`<p class="why">${sample.sentence}</p>`}
${facts(verification)}`,
    main: html`${contactSection(verification)}
${fieldSection(verification)}
${uncertainSection(verification)}
${limitSection(verification)}
${methodSection(verification)}
${checksumSection(verification)}
<section><h2>Signature</h2>
<p class="quiet">The figures above describe the workspace at the time of the reading.</p>
<div class="sign"><div>Name</div><div>Date</div><div>Signature</div></div></section>`,
    footer: `Built from the journal of run ${run} and from what the workspace answered.`,
  });
}

function facts({ run, all, startedAt, finishedAt, contacts, values, sample }: Verification): Markup {
  const list: readonly (readonly [string, string])[] = [
    [all ? 'All runs up to' : 'Run', run],
    ['Read from', formatLocalTime(startedAt)],
    ['Read until', formatLocalTime(finishedAt)],
    ['Contacts written', formatCount(contacts.written)],
    ['Contacts read back', formatCount(sample?.contacts ?? contacts.written)],
    ['Values compared', formatCount(values.matched + values.different + values.notYet)],
  ];
  return renderFactList(list);
}

function contactSection(verification: Verification): Markup {
  const lines = listContactVerdictCounts(verification);
  if (lines.length === 0) return html``;
  return html`<section><h2>Contacts</h2>
<table class="figures"><thead><tr><th scope="col">what was found</th><th scope="col" class="n">contacts</th></tr></thead>
<tbody>${lines.map(([what, n]) => html`<tr><th scope="row">${what}</th><td class="n">${formatCount(n)}</td></tr>`)}</tbody></table></section>`;
}

function fieldSection(verification: Verification): Markup {
  const { normalised, values, checksums } = verification;
  const shown = listShownFields(verification);
  const list = checksums.differences;
  return html`<section><h2>Values</h2>
<p>${formatCount(values.matched)} values are as they were written${values.byLaterRun === 0 ? '' : `; ${formatCount(values.byLaterRun)} were compared with what a later run wrote`}.</p>
${
  shown.length === 0
    ? undefined
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Values"><table class="figures"><thead><tr><th scope="col">field</th><th scope="col">what was found</th><th scope="col" class="n">number</th></tr></thead>
<tbody>${shown.map(({ field, verdict, cause, n }) => html`<tr><th scope="row">${field === '' ? 'contact' : field}</th><td>${formatVerdictCause(verdict, cause)}</td><td class="n">${formatCount(n)}</td></tr>`)}</tbody></table></div>`
}
${normalised.length === 0 ? undefined : html`<ul class="notes">${normalised.map(({ field, what, n }) => html`<li>The workspace gives ${field} back ${what} (${formatCount(n)}).</li>`)}</ul>`}
${list === null ? undefined : html`<p class="note">Every one of them is a line of <a href="${list.name}">${list.name}</a>. A cause is what the evidence says; no person has confirmed it.</p>`}</section>`;
}

function uncertainSection(verification: Verification): Markup {
  const sentence = formatUncertainComments(verification);
  return sentence === undefined ? html`` : html`<section><h2>Uncertain</h2><p>${sentence}</p></section>`;
}

function limitSection(verification: Verification): Markup {
  const limits = formatUnverifiableEffects(verification);
  if (limits.length === 0) return html``;
  return html`<section><h2>Cannot be verified</h2><ul class="notes">${limits.map((each) => html`<li>${each}</li>`)}</ul></section>`;
}

function methodSection({ method }: Verification): Markup {
  const requests = Object.entries(method.requests);
  return html`<section><h2>Method</h2>
<p>${method.why} Every value that the import wrote was compared by the data type of its field. Nothing was written.</p>
<table class="figures"><thead><tr><th scope="col">request</th><th scope="col" class="n">sent</th></tr></thead>
<tbody>${requests.map(([name, n]) => html`<tr><th scope="row"><code>${name}</code></th><td class="n">${formatCount(n)}</td></tr>`)}</tbody></table></section>`;
}

function checksumSection({ checksums }: Verification): Markup {
  const { input, mapping, differences } = checksums;
  return html`<section class="sums"><h2>Checksums</h2><dl class="facts">
<div><dt>Input ${basename(input.name)}</dt><dd><code>${input.fingerprint}</code></dd></div>
<div><dt>Mapping ${mapping.name} (SHA-256)</dt><dd><code>${mapping.sha256}</code></dd></div>
${differences === null ? undefined : html`<div><dt>${differences.name} (SHA-256)</dt><dd><code>${differences.sha256}</code></dd></div>`}
</dl></section>`;
}
