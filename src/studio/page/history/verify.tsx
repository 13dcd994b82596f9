import type { Verification } from '../../wire/history.ts';
import { call } from '../call.ts';
import { count } from '../figures.ts';
import { CommandResult } from '../parts/command-result.tsx';
import { Facts } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';

/** Reads back what a run wrote. */
export function Verify({ run }: { readonly run: string }) {
  return (
    <CommandResult
      command={{ command: 'verify', run }}
      label="Verify"
      busy="Reading the contacts back…"
      load={(id) => call('runVerification', { id })}
      show={(found) => <Found found={found} />}
    />
  );
}

function Found({ found: { exitCode, contacts, values, fields, sample } }: { readonly found: Verification }) {
  return (
    <>
      <Notice tone={exitCode === 0 ? 'good' : 'look'}>
        <p class="message">
          {exitCode === 0
            ? 'Verified: everything that can be read back is as it was written.'
            : 'Some of what was written is different, missing, or not there yet.'}
        </p>
        {sample !== null && <p class="next">{sample.sentence}</p>}
      </Notice>
      <Facts
        facts={{
          'Contacts written': count(contacts.written),
          'As written': count(contacts.matched),
          Different: count(contacts.different),
          Missing: count(contacts.missing),
          'Not there yet': count(contacts.notYet),
          'Values compared': count(values.matched + values.different),
        }}
      />
      {fields.length > 0 && (
        <table>
          <caption>What is not as it was written</caption>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Found</th>
              <th scope="col">Likely cause</th>
              <th scope="col" class="n">
                How often
              </th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ field, verdict, cause, n }) => (
              <tr key={`${field} ${verdict} ${cause}`}>
                <th scope="row">{field === '' ? 'the contact' : field}</th>
                <td>{verdict}</td>
                <td>{cause}</td>
                <td class="n">{count(n)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
