import { createTimestampReader, formatDayOrderQuestion, guessDateFormats } from './date.ts';
import type { ColumnSample, ParsedCellCount } from './guess.ts';

/** How a time follows a date in the formats that a draft recognizes. */
const timesAfterDate = [' H:mm', ' H:mm:ss', ' h:mm a', ' h:mm:ss a'].flatMap((time) => [time, `,${time}`]);

const mostCells = 200;

/**
 * Guesses the formats of a column of timestamps for `createTimestampReader`, from some of its cells. Returns a question
 * where month and day could be swapped; undefined if the column has no dates, or only ISO ones, which need no format.
 */
export function guessTimestampFormats(
  column: ColumnSample,
  seen: readonly ParsedCellCount[],
  cells: Iterable<string>,
): readonly string[] | string | undefined {
  const found = guessDateFormats(column, seen);
  if (found === undefined || found.formats.every((format) => format === isoDay)) return undefined;
  const { formats, doubtful } = found;
  const some = [...cells].slice(0, mostCells).map((cell) => cell.trim());
  const isRead = (format: string) => {
    const read = createTimestampReader(format);
    return some.some((cell) => read(cell) !== undefined);
  };
  const withTimes = (day: string): readonly string[] => {
    if (day === isoDay) return ['iso'];
    const written = ['', ...timesAfterDate].map((time) => `${day}${time}`).filter(isRead);
    return written.length === 0 ? [day] : written;
  };
  if (doubtful === undefined) return formats.flatMap(withTimes);
  const beside = formats.filter((format) => !doubtful.includes(format)).flatMap(withTimes);
  const [month, day] = doubtful.map(withTimes);
  return formatDayOrderQuestion([...(month ?? []), ...beside], [...(day ?? []), ...beside]);
}

const isoDay = 'yyyy-MM-dd';
