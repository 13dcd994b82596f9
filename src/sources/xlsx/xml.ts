import { SaxesParser } from 'saxes';
import { createDecoder } from '../encoding/decoding.ts';
import { detectEncodingByBom } from '../encoding/detect.ts';

/** Receives the events of an XML part; the names of elements have no namespace prefix, those of attributes keep it. */
export interface XmlHandler {
  open(name: string, attributes: XmlAttributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

export type XmlAttributes = Readonly<Record<string, string>>;

/** Thrown if an XML part cannot be parsed. */
export class XmlError extends Error {}

// A cell has at most 32,767 characters, and sheets are six elements deep: far more is a denial-of-service
// attack.
const longestToken = 8 * 1024 * 1024;
const deepest = 256;

/** Parses XML chunk by chunk, calls `handler`, and yields after each chunk. Throws an XmlError for invalid XML. */
export async function* parseXml(
  bytes: AsyncIterable<Buffer>,
  handler: XmlHandler,
): AsyncGenerator<void, void, undefined> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let sinceEvent = 0;
  parser.on('opentag', ({ name, attributes }) => {
    sinceEvent = 0;
    depth += 1;
    if (depth > deepest) throw new XmlError(`elements are nested more than ${deepest} deep`);
    handler.open(local(name), attributes);
  });
  const onText = (text: string) => {
    sinceEvent = 0;
    handler.text?.(text);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', ({ name }) => {
    sinceEvent = 0;
    depth -= 1;
    handler.close?.(local(name));
  });
  const feed = (text: string) => {
    sinceEvent += text.length;
    guarded(() => parser.write(text));
    if (sinceEvent > longestToken) throw new XmlError(`a text is longer than ${longestToken} characters`);
  };
  let decoding: ReturnType<typeof createDecoder> | null = null;
  for await (const chunk of bytes) {
    const mark = decoding === null ? detectEncodingByBom(chunk.subarray(0, 16)) : null;
    decoding ??= createDecoder(mark?.encoding ?? 'utf-8');
    feed(decoding.write(chunk.subarray(mark?.bomBytes ?? 0)));
    yield;
  }
  feed(decoding?.end() ?? '');
  guarded(() => parser.close());
  yield;
}

function guarded(parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    if (error instanceof XmlError) throw error;
    throw new XmlError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
