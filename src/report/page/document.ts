import { html, Markup } from './markup.ts';
import { pageCss } from './style.ts';

// The page loads and runs nothing, whatever its data contains.
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const logo = html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M12 2v6M8.5 8h7v6h-7zM3 16h18l-2.6 5.2H5.6z"/></svg>`;

/** The content of a report page. */
export interface PageContent {
  readonly title: string;
  /** The kind of page in a word, such as `import`. */
  readonly kind: string;
  readonly tag: { readonly tone: string; readonly text: string };
  readonly headline: Markup;
  /** The text below the headline. */
  readonly lead: Markup;
  readonly main: Markup;
  readonly footer: string;
}

/** Returns a self-contained HTML page without scripts. */
export function renderPage({ title, kind, tag, headline, lead, main, footer }: PageContent): string {
  return html`${new Markup('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Markup(pageCss)}</style>
</head>
<body>
<header>
<div class="top">${logo}<b>Longshore</b><span>${kind}</span><span class="tag ${tag.tone}">${tag.text}</span></div>
<h1>${headline}</h1>
${lead}
</header>
<main>
${main}
</main>
<footer>${footer} This page loads nothing and runs no scripts.</footer>
</body>
</html>
`.text;
}

/** Returns a list of named facts. */
export function renderFactList(facts: readonly (readonly [name: string, value: string | Markup])[]): Markup {
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
