import { scaleLinear } from 'd3-scale';
import type { RequestStats, RequestStatsByOperation } from '../requests.ts';
import { html, type Markup, renderCountCell, renderOperationCell, renderScrollableTable } from './markup.ts';

const width = 800;
const height = 6;

/** Returns the section about requests: for each operation, how many were sent and how they were answered. */
export function renderRequestSection({ requests }: { readonly requests: RequestStatsByOperation }): Markup {
  const operations = Object.entries(requests).sort(([, a], [, b]) => b.sent - a.sent);
  if (operations.length === 0) return html``;
  return html`<section>
<h3>Requests</h3>
${requestTable(operations)}
</section>`;
}

function requestTable(operations: readonly (readonly [string, RequestStats])[]): Markup {
  const scale = scaleLinear([0, Math.max(1, ...operations.map(([, counts]) => counts.sent))], [0, width]);
  const head = [
    'operation',
    { n: 'sent' },
    ...['ok', 'limited', 'queued'].map((kind) => ({ n: html`<i class="swatch ${kind}"></i>${kind}` })),
    { n: 'retried' },
  ];
  return html`${renderScrollableTable(
    'Requests',
    head,
    operations.map(([name, counts]) => requestRow(name, counts, scale)),
  )}
<p class="note">Limited: answered 429, too many requests. Queued: answered 449, asked again later. The grey part of a bar: not found, refused, or no complete answer. Sent includes retries.</p>`;
}

function requestRow(name: string, counts: RequestStats, scale: (n: number) => number): Markup {
  const { sent, ok, limited, queued, retried } = counts;
  const other = Math.max(0, sent - ok - limited - queued);
  let x = 0;
  const rects = Object.entries({ ok, limited, queued, other })
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => {
      const w = Math.max(2, scale(n));
      const rect = html`<rect x="${Math.round(x)}" width="${Math.round(w)}" height="${height}" class="${kind}"/>`;
      x += w;
      return rect;
    });
  const bar = html`<svg class="bar thin" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${rects}</svg>`;
  const cells = Object.entries({ sent, ok, limited, queued, retried }).map(([key, n]) =>
    renderCountCell(['requests', name, key], n),
  );
  return html`<tr>${renderOperationCell(name, bar)}${cells}</tr>`;
}
