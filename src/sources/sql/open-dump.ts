import { createDecoder, resolveEncodingLabel } from '../encoding/decoding.ts';
import {
  type DetectedEncoding,
  detectEncodingByBom,
  detectEncodingByEvidence,
  type EncodingEvidence,
} from '../encoding/detect.ts';
import { scanBytes, type TextFile } from '../encoding/text-file.ts';
import { createInputError, type InputFile } from '../plain-file.ts';
import { detectSqlDumpProgram, type SqlDumpProgram } from './dialect.ts';

/** The encodings of the Encoding Standard by the names that databases use for them, if these differ. */
const encodingNames: Readonly<Record<string, string>> = {
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

/** Returns the character set that the head of a dump declares, as written; null if it declares none. */
function declaredCharset(head: string): string | null {
  return declaration.exec(head)?.[1] ?? null;
}

/** Returns the encoding of a charset name of a database or the Encoding Standard; null for an unknown name. */
function encodingOfCharset(charset: string): string | null {
  const name = charset.toLowerCase();
  const windows = /^(?:win|cp)(125\d|874|866)$/.exec(name)?.[1];
  if (windows !== undefined) return resolveEncodingLabel(windows === '866' ? 'ibm866' : `windows-${windows}`);
  const own = encodingNames[name.replaceAll(/[_-]/g, '')];
  return resolveEncodingLabel(
    Object.hasOwn(encodingNames, name.replaceAll(/[_-]/g, '')) && own !== undefined ? own : charset,
  );
}

/**
 * Determines the encoding of a dump: by the option, else the BOM, else the declared character set unless the
 * bytes are UTF-8, else a guess from the bytes. Throws a FatalError('input') if the option names an unknown
 * one.
 */
async function dumpEncoding(
  head: Buffer,
  evidence: EncodingEvidence,
  stated: string | undefined,
  file: string,
): Promise<DetectedEncoding> {
  const marked = detectEncodingByBom(head);
  if (stated !== undefined) {
    const encoding = encodingOfCharset(stated);
    if (encoding === null) {
      const next =
        'Use one that MySQL, PostgreSQL or the Encoding Standard has (utf8mb4, latin1, …), or leave it out.';
      throw createInputError(file, `cannot be read: unknown character set "${stated}"`, next);
    }
    return marked?.encoding === encoding ? marked : { encoding, bomBytes: 0, notes: [] };
  }
  if (marked !== null) return marked;
  const found = await detectEncodingByEvidence(evidence);
  const declared = declaredCharset(head.toString('latin1'));
  const encoding = declared === null ? null : encodingOfCharset(declared);
  if (declared === null || encoding === null) return found;
  return withDeclaredCharset(found, evidence, declared, encoding);
}

function withDeclaredCharset(
  found: DetectedEncoding,
  { validRuns, brokenRuns }: EncodingEvidence,
  declared: string,
  encoding: string,
): DetectedEncoding {
  if (encoding === 'utf-8') {
    const note = `The dump declares the character set ${declared}, but ${brokenRuns} ${brokenRuns === 1 ? 'place is' : 'places are'} not UTF-8: bytes of binary columns, or else those rows are rejected (row.encoding).`;
    return { encoding, bomBytes: 0, notes: brokenRuns === 0 ? [] : [note] };
  }
  // UTF-8 text is common in tables that declare another charset: the bytes decide.
  if (brokenRuns === 0 && validRuns > 0) {
    const note = `The dump declares the character set ${declared}, but it is UTF-8, and is read as that. If it is not, set "charset: ${declared}".`;
    return { ...found, notes: [note] };
  }
  return {
    encoding,
    bomBytes: 0,
    notes: [`The dump declares the character set ${declared}; it is read as ${encoding}.`],
  };
}

interface EndMark {
  /** Matches the head of a dump by this program. */
  readonly head: RegExp;
  /** Matches the line that the program writes at the end of a complete dump. */
  readonly end: RegExp;
  readonly words: string;
}

/** The head and end lines of dumps by program. */
const endMarks: readonly EndMark[] = [
  { head: /^-- (?:MySQL|MariaDB) dump/m, end: /^-- Dump completed.*/m, words: '-- Dump completed' },
  {
    head: /^-- PostgreSQL database cluster dump\s*$/m,
    end: /^-- PostgreSQL database cluster dump complete/m,
    words: '-- PostgreSQL database cluster dump complete',
  },
  {
    head: /^-- PostgreSQL database dump\s*$/m,
    end: /^-- PostgreSQL database dump complete/m,
    words: '-- PostgreSQL database dump complete',
  },
  // phpMyAdmin, HeidiSQL and mysqldump without comments save this setting first and restore it last.
  {
    head: /^\/\*!40101 SET @OLD_CHARACTER_SET_CLIENT\s*=/m,
    end: /^\/\*!40101 SET CHARACTER_SET_CLIENT\s*=.*@OLD_CHARACTER_SET_CLIENT.*\*\/;/m,
    words: '/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;',
  },
  {
    head: /^(?:START|BEGIN) TRANSACTION;/m,
    end: /^COMMIT;/m,
    words: 'COMMIT;',
  },
];

/** Matches comments, client lines and restored settings: lines that hold no rows. */
const nothingOfRows = /^(?:--.*|\\.*|\/\*!\d+ SET .*\*\/;)?\s*$/;

/** A mismatch between the end of a dump and the closing line that its dump program writes. */
interface WrongEnd {
  /** The mismatch as a sentence. */
  readonly problem: string;
  /** The number of lines after the end line; undefined if the end line is missing. */
  readonly linesAfter: number | undefined;
}

/**
 * Compares the end of a dump with the closing line that its dump program writes; undefined if they match or the program
 * is unknown.
 */
function wrongEnd(head: string, tail: string): WrongEnd | undefined {
  const mark = endMarks.find((each) => each.head.test(head));
  if (mark === undefined) return undefined;
  // The last match counts: a file may hold several dumps.
  const last = [...tail.matchAll(new RegExp(mark.end.source, 'gm'))].at(-1);
  if (last === undefined) {
    const problem = `The dump does not end with "${mark.words}", as complete dumps do: rows or tables at its end may be missing`;
    return { problem, linesAfter: undefined };
  }
  const [, ...after] = tail.slice(last.index + last[0].length).split('\n');
  if (after.every((line) => nothingOfRows.test(line))) return undefined;
  const problem = `The dump has lines after its end ("${mark.words}"): they may be of another file, or of an error`;
  return { problem, linesAfter: after.length };
}

/** The facts of a dump after the scan of its bytes. */
export interface OpenedSqlDump extends TextFile {
  readonly writer: SqlDumpProgram;
  readonly wrongEnd: WrongEnd | undefined;
  readonly notes: readonly string[];
}

/**
 * Scans the bytes of a dump once for its encoding, program and end. The fingerprint is a hash of `settings` and the
 * bytes; `charset` is the option.
 */
export async function openSqlDump(
  file: InputFile,
  charset: string | undefined,
  settings: unknown,
  signal: AbortSignal,
): Promise<OpenedSqlDump> {
  const { head, tail, evidence, fingerprint } = await scanBytes(file, settings, signal);
  const encoding = await dumpEncoding(head, evidence, charset, file.name);
  const decoding = createDecoder(encoding.encoding);
  const start = decoding.write(head.subarray(encoding.bomBytes)) + decoding.end();
  // Removing the NULs of UTF-16 is enough to match an ASCII line.
  const end = wrongEnd(start, tail.toString('latin1').replaceAll('\0', ''));
  return {
    file,
    fingerprint,
    encoding,
    writer: detectSqlDumpProgram(start),
    wrongEnd: end,
    notes: encoding.notes,
  };
}
