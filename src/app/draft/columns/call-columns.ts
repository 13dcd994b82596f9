import { squeezeWord } from '../../../datatypes/index.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import { canUseColumnInTemplate } from './contact-columns.ts';
import { splitColumnName } from './header-words.ts';

/** The columns of calls or messages of which the contact is the caller in some rows, and who is called in others. */
export interface CallColumns {
  readonly direction: ColumnProfile;
  readonly from: ColumnProfile;
  readonly to: ColumnProfile;
}

const half = 0.5;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).map(squeezeWord));

const senders = setOf('from caller source sender origin von absender anrufer de desde appelant da van');
const receivers = setOf(
  'to callee called destination recipient receiver an empfanger a para hacia appele naar',
);
const inboundWords = setOf(
  'in inbound incoming received eingehend eingang entrant entrante recibida inkomend',
);
const outboundWords = setOf('out outbound outgoing sent dialed ausgehend ausgang sortant saliente uitgaand');

/** Finds the columns that tell the direction of calls, and the phones of both sides; undefined if there are none. */
export function findCallColumns(columns: readonly ColumnProfile[]): CallColumns | undefined {
  const usable = columns.filter(({ name }) => canUseColumnInTemplate(name));
  const phoneOf = (words: ReadonlySet<string>) =>
    usable.find(
      (column) =>
        column.share('phones') >= half && splitColumnName(column.name).some((word) => words.has(word)),
    );
  const [from, to] = [phoneOf(senders), phoneOf(receivers)];
  if (from === undefined || to === undefined || from === to) return undefined;
  const direction = usable.find((column) => hasBothDirections([...(column.distinct?.keys() ?? [])]));
  return direction && { direction, from, to };
}

function hasBothDirections(values: readonly string[]): boolean {
  const has = (words: ReadonlySet<string>) =>
    values.some((value) => splitColumnName(value).some((word) => words.has(word)));
  return has(inboundWords) && has(outboundWords);
}
