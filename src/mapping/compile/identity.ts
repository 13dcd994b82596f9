import type { ContactFields } from '../../model/contact.ts';
import type { Mapping } from '../schema.ts';
import type { Findings } from './findings.ts';

const words = { email: 'e-mail address', phone: 'phone number' } as const;

/** Rejects a row that nothing identifies. */
export function checkIdentity(
  identify: Mapping['identify'],
  contact: ContactFields,
  { problems, notes }: Findings,
): void {
  if (identify.some((name) => contact[name])) return;
  // An identifier that is wrong has been named already; "missing" would only be said on top of it.
  if (problems.some(({ code }) => /^(?:email|phone)\./.test(code))) return;
  const none = `The row has no ${identify.map((name) => words[name]).join(' and no ')}: without one, a contact cannot be found or created.`;
  // What was left out of a row that is rejected is listed nowhere else.
  const leftOut = notes
    .filter(({ code }) => identify.some((name) => code.startsWith(`${name}.`)))
    .map((note) => note.reason);
  const reason = [none, ...new Set(leftOut)].join(' ');
  problems.push({ code: 'identity.missing', column: null, reason });
}
