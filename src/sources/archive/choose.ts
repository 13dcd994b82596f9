import { formatNameList as listedNames } from '../../model/listed.ts';
import { createInputError } from '../plain-file.ts';
import type { UnpackingRules } from '../source-format.ts';

const shownNames = 20;

/**
 * Chooses the file of an archive: the named one, else the only one with an extension of the format, else the only one
 * of all. Throws a FatalError('input') if there is no such file or several.
 */
export function chooseArchiveMember(
  archive: string,
  names: readonly string[],
  member: string | undefined,
  { extensions }: UnpackingRules,
): string {
  if (names.length === 0) {
    const next = 'Export it again, or use another file; folders and links in it are ignored.';
    throw createInputError(archive, 'has no file', next);
  }
  if (member !== undefined) return memberByName(archive, names, member);
  const fitting = names.filter((name) => hasExtension(name, extensions));
  const [only, ...more] = fitting.length === 0 ? names : fitting;
  if (only !== undefined && more.length === 0) return only;
  const endings = extensions.map((extension) => `.${extension}`).join(', ');
  const what = fitting.length === 0 ? `none of them a ${endings}` : `${fitting.length} of them ${endings}`;
  throw createInputError(
    archive,
    `has ${names.length} files, ${what}: ${listed(fitting.length === 0 ? names : fitting)}`,
    `Choose one, for example "member: ${only}".`,
  );
}

/** True if a file name has one of these extensions. */
export function hasExtension(name: string, extensions: readonly string[]): boolean {
  return extensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`));
}

function memberByName(archive: string, names: readonly string[], member: string): string {
  const found = names.filter((name) => name === member);
  const [exact] = found;
  if (found.length > 1) {
    const what = `has ${found.length} files named ${member}`;
    throw createInputError(archive, what, 'Unpack it, and use the right one.');
  }
  if (exact !== undefined) return exact;
  const inFolder = names.filter((name) => name.endsWith(`/${member}`));
  const [only, ...more] = inFolder;
  if (only !== undefined && more.length === 0) return only;
  const what = only === undefined ? `has no file ${member}` : `has several files ${member}`;
  throw createInputError(archive, `${what}; there are: ${listed(names)}`, `Set "member" to one of these.`);
}

function listed(names: readonly string[]): string {
  return listedNames(names.toSorted(), shownNames);
}
