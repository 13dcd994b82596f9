import { jsonShape } from './json-arrays.ts';

/** A format that an input seems to be in, with the options that must be stated for it. */
export interface LikelyFormat {
  readonly format: string;
  readonly options: Readonly<Record<string, string>>;
}

const sqlBegin =
  /^(?:--|\/\*|#|\\|(?:SET|USE|CREATE|INSERT|REPLACE|DROP|BEGIN|PRAGMA|LOCK|COPY|START|ALTER|SELECT|DELIMITER)\b)/i;
const sqlRows = /^\s*(?:CREATE\s+(?:\w+\s+)*TABLE|INSERT\s+(?:\w+\s+)*INTO|REPLACE\s+INTO|COPY\s+\S+)/im;

/** The format of a text by how it begins; its name decides only where the text could be two. */
export function textFormat(head: string, name: string): LikelyFormat {
  const text = head.replaceAll('\0', '').replace(/^[\s\ufeff]+/, '');
  if (/^BEGIN\s*:\s*VCARD/i.test(text)) return { format: 'vcard', options: {} };
  if (sqlBegin.test(text) && (sqlRows.test(text) || /\.sql$/i.test(name)))
    return { format: 'sql', options: {} };
  if (/^\[\s*(?:[{\]]|$)/.test(text)) return { format: 'json', options: {} };
  if (/^\{\s*["}]/.test(text)) return jsonObject(text, name);
  return { format: 'csv', options: {} };
}

function jsonObject(text: string, name: string): LikelyFormat {
  const { lines, arrays } = jsonShape(text);
  const named = /\.(?:ndjson|jsonl)$/i.test(name);
  const [best] = [...arrays].sort((a, b) => depth(a.path) - depth(b.path) || b.records - a.records);
  if (lines || named) return { format: 'ndjson', options: {} };
  return { format: 'json', options: best === undefined ? {} : { at: best.path } };
}

function depth(path: string): number {
  return path.split('.').length;
}
