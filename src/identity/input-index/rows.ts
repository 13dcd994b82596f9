import type { FurtherIdentifier } from '../../model/draft.ts';
import type { RowPlace } from '../../model/row-place.ts';
import { runSql } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { toComparableEmail, toComparablePhone } from '../comparable.ts';
import { computeFnvHash } from './judged-rows.ts';

/** The data that identifies a row of the input. */
export interface InputRow extends RowPlace {
  readonly seq: number;
  readonly key: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  /** The other e-mails and phones of the row. */
  readonly further?: readonly FurtherIdentifier[];
  /** The name in lower case; where there is no e-mail, it distinguishes the people who share a phone. */
  readonly person: string;
  readonly first: string | null;
  readonly family: string | null;
  /** As `toComparableBirthDate` returns it. */
  readonly birthDate?: string | null;
  /** True if the row is rejected because it has more tags than a contact takes. */
  readonly isOverfull?: boolean;
}

/** Returns a function that writes a row with its identifiers in comparable form. */
export function createRowWriter(file: SqliteConnection): (row: InputRow) => void {
  return ({
    seq,
    line,
    sheet = null,
    key,
    email,
    phone,
    further = [],
    person,
    first,
    family,
    birthDate = null,
    isOverfull,
  }) => {
    const address = toComparableEmail(email);
    const who = address === null ? `name:${person}` : `email:${address}`;
    runSql(
      file,
    )`REPLACE INTO scratch.row (seq, line, sheet, key, email, phone, person, first, family, birth_date, overfull)
      VALUES (${seq}, ${line}, ${sheet}, ${key === '' ? null : key}, ${address}, ${toComparablePhone(phone)}, ${computeFnvHash(who)},
        ${first}, ${family}, ${birthDate}, ${isOverfull === true ? 1 : 0})`;
    for (const { kind, value } of further) {
      const comparable = kind === 'email' ? toComparableEmail(value) : toComparablePhone(value);
      if (comparable !== null)
        runSql(file)`INSERT OR IGNORE INTO scratch.further (seq, value) VALUES (${seq}, ${comparable})`;
    }
  };
}
