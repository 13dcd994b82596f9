import { Parser } from 'htmlparser2';
import { expect } from 'vitest';
import { formatRowLine } from '../../src/model/row-place.ts';
import {
  formatCount,
  formatDuration,
  formatLocalTime,
  formatPercent,
  formatRate,
} from '../../src/report/figures.ts';

interface Figure {
  readonly path: string;
  readonly spelling: string;
  readonly of: string | undefined;
  text: string;
}

/** What comes from the input or is typed as it stands, and drawings. */
const notFigures = /\b(given|between|ends)\b/;
const notFigureTags: ReadonlySet<string> = new Set(['code', 'pre', 'style', 'title', 'svg', 'footer', 'a']);

/** The figures that a page shows, and what it shows beside them. */
function read(html: string): { readonly figures: readonly Figure[]; readonly rest: string } {
  const figures: Figure[] = [];
  const open: { readonly figure: Figure | undefined; readonly isLeftOut: boolean }[] = [];
  let rest = '';
  const parser = new Parser({
    onopentag(name, attributes) {
      const { 'data-figure': path, 'data-as': spelling = '', 'data-of': of } = attributes;
      const figure = path === undefined ? open.at(-1)?.figure : { path, spelling, of, text: '' };
      if (path !== undefined && figure !== undefined) figures.push(figure);
      const isLeftOut =
        open.at(-1)?.isLeftOut === true || notFigureTags.has(name) || notFigures.test(attributes.class ?? '');
      open.push({ figure, isLeftOut });
    },
    ontext(text) {
      const last = open.at(-1);
      if (last?.figure !== undefined) last.figure.text += text;
      else if (last?.isLeftOut !== true) rest += text;
    },
    onclosetag: () => void open.pop(),
  });
  parser.end(html);
  return { figures, rest };
}

/** Where a JSON Pointer leads. */
function at(summary: unknown, path: string): unknown {
  const keys = path.split('/').slice(1);
  return keys.reduce<unknown>((value, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value) && name === 'length') return value.length;
    if (typeof value !== 'object' || value === null) return undefined;
    return new Map<string, unknown>(Object.entries(value)).get(name);
  }, summary);
}

function spelled(summary: unknown, { path, spelling, of }: Figure): string {
  const value = at(summary, path);
  if (value === undefined || value === null) return `nothing at ${path}`;
  const n = Number(value);
  switch (spelling) {
    case 'line':
      return formatRowLine(n);
    case 'count':
      return formatCount(n);
    case 'percent':
      return formatPercent(n, of === undefined ? 1 : Number(at(summary, of)));
    case 'duration':
      return formatDuration(n);
    case 'milliseconds':
      return n < 1_000 ? `${Math.round(n)} ms` : formatDuration(n / 1_000);
    case 'rate':
      return formatRate(n);
    case 'time':
      return formatLocalTime(String(value));
    case 'together':
      return formatDuration(
        (Number(at(summary, `${path}/answers`)) * Number(at(summary, `${path}/mean`))) / 1_000,
      );
    default:
      return String(value);
  }
}

/** Fixed words of the page that have digits in them. */
const wordsWithDigits = /SHA-256|answered 4[24]9|9[59]%/g;

/** Every number of a page is one of its summary, spelled as it is there, and no number is anything else. */
export function expectFigures(html: string, summary: unknown): readonly string[] {
  const { figures, rest } = read(html);
  const wrong = figures
    .filter((figure) => figure.text !== spelled(summary, figure))
    .map(
      (figure) => `${figure.path}: ${figure.text} on the page, ${spelled(summary, figure)} in summary.json`,
    );
  expect(wrong).toEqual([]);
  const numbers = rest.replaceAll(wordsWithDigits, '').match(/.{0,30}\d.{0,30}/g) ?? [];
  expect(numbers, 'numbers that summary.json does not have').toEqual([]);
  return figures.map(({ path }) => path);
}
