import { canonicalEncoding } from '../encoding/decoding.ts';
import { byEvidence, byMark, type FoundEncoding } from '../encoding/detect.ts';
import type { EncodingEvidence } from '../encoding/evidence.ts';
import { refused } from '../input-file.ts';

/** Names of databases for encodings that the Encoding Standard calls otherwise. */
const names: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  utf8mb3: 'utf-8',
  utf8mb4: 'utf-8',
  unicode: 'utf-8',
  ucs2: 'utf-16be',
  latin1: 'windows-1252',
  latin2: 'iso-8859-2',
  latin3: 'iso-8859-3',
  latin4: 'iso-8859-4',
  latin5: 'windows-1254',
  latin7: 'iso-8859-13',
  latin9: 'iso-8859-15',
  latin10: 'iso-8859-16',
  greek: 'iso-8859-7',
  hebrew: 'iso-8859-8',
  cp932: 'shift_jis',
  sjis: 'shift_jis',
  ujis: 'euc-jp',
  eucjpms: 'euc-jp',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  uhc: 'euc-kr',
  gb2312: 'gbk',
  euccn: 'gbk',
  koi8: 'koi8-r',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  tis620: 'windows-874',
  macroman: 'macintosh',
};

const declaration =
  /(?:^|\/\*M?!\d*\s)\s*SET\s+(?:NAMES|(?:SESSION\s+)?client_encoding\s*(?:=|TO))\s*['"]?([A-Za-z0-9_-]+)/im;

/** The character set that the head of a dump declares, in its own words; null where it declares none. */
export function declaredCharset(head: string): string | null {
  return declaration.exec(head)?.[1] ?? null;
}

/** The encoding of a charset's name in a database or in the Encoding Standard; null where there is none. */
export function encodingOfCharset(charset: string): string | null {
  const name = charset.toLowerCase();
  const windows = /^(?:win|cp)(125\d|874|866)$/.exec(name)?.[1];
  if (windows !== undefined) return canonicalEncoding(windows === '866' ? 'ibm866' : `windows-${windows}`);
  const own = names[name.replaceAll(/[_-]/g, '')];
  return canonicalEncoding(
    Object.hasOwn(names, name.replaceAll(/[_-]/g, '')) && own !== undefined ? own : charset,
  );
}

/** The encoding of a dump: what is stated, its mark, what it declares where its bytes agree, else what its bytes say. */
export function dumpEncoding(
  head: Buffer,
  evidence: EncodingEvidence,
  stated: string | undefined,
  file: string,
): FoundEncoding {
  const marked = byMark(head);
  if (stated !== undefined) {
    const encoding = encodingOfCharset(stated);
    if (encoding === null) {
      const next =
        'Use one that MySQL, PostgreSQL or the Encoding Standard has (utf8mb4, latin1, …), or leave it out.';
      throw refused(file, `cannot be read: unknown character set "${stated}"`, next);
    }
    return marked?.encoding === encoding ? marked : { encoding, markBytes: 0, notes: [] };
  }
  if (marked !== null) return marked;
  const found = byEvidence(evidence);
  const declared = declaredCharset(head.toString('latin1'));
  const encoding = declared === null ? null : encodingOfCharset(declared);
  if (declared === null || encoding === null) return found;
  return agreed(found, evidence, declared, encoding);
}

function agreed(
  found: FoundEncoding,
  { soundRuns, brokenRuns }: EncodingEvidence,
  declared: string,
  encoding: string,
): FoundEncoding {
  if (encoding === 'utf-8') {
    const note = `The dump declares the character set ${declared}, but ${brokenRuns} ${brokenRuns === 1 ? 'place is' : 'places are'} not UTF-8: bytes of binary columns, or else those rows are rejected (row.encoding).`;
    return { encoding, markBytes: 0, notes: brokenRuns === 0 ? [] : [note] };
  }
  // A dump of UTF-8 text out of tables that were declared otherwise: its bytes are the better witness.
  if (brokenRuns === 0 && soundRuns > 0) {
    const note = `The dump declares the character set ${declared}, but it is UTF-8, and is read as that. If it is not, set "charset: ${declared}".`;
    return { ...found, notes: [note] };
  }
  return {
    encoding,
    markBytes: 0,
    notes: [`The dump declares the character set ${declared}; it is read as ${encoding}.`],
  };
}
