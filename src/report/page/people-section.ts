import { count } from '../figures.ts';
import { fileNames } from '../summary.ts';
import { html, type Markup } from './markup.ts';

/** What a run leaves to people, in lines of the lists beside the page. */
export interface LeftToPeople {
  readonly proposals: number;
  readonly uncertain: number;
  readonly tagged: number;
  readonly gone: number;
}

/** What only a person can decide or do, and the list in which it stands; nothing where nothing is left. */
export function peopleSection({ proposals, uncertain, tagged, gone }: LeftToPeople): Markup {
  const kinds = [
    {
      n: proposals,
      file: fileNames.mergeProposals,
      what: 'merges proposed',
      meaning: 'two contacts may be one person; a merge cannot be undone and needs your approval',
    },
    {
      n: uncertain,
      file: fileNames.uncertain,
      what: 'comments that may have been sent',
      meaning: 'the answer was lost, and comments cannot be verified through the API; check in the workspace',
    },
    {
      n: tagged,
      file: fileNames.contactTags,
      what: 'contacts with tags',
      meaning: 'the API cannot attach tags; import this list by hand',
    },
    {
      n: gone,
      file: fileNames.gone,
      what: 'keys no longer in the input',
      meaning: 'known from earlier runs; their contacts were left alone',
    },
  ].filter(({ n }) => n > 0);
  if (kinds.length === 0) return html``;
  return html`<section>
<h2>Needs manual action</h2>
<table class="outcomes"><tbody>${kinds.map(
    ({ n, file, what, meaning }) =>
      html`<tr><th scope="row"><a href="${file}">${file}</a></th><td class="meaning"><b>${what}</b>: ${meaning}</td><td class="n">${count(n)}</td></tr>`,
  )}</tbody></table>
</section>`;
}
