import { canonicalEncoding, decoderOf } from '../encoding/decoding.ts';
import {
  type DetectedEncoding,
  type EncodingEvidence,
  encodingByBom,
  encodingByEvidence,
} from '../encoding/detect.ts';
import { scanBytes, type TextFile } from '../encoding/text-file.ts';
import { type InputFile, inputError } from '../plain-file.ts';
import { type DumpProgram, dumpProgramOf } from './dialect.ts';

/** Names of databases for encodings that the Encoding Standard calls otherwise. */
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

/** The character set that the head of a dump declares, in its own words; null where it declares none. */
function declaredCharset(head: string): string | null {
  return declaration.exec(head)?.[1] ?? null;
}

/** The encoding of a charset's name in a database or in the Encoding Standard; null where there is none. */
function encodingOfCharset(charset: string): string | null {
  const name = charset.toLowerCase();
  const windows = /^(?:win|cp)(125\d|874|866)$/.exec(name)?.[1];
  if (windows !== undefined) return canonicalEncoding(windows === '866' ? 'ibm866' : `windows-${windows}`);
  const own = encodingNames[name.replaceAll(/[_-]/g, '')];
  return canonicalEncoding(
    Object.hasOwn(encodingNames, name.replaceAll(/[_-]/g, '')) && own !== undefined ? own : charset,
  );
}

/** The encoding of a dump: what is stated, its mark, what it declares where its bytes agree, else what its bytes say. */
async function dumpEncoding(
  head: Buffer,
  evidence: EncodingEvidence,
  stated: string | undefined,
  file: string,
): Promise<DetectedEncoding> {
  const marked = encodingByBom(head);
  if (stated !== undefined) {
    const encoding = encodingOfCharset(stated);
    if (encoding === null) {
      const next =
        'Use one that MySQL, PostgreSQL or the Encoding Standard has (utf8mb4, latin1, …), or leave it out.';
      throw inputError(file, `cannot be read: unknown character set "${stated}"`, next);
    }
    return marked?.encoding === encoding ? marked : { encoding, bomBytes: 0, notes: [] };
  }
  if (marked !== null) return marked;
  const found = await encodingByEvidence(evidence);
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
  // A dump of UTF-8 text out of tables that were declared otherwise: its bytes are the better witness.
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
  /** What the program writes at the head of a dump. */
  readonly head: RegExp;
  /** What it writes at the end when it got that far, with no rows behind it. */
  readonly end: RegExp;
  readonly words: string;
}

/** What programs write at the head of a dump, and what they write at its end when they got that far. */
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

/** Comments, lines for a client program, and settings that are restored: no rows can be missing among them. */
const nothingOfRows = /^(?:--.*|\\.*|\/\*!\d+ SET .*\*\/;)?\s*$/;

/** How the end of a dump is not what its program writes there, as far as its last bytes show it. */
interface WrongEnd {
  /** In a sentence. */
  readonly problem: string;
  /** How many lines stand after the end; undefined where there is no end. */
  readonly linesAfter: number | undefined;
}

/** Compares the end of a dump with what the program that wrote it writes there; undefined where nothing is wrong. */
function wrongEnd(head: string, tail: string): WrongEnd | undefined {
  const mark = endMarks.find((each) => each.head.test(head));
  if (mark === undefined) return undefined;
  // The last one: a dump may be appended to another one.
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

/** What the bytes of a dump show before its text is read. */
export interface OpenedDump extends TextFile {
  readonly writer: DumpProgram;
  readonly wrongEnd: WrongEnd | undefined;
  readonly notes: readonly string[];
}

/** Looks through the bytes of a dump once; `settings` enter the fingerprint, `charset` is the one that is stated. */
export async function openDump(
  file: InputFile,
  charset: string | undefined,
  settings: unknown,
  signal: AbortSignal,
): Promise<OpenedDump> {
  const { head, tail, evidence, fingerprint } = await scanBytes(file, settings, signal);
  const encoding = await dumpEncoding(head, evidence, charset, file.name);
  const decoding = decoderOf(encoding.encoding);
  const start = decoding.write(head.subarray(encoding.bomBytes)) + decoding.end();
  // UTF-16 has every other byte a NUL, and is not worth decoding for these few words.
  const end = wrongEnd(start, tail.toString('latin1').replaceAll('\0', ''));
  return { file, fingerprint, encoding, writer: dumpProgramOf(start), wrongEnd: end, notes: encoding.notes };
}
