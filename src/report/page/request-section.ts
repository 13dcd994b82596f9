import { scaleLinear } from 'd3-scale';
import { count } from '../figures.ts';
import type { RequestCounts } from '../requests.ts';
import type { Summary } from '../summary.ts';
import { html, type Markup } from './markup.ts';

const width = 800;
const height = 6;

/** Requests by operation: how many left, and what came back. */
export function requestSection({ requests }: Pick<Summary, 'requests'>): Markup {
  const operations = Object.entries(requests).sort(([, a], [, b]) => b.sent - a.sent);
  if (operations.length === 0) return html``;
  return html`<section>
<h2>Requests</h2>
${requestTable(operations)}
</section>`;
}

function requestTable(operations: readonly (readonly [string, RequestCounts])[]): Markup {
  const scale = scaleLinear([0, Math.max(1, ...operations.map(([, counts]) => counts.sent))], [0, width]);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Requests"><table class="figures">
<thead><tr><th scope="col">operation</th><th scope="col" class="n">sent</th><th scope="col" class="n"><i class="swatch ok"></i>ok</th><th scope="col" class="n"><i class="swatch limited"></i>limited</th><th scope="col" class="n"><i class="swatch queued"></i>queued</th><th scope="col" class="n"><i class="swatch other"></i>other</th><th scope="col" class="n">retried</th></tr></thead>
<tbody>${operations.map(([name, counts]) => requestRow(name, counts, scale))}</tbody>
</table></div>
<p class="note">Limited: answered 429, too many requests. Queued: answered 449, asked again later. Other: not found, refused, or no complete answer. Sent includes retries.</p>`;
}

function requestRow(name: string, counts: RequestCounts, scale: (n: number) => number): Markup {
  const { sent, ok, limited, queued, retried } = counts;
  const other = Math.max(0, sent - ok - limited - queued);
  const parts: readonly (readonly [string, number])[] = [
    ['ok', ok],
    ['limited', limited],
    ['queued', queued],
    ['other', other],
  ];
  let x = 0;
  const rects = parts
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => {
      const w = Math.max(2, scale(n));
      const rect = html`<rect x="${Math.round(x)}" width="${Math.round(w)}" height="${height}" class="${kind}"/>`;
      x += w;
      return rect;
    });
  const [method = '', ...path] = name.split(' ');
  return html`<tr><th scope="row"><span class="method">${method}</span> <code>${path.join(' ')}</code><svg class="bar thin" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${rects}</svg></th>${[sent, ok, limited, queued, other, retried].map(figure)}</tr>`;
}

function figure(n: number): Markup {
  return html`<td class="n${n === 0 ? ' none' : ''}">${n === 0 ? '–' : count(n)}</td>`;
}
