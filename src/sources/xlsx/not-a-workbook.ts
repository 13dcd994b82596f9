import type { FatalError } from '../../model/fatal-error.ts';
import { chunksOf, type InputFile, refused } from '../input-file.ts';

const saveAs = 'Open it in a spreadsheet program and save it as .xlsx';

/** Why a file cannot be a workbook, as its first bytes show; null where they are those of a zip archive. */
export async function notAWorkbook(
  file: InputFile,
  head: Buffer,
  signal: AbortSignal,
): Promise<FatalError | null> {
  if (head.subarray(0, 2).toString('latin1') === 'PK') return null;
  if (head.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1') {
    return (await holds(file, Buffer.from('EncryptedPackage', 'utf16le'), signal))
      ? refused(file.name, 'is protected with a password', `${saveAs} without one.`)
      : refused(file.name, 'is an old workbook (.xls)', `${saveAs}.`);
  }
  const text = head.subarray(0, 512).toString('latin1').trimStart();
  if (text.startsWith('<'))
    return refused(file.name, 'is not a workbook (.xlsx) but an HTML or XML page', `${saveAs}.`);
  return refused(
    file.name,
    'is not a workbook (.xlsx)',
    'If it is plain text, set "format: csv"; otherwise export it again.',
  );
}

/** What a zip archive without a workbook in it is. */
export function otherArchive(file: InputFile, has: (part: string) => boolean): FatalError {
  if (has('xl/workbook.bin')) return refused(file.name, 'is a binary workbook (.xlsb)', `${saveAs}.`);
  if (has('content.xml') && has('META-INF/manifest.xml'))
    return refused(file.name, 'is an OpenDocument file (.ods)', `${saveAs}.`);
  return refused(
    file.name,
    'is a zip archive, but there is no workbook in it',
    'If it is an export of several files, set "format: dump".',
  );
}

async function holds(file: InputFile, wanted: Buffer, signal: AbortSignal): Promise<boolean> {
  let before: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(file, signal)) {
    const both = Buffer.concat([before, chunk]);
    if (both.includes(wanted)) return true;
    before = both.subarray(Math.max(0, both.length - wanted.length));
  }
  return false;
}
