import { join } from 'node:path';
import { csvText, pagesOf } from '../../../report/csv-list.ts';
import { removeOld, writeWhole } from '../../../report/whole-file.ts';
import type { RecordComparison, RecordDifference } from '../../export/compare/compare-records.ts';

/** The columns of the verification.csv of an export. */
export const differenceColumns = ['file', 'key', 'verdict', 'field', 'exported', 'found'] as const;

const name = 'verification.csv';

/** Writes every difference into the folder of the run; gives the path, or null where there is none. */
export async function writeExportDifferences(
  runDir: string,
  comparison: RecordComparison,
): Promise<string | null> {
  const path = join(runDir, name);
  const [first] = comparison.after(undefined, 1);
  if (first === undefined) {
    await removeOld(path);
    return null;
  }
  const pages = pagesOf<RecordDifference>((after, limit) => comparison.after(after, limit));
  await writeWhole(path, csvText(differenceColumns, pages, cells));
  return path;
}

function cells({ file, key, verdict, field, exported, found }: RecordDifference): readonly string[] {
  return [file, key, verdict, field ?? '', exported ?? '', found ?? ''];
}
