import { basename } from 'node:path';
import { duration, localTime } from '../../../../report/figures.ts';
import { factList } from '../../../../report/page/document.ts';
import { kindWords } from '../../../../report/page/kind-words.ts';
import { figure, html, type Markup } from '../../../../report/page/markup.ts';
import { selectionSentence } from '../../../../report/words.ts';
import type { Summary } from '../summary.ts';

/** What the run was asked to do, when, and the checksums of what it read. */
export function askedSection(summary: Summary): Markup {
  const { asked, kind, run, pipeline, sessions, startedAt, finishedAt, seconds } = summary;
  const words = kindWords[kind];
  const given = (text: string) => html`<span class="given">${text}</span>`;
  const about = selectionSentence(summary.selection);
  const times =
    sessions.length > 1
      ? html` in ${figure(['sessions', 'length'], String(sessions.length))} sessions`
      : undefined;
  return html`<section>
<h2>What was asked</h2>
${about === undefined ? undefined : html`<p class="given">${about}</p>`}
${asked.plan === null ? undefined : html`<p>Exactly what the plan <span class="given">${basename(asked.plan)}</span> has, and nothing else.</p>`}
${factList([
  ['Pipeline', given(pipeline)],
  [words.input, given(basename(asked.input.name))],
  ['Mapping', given(asked.mapping.name)],
  [words.workspace, given(asked.workspace)],
  ['Started', figure(['startedAt'], localTime(startedAt), 'time')],
  ['Ended', figure(['finishedAt'], localTime(finishedAt), 'time')],
  ['Worked', html`${figure(['seconds'], duration(seconds), 'duration')}${times}`],
  ['Run', given(run)],
])}
${factList([
  ['Checksum of the input', html`<code>${asked.input.fingerprint}</code>`],
  ['Checksum of the mapping (SHA-256)', html`<code>${asked.mapping.sha256}</code>`],
])}
</section>`;
}
