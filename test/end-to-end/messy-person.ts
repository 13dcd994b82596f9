import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answered } from '../app/draft/drafting.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { Ended } from './command.ts';
import { run } from './in-process.ts';

/** What a person at the screen answers, by a piece of the question. */
export const answers = {
  'which country': 'DE',
  'which stage': 'Customer',
};

/** The cells that reject their rows, and what belongs there. */
export const corrections = [
  ['emil.krueger at example.com', 'emil.krueger@example.com'],
  ['lars.gross@', 'lars.gross@example.com'],
] as const;

// Of the workbook nothing is blank: rows without cells are no records.
export const exports = [
  { fixture: 'kunden.csv', source: /header: 2\n.*skipEmpty: true\n/, filtered: 4 },
  { fixture: 'kunden.xlsx', source: /sheet: Kunden\n.*headerRow: 5\n/, filtered: 1 },
];

/** The path of a messy export. */
export function messyExport(fixture: string): string {
  return fileURLToPath(new URL(`../../fixtures/messy/${fixture}`, import.meta.url));
}

/** A person with a new folder, the export in it, and nothing but the command. */
export function person(fixture: string) {
  const { path: folder, remove } = temporaryFolder();
  copyFileSync(messyExport(fixture), join(folder, fixture));
  const reads = (file: string): string => readFileSync(join(folder, file), 'utf8');
  return {
    ...{ folder, remove, reads },
    types: (line: string): Promise<Ended> => run(line.split(' '), {}, undefined, folder),
    answers(file: string): void {
      writeFileSync(join(folder, file), answered(reads(file), answers));
    },
    /** Writes `rejects.csv` as the rejects of a run, with the right cells. */
    corrects(name: string): void {
      const rejects = reads(`.longshore/runs/${name}/rejects.csv`);
      const text = corrections.reduce((before, [wrong, right]) => before.replace(wrong, right), rejects);
      writeFileSync(join(folder, 'rejects.csv'), text);
    },
  };
}
