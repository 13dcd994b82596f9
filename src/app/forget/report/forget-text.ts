import { readFile } from 'node:fs/promises';
import type { WithoutTexts } from '../../../journal/index.ts';
import { writeWhole } from '../../../report/whole-file.ts';

/** Takes a person's texts out of a text file; whether there were any. */
export async function forgetInText(path: string, without: WithoutTexts): Promise<boolean> {
  const clean = without(await readFile(path, 'utf8'));
  if (clean === null) return false;
  await writeWhole(path, [clean]);
  return true;
}
