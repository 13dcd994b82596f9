import { basename, dirname } from 'node:path';

const extension =
  /\.(?:gz|zip|tgz|tar|csv|tsv|tab|txt|json|ndjson|jsonl|xlsx|xlsm|vcf|vcard|sql|sqlite3?|db3?|dump|bak)$/i;

/** Returns a file's name without the extensions of its format, archive and compression. */
export function stripFileExtensions(name: string): string {
  const shorter = name.replace(extension, '');
  return shorter === name || shorter === '' ? name : stripFileExtensions(shorter);
}

/**
 * The patterns of dates, times, years and copy numbers such as `(2)`, which differ from one export to the
 * next.
 */
const dates = [
  /(?<!\d)(?:19|20)\d{2}([-_. ]?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?:[T_\-. ]+\d{2}[-_:h. ]?\d{2}(?:[-_:. ]?\d{2})?|T\d{4,6})?Z?(?!\d)/gi,
  /(?<!\d)\d{1,2}[-_. ]\d{1,2}[-_. ](?:19|20)?\d{2}(?!\d)/g,
  /(?<!\d)(?:19|20)\d{2}(?:[-_. ]?(?:0[1-9]|1[0-2]))?(?!\d)/g,
  /(?<!\d)\d{9,14}(?!\d)/g,
  /\(\d{1,3}\)\s*$/g,
];

const generic = new Set(
  `contact contacts contactos contatti kontakt kontakte people person persons customer customers client clients clientes
  clienti kunde kunden lead leads member members user users adressen addresses export exports exported data daten list
  liste lista all alle full dump backup file input table sheet record records report untitled download new neu crm`.split(
    /\s+/,
  ),
);
const anyFolder = new Set(
  `downloads desktop documents dokumente tmp temp files import imports inputs csv xlsx excel sql json home work shared
  projects`.split(/\s+/),
);
const mostFolders = 3;

/**
 * Returns a name for the system that an input was exported from: the words of its file and its part (a sheet or a
 * table), without dates; if all of them are generic, the words of its folder come first. Undefined if there are none.
 */
export function deriveSourceSystemName(path: string, part?: string): string | undefined {
  const words = [...wordsOf(stripFileExtensions(basename(path))), ...wordsOf(part ?? '')];
  const named = words.filter((word, at) => words.indexOf(word) === at);
  const folder = named.every((word) => generic.has(word)) ? folderOf(dirname(path), mostFolders) : [];
  const name = [...folder, ...named].join('-');
  return name === '' ? undefined : name;
}

/**
 * Returns the words of the innermost folder whose name has a word that is not generic; searches only the last `most`
 * folders of the path. Empty if there is none.
 */
function folderOf(path: string, most: number): readonly string[] {
  const words = wordsOf(basename(path));
  if (words.some((word) => !generic.has(word) && !anyFolder.has(word))) return words;
  return most === 1 || dirname(path) === path ? [] : folderOf(dirname(path), most - 1);
}

function wordsOf(name: string): readonly string[] {
  return dates
    .reduce((text, date) => text.replace(date, ' '), name)
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}
