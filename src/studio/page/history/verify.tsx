import type { LabelledVerification } from '../../wire/history.ts';
import { callRoute } from '../call.ts';
import { formatCount } from '../figures.ts';
import { CommandWithResult } from '../parts/command-result.tsx';
import { FactList } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { ScrollArea } from '../parts/scrolls.tsx';

/** A button that verifies a run, and the result below. */
export function VerifySection({ run }: { readonly run: string }) {
  return (
    <CommandWithResult
      command={{ command: 'verify', run }}
      label="Verify"
      busy="Reading the contacts back…"
      load={(id) => callRoute('runVerification', { id })}
      show={(found) => <Found found={found} />}
    />
  );
}

function Found({ found }: { readonly found: LabelledVerification }) {
  const { exitCode, headline, contacts, values, fields, sample } = found;
  return (
    <>
      <Notice tone={exitCode === 0 ? 'good' : 'look'}>
        <p class="message">
          {exitCode === 0 ? 'Verified: everything that can be read back is as it was written.' : headline}
        </p>
        {sample !== null && <p class="next">{sample.sentence}</p>}
      </Notice>
      <FactList
        facts={{
          'Contacts written': formatCount(contacts.written),
          'As written': formatCount(contacts.matched),
          Different: formatCount(contacts.different),
          Missing: formatCount(contacts.missing),
          'Not there yet': formatCount(contacts.notYet),
          'Values compared': formatCount(values.matched + values.different),
        }}
      />
      {fields.length > 0 && (
        <ScrollArea label="What is not as it was written">
          <table>
            <caption>What is not as it was written</caption>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">What was found</th>
                <th scope="col" class="n">
                  How often
                </th>
              </tr>
            </thead>
            <tbody>
              {fields.map(({ field, words, n }) => (
                <tr key={`${field} ${words}`}>
                  <th scope="row">{field === '' ? 'the contact' : field}</th>
                  <td>{words}</td>
                  <td class="n">{formatCount(n)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
    </>
  );
}
