import * as z from 'zod';
import { tryParseUrl } from '../model/parse-url.ts';
import { createCellError, defineDataType, type ParsedCell, quoteCell } from './data-type.ts';
import { calculateUnreadableShare, countCellsParsedAs, maxUnreadableShare } from './guess.ts';

/** The type url: a web address with or without scheme, as written (`www.site`, `https://www.site`, `site`). */
export const urlDataType = defineDataType({
  options: z.object({}),
  reader: () => ({ readsEmpty: false, read: parseUrl }),
  same: (readBack, wanted) => readBack === String(wanted),
  filterKind: 'plain',
  guess: {
    ways(cell) {
      const ways = [
        ...(looksLikeDomain.test(cell) ? ['domain'] : []),
        ...(linkBegin.test(cell) ? ['link'] : []),
      ];
      return ways.length > 0 && parseUrl(cell).ok ? ways : [];
    },
    rule(column, seen) {
      const others = calculateUnreadableShare(column, countCellsParsedAs('domain', seen));
      // Words joined by points are addresses only if the column has links, too.
      if (countCellsParsedAs('link', seen) === 0 || others > maxUnreadableShare) return undefined;
      return { options: {}, words: 'web addresses', others };
    },
  },
});

const linkBegin = /^(?:https?:\/\/|www\.)/i;
const looksLikeDomain =
  /^(?:https?:\/\/)?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/iu;

/** Returns true if a cell is a web address that begins with http://, https:// or www. */
export function isWebLink(cell: string): boolean {
  return linkBegin.test(cell) && parseUrl(cell).ok;
}

const longestUrl = 8_192;
const scheme = /^([a-z][a-z0-9+.-]*):\/\//i;
const hostShape = /^(?:\[[0-9a-f:.]+\]|(?!-)[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*\.?)$/iu;

/** Parses a web address with http, https or no scheme; the value is the cell as written. */
export function parseUrl(cell: string): ParsedCell<string> {
  if (cell.length > longestUrl)
    return createCellError(`${quoteCell(cell)} is far too long for a web address.`);
  const named = scheme.exec(cell)?.[1]?.toLowerCase();
  if (named !== undefined && named !== 'http' && named !== 'https') {
    return createCellError(
      `${quoteCell(cell)} has the scheme ${named}; a web address begins with https:// or http://, or with neither.`,
    );
  }
  const address = named === undefined ? `http://${cell}` : cell;
  const url = /[\s\p{Cc}]/u.test(cell) ? undefined : tryParseUrl(address);
  if (url === undefined) return createCellError(notAnAddress(cell));
  const { username, hostname, pathname } = url;
  // The specification allows a bare host such as `site`; with a path (`N/A`, `n/a`) it is not an address.
  if (named === undefined && !hostname.includes('.') && pathname !== '/')
    return createCellError(notAnAddress(cell));
  if (username !== '') {
    return createCellError(
      `${quoteCell(cell)} is not a web address; an e-mail address or a user name does not belong here.`,
    );
  }
  return hostShape.test(hostname) ? { ok: true, value: cell } : createCellError(notAnAddress(cell));
}

function notAnAddress(cell: string): string {
  return `${quoteCell(cell)} is not a web address; one looks like https://example.com/page or www.example.com.`;
}
