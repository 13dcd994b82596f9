import * as z from 'zod';
import { createCellError, defineDataType, type ParsedCell, quoteCell } from './data-type.ts';
import { createColumnGuesser } from './guess.ts';
import { emailNames, removeValueLabel } from './labels.ts';
import { collapseWhiteSpace, toLowerCase, trimWhiteSpace } from './whitespace.ts';

/** The type email: an address, lower-cased and trimmed. */
export const emailDataType = defineDataType({
  options: z.object({}),
  reader: () => ({ readsEmpty: false, read: parseEmailAddress }),
  same: (readBack, wanted) => isSameEmailAddress(readBack, String(wanted)),
  filterKind: 'plain',
  guess: createColumnGuesser(isEmailAddress, 'e-mail addresses'),
});

const longestCell = 10_000;
const longestWrapped = 1_000;
const longest = 254;
const longestLocal = 64;
const longestLabel = 63;

// Letters of every script are allowed on both sides (RFC 6531); quoted local parts and bare host names are not.
const localShape = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const labelShape = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;
const plainAscii = z.regexes.email;

/** Fast path for most cells: matches an address with nothing around it. */
const nothingAround = /^[\w+-][\w.+-]*@[\w.-]*\w$/;
const around = /^["'“”„‘’‚«»`(\s]+|["'“”„‘’«»`)\s.,;:]+$/g;

/** Returns an address without mailto:, a label such as work:, name and angle brackets, quotes, and trailing commas or remarks. */
export function unwrapEmailAddress(cell: string): string {
  if (nothingAround.test(cell)) return cell;
  if (cell.length > longestWrapped) return trimWhiteSpace(cell);
  const written = collapseWhiteSpace(cell);
  const [, name = '', inside] = /^([^<>]*)<([^<>]+)>[.,;\s]*$/.exec(written) ?? [];
  const address = unwrapped(inside ?? written);
  // "Bob bob@b.c <a@b.c>" has two addresses.
  return name.includes('@') && unwrapped(name) !== address ? written : address;
}

function unwrapped(text: string): string {
  return removeValueLabel(text.replace(around, ''), emailNames)
    .replace(/^([^?]*@[^?]*)\?.*=.*$/, '$1')
    .replace(/\s+\([^@()]*\)?$/, '');
}

/** Google joins several values of a cell with `:::`. */
const separators = [/[;|\n\r]|:::/, /,/, /\s(?:ou?|or|oder|und|and|et|[uye]|en|of)\s/i, /\//, /\s/];

/** Returns the parts of a cell with several addresses, not trimmed; [] for any other cell. */
export function splitEmailAddresses(cell: string): readonly string[] {
  for (const separator of separators) {
    const parts = cell.split(separator).filter((part) => /\S/.test(part));
    if (parts.length > 1 && parts.every((part) => part.includes('@'))) return parts;
  }
  return [];
}

/** Parses an e-mail address, also an internationalized one; the value is unwrapped and in lower case. */
export function parseEmailAddress(cell: string): ParsedCell<string> {
  if (cell.length > longestCell)
    return createCellError(`${quoteCell(cell)} is far too long for an e-mail address.`);
  const address = toLowerCase(unwrapEmailAddress(cell).normalize('NFC'));
  if (address.length > longest) {
    return createCellError(
      `The address has ${address.length} characters; an e-mail address has at most ${longest}.`,
    );
  }
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(at, 0));
  const domain = address.slice(at + 1);
  if (local.length > longestLocal) {
    return createCellError(
      `The part before the @ has ${local.length} characters; at most ${longestLocal} are allowed.`,
    );
  }
  const labels = domain.split('.');
  if (at >= 0 && labels.some((label) => label.length > longestLabel)) {
    return createCellError(
      `A part of the domain is longer than ${longestLabel} characters in ${quoteCell(cell)}.`,
    );
  }
  const wellFormed = plainAscii.test(address) || (localShape.test(local) && isDomain(labels));
  return wellFormed ? { ok: true, value: address } : createCellError(whatIsWrong(cell, address));
}

/** Returns true if a cell is an e-mail address. */
export function isEmailAddress(cell: string): boolean {
  return cell.includes('@') && parseEmailAddress(cell).ok;
}

function isDomain(labels: readonly string[]): boolean {
  const last = labels.at(-1) ?? '';
  return labels.length > 1 && labels.every((label) => labelShape.test(label)) && !/^\d+$/.test(last);
}

function whatIsWrong(cell: string, address: string): string {
  const ats = address.split('@').length - 1;
  if (ats > 1 && /[;,\s/|]/.test(address)) {
    return `${quoteCell(cell)} has several addresses; set "split" for the field, or choose one.`;
  }
  if (ats === 0) return `${quoteCell(cell)} is not an e-mail address: it has no @.`;
  if (ats > 1) return `${quoteCell(cell)} is not an e-mail address: it has more than one @.`;
  return `${quoteCell(cell)} is not an e-mail address; one looks like name@example.com.`;
}

/** Returns true if two addresses are equal without regard to case and outer white space. */
export function isSameEmailAddress(readBack: string, wanted: string): boolean {
  const plain = (address: string) => toLowerCase(trimWhiteSpace(address).normalize('NFC'));
  return plain(readBack) === plain(wanted);
}
