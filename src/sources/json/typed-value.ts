/**
 * Matches a value of MongoDB's Extended JSON, as mongoexport writes the types that JSON does not have:
 * `{"$oid":"64b7…"}`, `{"$date":{"$numberLong":"1709547300000"}}`.
 */
const typedValue =
  /\{\s*"\$(?:oid|uuid|numberInt|numberLong|numberDouble|numberDecimal)"\s*:\s*"(?<plain>[^"\\]*)"\s*\}|\{\s*"\$date"\s*:\s*(?:"(?<date>[^"\\]*)"|(?<time>-?\d+)|\{\s*"\$numberLong"\s*:\s*"(?<long>-?\d+)"\s*\})\s*\}/y;

/** Reads the value of Extended JSON that begins at an index; undefined for any other object. Dates are ISO texts. */
export function readTypedValue(
  json: string,
  at: number,
): { readonly value: string; readonly end: number } | undefined {
  typedValue.lastIndex = at;
  const groups = typedValue.exec(json)?.groups;
  if (groups === undefined) return undefined;
  const end = typedValue.lastIndex;
  const time = groups.time ?? groups.long;
  return { value: groups.plain ?? groups.date ?? isoOf(time ?? ''), end };
}

/** Returns a time in milliseconds as an ISO text; as it is where no day has it. */
function isoOf(time: string): string {
  const date = new Date(Number(time));
  return Number.isNaN(date.getTime()) ? time : date.toISOString();
}
