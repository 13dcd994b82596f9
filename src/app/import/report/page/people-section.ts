import { formatCount } from '../../../../report/figures.ts';
import { runFileNames } from '../../../../report/file-names.ts';
import { html, type Markup, renderSummaryValue } from '../../../../report/page/markup.ts';
import type { Summary } from '../summary.ts';

/** Returns the section about what needs manual action, with the list for each item. */
export function renderManualActionSection({
  rows,
  manual,
  gone = 0,
}: Pick<Summary, 'rows' | 'manual' | 'gone'>): Markup {
  const kinds = [
    {
      n: rows.rejected,
      path: ['rows', 'rejected'],
      file: runFileNames.rejects,
      what: ['row rejected', 'rows rejected'],
      meaning: 'nothing of it was sent; correct it and retry',
    },
    {
      n: rows.failed,
      path: ['rows', 'failed'],
      file: runFileNames.rejects,
      what: ['row failed', 'rows failed'],
      meaning: 'the workspace did not accept it, or not all of it; retry',
    },
    {
      n: manual.proposals,
      path: ['manual', 'proposals'],
      file: runFileNames.mergeProposals,
      what: ['merge proposed', 'merges proposed'],
      meaning: 'two contacts may be one person; a merge cannot be undone and needs your approval',
    },
    {
      n: manual.questions,
      path: ['manual', 'questions'],
      file: runFileNames.samePerson,
      what: ['question whether two are one person', 'questions whether two are one person'],
      meaning: 'nothing of these rows was sent; answer same or different in the list',
    },
    {
      n: rows.stale,
      path: ['rows', 'stale'],
      file: runFileNames.dropped,
      what: ['row stale', 'rows stale'],
      meaning: 'something changed after the plan or the approval; nothing was sent',
    },
    {
      n: manual.uncertain,
      path: ['manual', 'uncertain'],
      file: runFileNames.uncertain,
      what: ['comment that may have been sent', 'comments that may have been sent'],
      meaning:
        'the answer was lost, and comments cannot be verified through the API; check in the workspace and decide in the list',
    },
    {
      n: manual.tagged,
      path: ['manual', 'tagged'],
      file: runFileNames.contactTags,
      what: ['contact with tags', 'contacts with tags'],
      meaning: 'the API cannot attach tags; import this list by hand',
    },
    {
      n: gone,
      path: ['gone'],
      file: runFileNames.gone,
      what: ['key no longer in the input', 'keys no longer in the input'],
      meaning: `known from earlier runs; no row led to their contacts, which were left alone${formatDoubt(rows)}`,
    },
  ].filter(({ n }) => n > 0);
  if (kinds.length === 0)
    return html`<section><h2>Needs manual action</h2><p class="quiet">Nothing.</p></section>`;
  return html`<section>
<h2>Needs manual action</h2>
<ul class="todo">${kinds.map(
    ({ n, path, file, what, meaning }) =>
      html`<li><b class="n">${renderSummaryValue(path, formatCount(n))}</b><div><b>${what[n === 1 ? 0 : 1] ?? ''}</b>: ${meaning}<br><a href="${file}">${file}</a></div></li>`,
  )}</ul>
</section>`;
}

function formatDoubt({ rejected, failed }: Summary['rows']): string {
  const open = rejected + failed;
  if (open === 0) return '';
  return `; the ${open === 1 ? 'row' : `${formatCount(open)} rows`} to correct or retry may lead to some of them`;
}
